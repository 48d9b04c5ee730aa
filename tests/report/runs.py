"""Small runs with answers that are known, for pages and what they are made from."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from deixis.participants.participant import Abilities
from deixis.participants.registry import Setting
from deixis.records import AnswerMode, Prompt, Response
from deixis.runs.run import ask
from deixis.runs.session import Request, designs, request, run
from deixis.store import RunFolder
from tests.runs.scripted import Quiet


class Says:
    """Says the same to everything; without words, everything fails."""

    abilities = Abilities(pictures=True)

    def __init__(self, name: str = "demo/mine", words: str = "I prefer mine.", weights: str = "none") -> None:
        self.id, self.words, self.identity = name, words, {"weights": weights}

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        for prompt in prompts:
            yield Response(
                prompt.trial_id, text=self.words or None, finish="stop", error=None if self.words else "out of order"
            )

    def close(self) -> None: ...


def asked(
    out: Path,
    experiment: str,
    *models: Says,
    condition: str = "people",
    protocol: str = "corrected",
    seed: int = 0,
    people: int = 0,
    settings: Mapping[str, str] | None = None,
    limit: int | None = None,
) -> Path:
    """Ask reference participants, people made up and models, and return the folder of the run.

    Possessives for people are 32 trials, vocabulary 16; with ``list=all`` four times as many.
    """
    wanted = _wanted(out, experiment, condition, protocol, seed, people, settings, limit)
    (design,) = designs(wanted)
    run(wanted, [design], Quiet())
    for model in models:
        ask(RunFolder(out).design(f"{experiment}-{condition}"), design, model, AnswerMode.GENERATE, limit, Quiet())
    return out


def planned(out: Path, experiment: str = "possessive") -> Path:
    """Keep the trials of a run that nobody has answered."""
    (design,) = designs(_wanted(out, experiment))
    RunFolder(out).design(f"{experiment}-people").keep(design.signature, design.notes, design.trials, design.prompts)
    return out


def _wanted(
    out: Path,
    experiment: str,
    condition: str = "people",
    protocol: str = "corrected",
    seed: int = 0,
    people: int = 0,
    settings: Mapping[str, str] | None = None,
    limit: int | None = None,
) -> Request:
    return request(
        experiments=(experiment,),
        participants=(f"people:simulated/{people}",) if people else ("strategy:oracle",),
        conditions=(condition,),
        protocol=protocol,
        mode=AnswerMode.GENERATE,
        items=None,
        limit=limit,
        out=out,
        seed=seed,
        settings=dict(settings or {}),
        setting=Setting(),
    )
