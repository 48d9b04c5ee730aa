"""The full analysis of one model's answers to all that the paper ran, and the memory it takes.

    python -m benchmarks.analysis [--trials N] [--keep DIR]

Makes a run of every condition (about 150,000 trials with the reference participants, which takes minutes; ``--keep``
uses a folder again), a scripted model choosing at random but for every second question, where it says the first option.
Then, in a process of its own, reads the run back and analyses it, and prints the seconds of both, their ratio, and the
peak of the memory.
"""

import argparse
import json
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

from deixis.analysis.whole import analyse
from deixis.participants.participant import Abilities, Participant
from deixis.participants.registry import Setting, build
from deixis.records import AnswerMode, Prompt, Response, Trial
from deixis.runs.session import request, run
from deixis.scoring.results import DesignResults, read_results
from deixis.seeds import derived

NAME = "scripted/model"


class Scripted:
    """Says the first option of every second question, and any of the others."""

    id = NAME
    abilities = Abilities(pictures=True)
    identity = {"weights": "none"}  # noqa: RUF012

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:  # noqa: ARG002
        """Answer one prompt after the other."""
        for prompt in prompts:
            drawn = derived(0, prompt.trial_id)
            yield Response(prompt.trial_id, text=prompt.options[drawn // 2 % len(prompt.options) if drawn % 2 else 0])

    def close(self) -> None:
        """Nothing to let go of."""


def main() -> None:
    """Make the run, have it analysed, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, help="as many conditions as hold so many trials; by default all")
    parser.add_argument("--keep", type=Path, help="where the run is made, or was")
    parser.add_argument("--analyse", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.analyse:
        sys.stdout.write(json.dumps(measured(asked.analyse)))
        return
    with tempfile.TemporaryDirectory() as folder:
        where = asked.keep or Path(folder)
        if not any(where.glob("*/design.json")):
            made(where, asked.trials)
        command = [sys.executable, "-m", "benchmarks.analysis", "--analyse", str(where)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    print(f"{found['trials']:,} trials of one model in {found['designs']} conditions, with reference participants")
    print(
        f"  read back and scored {found['read']:.1f} s, analysed {found['analysed']:.1f} s "
        f"({found['analysed'] / found['read']:.2f} times), peak {found['peak']:,.0f} MB; tables: {found['tables']}"
    )


def made(folder: Path, trials: int | None) -> None:
    """Ask the scripted model and the reference participants."""

    def built(
        name: str, trials: Sequence[Trial], seed: int, setting: Setting, draw: Callable[[str], bytes] | None = None
    ) -> Participant:
        return Scripted() if name == NAME else build(name, trials, seed, setting, draw)

    designs = planned(trials)
    with patch("deixis.runs.session.build", built), patch("deixis.runs.session.check_ready"):
        asked = request(
            experiments=list(dict.fromkeys(design.experiment for design in designs)),
            participants=[NAME], conditions=(), protocol=PROTOCOL, mode=AnswerMode.GENERATE, items=None, limit=None,
            out=folder, seed=0, settings={}, setting=Setting(), canary=False,
        )  # fmt: skip
        run(asked, designs, Quiet())


def measured(folder: Path) -> dict[str, object]:
    """Read and analyse a run, one condition after the other as the command does."""
    spent = trials = 0.0
    names = []

    def read() -> Iterator[DesignResults]:
        nonlocal spent, trials
        designs = read_results(folder)
        while True:
            start = time.perf_counter()
            design = next(designs, None)
            spent += time.perf_counter() - start
            if design is None:
                return
            names.append(design.name)
            trials += sum(len(result.rows) for result in design.models)
            yield design

    start = time.perf_counter()
    found = analyse(read())
    return {
        "trials": int(trials),
        "designs": len(names),
        "read": spent,
        "analysed": time.perf_counter() - start - spent,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6,
        "tables": ", ".join(found.tables),
    }


if __name__ == "__main__":
    main()
