"""Proportions and logistic coefficients with standard errors that know whose trials they are, and of which items."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
import pandas as pd
from scipy import stats

from deixis.analysis.counting import answered, cells
from deixis.analysis.pvalues import from_log
from deixis.analysis.regression.design_matrix import Levels, design
from deixis.analysis.regression.logistic import LogisticFit, Method, logistic
from deixis.analysis.shares.sandwich import Kind, Matrix, by_clusters, covariance
from deixis.errors import AnalysisError

NAN = math.nan


def clustered_proportions(
    table: pd.DataFrame,
    by: Levels,
    clusters: Sequence[str],
    *,
    outcome: str = "correct",
    kind: Kind = "hc0",
    level: float = 0.95,
) -> pd.DataFrame:
    """Return, for every cell, the share of correct trials with its cluster-robust interval.

    ``clusters`` names one column, such as ``("item",)``, or two. Columns: the factors, then the fields of
    :class:`Clustered`, with limits cut at 0 and 1. ``hc0`` is the CR1 of :func:`deixis.analysis.intervals.mean`.
    """
    rows = []
    for named, part in cells(table, by):
        kept, left_out = answered(part, outcome, *clusters)
        values = kept[outcome].to_numpy(dtype=float)
        mean = float(values.mean()) if len(values) else NAN
        found = _clustered(mean, np.ones((len(values), 1)), values - mean, kept, clusters, kind, level, left_out, 0.0)
        rows.append({**named, **asdict(found)})
    return pd.DataFrame(rows)


@dataclass(frozen=True, slots=True)
class Clustered:
    """A share, or a difference of shares, with its cluster-robust uncertainty."""

    n: int
    """Trials that count."""
    left_out: int
    """Trials whose outcome or cluster is not known."""
    clusters: int
    """Clusters present, of the factor that has fewer."""
    estimate: float
    """NaN where there is nothing to estimate it from."""
    std_error: float
    """Clustered; NaN with one cluster."""
    t: float
    """``estimate / std_error``, with clusters - 1 degrees of freedom."""
    p: float
    """Two-sided, against 0: of use for a difference."""
    low: float
    """Lower end of the interval (Student's t), cut at what is possible."""
    high: float
    """Upper end."""
    note: str = ""
    """Why a part is not defined."""


def clustered_difference(
    table: pd.DataFrame,
    factor: str,
    levels: Sequence[Hashable],
    clusters: Sequence[str],
    *,
    outcome: str = "correct",
    kind: Kind = "hc0",
    level: float = 0.95,
) -> Clustered:
    """Return the share of correct trials at the first level minus that at the second, clusters kept together.

    A linear model of the outcome on the factor; ``hc0`` is :func:`deixis.analysis.intervals.difference`. Rows at other
    levels raise :class:`deixis.errors.AnalysisError`, as does anything but two levels.
    """
    if len(levels) != 2:
        raise AnalysisError(f"{factor} is given {len(levels)} levels: a difference has two")
    sides = [answered(part, outcome, *clusters) for _, part in cells(table, {factor: levels})]
    kept = pd.concat([side for side, _ in sides])
    n1, n2 = (len(side) for side, _ in sides)
    left_out = sum(lost for _, lost in sides)
    if not (n1 and n2):
        note = f"{factor} has no trial at {levels[0] if not n1 else levels[1]}"
        return Clustered(len(kept), left_out, 0, *(NAN,) * 6, note=note)
    first = np.repeat([1.0, 0.0], [n1, n2])
    means = [float(side[outcome].mean()) for side, _ in sides]
    residuals = kept[outcome].to_numpy(dtype=float) - np.where(first == 1, *means)
    columns = np.column_stack([np.ones(n1 + n2), first])
    return _clustered(means[0] - means[1], columns, residuals, kept, clusters, kind, level, left_out, -1.0)


def _clustered(
    estimate: float,
    columns: Matrix,
    residuals: Matrix,
    kept: pd.DataFrame,
    clusters: Sequence[str],
    kind: Kind,
    level: float,
    left_out: int,
    least: float,
) -> Clustered:
    """Return the last coefficient of a linear model with its uncertainty."""
    counts = {name: int(kept[name].nunique()) for name in clusters}
    fewest = min(counts, key=lambda name: counts[name])
    error, note = NAN, ""
    if counts[fewest] < 2:
        note = f"{fewest} has {counts[fewest]} level{'' if counts[fewest] == 1 else 's'}: no standard error by it"
    else:
        bread = np.asarray(np.linalg.inv(columns.T @ columns), dtype=float)
        labels = [kept[name].to_numpy() for name in clusters]
        variance = float(covariance(columns, residuals, bread, labels, kind=kind, names=clusters)[-1, -1])
        if abs(variance) < 1e-24:
            error, note = 0.0, f"no variation between levels of {fewest}: no interval"
        elif variance < 0:
            note = "the variance by two factors is below 0: no standard error"
        else:
            error = math.sqrt(variance)
    known = (len(kept), left_out, counts[fewest], estimate, error)
    if not error > 0:
        return Clustered(*known, NAN, NAN, NAN, NAN, note)
    df = counts[fewest] - 1
    half = float(stats.t.ppf((1 + level) / 2, df)) * error
    p = float(from_log(math.log(2) + stats.t.logsf(abs(estimate) / error, df)))
    return Clustered(*known, estimate / error, p, max(least, estimate - half), min(1.0, estimate + half))


def clustered_logistic(
    table: pd.DataFrame,
    factors: Levels,
    clusters: Sequence[str],
    *,
    outcome: str = "correct",
    interactions: Sequence[Sequence[str]] | Literal["all", "none"] = "all",
    kind: Kind = "hc1",
    method: Method = "auto",
    level: float = 0.95,
) -> LogisticFit:
    """Fit a logistic regression with cluster-robust errors; z, p and limits are from the normal distribution.

    ``clusters`` names one column or two; ``factors`` and ``interactions`` are those of
    :func:`deixis.analysis.regression.design_matrix.design`, ``method`` that of :func:`logistic`, which
    looks for separation first: a sandwich hides infinite coefficients behind a small standard error. Raises
    :class:`deixis.errors.AnalysisError`, naming the factor, where a factor or the number of clusters is too small.
    """
    made = design(table, outcome, factors, interactions, needed=tuple(clusters))
    return logistic(made, method=method, covariance=by_clusters(table, clusters, kind), level=level)
