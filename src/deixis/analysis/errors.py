"""How often each class of error occurs: counts and shares with Wilson intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from deixis.analysis.intervals import wilson
from deixis.scoring.error_classes import ErrorClass, error_class
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


def classes(table: pd.DataFrame) -> tuple[ErrorClass, ...]:
    """Return, in their order, the classes that the options of one design allow, and the others that occur in it."""
    found = set(table["error"].cat.categories) if len(table) else set()
    return tuple(error for error in ErrorClass if error.value in found)


def class_shares(table: pd.DataFrame, among: Sequence[ErrorClass]) -> list[ClassShare]:
    """Return one entry for each class of ``among``."""
    counts = table["error"].value_counts().to_dict() if len(table) else {}
    n = sum(int(count) for error, count in counts.items() if error != "")
    found = [(error, int(counts.get(error.value, 0))) for error in among]
    return [ClassShare(error, count, n, count / n if n else None, *wilson(count, n)) for error, count in found]
