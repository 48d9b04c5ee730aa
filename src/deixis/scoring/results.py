"""A run, read back and scored: every participant's trials with their scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deixis.errors import StoreError
from deixis.experiments import EXPERIMENTS, experiment
from deixis.experiments.subsets import subset
from deixis.records import Prompt, Response, Score, Trial
from deixis.scoring.score import score
from deixis.store import RunFolder


@dataclass(frozen=True, slots=True)
class Scored:
    """One trial of one participant, scored."""

    trial: Trial
    """The question, with its right answer."""
    score: Score
    """What became of it."""
    response: Response | None
    """What came back, if anything."""


@dataclass(frozen=True, slots=True)
class Result:
    """One participant under one design."""

    participant: str
    """Its id."""
    signature: dict[str, str | int]
    """What the answers were made with, and how they were read."""
    rows: tuple[Scored, ...]
    """Its planned trials, in the order of the design."""

    @property
    def is_reference(self) -> bool:
        """Whether it is a reference participant."""
        return self.participant.startswith("strategy:")


@dataclass(frozen=True, slots=True)
class DesignResults:
    """Everything a run holds about one design."""

    name: str
    """Experiment and condition, as the folder is called."""
    signature: dict[str, str | int]
    """What was asked."""
    notes: tuple[str, ...]
    """What was found about the items."""
    prompts: tuple[Prompt, ...]
    """The prompts, in the order of the design."""
    results: tuple[Result, ...]
    """One entry a participant: models, oracle, chance, shortcuts."""

    @property
    def models(self) -> list[Result]:
        """The participants that are no reference."""
        return [result for result in self.results if not result.is_reference]

    @property
    def references(self) -> dict[str, Result]:
        """Reference participants by name, without their prefix."""
        return {r.participant.partition(":")[2]: r for r in self.results if r.is_reference}


def read_results(run: Path) -> Iterator[DesignResults]:
    """Yield every design of a run folder, scored by the reader of its protocol."""
    folder = RunFolder.existing(run)
    for name in sorted(folder.designs(), key=_turn):
        part = folder.design(name)
        signature = part.signature()
        asked = experiment(str(signature["experiment"]))
        reader = asked.readers[str(signature["protocol"])]
        trials, prompts = part.table()
        if any(tuple(trial.factors) != asked.factors for trial in trials):
            raise StoreError(
                f"{str(run / name)!r} has the factors {', '.join(trials[0].factors)}, and {asked.name} now has "
                f"{', '.join(asked.factors)}; read it with the deixis that made it"
            )
        results = []
        for answers in part.participants():
            planned = subset(trials, answers.planned(), int(signature["seed"]))
            rows = _rows(trials, {trial.id for trial in planned}, answers.read(), reader)
            version = rows[0].score.reader if rows else reader
            results.append(Result(answers.participant, {**answers.signature(), "reader": version}, rows))
        results.sort(key=_place)
        yield DesignResults(name, signature, tuple(part.notes()), tuple(prompts), tuple(results))


def _turn(name: str) -> tuple[int, int, str]:
    """Designs in the order of the experiments and of their conditions."""
    which, _, condition = name.partition("-")
    if which not in EXPERIMENTS:
        return len(EXPERIMENTS), 0, name
    conditions = EXPERIMENTS[which].conditions
    return list(EXPERIMENTS).index(which), conditions.index(condition) if condition in conditions else -1, name


_FIRST = ("strategy:oracle", "strategy:chance")


def _place(result: Result) -> tuple[bool, int, str]:
    """Models first, then the two ends of the scale, then the shortcuts by name."""
    name = result.participant
    return result.is_reference, _FIRST.index(name) if name in _FIRST else len(_FIRST), name


def _rows(
    trials: Sequence[Trial], planned: set[str], responses: dict[str, Response], reader: str
) -> tuple[Scored, ...]:
    return tuple(
        Scored(trial, score(trial, responses.get(trial.id), reader), responses.get(trial.id))
        for trial in trials
        if trial.id in planned or trial.id in responses
    )
