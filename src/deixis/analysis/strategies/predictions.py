"""What every strategy predicts of every trial: a probability for each option, and what looks the same.

A strategy that names one option gives it 1; one undecided between k gives each 1/k; one that abstains says nothing, so
it is taken to guess among all. *Noise* guesses on every trial and is always there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from deixis.errors import AnalysisError
from deixis.records import Outcome
from deixis.scoring.columns import OUTCOMES
from deixis.scoring.results import DesignResults, Result, Rows, Scored

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

NOISE = "noise"
"""The name of guessing among all options alike."""
NO_STRATEGY = ("chance",)
"""Reference participants that explain nothing: a die thrown beforehand is noise."""

Answer = int | tuple[int, ...] | None
"""One option, several between which a strategy does not decide, or ``None`` where it abstains."""


@dataclass(frozen=True, eq=False)
class Predictions:
    """The strategies' predictions on the trials of one design."""

    trials: tuple[str, ...]
    """Ids of the trials."""
    strategies: tuple[str, ...]
    """Noise first, then the strategies in the order given."""
    probabilities: Array
    """Trials × options × strategies; 0 for options that a trial does not offer."""
    options: Whole
    """How many options each trial offers."""

    @cached_property
    def _kinds(self) -> tuple[Array, Whole]:
        offered = np.arange(self.probabilities.shape[1]) < self.options[:, None]
        given = self.probabilities[offered]
        first, where = alike(np.rint(given * 1e9).astype(np.int64))
        kind = np.full(offered.shape, -1)
        kind[offered] = where
        return np.round(given[first], 9), kind

    @property
    def rows(self) -> Array:
        """Kinds of options × strategies: every vector of predictions that occurs, once."""
        return self._kinds[0]

    @property
    def kind(self) -> Whole:
        """Trials × options: which row of :attr:`rows` an option has; -1 where it is not offered."""
        return self._kinds[1]

    def take(self, chosen: NDArray[np.bool_]) -> "Predictions":
        """Return the predictions on some of the trials."""
        trials = tuple(name for name, keep in zip(self.trials, chosen, strict=True) if keep)
        return Predictions(trials, self.strategies, self.probabilities[chosen], self.options[chosen])


def alike(rows: Whole) -> tuple[Whole, Whole]:
    """Return the first of every kind of row, kinds in the order of the rows' values, and the kind of each row.

    Rows are first told apart by a sum, which sorts much faster than whole rows, and then compared with their kind's.
    """
    factors = np.random.default_rng(0).integers(1, 2**62, rows.shape[1], dtype=np.int64) | 1
    with np.errstate(over="ignore"):
        keys = (rows * factors).sum(axis=1)
    _, first, where = np.unique(keys, return_index=True, return_inverse=True)
    if not (rows[first[where]] == rows).all():  # two kinds with the same sum
        _, first, where = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.lexsort(rows[first].T[::-1])
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return first[order], place[where.reshape(-1)]


def predictions(answers: Mapping[str, Sequence[Answer]], options: Sequence[int], trials: Sequence[str]) -> Predictions:
    """Return the table of what strategies answer: by name, one answer a trial; ``options``: how many a trial offers.

    Raises :class:`AnalysisError` for an answer that is not offered, or where the lengths differ.
    """
    count = np.asarray(options, dtype=np.int64)
    if len(count) == 0 or count.min() < 2:
        raise AnalysisError("no trial to predict" if len(count) == 0 else "a trial offers fewer than two options")
    table = np.zeros((len(count), int(count.max()), 1 + len(answers)))
    table[:, :, 0] = (np.arange(table.shape[1]) < count[:, None]) / count[:, None]
    for place, (name, given) in enumerate(answers.items(), start=1):
        if len(given) != len(count):
            raise AnalysisError(f"strategy {name!r} answers {len(given)} trials of {len(count)}")
        one = np.array([answer if isinstance(answer, int) else -1 for answer in given])
        inside = (one >= 0) & (one < count)
        table[np.flatnonzero(inside), one[inside], place] = 1
        for trial in map(int, np.flatnonzero(~inside)):
            answer = given[trial]
            among = range(count[trial]) if answer is None else answer if isinstance(answer, tuple) else (answer,)
            if not among or not all(0 <= option < count[trial] for option in among):
                raise AnalysisError(f"strategy {name!r} answers {answer!r} on {trials[trial]!r}, which is not offered")
            table[trial, list(among), place] = 1 / len(among)
    return Predictions(tuple(trials), (NOISE, *answers), table, count)


def predictions_of(design: DesignResults, subject: Result) -> Predictions:
    """Return what the reference participants of a run predict on the trials of ``subject``, in its order.

    A reference participant that has not answered one of the trials is refused (:class:`AnalysisError`).
    """
    answers = {}
    trials = subject.trials
    for name, reference in design.references.items():
        if name in NO_STRATEGY or reference is subject:
            continue
        given = _given(reference.rows)
        missing = next((trial.id for trial in trials if trial.id not in given), None)
        if missing is not None:
            raise AnalysisError(f"strategy {name!r} has not answered {missing!r}; run again to complete it")
        answers[name] = [given[trial.id] for trial in trials]
    return predictions(answers, [len(trial.options) for trial in trials], [trial.id for trial in trials])


def _given(rows: Sequence[Scored]) -> dict[str, Answer]:
    """Return by trial what a reference participant answered; counted choices say all where there are no ties."""
    if isinstance(rows, Rows) and not rows.columns.by_scores:
        trials, columns = rows.table.trials, rows.columns
        there = columns.outcome != OUTCOMES.index(Outcome.MISSING)
        there &= columns.outcome != OUTCOMES.index(Outcome.ERRORED)
        choices = zip(columns.place[there].tolist(), columns.choice[there].tolist(), strict=True)
        return {trials[place].id: None if choice < 0 else choice for place, choice in choices}
    return {row.trial.id: _answer(row) for row in rows if row.response is not None and not row.response.error}


def choices_of(subject: Result) -> Whole:
    """Return the option that a participant chose on each of its trials; -1 where there is none (or a tie)."""
    return subject.columns.choice.astype(np.int64)


def items_of(subject: Result) -> list[str]:
    """Return the cluster of each trial: its item, or its group of objects."""
    return [trial.factors.get("item") or trial.factors["group"] for trial in subject.trials]


def _answer(row: Scored) -> Answer:
    response = row.response
    if response is None or not response.scores:
        return None if response is None else response.choice
    best = max(score.logprob for score in response.scores)
    among = tuple(place for place, score in enumerate(response.scores) if score.logprob > best - 1e-6)
    return among if len(among) > 1 else among[0]
