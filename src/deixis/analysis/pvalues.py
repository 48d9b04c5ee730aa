"""p-values that are never 0, their logarithms, their adjustment for several comparisons, and how they are printed."""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from deixis.errors import AnalysisError

Adjustment = Literal["none", "tukey", "holm", "bonferroni"]
"""How p-values and limits of a family of comparisons are adjusted."""

_SMALLEST = float(np.finfo(float).tiny)
_TUKEY_TAIL = 1e-10
_NOTHING = 1e-20


def p_text(p: float) -> str:
    """Return how a p-value is printed: three decimals without the leading zero, ``< .001`` below that, or a dash."""
    if np.isnan(p):
        return "–"
    if p < 0.001:
        return "< .001"
    return "1" if p > 0.9995 else f"{p:.3f}".removeprefix("0")


def from_log(log_p: ArrayLike) -> NDArray[np.float64]:
    """Return p for its natural logarithm; where p is too small for a number, the smallest number (2.2e-308)."""
    values = np.asarray(log_p, float)
    return np.where(np.isnan(values), np.nan, np.maximum(np.exp(np.minimum(values, 0.0)), _SMALLEST))


def log_two_sided(z: ArrayLike) -> NDArray[np.float64]:
    """Return the logarithm of the two-sided p of a standard normal ``z``; exact however large ``z`` is."""
    return np.asarray(np.log(2.0) + special.log_ndtr(-np.abs(np.asarray(z, float))))


def log_chi_squared(statistic: float, df: int) -> float:
    """Return the logarithm of the upper tail of chi-squared with ``df`` degrees of freedom, without underflow.

    By the recurrence ``Q(df + 2) = Q(df) + (x/2)^(df/2) exp(-x/2) / Γ(df/2 + 1)`` from 1 or 2 degrees of freedom.
    """
    if df < 1 or np.isnan(statistic):
        return float("nan")
    half = max(0.0, statistic) / 2
    if half == 0:
        return 0.0
    log_p = float(log_two_sided(np.sqrt(2 * half))) if df % 2 else -half
    for reached in range(2 - df % 2, df, 2):
        log_p = float(np.logaddexp(log_p, reached / 2 * np.log(half) - half - special.gammaln(reached / 2 + 1)))
    return min(0.0, log_p)


def adjusted(log_p: ArrayLike, method: Adjustment) -> NDArray[np.float64]:
    """Return the logarithms of one family's p-values, unadjusted or adjusted by Holm's or Bonferroni's rule.

    What is NaN stays so and does not make the family larger.
    """
    raw = np.asarray(log_p, float)
    tested = int((~np.isnan(raw)).sum())
    if method == "none":
        return raw
    if method == "bonferroni":
        return np.asarray(np.minimum(0.0, raw + np.log(max(1, tested))))
    if method != "holm":
        raise AnalysisError(f"{method!r} cannot adjust p-values alone: it needs all pairwise comparisons of means")
    order = np.argsort(raw)
    steps = raw[order] + np.log(np.maximum(1, tested - np.arange(len(raw))))
    stepped = np.empty_like(raw)
    stepped[order] = np.minimum(0.0, np.maximum.accumulate(steps))
    return stepped


def log_tukey(z: ArrayLike, means: int) -> NDArray[np.float64]:
    """Return the logarithms of Tukey's p-values for all pairwise comparisons of ``means`` means, known variance.

    ``P(range of means > √2 |z|)``, the studentised range with infinite degrees of freedom. Where that is below 1e-10
    (its numerical error is 1e-13) Bonferroni's bound stands in its place: above it by less than a thousandth part
    for a few means, and safe.
    """
    size = np.abs(np.asarray(z, float))
    pairs = means * (means - 1) / 2
    bound = log_two_sided(size) + np.log(pairs)
    with np.errstate(divide="ignore"):
        exact = np.log(np.maximum(0.0, stats.studentized_range.sf(np.sqrt(2.0) * size, means, np.inf)))
    return np.asarray(np.minimum(0.0, np.where(exact < np.log(_TUKEY_TAIL), bound, exact)))


def standard_errors(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard errors of a covariance; NaN where a variance is 0 (but for rounding) or below.

    A robust variance is 0 where clusters do not differ, and can be below 0 by two factors: neither allows a test.
    """
    variances = np.diag(covariance)
    return np.sqrt(np.where(variances > _NOTHING, variances, np.nan))


def critical(method: Adjustment, comparisons: int, means: int, level: float) -> float:
    """Return how many standard errors wide limits are on each side, for a family at the given ``level``.

    Holm's rule has no limits of its own: Bonferroni's stand beside its p-values.
    """
    if method == "tukey":
        return float(stats.studentized_range.ppf(level, means, np.inf) / np.sqrt(2.0))
    share = 1 if method == "none" else max(1, comparisons)
    return float(stats.norm.isf((1 - level) / 2 / share))


def known(method: str, allowed: Sequence[str] = get_args(Adjustment)) -> None:
    """Raise :class:`AnalysisError` for an adjustment that does not exist."""
    if method not in allowed:
        raise AnalysisError(f"adjustment {method!r} does not exist; choose from {', '.join(allowed)}")
