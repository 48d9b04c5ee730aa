"""Two runs compared, as CSV: one row a design, and one a level of each of its factors."""

import csv
import io
from collections.abc import Iterator, Sequence
from math import isnan

from deixis.analysis.comparing.designs import Comparison, DesignComparison
from deixis.analysis.comparing.pairing import Pairs

COLUMNS = (
    "experiment", "condition", "protocol", "factor", "level", "pairs", "accuracy_a", "accuracy_b", "difference", "low",
    "high", "better", "worse", "ties", "difference_with_ties", "p_exact", "p_holm", "asked_a", "asked_b",
    "unanswered_a", "unanswered_b", "only_a", "only_b", "whole_a", "whole_b",
)  # fmt: skip
"""The columns. ``factor`` and ``level`` are empty in the row of a design, what follows ``p_exact`` in that of a level;
``whole_a`` and ``whole_b`` are accuracies over all that each has answered, whatever the other has."""


def csv_lines(found: Comparison) -> list[str]:
    """Return a header, then a row a design, each followed by those of its levels."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for design in found.designs:
        writer.writerows(_rows(design))
    return buffer.getvalue().splitlines()


def _rows(design: DesignComparison) -> Iterator[list[str]]:
    same = [str(design.signature[name]) for name in ("experiment", "condition", "protocol")]
    tests = [_exact(design.pairs.test.p_exact), _exact(design.p_adjusted)]
    sides = (design.a, design.b)
    counts = [
        *(own.asked for own in sides),
        *(own.unanswered.total() for own in sides),
        *(len(alone) for alone in (design.only_a, design.only_b)),
    ]
    whole = [_exact(own.accuracy) for own in sides]
    yield [*same, "", "", *_numbers(design.pairs), *tests, *map(str, counts), *whole]
    rest = [""] * (len(tests) + len(counts) + len(whole))
    for level in design.levels:
        yield [*same, level.factor, level.level, *_numbers(level.pairs), *rest]


def _numbers(pairs: Pairs) -> Sequence[str]:
    test = pairs.test
    shares = (pairs.accuracy_a, pairs.accuracy_b, test.difference, test.low, test.high)
    counts = (pairs.better, pairs.worse, pairs.ties)
    return [str(test.pairs), *map(_exact, shares), *map(str, counts), _exact(pairs.change)]


def _exact(value: float | None) -> str:
    return "" if value is None or isnan(value) else f"{value:.6g}"
