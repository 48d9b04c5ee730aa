"""Memory of a run of all that the paper ran: every condition one after the other, pictures made as they are asked for.

    python -m benchmarks.memory [--trials N]

Goes through the real loop (``deixis.runs.session.run``, reference participants and all) into a folder that is thrown
away. The model is scripted: it takes the PNG file of every picture of a question, as a client would, and answers at
once. Resident memory is sampled every 10,000 of its trials; the ratio is of the last sample to the first.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from unittest.mock import patch

from tests.runs.scripted import Quiet

from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.participants.participant import Abilities, Participant
from deixis.participants.registry import Setting, build
from deixis.records import AnswerMode, Prompt, Response, Trial
from deixis.runs.planning import PRESETS
from deixis.runs.session import request, run

NAME = "scripted/model"
PROTOCOL = "corrected"
EVERY = 10_000
"""Trials from one sample of the memory to the next."""
LIMIT = 1000
"""MB that a run may take at most."""


def resident() -> float:
    """Return the MiB that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


class Gauge:
    """Counts trials and pictures over all designs, and prints the memory now and then."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.trials = self.pictures = self.sent = 0
        self.samples: list[float] = []

    def took(self, pictures: Sequence[bytes]) -> None:
        """Count one trial and the files that came with it."""
        self.trials += 1
        self.pictures += len(pictures)
        self.sent += sum(map(len, pictures))
        if self.trials % EVERY == 0:
            self.samples.append(resident())
            took = time.perf_counter() - self.start
            print(f"{self.trials:>9,} trials {self.samples[-1]:6,.0f} MiB {took:5.0f} s", flush=True)


class Scripted:
    """Takes every picture of a question and says its first option."""

    id = NAME
    abilities = Abilities(pictures=True)
    identity = {"weights": "none"}  # noqa: RUF012

    def __init__(self, draw: Callable[[str], bytes] | None, gauge: Gauge) -> None:
        self._draw = draw
        self._gauge = gauge

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:  # noqa: ARG002
        """Answer one prompt after the other."""
        for prompt in prompts:
            shown = [key for key in (*(example.picture for example in prompt.examples), prompt.picture) if key]
            assert self._draw is not None
            self._gauge.took([self._draw(key) for key in shown])
            yield Response(prompt.trial_id, text=prompt.options[0], finish="stop", picture=prompt.picture)

    def close(self) -> None:
        """Nothing to let go of."""


def planned(trials: int | None) -> list[Design]:
    """Return the designs of everything the paper ran, or the first of them, until there are enough trials."""
    found = [experiment(name).design(None, condition) for name, condition in PRESETS["paper"].parts(PROTOCOL)]
    if trials is None:
        return found
    sums = accumulate(sum(1 for _ in design.pairs()) for design in found)
    return found[: next((count for count, held in enumerate(sums, start=1) if held >= trials), len(found))]


def main() -> None:
    """Run, sample, print; exits with 1 where a run takes more than it may."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, help="as many conditions as hold so many trials; by default all")
    designs = planned(parser.parse_args().trials)
    print(f"{len(designs)} conditions; {resident():,.0f} MiB before the run", flush=True)
    gauge = Gauge()

    def built(
        name: str, trials: Sequence[Trial], seed: int, setting: Setting, draw: Callable[[str], bytes] | None = None
    ) -> Participant:
        return Scripted(draw, gauge) if name == NAME else build(name, trials, seed, setting, draw)

    with (
        tempfile.TemporaryDirectory() as folder,
        patch("deixis.runs.session.build", built),
        patch("deixis.runs.session.check_ready"),
    ):
        asked = request(
            experiments=list(dict.fromkeys(design.experiment for design in designs)),
            participants=[NAME],
            conditions=(),
            protocol=PROTOCOL,
            mode=AnswerMode.GENERATE,
            items=None,
            limit=None,
            out=Path(folder),
            seed=0,
            settings={},
            setting=Setting(),
            canary=False,
        )
        turns = run(asked, designs, Quiet())
        written = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) / 1e6
    took = time.perf_counter() - gauge.start
    assert sum(turn.new for turn in turns if turn.participant == NAME) == gauge.trials
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print(
        f"{gauge.trials:,} trials, {gauge.pictures:,} pictures ({gauge.sent / 1e6:,.0f} MB) and "
        f"{sum(turn.new for turn in turns) - gauge.trials:,} answers of reference participants in {took:,.0f} s: "
        f"{gauge.trials / took:,.0f} trials/s; {written:,.0f} MB written"
    )
    ratio = gauge.samples[-1] / gauge.samples[0] if gauge.samples else 1.0
    print(f"peak {peak:,.0f} MB (limit {LIMIT:,} MB); at the end {ratio:.2f} times the first {EVERY:,} trials")
    if peak > LIMIT:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
