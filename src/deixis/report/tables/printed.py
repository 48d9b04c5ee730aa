"""Accuracies that the paper prints, with the counts that follow from them.

Source: Dong et al. (2026), Tables 1, 2 and 5-9. How many trials stand behind a number is said in appendices A and D.
"""

from dataclasses import dataclass

from deixis.analysis.people.alignment import Share
from deixis.analysis.published_tests import counts
from deixis.published.printed import printed
from deixis.report.tables.counts import wilson_share

FULL = 6144
"""Trials of a task, on which the paper's wordings are taken to have been asked."""


@dataclass(frozen=True, slots=True)
class Printed:
    """One accuracy as printed."""

    model: str
    """As the paper calls it."""
    words: str
    """The number to the digit; empty where the paper has none."""
    n: int
    """Trials behind it."""

    @property
    def share(self) -> Share | None:
        """The nearest share of ``n`` with Wilson limits."""
        return wilson_share(round(float(self.words) * self.n), self.n) if self.words else None

    @property
    def follows(self) -> bool:
        """Whether any count out of ``n`` prints so."""
        return not self.words or bool(counts(float(self.words), self.n, len(self.words.partition(".")[2])))


def printed_accuracies(name: str, **levels: str) -> tuple[Printed, ...]:
    """Return the accuracies of one printed table at some levels of its factors, in the order of the paper."""
    return tuple(
        Printed(row["model"], row["accuracy"], int(row.get("n", FULL)))
        for row in printed(name)
        if all(row[factor] == level for factor, level in levels.items())
    )
