"""Estimated marginal means: what a model says of the levels of a factor, the others averaged over.

Averages are taken on the logit scale over the grid of all levels, with equal weights or in proportion to the trials.
Limits of a probability are those of its logit, transformed; its standard error is by the delta method. A *family* is
the comparisons within one combination of the levels of ``by``.
"""

import itertools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import pandas as pd
from scipy.special import expit

from deixis.analysis.pvalues import critical, standard_errors
from deixis.analysis.regression.design_matrix import Design, FloatArray, IntArray
from deixis.errors import AnalysisError

Weights = Literal["equal", "proportional"]
Label = tuple[Hashable, ...]
"""One level for each factor of ``of`` and ``by``."""


class Fitted(Protocol):
    """Any model of log odds on the columns of a design: logistic, bias-reduced, or mixed with random effects at 0."""

    @property
    def design(self) -> Design:
        """The columns."""

    @property
    def estimates(self) -> FloatArray:
        """One a column."""

    @property
    def covariance(self) -> FloatArray:
        """Of the estimates."""

    @property
    def method(self) -> str:
        """How they were found."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimated:
    """Fixed effects that were estimated elsewhere, as by a mixed model, on the columns of a design."""

    design: Design
    """The columns."""
    estimates: FloatArray
    """One a column, in log odds."""
    covariance: FloatArray
    """Of the estimates."""
    method: str
    """How they were found, such as ``mixed model (Laplace)``."""


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """Marginal means as linear combinations of a model's coefficients."""

    fit: Fitted
    """The model."""
    of: tuple[str, ...]
    """The factors whose levels are compared."""
    by: tuple[str, ...]
    """The factors within whose levels they are compared."""
    labels: tuple[Label, ...]
    """The levels of each mean: of ``by``, then of ``of``; the levels of ``of`` change fastest."""
    rows: FloatArray
    """The combination for each mean, one line a mean, one column a coefficient."""
    trials: tuple[int, ...]
    """Trials of each mean."""
    notes: tuple[str, ...]
    """What a reader has to know of the averages."""

    @property
    def logits(self) -> FloatArray:
        """The means on the logit scale."""
        return np.asarray(self.rows @ self.fit.estimates)

    @property
    def covariance(self) -> FloatArray:
        """Of the means on the logit scale."""
        return np.asarray(self.rows @ self.fit.covariance @ self.rows.T)

    @property
    def families(self) -> list[tuple[Label, list[int]]]:
        """The levels of ``by`` with the places of their means."""
        size = len(self.by)
        groups = itertools.groupby(range(len(self.labels)), key=lambda place: self.labels[place][:size])
        return [(label, list(places)) for label, places in groups]

    def table(self, level: float = 0.95) -> pd.DataFrame:
        """Return one row a mean: levels, ``logit`` and ``prob`` with ``_se``, ``_low``, ``_high``; n, method, note."""
        error = standard_errors(self.covariance)
        half, prob = critical("none", 1, 2, level) * error, expit(self.logits)
        low, high = self.logits - half, self.logits + half
        labels = pd.DataFrame(list(self.labels), columns=[*self.by, *self.of])
        return labels[[*self.of, *self.by]].assign(
            logit=self.logits, logit_se=error, logit_low=low, logit_high=high,
            prob=prob, prob_se=prob * (1 - prob) * error, prob_low=expit(low), prob_high=expit(high),
            n=list(self.trials), method=self.fit.method, note="; ".join(self.notes),
        )  # fmt: skip


def marginal_means(fit: Fitted, of: Sequence[str], by: Sequence[str] = (), weights: Weights = "equal") -> Means:
    """Return the marginal means of the levels of ``of`` within those of ``by``.

    ``weights`` is how the combinations of the other factors are averaged: ``equal``, or ``proportional`` to their
    trials in the whole table. Raises :class:`AnalysisError` for a factor that the model does not have.
    """
    design = fit.design
    shown = [*by, *of]
    for factor in shown:
        if factor not in design.levels:
            raise AnalysisError(f"the model has no factor {factor!r}; it has {', '.join(design.levels)}")
    if not of or len(set(shown)) < len(shown):
        raise AnalysisError("marginal means need at least one factor, and each of them once")
    if weights not in ("equal", "proportional"):
        raise AnalysisError(f"weights {weights!r} do not exist; choose equal or proportional")
    grid = np.array(list(itertools.product(*(range(len(levels)) for levels in design.levels.values()))), dtype=np.int64)
    places = {factor: place for place, factor in enumerate(design.levels)}
    rest = [places[factor] for factor in design.levels if factor not in shown]
    share = np.ones(len(grid)) if weights == "equal" else _frequencies(design, grid, rest)
    columns = design.coded(grid)
    labels, rows, trials = [], [], []
    for numbers in itertools.product(*(range(len(design.levels[factor])) for factor in shown)):
        at = [places[factor] for factor in shown]
        here = (grid[:, at] == numbers).all(axis=1)
        rows.append(np.average(columns[here], axis=0, weights=share[here]))
        labels.append(tuple(design.levels[factor][number] for factor, number in zip(shown, numbers, strict=True)))
        trials.append(int(design.trials[(design.grid[:, at] == numbers).all(axis=1)].sum()))
    notes = tuple(_notes(design, shown, grid))
    return Means(fit, tuple(of), tuple(by), tuple(labels), np.array(rows), tuple(trials), notes)


def _frequencies(design: Design, grid: IntArray, rest: list[int]) -> FloatArray:
    """Return for each combination of all levels the trials that share its levels of the averaged factors."""
    same = (grid[:, None, rest] == design.grid[None, :, rest]).all(axis=2)
    return np.asarray(same @ design.trials)


def _notes(design: Design, shown: list[str], grid: IntArray) -> list[str]:
    notes = []
    averaged = [factor for factor in design.levels if factor not in shown]
    mixed = [t for t in design.terms if len(t) > 1 and set(t) & set(shown) and set(t) & set(averaged)]
    if mixed:
        notes.append(f"averaged over a factor that interacts: {', '.join(' × '.join(term) for term in mixed)}")
    empty = len(grid) - len(design.grid)
    if empty:
        notes.append(f"averaged over {empty} of {len(grid)} cells that have no row: the model fills them")
    return notes
