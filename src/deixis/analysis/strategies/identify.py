"""Which strategies a design can tell apart: equal or linearly dependent predictions, computed from the trials alone.

A mixture of strategies predicts ``Σ_k w_k p_k(option | trial)``. Two sets of weights that predict the same of every
option of every trial can be told apart by no answers whatsoever; they differ by a vector of the null space of the
matrix of predictions (its rows all kinds of options, its columns the strategies).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from deixis.analysis.strategies.predictions import Array, Predictions

_SAME = 1e-8


@dataclass(frozen=True, slots=True)
class Identifiability:
    """What these trials can tell, whoever answers them."""

    columns: tuple[tuple[str, ...], ...]
    """The strategies, those that predict the same on every trial together; noise first."""
    dependencies: tuple[str, ...]
    """Which mixtures predict the same, each as an equation of columns: ``always-shifted + never-shifted = 2 noise``."""
    groups: tuple[tuple[str, ...], ...]
    """Columns whose weights hang together in such equations; only sums and differences of these weights are known."""
    rank: int
    """How many columns are linearly independent."""

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, each by the names of its strategies: ``always-I = gazer-blind``."""
        return tuple(" = ".join(column) for column in self.columns)

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The columns whose weight is known by itself."""
        tied = {name for group in self.groups for name in group}
        return tuple(name for name in self.names if name not in tied)

    def lines(self) -> list[str]:
        """Return what cannot be told apart, in words."""
        said = [f"predict the same on every trial: {' = '.join(column)}" for column in self.columns if len(column) > 1]
        said += [f"mixtures that predict the same: {equation}" for equation in self.dependencies]
        said += [f"weights known only together: {', '.join(group)}" for group in self.groups]
        return said or ["every strategy and every mixture of them can be told apart on these trials"]


def identifiability(table: Predictions) -> Identifiability:
    """Return what a design can tell apart."""
    columns: list[list[int]] = []
    for place in range(len(table.strategies)):
        column = table.rows[:, place]
        same = next((c for c in columns if np.abs(table.rows[:, c[0]] - column).max() < _SAME), None)
        if same is None:
            columns.append([place])
        else:
            same.append(place)
    named = tuple(tuple(table.strategies[place] for place in column) for column in columns)
    matrix = table.rows[:, [column[0] for column in columns]]
    relations, rank = _relations(matrix)
    labels = [" = ".join(column) for column in named]
    return Identifiability(
        columns=named,
        dependencies=tuple(_equation(relation, labels) for relation in relations),
        groups=tuple(tuple(labels[place] for place in group) for group in _together(relations)),
        rank=rank,
    )


def merged(table: Predictions, found: Identifiability) -> Array:
    """Return the rows of predictions with one column for each of ``found.columns``."""
    return table.rows[:, [table.strategies.index(column[0]) for column in found.columns]]


def _relations(matrix: Array) -> tuple[list[Array], int]:
    """Return, for every column that earlier ones make up, the one combination that is zero, and the rank."""
    basis: list[int] = []
    relations = []
    for place in range(matrix.shape[1]):
        relation = np.zeros(matrix.shape[1])
        if basis:
            found = np.linalg.lstsq(matrix[:, basis], matrix[:, place], rcond=None)[0]
            if np.abs(matrix[:, basis] @ found - matrix[:, place]).max() < _SAME:
                relation[basis] = np.where(np.abs(found) < _SAME, 0, -found)
                relation[place] = 1
                relations.append(relation)
                continue
        basis.append(place)
    return relations, len(basis)


def _together(relations: Sequence[Array]) -> list[list[int]]:
    """Return the columns joined by common relations, in their order."""
    groups: list[set[int]] = []
    for relation in relations:
        group = set(np.flatnonzero(relation).tolist())
        for other in [other for other in groups if other & group]:
            groups.remove(other)
            group |= other
        groups.append(group)
    return sorted(sorted(group) for group in groups)


def _equation(relation: Array, labels: Sequence[str]) -> str:
    """Write a combination that is zero as an equation with positive terms, in whole numbers where there are such."""
    exact = [Fraction(value).limit_denominator(240) for value in relation]
    if max(abs(float(e) - v) for e, v in zip(exact, relation, strict=True)) < _SAME:
        times = math.lcm(*(value.denominator for value in exact))
        numbers = [f"{abs(value * times)}" for value in exact]
    else:
        numbers = [f"{abs(value):.4g}" for value in relation]
    sides = [
        [
            f"{'' if numbers[place] == '1' else f'{numbers[place]} '}{_bracketed(labels[place])}"
            for place in np.flatnonzero(relation * sign > 0).tolist()
        ]
        for sign in (1, -1)
    ]
    return " = ".join(map(" + ".join, sides))


def _bracketed(label: str) -> str:
    return f"({label})" if " = " in label else label
