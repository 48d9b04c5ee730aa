"""The published numbers, which stand beside a run's own.

Source: Oğuz, Bakman and Yaldiz (2025), Figure 2.
"""

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from deixis.analysis.intervals import wilson


@dataclass(frozen=True, slots=True)
class PublishedCell:
    """One bar of the paper's Figure 2."""

    indexical: str
    """``I``, ``you``, ``here`` or ``tomorrow``."""
    model: str
    """The model as the paper names it."""
    sentence_type: str
    """``non-quoted`` or ``quoted``."""
    context_prime: str
    """``non-shifted`` or ``shifted``."""
    accuracy: float
    """As printed, two digits."""
    n: int
    """Questions in the cell."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval, computed here."""
        return wilson(self.accuracy * self.n, self.n)


@lru_cache(maxsize=1)
def figure2() -> tuple[PublishedCell, ...]:
    """Return every bar of Figure 2."""
    text = files("deixis.report").joinpath("published", "indexicals_figure2.csv").read_text(encoding="utf-8")
    return tuple(
        PublishedCell(
            row["indexical"],
            row["model"],
            row["sentence_type"],
            row["context_prime"],
            float(row["accuracy"]),
            int(row["n"]),
        )
        for row in csv.DictReader(text.splitlines())
    )
