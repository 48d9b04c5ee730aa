"""How often each class of error occurs: counts and shares with Wilson intervals."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deixis.analysis.intervals import wilson
from deixis.scoring.error_classes import ErrorClass, error_class, option_class
from deixis.scoring.results import Scored


@dataclass(frozen=True, slots=True)
class ClassShare:
    """How often one class occurred among some trials."""

    error: ErrorClass
    """The class."""
    count: int
    """Trials of this class."""
    n: int
    """Trials in the denominator of headline accuracy; the counts of all classes sum to it."""
    share: float | None
    """``count / n``."""
    low: float
    """Lower end of the 95 % Wilson interval of ``share``."""
    high: float
    """Upper end."""


def row_class(row: Scored) -> ErrorClass | None:
    """Return the class of one scored trial; ``None`` where it counts as not asked."""
    said = row.response.text if row.response is not None else None
    return error_class(row.trial, row.score, said or "")


def classes(rows: Iterable[Scored]) -> tuple[ErrorClass, ...]:
    """Return, in their order, the classes that the options of these trials allow, and the others that occur."""
    rows = tuple(rows)
    trials = {row.trial.id: row.trial for row in rows}
    found = {option_class(trial, choice) for trial in trials.values() for choice in range(len(trial.options))}
    found |= {kind for row in rows if row.score.choice is None and (kind := row_class(row)) is not None}
    return tuple(error for error in ErrorClass if error in found)


def class_shares(rows: Sequence[Scored], among: Sequence[ErrorClass]) -> list[ClassShare]:
    """Return one entry for each class of ``among``."""
    counts = Counter(found for row in rows if (found := row_class(row)) is not None)
    n = counts.total()
    return [
        ClassShare(error, counts[error], n, counts[error] / n if n else None, *wilson(counts[error], n))
        for error in among
    ]
