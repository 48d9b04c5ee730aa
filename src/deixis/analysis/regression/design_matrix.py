"""Factors become columns: explicit treatment or sum coding, levels in the order that is given, no formula.

A row of the table is left out where the response, a factor or another needed column is missing, and counted. Rows with
the same levels of all factors are one *cell*: a model on factors alone needs no more than the cells and their counts.
"""

import itertools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from deixis.errors import AnalysisError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Term = tuple[str, ...]
"""The factors of a term: ``()`` is the intercept, one factor a main effect, several an interaction."""
Coding = Literal["treatment", "sum"]
Levels = Mapping[str, Sequence[Hashable]]
"""Factor to its levels in their order; the first one is the reference."""


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The columns of a model with the rows they stand for."""

    levels: Mapping[str, tuple[Hashable, ...]]
    """Factor to its levels in order."""
    terms: tuple[Term, ...]
    """The terms, the intercept first and lower orders before higher ones."""
    names: tuple[str, ...]
    """A name for each column: ``(Intercept)``, ``task[possessive]``, ``task[possessive]:speaker[girl]``."""
    term_of: tuple[Term, ...]
    """The term of each column."""
    grid: IntArray
    """The cells that occur, one a line: the number of the level of each factor."""
    cells: FloatArray
    """The columns (treatment coding), one line a cell."""
    cell: IntArray
    """The cell of each row used."""
    response: FloatArray
    """The response of each row used."""
    rows: IntArray
    """The place in the table of each row used."""
    left_out: Mapping[str, int]
    """Why rows were left out, and how many (``correct is missing``: 14)."""

    @property
    def n(self) -> int:
        """Rows used."""
        return len(self.rows)

    @property
    def trials(self) -> FloatArray:
        """Rows used in each cell."""
        return np.bincount(self.cell, minlength=len(self.cells)).astype(float)

    @property
    def successes(self) -> FloatArray:
        """The sum of the response in each cell."""
        return np.bincount(self.cell, weights=self.response, minlength=len(self.cells)).astype(float)

    @property
    def matrix(self) -> FloatArray:
        """The columns, one line a row used."""
        return np.asarray(self.cells[self.cell])

    def columns(self, *terms: Term) -> list[int]:
        """Return the places of the columns of these terms."""
        return [place for place, term in enumerate(self.term_of) if term in terms]

    def coded(self, grid: IntArray, coding: Coding = "treatment") -> FloatArray:
        """Return the columns for any combinations of levels, given by their numbers as in ``grid``."""
        return _coded(grid, list(self.levels), [len(levels) for levels in self.levels.values()], self.terms, coding)


def design(
    table: pd.DataFrame,
    response: str,
    factors: Levels,
    interactions: Sequence[Sequence[str]] | Literal["all", "none"] = "all",
    needed: Sequence[str] = (),
) -> Design:
    """Return the design of ``response`` on ``factors``.

    ``interactions`` is ``all``, ``none`` or a list of tuples of factors; what an interaction contains is taken with it.
    ``needed`` are columns, such as the one of the clusters, without which a row cannot be used. Raises
    :class:`AnalysisError`, naming the factor, where a value is not among the levels, a factor has one level, a level or
    a cell of an interaction has no row, or a factor cannot be told from the others.
    """
    levels = {factor: tuple(chosen) for factor, chosen in factors.items()}
    for name in (response, *levels, *needed):
        if name not in table.columns:
            raise AnalysisError(f"there is no column {name!r}; there are {', '.join(map(str, table.columns))}")
    used, left_out = _used(table, [response, *levels, *needed])
    rows = np.flatnonzero(used)
    if not len(rows):
        raise AnalysisError(f"no row is left of {len(table)}: {_told(left_out)}")
    codes = np.column_stack(
        [_codes(table[factor].iloc[rows], factor, levels[factor]) for factor in levels] or [rows * 0]
    )
    sizes = tuple(len(chosen) for chosen in levels.values()) or (1,)
    flat, cell = np.unique(np.ravel_multi_index(tuple(codes.T), sizes), return_inverse=True)
    grid = np.column_stack(np.unravel_index(flat, sizes)).astype(np.int64)[:, : len(levels)]
    terms = _terms(list(levels), interactions)
    _filled(grid, levels, terms)
    cells = _coded(grid, list(levels), sizes, terms, "treatment")
    labels = [(term, _name(term, levels, numbers)) for term in terms for numbers in _numbers(term, levels)]
    _independent(cells, [term for term, _ in labels])
    return Design(
        levels, terms, tuple(name for _, name in labels), tuple(term for term, _ in labels), grid, cells, cell,
        table[response].iloc[rows].to_numpy(float), rows, left_out,
    )  # fmt: skip


def _used(table: pd.DataFrame, columns: Sequence[str]) -> tuple[NDArray[np.bool_], dict[str, int]]:
    """Return which rows have all columns, and how many lack each; a row that lacks several counts for the first."""
    used, left_out = np.ones(len(table), bool), {}
    for column in columns:
        lacking = used & table[column].isna().to_numpy()
        if lacking.any():
            left_out[f"{column} is missing"] = int(lacking.sum())
            used &= ~lacking
    return used, left_out


def _told(left_out: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} in {count}" for reason, count in left_out.items()) or "the table is empty"


def _codes(column: "pd.Series[Any]", factor: str, levels: tuple[Hashable, ...]) -> IntArray:
    if len(levels) < 2:
        what = f"it has one level, {levels[0]!r}, and needs two" if levels else "it has no level"
        raise AnalysisError(f"factor {factor!r} is too small: {what}")
    if len(set(levels)) < len(levels):
        raise AnalysisError(f"factor {factor!r} has a level twice: {list(levels)!r}")
    codes = pd.Index(levels).get_indexer(pd.Index(column))
    if (codes < 0).any():
        raise AnalysisError(
            f"factor {factor!r} has {column.iloc[int(np.argmin(codes))]!r}, not one of {list(levels)!r}"
        )
    return codes.astype(np.int64)


def _terms(factors: Sequence[str], interactions: Sequence[Sequence[str]] | Literal["all", "none"]) -> tuple[Term, ...]:
    if interactions == "all":
        asked: list[Sequence[str]] = [tuple(factors)]
    else:
        asked = [] if interactions == "none" else [*interactions]
    for group in asked:
        for factor in group:
            if factor not in factors:
                raise AnalysisError(f"the interaction {' × '.join(group)} has {factor!r}, which is not a factor")
    wanted = {frozenset(group) for group in asked} | {frozenset([factor]) for factor in factors}
    return tuple(
        combination
        for size in range(len(factors) + 1)
        for combination in itertools.combinations(factors, size)
        if size < 2 or any(set(combination) <= group for group in wanted)
    )


def _filled(grid: IntArray, levels: Mapping[str, tuple[Hashable, ...]], terms: Sequence[Term]) -> None:
    """Raise where a level, or a combination of levels that interact, has no row."""
    places = {factor: place for place, factor in enumerate(levels)}
    for term in terms[1:]:
        present = set(map(tuple, grid[:, [places[factor] for factor in term]].tolist()))
        for numbers in itertools.product(*(range(len(levels[factor])) for factor in term)):
            if numbers not in present:
                where = " and ".join(f"{f} {levels[f][number]!r}" for f, number in zip(term, numbers, strict=True))
                what = f"factor {term[0]!r}" if len(term) == 1 else f"interaction {' × '.join(term)}"
                raise AnalysisError(f"{what} is too small: no row has {where}")


def _independent(cells: FloatArray, term_of: Sequence[Term]) -> None:
    if np.linalg.matrix_rank(cells) == cells.shape[1]:
        return
    for term in dict.fromkeys(term_of):
        upto = [place for place, other in enumerate(term_of) if term_of.index(other) <= term_of.index(term)]
        if np.linalg.matrix_rank(cells[:, upto]) < len(upto):
            raise AnalysisError(f"factor {' × '.join(term)!r} cannot be told from the factors before it in these rows")


def _numbers(term: Term, levels: Mapping[str, tuple[Hashable, ...]]) -> list[tuple[int, ...]]:
    return list(itertools.product(*(range(1, len(levels[factor])) for factor in term)))


def _name(term: Term, levels: Mapping[str, tuple[Hashable, ...]], numbers: tuple[int, ...]) -> str:
    named = [f"{factor}[{levels[factor][number]}]" for factor, number in zip(term, numbers, strict=True)]
    return ":".join(named) or "(Intercept)"


def _coded(
    grid: IntArray, factors: Sequence[str], sizes: Sequence[int], terms: Sequence[Term], coding: Coding
) -> FloatArray:
    """Return the columns of combinations of levels.

    Treatment coding: a column for each level but the first, 1 where it holds. Sum coding: a column for each level but
    the last, 1 where it holds and -1 at the last.
    """
    blocks: dict[str, FloatArray] = {}
    for place, (factor, size) in enumerate(zip(factors, sizes, strict=False)):
        lines = np.eye(size)[:, 1:] if coding == "treatment" else np.vstack([np.eye(size - 1), -np.ones(size - 1)])
        blocks[factor] = lines[grid[:, place]]
    columns = [np.ones((len(grid), 1))]
    for term in terms[1:]:
        block = columns[0]
        for factor in term:
            block = (block[:, :, None] * blocks[factor][:, None, :]).reshape(len(grid), -1)
        columns.append(block)
    return np.hstack(columns)
