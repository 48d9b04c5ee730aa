"""How the tests read a tidy table: cells in a fixed order, what was left out counted, nothing dropped in silence."""

from collections.abc import Hashable, Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from deixis.analysis.regression.design_matrix import Levels
from deixis.errors import AnalysisError

Named = dict[str, Hashable]
"""A cell: factor to level."""


def need(table: pd.DataFrame, *columns: str) -> None:
    """Raise :class:`AnalysisError` if the table lacks one of the columns."""
    absent = [name for name in columns if name not in table.columns]
    if absent:
        raise AnalysisError(f"the table has no column {absent[0]!r}: it has {', '.join(map(str, table.columns))}")


def cells(table: pd.DataFrame, levels: Levels) -> Iterator[tuple[Named, pd.DataFrame]]:
    """Yield every combination of levels with its rows, the last factor fastest; empty ones too.

    Raises :class:`AnalysisError` if a row has a level that ``levels`` does not name: it would fall out of all cells.
    """
    need(table, *levels)
    for factor, known in levels.items():
        strange = sorted({str(level) for level in table[factor].unique() if level not in known})
        if strange:
            raise AnalysisError(
                f"{factor} has the level {strange[0]!r}, which is not among {', '.join(map(str, known))}"
            )
    yield from _split(table, dict(levels))


def _split(table: pd.DataFrame, levels: dict[str, Sequence[Hashable]]) -> Iterator[tuple[Named, pd.DataFrame]]:
    if not levels:
        yield {}, table
        return
    (factor, known), *others = levels.items()
    for level in known:
        for rest, part in _split(table[table[factor] == level], dict(others)):
            yield {factor: level, **rest}, part


def answered(table: pd.DataFrame, outcome: str, *needed: str) -> tuple[pd.DataFrame, int]:
    """Return the rows whose outcome and other needed columns are known, and how many are left out."""
    need(table, outcome, *needed)
    known = table[[outcome, *needed]].notna().all(axis=1)
    return table[known], int((~known).sum())


def binary(values: pd.Series, what: str) -> NDArray[np.float64]:
    """Return the values as numbers; raises :class:`AnalysisError` unless each is 0 or 1."""
    found = values.to_numpy(dtype=float)
    other = found[(found != 0) & (found != 1)]
    if len(other):
        raise AnalysisError(f"{what} is {other[0]:g} in {len(other)} of {len(found)} rows, and this test takes 0 and 1")
    return found
