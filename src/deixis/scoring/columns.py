"""What became of one participant's trials, in columns: all that counting needs, without a record for each trial."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from deixis.records import Outcome, Response, Score, Trial
from deixis.scoring.error_classes import ErrorClass, error_class, option_class

OUTCOMES = tuple(Outcome)
"""What the numbers in :attr:`Columns.outcome` stand for."""
CLASSES = tuple(ErrorClass)
"""What the numbers in :attr:`Columns.error` stand for; -1 is no class, since the trial counts as not asked."""
_OUTCOME = {outcome: place for place, outcome in enumerate(OUTCOMES)}
_CLASS = {error: place for place, error in enumerate(CLASSES)}


class TrialTable:
    """The trials of a design, and what is worked out of them once for all participants."""

    def __init__(self, trials: Sequence[Trial]) -> None:
        self.trials = tuple(trials)
        """The trials, in the order of the design."""

    @cached_property
    def index(self) -> dict[str, int]:
        """Id of a trial to its place."""
        return {trial.id: place for place, trial in enumerate(self.trials)}

    @cached_property
    def answers(self) -> NDArray[np.int8]:
        """Place of the right option of each trial."""
        return np.array([trial.answer for trial in self.trials], np.int8)

    @cached_property
    def offers(self) -> tuple[tuple[str, ...], ...]:
        """Texts of the options of each trial; those of trials that offer the same are one."""
        known: dict[tuple[str, ...], tuple[str, ...]] = {}
        offered = (tuple(option.text for option in trial.options) for trial in self.trials)
        return tuple(known.setdefault(one, one) for one in offered)

    @cached_property
    def option_classes(self) -> NDArray[np.int8]:
        """The class of choosing each option: trials by options, an index into :data:`CLASSES`, -1 without an option."""
        most = max((len(trial.options) for trial in self.trials), default=0)
        found = np.full((len(self.trials), most), -1, np.int8)
        for row, trial in enumerate(self.trials):
            found[row, : len(trial.options)] = [_CLASS[option_class(trial, at)] for at in range(len(trial.options))]
        return found


@dataclass(frozen=True, eq=False, slots=True)
class Columns:
    """One entry a trial, in the order of the design."""

    place: NDArray[np.int32]
    """Index of the trial in the design."""
    outcome: NDArray[np.int8]
    """Index into :data:`OUTCOMES`."""
    choice: NDArray[np.int8]
    """Index of the option chosen, -1 without one."""
    credit: NDArray[np.float64]
    """Between 0 and 1."""
    tied: NDArray[np.bool_]
    """Whether no option stood out."""
    error: NDArray[np.int8]
    """Index into :data:`CLASSES`, -1 without one."""
    by_scores: bool = True
    """Whether an option's log-probability or rating decided anywhere, of which there is more to tell."""


def of_rows(places: Sequence[int], rows: Iterable[tuple[Trial, Score, Response | None]]) -> Columns:
    """Return the columns of scored trials that stand at ``places`` of their design."""
    outcome, choice, credit, tied, error = [], [], [], [], []
    for trial, score, response in rows:
        said = response.text if response is not None else None
        found = error_class(trial, score, said or "")
        outcome.append(_OUTCOME[score.outcome])
        choice.append(-1 if score.choice is None else score.choice)
        credit.append(score.credit)
        tied.append(score.tied)
        error.append(-1 if found is None else _CLASS[found])
    return Columns(
        np.array(places, np.int32),
        np.array(outcome, np.int8),
        np.array(choice, np.int8),
        np.array(credit, np.float64),
        np.array(tied, np.bool_),
        np.array(error, np.int8),
    )
