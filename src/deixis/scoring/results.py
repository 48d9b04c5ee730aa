"""A run, read back and scored: every participant's trials with their scores."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import overload

from deixis.errors import StoreError, UsageError
from deixis.experiments import EXPERIMENTS, experiment
from deixis.experiments.subsets import subset
from deixis.records import Prompt, Response, Score, Trial
from deixis.scoring.columns import Columns, TrialTable, of_rows
from deixis.scoring.counting import counted
from deixis.scoring.judged import Bench, bench, judged, reading_label
from deixis.scoring.reading import VERSIONS
from deixis.scoring.score import score
from deixis.scoring.verdicts import Verdict
from deixis.scoring.ways import Way
from deixis.store import AnswerFile, DesignFolder, RunFolder

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


class Rows(Sequence[Scored]):
    """One participant's scored trials, made when they are first asked for; columns may be there sooner."""

    def __init__(
        self,
        table: TrialTable,
        make: Callable[[Collection[str] | None], tuple[list[int], tuple[Scored, ...]]],
        count: Callable[[], Columns | None] = lambda: None,
    ) -> None:
        self.table = table
        """Every trial of the design."""
        self._make = make
        self._count = count

    @cached_property
    def _made(self) -> tuple[list[int], tuple[Scored, ...]]:
        return self._make(None)

    @cached_property
    def columns(self) -> Columns:
        """What became of the trials, in columns; places are those in :attr:`table`."""
        return self._count() or of_rows(self._made[0], ((row.trial, row.score, row.response) for row in self._made[1]))

    def of(self, ids: Collection[str]) -> tuple[Scored, ...]:
        """Return the rows of some trials, without making the others."""
        return self._make(ids)[1]

    @overload
    def __getitem__(self, index: int) -> Scored: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Scored, ...]: ...
    def __getitem__(self, index: int | slice) -> Scored | tuple[Scored, ...]:
        return self._made[1][index]

    def __len__(self) -> int:
        return len(self._made[1])

    def __iter__(self) -> Iterator[Scored]:
        return iter(self._made[1])


def rows_of(scored: Iterable[Scored]) -> Rows:
    """Return rows of trials that are at hand already."""
    made = tuple(scored)

    def make(ids: Collection[str] | None) -> tuple[list[int], tuple[Scored, ...]]:
        places = [place for place, row in enumerate(made) if ids is None or row.trial.id in ids]
        return places, tuple(made[place] for place in places)

    return Rows(TrialTable([row.trial for row in made]), make)


@dataclass(frozen=True, slots=True)
class Result:
    """One participant under one design."""

    participant: str
    """Its id."""
    signature: dict[str, str | int]
    """What the answers were made with, and how they were read."""
    rows: Sequence[Scored]
    """Its planned trials, in the order of the design."""

    @property
    def trials(self) -> list[Trial]:
        """Its planned trials, without scoring them."""
        if isinstance(self.rows, Rows):
            return [self.rows.table.trials[place] for place in self.rows.columns.place.tolist()]
        return [row.trial for row in self.rows]

    @property
    def columns(self) -> Columns:
        """What became of its trials, in columns."""
        return (self.rows if isinstance(self.rows, Rows) else rows_of(self.rows)).columns

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
    for name in designs_of(run, way):
        yield read_design(run, name, way)


def designs_of(run: Path, way: Way = PROTOCOL) -> list[str]:
    """Return the names of the designs in a run folder, in the order of experiments and conditions.

    Raises :class:`UsageError` where the way's judge has judged nobody in it.
    """
    folder = RunFolder.existing(run)
    _check_judge(folder, way)
    return sorted(folder.designs(), key=_turn)


def read_design(run: Path, name: str, way: Way = PROTOCOL) -> DesignResults:
    """Return one design of a run folder."""
    part = RunFolder.existing(run).design(name)
    signature = part.signature()
    asked = experiment(str(signature["experiment"]))
    reader = way.reader or asked.readers[str(signature["protocol"])]
    found, asked_with = part.table()
    trials, prompts = tuple(found), tuple(asked_with)
    if any(tuple(trial.factors) != asked.factors for trial in trials):
        raise StoreError(
            f"{str(run / name)!r} has the factors {', '.join(trials[0].factors)}, and {asked.name} now has "
            f"{', '.join(asked.factors)}; read it with the deixis that made it"
        )
    table = TrialTable(trials)
    plans = _Plans(table, int(signature["seed"]))
    results = []
    for answers in part.participants():
        kept = _bench(part, answers.participant, way.judge)
        read_by = {
            "reader": VERSIONS[reader] if kept is None else reading_label(VERSIONS[reader], kept, every=way.every)
        }
        if kept is not None and kept.family:
            read_by["judge_of_own_family"] = kept.family
        rows = _read(table, prompts, plans.of(answers), answers, reader, kept, every=way.every)
        results.append(Result(answers.participant, {**answers.signature(), **read_by}, rows))
    results.sort(key=_place)
    return DesignResults(name, signature, tuple(part.notes()), prompts, tuple(results))


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


class _Plans:
    """Which trials of a design a participant was to be asked."""

    def __init__(self, table: TrialTable, seed: int) -> None:
        self._table = table
        self._seed = seed
        self._known: dict[int, list[int]] = {}

    def of(self, answers: AnswerFile) -> list[int]:
        """Return the places of the trials that were planned."""
        named = answers.trials()
        if named:
            return [self._table.index[name] for name in named if name in self._table.index]
        limit = answers.planned()
        if limit not in self._known:
            drawn = subset(self._table.trials, limit, self._seed)
            self._known[limit] = [self._table.index[trial.id] for trial in drawn]
        return self._known[limit]


def _read(
    table: TrialTable,
    prompts: Sequence[Prompt],
    planned: Sequence[int],
    answers: AnswerFile,
    reader: str,
    kept: Bench | None,
    *,
    every: bool,
) -> Rows:
    def make(ids: Collection[str] | None) -> tuple[list[int], tuple[Scored, ...]]:
        responses = answers.read(ids)
        trials = table.trials
        asked = planned if ids is None else [at for at in planned if trials[at].id in ids]
        places = sorted({*asked, *(table.index[name] for name in responses if name in table.index)})
        return places, tuple(
            _scored(trials[at], responses.get(trials[at].id), reader, prompts[at].text, kept, every=every)
            for at in places
        )

    def count() -> Columns | None:
        return counted(table, prompts, planned, answers.entries(), reader) if kept is None else None

    return Rows(table, make, count)


def _scored(
    trial: Trial, response: Response | None, reader: str, asked: str, kept: Bench | None, *, every: bool
) -> Scored:
    read = score(trial, response, reader, asked)
    if kept is None:
        return Scored(trial, read, response)
    found, verdict = judged(trial, response, read, kept, every=every)
    return Scored(trial, found, response, verdict)
