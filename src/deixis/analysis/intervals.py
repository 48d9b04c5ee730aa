"""Intervals for proportions and for differences of means, with items as clusters."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

_Z = NormalDist().inv_cdf(0.975)


def wilson(correct: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of ``correct / n`` (Wilson 1927, no continuity correction), by default 95 %.

    ``n`` of 0 gives the whole range, (0, 1). Where all or none is correct, that end is 1 or 0 and not nearly so.
    """
    if n == 0:
        return 0.0, 1.0
    z = _Z if level == 0.95 else NormalDist().inv_cdf((1 + level) / 2)
    share = correct / n
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return 0.0 if correct == 0 else max(0.0, centre - half), 1.0 if correct == n else min(1.0, centre + half)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or a difference of means with its cluster-robust uncertainty."""

    value: float | None
    """The estimate; ``None`` where there is nothing to estimate it from."""
    se: float | None
    """Standard error, clustered by item."""
    low: float | None
    """Lower end of the 95 % interval (t with clusters - 1 degrees of freedom), within what is possible."""
    high: float | None
    """Upper end."""
    n: int
    """Observations."""
    clusters: int
    """Items they come from."""
    note: str = ""
    """Why a part is missing, where one is."""


@dataclass(frozen=True, eq=False, slots=True)
class Observed:
    """Observations with the cluster that each belongs to."""

    clusters: NDArray[np.integer]
    """Number of the cluster, from 0; the same number is the same cluster in every set that is compared."""
    values: NDArray[np.float64]
    """What was observed."""


def mean(of: Observed) -> Estimate:
    """Return the mean with a standard error clustered by item.

    ``SE² = G/(G-1) · Σ_g (Σ_{i∈g} (x_i - x̄))² / n²``, the CR1 estimator for an intercept alone.
    """
    if not len(of.values):
        return Estimate(None, None, None, None, 0, 0, "no observation")
    average, influence = _side(of)
    return _with_uncertainty(average, influence, len(of.values), 0.0)


def difference(plus: Observed, minus: Observed) -> Estimate:
    """Return mean(plus) - mean(minus); observations of one item on both sides are kept together."""
    n = len(plus.values) + len(minus.values)
    if not len(plus.values) or not len(minus.values):
        return Estimate(None, None, None, None, n, 0, "one side has no observation")
    high, above = _side(plus)
    low, below = _side(minus)
    influence = dict(above)
    for cluster, part in below.items():
        influence[cluster] = influence.get(cluster, 0.0) - part
    return _with_uncertainty(high - low, influence, n, -1.0)


def _side(of: Observed) -> tuple[float, dict[int, float]]:
    """Return the mean, and by how much each cluster moves it."""
    average = float(of.values.sum() / len(of.values))
    known, place = np.unique(of.clusters, return_inverse=True)
    parts = np.bincount(place, of.values - average) / len(of.values)
    return average, dict(zip(known.tolist(), parts.tolist(), strict=True))


def _with_uncertainty(value: float, influence: Mapping[int, float], n: int, least: float) -> Estimate:
    clusters = len(influence)
    if clusters < 2:
        return Estimate(value, None, None, None, n, clusters, "one item: no standard error")
    se = math.sqrt(clusters / (clusters - 1) * sum(part**2 for part in influence.values()))
    if se < 1e-12:
        return Estimate(value, 0.0, None, None, n, clusters, "no variation between items: no interval")
    half = _t(clusters - 1) * se
    return Estimate(value, se, max(least, value - half), min(1.0, value + half), n, clusters)


@lru_cache(maxsize=1024)
def _t(df: int) -> float:
    """Return the 97.5 % point of Student's t."""
    from scipy.special import stdtrit  # noqa: PLC0415  (heavy)

    return float(stdtrit(df, 0.975))
