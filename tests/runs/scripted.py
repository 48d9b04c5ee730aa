"""A participant whose answers are a function of the trial, run from the command line so that it can be killed.

    python -m tests.runs.scripted FOLDER ITEMS LOG

Asks the classic questions about ITEMS; every question asked is first written to LOG.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from deixis.experiments import experiment
from deixis.participants.participant import Abilities
from deixis.records import AnswerMode, Prompt, Response
from deixis.runs.run import ask
from deixis.store import RunFolder


class Quiet:
    """Progress that tells nobody."""

    def start(self, participant: str, done: int, total: int) -> None: ...
    def step(self) -> None: ...
    def end(self) -> None: ...


class Scripted:
    """Takes an option by a hash of the prompt, a little while after it was asked."""

    id = "test:scripted"
    abilities = Abilities(choose=True)
    identity = {"weights": "none"}  # noqa: RUF012

    def __init__(self, log: Path | None = None, pause: float = 0.0) -> None:
        self._log = log
        self._pause = pause

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        for prompt in prompts:
            if self._log is not None:
                with self._log.open("a") as file:
                    file.write(prompt.trial_id + "\n")
            time.sleep(self._pause)
            option = prompt.options[sha256(prompt.user.encode()).digest()[0] % 2]
            yield Response(prompt.trial_id, text=f"The answer is {option}.", finish="stop")

    def close(self) -> None: ...


def run(folder: Path, items: Path, participant: Scripted) -> None:
    design = experiment("indexicals").design(items, "classic", "corrected", 0)
    run_folder = RunFolder(folder)
    with run_folder.locked():
        part = run_folder.design("indexicals-classic")
        part.keep(design.signature, design.notes, design.trials, design.prompts)
        ask(part, design, participant, AnswerMode.GENERATE, None, Quiet())


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]), Scripted(Path(sys.argv[3]), pause=0.004))
