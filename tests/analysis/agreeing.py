"""A table of ours held against R's, row by row and column by column."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from tests.analysis.reference import check


def compare(
    found: pd.DataFrame,
    number: int,
    name: str,
    columns: Mapping[str, str],
    keys: Sequence[str] = (),
    loose: Mapping[str, float] | None = None,
    rows: list[dict[str, Any]] | None = None,
) -> None:
    """Hold ``found`` against a check: ``columns`` maps R's names to ours, ``keys`` name the row in both.

    ``loose`` are absolute tolerances of columns that have their own, ``rows`` what is expected if not all of the check.
    Without keys rows are taken in order. ``None`` means not defined, and there we must have NaN.
    """
    expected, tolerance = check(number, name)
    expected = expected if rows is None else rows
    ours = {_key(row, keys, at): row for at, row in enumerate(found.to_dict("records"))}
    theirs = {_key(row, keys, at): row for at, row in enumerate(expected)}
    assert set(ours) == set(theirs)
    for key, row in theirs.items():
        for their, our in columns.items():
            got, want = ours[key][our], row[their]
            if isinstance(want, bool | str):
                assert got == want, (name, key, their)
            else:
                allowed = tolerance["abs"] + tolerance["rel"] * abs(want or 0)
                far = deviation(got, want, f"{number} {name} {their}")
                assert far <= (loose or {}).get(their, allowed), (name, key, their, got, want)


def deviation(got: float, want: float | None, where: str) -> float:
    """Return how far a number is from R's; without limit where one of them is not defined and the other is."""
    assert where
    if want is None:
        return 0.0 if math.isnan(got) else math.inf
    return abs(got - want) if not math.isnan(got) else math.inf


def same(names: str) -> dict[str, str]:
    """Return a mapping of columns that are called the same here and there."""
    return {name: name for name in names.split()}


def _key(row: Mapping[str, Any], keys: Sequence[str], at: int) -> tuple[str, ...]:
    return tuple(str(row[key]) for key in keys) if keys else (str(at),)
