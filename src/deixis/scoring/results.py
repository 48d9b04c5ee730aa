"""A run, read back and scored: every participant's trials with their scores."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from deixis.errors import StoreError, UsageError
from deixis.experiments import EXPERIMENTS, experiment
from deixis.experiments.subsets import subset
from deixis.records import Prompt, Response, Score, Trial
from deixis.scoring.judged import Bench, bench, judged
from deixis.scoring.score import score
from deixis.scoring.verdicts import Verdict
from deixis.scoring.ways import Way
from deixis.store import DesignFolder, RunFolder

PROTOCOL = Way()
"""The reading by the reader of each protocol."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One trial of one participant, scored."""

    trial: Trial
    """The question, with its right answer."""
    score: Score
    """What became of it."""
    response: Response | None
    """What came back, if anything."""
    verdict: Verdict | None = None
    """What a judge said of it, or why it said nothing, where it was to say something."""


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


def read_results(run: Path, way: Way = PROTOCOL) -> Iterator[DesignResults]:
    """Yield every design of a run folder, read one ``way``; nobody is asked anything.

    Where the way has a judge, its kept verdicts count for every participant that it has judged. Raises
    :class:`UsageError` where it has judged nobody.
    """
    folder = RunFolder.existing(run)
    _check_judge(folder, way)
    for name in sorted(folder.designs(), key=_turn):
        part = folder.design(name)
        signature = part.signature()
        asked = experiment(str(signature["experiment"]))
        reader = way.reader or asked.readers[str(signature["protocol"])]
        trials, prompts = part.table()
        if any(tuple(trial.factors) != asked.factors for trial in trials):
            raise StoreError(
                f"{str(run / name)!r} has the factors {', '.join(trials[0].factors)}, and {asked.name} now has "
                f"{', '.join(asked.factors)}; read it with the deixis that made it"
            )
        results = []
        for answers in part.participants():
            planned = {trial.id for trial in subset(trials, answers.planned(), int(signature["seed"]))}
            kept = _bench(part, answers.participant, way.judge)
            rows = _rows(trials, prompts, planned, answers.read(), reader, kept, every=way.every)
            read_by = {"reader": rows[0].score.reader if rows else reader}
            if kept is not None and kept.family:
                read_by["judge_of_own_family"] = kept.family
            results.append(Result(answers.participant, {**answers.signature(), **read_by}, rows))
        results.sort(key=_place)
        yield DesignResults(name, signature, tuple(part.notes()), tuple(prompts), tuple(results))


def only(designs: Iterable[DesignResults], participants: Sequence[str]) -> list[DesignResults]:
    """Return the results of some participants, or all where none is named.

    Raises :class:`UsageError` for one that is not in the run.
    """
    found = list(designs)
    known = {result.participant for design in found for result in design.results}
    stranger = next((name for name in participants if name not in known), None)
    if stranger is not None:
        raise UsageError(f"no participant {stranger!r} in this run; there is {', '.join(sorted(known))}")
    if not participants:
        return found
    return [replace(d, results=tuple(r for r in d.results if r.participant in participants)) for d in found]


def _check_judge(folder: RunFolder, way: Way) -> None:
    known = {judge for name in folder.designs() for judge in folder.design(name).judges()}
    if way.judge and way.judge not in known:
        told = f"there is {', '.join(sorted(known))}" if known else "nobody has judged here"
        raise UsageError(f"no verdicts of a judge {way.judge!r} in {str(folder.path)!r}; {told} (--judge asks one)")


def _bench(part: DesignFolder, participant: str, judge: str) -> Bench | None:
    kept = part.verdicts(participant, judge) if judge else None
    return bench(kept) if kept is not None and kept.is_signed else None


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
    trials: Sequence[Trial],
    prompts: Sequence[Prompt],
    planned: set[str],
    responses: dict[str, Response],
    reader: str,
    kept: Bench | None,
    *,
    every: bool,
) -> tuple[Scored, ...]:
    return tuple(
        _scored(trial, responses.get(trial.id), reader, prompt.text, kept, every=every)
        for trial, prompt in zip(trials, prompts, strict=True)
        if trial.id in planned or trial.id in responses
    )


def _scored(
    trial: Trial, response: Response | None, reader: str, asked: str, kept: Bench | None, *, every: bool
) -> Scored:
    read = score(trial, response, reader, asked)
    if kept is None:
        return Scored(trial, read, response)
    found, verdict = judged(trial, response, read, kept, every=every)
    return Scored(trial, found, response, verdict)
