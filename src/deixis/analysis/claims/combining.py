"""A sum of shares with signs, such as a difference of differences, with its 95 % interval.

By clusters where that is defined: the estimator of :func:`deixis.analysis.intervals.difference`, from sums. Otherwise
from Wilson's limits of each share, trials taken as independent (MOVER, Zou and Donner 2008; of two shares it is
Newcombe's), or Tango's where two conditions agree in every item.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from deixis.analysis.claims.source import Cell
from deixis.analysis.intervals import wilson
from deixis.analysis.shares.paired import tango


@dataclass(frozen=True, slots=True)
class Found:
    """A number to hold a claim against."""

    value: float
    """The estimate."""
    low: float
    """Lower end of the 95 % interval; of printed numbers the value itself."""
    high: float
    """Upper end."""
    n: int
    """Trials behind it."""
    exact: bool
    """Whether it comes from printed numbers alone."""
    std_error: float = math.nan
    """Clustered; NaN where the interval is not by clusters."""
    df: float = math.nan
    """Clusters less 1."""
    shares: tuple[float, ...] = ()
    """The shares it is made of."""

    @property
    def told(self) -> str:
        """The number in words, with the shares of a difference."""
        sides = " against ".join(f"{share:.3f}" for share in self.shares)
        if self.exact:
            return sides or f"{self.value:.3f}"
        first = f"{sides}, difference " if sides else ""
        return f"{first}{self.value:.3f} [{self.low:.3f}, {self.high:.3f}], n = {self.n:,}"


_NONE = 1e-9
"""A standard error below this is none."""
Terms = Sequence[tuple[float, Cell]]
"""Weights and the cells whose shares they weigh."""


def combined(terms: Terms) -> Found:
    """Return the weighted sum of shares; cells of the same cluster are kept together, printed ones are constants."""
    value = _value(terms)
    sampled = [(weight, cell) for weight, cell in terms if not cell.exact]
    n = int(sum(cell.total for _, cell in sampled or terms))
    told = tuple(cell.share for _, cell in terms) if [weight for weight, _ in terms] == [1, -1] else ()
    if not sampled:
        return Found(value, value, value, n, exact=True, shares=told)
    alone = len(terms) == 1 and bool((terms[0][1].n <= 1).all())
    error, df = (0.0, 0.0) if alone else _clustered(sampled)
    if error < _NONE:
        alike = bool(told) and len(sampled) == 2 and _alike(sampled[0][1], sampled[1][1])
        low, high = tango(n // 2, 0, 0) if alike else _mover(value, sampled)
        return Found(value, low, high, n, exact=False, shares=told)
    half = float(stdtrit(df, 0.975)) * error
    least = sum(min(0.0, weight) for weight, _ in terms)
    most = sum(max(0.0, weight) for weight, _ in terms)
    return Found(value, max(least, value - half), min(most, value + half), n, False, error, df, told)


def share(cell: Cell) -> Found:
    """Return one share: Wilson's interval where every item has one trial, otherwise by clusters."""
    return combined([(1, cell)])


def difference(one: Cell, other: Cell) -> Found:
    """Return the share of one cell minus that of another."""
    return combined([(1, one), (-1, other)])


def less(one: Terms, other: Terms) -> Found:
    """Return one sum of shares minus another, and both beside it."""
    whole = combined([*one, *((-weight, cell) for weight, cell in other)])
    return replace(whole, shares=(_value(one), _value(other)))


def mean_terms(groups: Sequence[Terms]) -> Terms:
    """Return the mean of several sums, such as one a model, as a sum."""
    return [(weight / len(groups), cell) for terms in groups for weight, cell in terms]


def _value(terms: Terms) -> float:
    return sum(weight * cell.share for weight, cell in terms)


def _clustered(terms: Terms) -> tuple[float, float]:
    """Return standard error and degrees of freedom: items and persons are clusters of their own kind."""
    variance, fewest = 0.0, math.inf
    for kind in {cell.by for _, cell in terms}:
        own = [(weight, cell) for weight, cell in terms if cell.by == kind]
        codes, names = pd.factorize(np.concatenate([cell.units for _, cell in own]))
        influence = np.concatenate([weight * (cell.k - cell.share * cell.n) / cell.total for weight, cell in own])
        present = np.bincount(codes, np.concatenate([cell.n for _, cell in own]), len(names)) > 0
        count = int(present.sum())
        if count < 2:
            return 0.0, 0.0
        variance += count / (count - 1) * float((np.bincount(codes, influence, len(names)) ** 2).sum())
        fewest = min(fewest, count)
    return math.sqrt(variance), fewest - 1


def _alike(one: Cell, other: Cell) -> bool:
    """Whether two cells have the same trials and right answers in every cluster."""
    sides = [sorted(zip(cell.units, cell.n, cell.k, strict=True)) for cell in (one, other)]
    return sides[0] == sides[1]


def _mover(value: float, terms: Terms) -> tuple[float, float]:
    below = above = 0.0
    for weight, cell in terms:
        low, high = wilson(float(cell.k.sum()), round(cell.total))
        down, up = weight * (cell.share - low), weight * (high - cell.share)
        below += (down if weight > 0 else up) ** 2
        above += (up if weight > 0 else down) ** 2
    return value - math.sqrt(below), value + math.sqrt(above)
