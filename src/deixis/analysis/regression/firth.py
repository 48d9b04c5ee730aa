"""Logistic regression by Firth's penalised likelihood: finite estimates where a cell is all right or all wrong.

The likelihood times Jeffreys' prior, ``l(b) + ½ log |X'WX|`` (Firth 1993, *Biometrika* 80; Heinze and Schemper 2002,
*Statistics in Medicine* 21). Standard errors are from ``(X'WX)⁻¹`` at the estimate, as in R's brglm2; other programs
take those of the augmented data, which differ by about a hundredth part. Limits and p are by the profile of the
penalised likelihood, which is not symmetric; tests hold coefficients at 0 and keep the penalty of the full model.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import chi2

from deixis.analysis.pvalues import from_log, log_chi_squared
from deixis.analysis.regression.ascent import ascend
from deixis.analysis.regression.design_matrix import FloatArray
from deixis.errors import AnalysisError


@dataclass(frozen=True, slots=True, eq=False)
class Penalised:
    """A maximum of the penalised likelihood."""

    estimates: FloatArray
    """One a column, in log odds."""
    covariance: FloatArray
    """``(X'WX)⁻¹`` at the estimates."""
    loglik: float
    """The log-likelihood of single trials at the estimates, without the penalty."""
    penalised_loglik: float
    """The same with the penalty: what is at its maximum."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A linear combination of coefficients with its profile interval."""

    estimate: float
    """In log odds."""
    low: float
    """Lower limit; what lies below it is rejected by the penalised likelihood-ratio test."""
    high: float
    """Upper limit."""
    chi_squared: float
    """Penalised likelihood-ratio statistic of the hypothesis that the combination is 0, one degree of freedom."""
    p: float
    """Its p, never 0."""
    log_p: float
    """The natural logarithm of that."""


def loglik(matrix: FloatArray, successes: FloatArray, trials: FloatArray, estimates: FloatArray) -> float:
    """Return the log-likelihood of single trials (without the binomial coefficients of the counts)."""
    eta = matrix @ estimates
    return float(-(successes * np.logaddexp(0, -eta) + (trials - successes) * np.logaddexp(0, eta)).sum())


def firth(
    matrix: FloatArray,
    successes: FloatArray,
    trials: FloatArray | None = None,
    held: Sequence[int] = (),
    start: FloatArray | None = None,
) -> Penalised:
    """Maximise the penalised likelihood; columns ``held`` keep their value in ``start`` (or 0).

    ``matrix`` has one line a cell (or a trial), with its successes among its trials. Raises :class:`AnalysisError`
    where the columns are not independent or the search does not come to rest.
    """
    totals = np.ones(len(matrix)) if trials is None else trials
    free = np.setdiff1d(np.arange(matrix.shape[1]), np.asarray(held, int))
    at = np.zeros(matrix.shape[1]) if start is None else np.array(start, float)
    if np.linalg.matrix_rank(matrix) < matrix.shape[1]:
        raise AnalysisError("the columns of the bias-reduced fit are not independent")

    def placed(values: FloatArray) -> FloatArray:
        whole = at.copy()
        whole[free] = values
        return whole

    def slope(values: FloatArray) -> tuple[FloatArray, FloatArray]:
        gradient, curvature = _slope(matrix, successes, totals, placed(values))
        return gradient[free], curvature(free)

    if len(free):
        at = placed(
            ascend(
                at[free],
                lambda values: _value(matrix, successes, totals, placed(values)),
                slope,
                "the bias-reduced fit",
            )
        )
    information = _information(matrix, totals, at)
    covariance = np.asarray(np.linalg.inv(information), float)
    return Penalised(at, covariance, loglik(matrix, successes, totals, at), _value(matrix, successes, totals, at))


def penalised_test(
    matrix: FloatArray, successes: FloatArray, trials: FloatArray, held: Sequence[int]
) -> tuple[float, int, float]:
    """Return statistic, degrees of freedom and log p of the hypothesis that the columns ``held`` are 0."""
    full = firth(matrix, successes, trials)
    reduced = firth(matrix, successes, trials, held)
    statistic = max(0.0, 2 * (full.penalised_loglik - reduced.penalised_loglik))
    return statistic, len(held), log_chi_squared(statistic, len(held))


def profile(
    matrix: FloatArray, successes: FloatArray, trials: FloatArray, weights: FloatArray, level: float = 0.95
) -> Profile:
    """Return the combination ``weights · b`` of the coefficients with its interval and its test against 0.

    The columns are first changed so that the combination is one coefficient; the penalised likelihood does not mind
    (its penalty changes by a constant). A single coefficient has weight 1 on its column and 0 elsewhere.
    """
    changed = matrix @ _turned(weights)
    best = firth(changed, successes, trials)
    error = float(np.sqrt(best.covariance[0, 0]))

    last = [best.estimates]

    def drop(value: float) -> float:
        # The other coefficients start from where they were for the value before, which is near.
        start = last[0].copy()
        start[0] = value
        held = firth(changed, successes, trials, [0], start)
        last[0] = held.estimates
        return 2 * (best.penalised_loglik - held.penalised_loglik)

    bound = float(chi2.ppf(level, 1))
    limits = [_crossing(lambda value: drop(value) - bound, float(best.estimates[0]), side * error) for side in (-1, 1)]
    statistic = max(0.0, drop(0.0))
    log_p = log_chi_squared(statistic, 1)
    return Profile(float(best.estimates[0]), limits[0], limits[1], statistic, float(from_log(log_p)), log_p)


def _information(matrix: FloatArray, trials: FloatArray, at: FloatArray) -> FloatArray:
    fitted = expit(matrix @ at)
    return np.asarray(matrix.T @ (matrix * (trials * fitted * (1 - fitted))[:, None]))


def _value(matrix: FloatArray, successes: FloatArray, trials: FloatArray, at: FloatArray) -> float:
    return loglik(matrix, successes, trials, at) + 0.5 * float(np.linalg.slogdet(_information(matrix, trials, at))[1])


def _slope(
    matrix: FloatArray, successes: FloatArray, trials: FloatArray, at: FloatArray
) -> tuple[FloatArray, Callable[[NDArray[np.int64]], FloatArray]]:
    """Return the gradient of the penalised log-likelihood, and its curvature for any choice of coefficients.

    The information ``X'WX`` is what is commonly taken for the curvature, and with few trials in some cells steps by it
    go to and fro without end. The curvature of the penalty is, with ``B = (X'WX)⁻¹``, ``v = n w (1 - 2p)`` and the
    leverages ``h``: ``X' diag(n h (w - (1 - 2p)²/2)) X + ½ Σ_ij v_i v_j (x_i'B x_j)² x_i x_j'``.
    """
    fitted = expit(matrix @ at)
    weights, lean = fitted * (1 - fitted), 1 - 2 * fitted
    information = matrix.T @ (matrix * (trials * weights)[:, None])
    inverse = np.linalg.inv(information)
    leverage = weights * ((matrix @ inverse) * matrix).sum(axis=1)
    gradient = matrix.T @ (successes - trials * fitted + trials * leverage * lean / 2)

    def curvature(free: NDArray[np.int64]) -> FloatArray:
        plain = information + matrix.T @ (matrix * (trials * leverage * (weights - lean**2 / 2))[:, None])
        size = len(at)
        pairs = (matrix[:, :, None] * matrix[:, None, :]).reshape(len(matrix), size**2)
        cubes = ((matrix * (trials * weights * lean)[:, None]).T @ pairs).reshape(size, size, size)
        turned = inverse @ cubes @ inverse
        exact = plain + 0.5 * turned.reshape(size, -1) @ cubes.reshape(size, -1).T
        exact = exact[np.ix_(free, free)]
        # Far from the top the penalised likelihood can curve the other way; the information never does.
        upright = np.linalg.eigvalsh(exact)[0] > 0
        return np.asarray(exact if upright else information[np.ix_(free, free)])

    return np.asarray(gradient), curvature


def _turned(weights: FloatArray) -> FloatArray:
    """Return T with ``b = T c`` such that ``c[0] = weights · b``: they come first, then what is orthogonal."""
    length = float(weights @ weights)
    if length == 0:
        raise AnalysisError("a contrast of all zeros compares nothing")
    rest = np.linalg.qr(weights[:, None], mode="complete")[0][:, 1:]
    return np.column_stack([weights / length, rest])


def _crossing(excess: Callable[[float], float], start: float, step: float) -> float:
    """Return where ``excess`` becomes positive, going from ``start`` by growing steps."""
    inner, outer = start, start + step
    for _ in range(60):
        if excess(outer) >= 0:
            return float(brentq(excess, inner, outer, xtol=1e-9))
        inner, outer = outer, outer + step
    return float(np.copysign(np.inf, step))
