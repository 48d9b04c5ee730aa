"""The full report of seven models on all that the paper ran, and the time and memory it takes.

    python -m benchmarks.report [--trials N] [--keep DIR]

Makes a run of every condition (about 150,000 trials, seven scripted models and all reference participants: some three
million answers, which takes minutes; ``--keep`` uses a folder again). Then writes the report as ``deixis report`` does,
in a process of its own, and prints its seconds, the answers a second, and the ratio to reading the answers of one
condition back with a record for each, on one core, in the same run.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

from benchmarks.memory import PROTOCOL, planned
from tests.runs.scripted import Quiet

from deixis.participants.participant import Abilities, Participant
from deixis.participants.registry import Setting, build
from deixis.records import AnswerMode, Prompt, Response, Trial
from deixis.runs.session import request, run
from deixis.scoring.results import designs_of, read_design
from deixis.seeds import derived

NAMES = [f"scripted/model-{number}" for number in range(7)]


class Scripted:
    """Says the first option more often than others, one answer in five as a sentence, one in a hundred not at all."""

    abilities = Abilities(pictures=True)
    identity = {"weights": "none"}  # noqa: RUF012

    def __init__(self, name: str) -> None:
        self.id = name
        self._taste = int(name[-1])

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:  # noqa: ARG002
        """Answer one prompt after the other."""
        for prompt in prompts:
            drawn = derived(self._taste, prompt.trial_id)
            first = drawn % 8 < 4 + self._taste // 2
            said = prompt.options[0 if first else drawn // 8 % len(prompt.options)]
            if drawn % 97 == 0:
                said = "I cannot tell from the picture."
            elif drawn % 5 == 0:
                said = f'The right message is: "{said}"'
            yield Response(prompt.trial_id, text=said, finish="stop", seconds=0.4, model=self.id)

    def close(self) -> None:
        """Nothing to let go of."""


def main() -> None:
    """Make the run, have it reported, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, help="as many conditions as hold so many trials; by default all")
    parser.add_argument("--keep", type=Path, help="where the run is made, or was")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        where = asked.keep or Path(folder) / "run"
        if not any(where.glob("*/design.json")):
            made(where, asked.trials)
        out = Path(folder) / "report"
        start = time.perf_counter()
        command = [sys.executable, "-m", "deixis", "report", str(where), "--out", str(out)]
        subprocess.run(command, check=True, capture_output=True)
        spent = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6
        size = (out / "report.html").stat().st_size / 1e6
    answers = sum(file.read_bytes().count(b"\n") for file in where.glob("*/answers/*.jsonl"))
    trials = sum(file.read_bytes().count(b"\n") for file in where.glob("*/trials.jsonl"))
    slow = one_by_one(where)
    print(f"{trials:,} trials, {len(NAMES)} models and the reference participants, {answers:,} answers")
    print(
        f"  report in {spent:.1f} s on {os.cpu_count()} cores ({answers / spent:,.0f} answers a second, the largest "
        f"process {peak:,.0f} MB), page {size:.1f} MB"
    )
    print(
        f"  with a record for each answer, one core: {slow:,.0f} answers a second read and scored, and nothing else; "
        f"the whole report is {answers / spent / slow:.1f} times as fast"
    )


def made(folder: Path, trials: int | None) -> None:
    """Ask the scripted models and the reference participants."""

    def built(
        name: str, trials: Sequence[Trial], seed: int, setting: Setting, draw: Callable[[str], bytes] | None = None
    ) -> Participant:
        return Scripted(name) if name in NAMES else build(name, trials, seed, setting, draw)

    designs = planned(trials)
    with patch("deixis.runs.session.build", built), patch("deixis.runs.session.check_ready"):
        asked = request(
            experiments=list(dict.fromkeys(design.experiment for design in designs)),
            participants=NAMES, conditions=(), protocol=PROTOCOL, mode=AnswerMode.GENERATE, items=None, limit=None,
            out=folder, seed=0, settings={}, setting=Setting(), canary=False,
        )  # fmt: skip
        run(asked, designs, Quiet())


def one_by_one(folder: Path) -> float:
    """Return how many answers of one condition are read and scored a second with a record for each."""
    name = next(name for name in designs_of(folder) if not name.startswith("checks"))
    start = time.perf_counter()
    count = sum(len(result.rows) for result in read_design(folder, name).results)
    return count / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
