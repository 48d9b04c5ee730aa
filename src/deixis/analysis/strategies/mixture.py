"""Weights of a mixture with known parts: maximum likelihood, what else fits as well, profile limits.

The log-likelihood ``Σ_j n_j log q_j`` with ``q_j = Σ_k w_k a_jk`` is concave in the weights. Minimising
``-Σ_j (n_j/N) log q_j + Σ_k w_k`` over ``w ≥ 0`` gives weights that sum to 1 by themselves (Kim, Carbonetto, Stephens
and Anitescu 2020), so each step is a quadratic programme with signs alone, solved as non-negative least squares.
"""

import numpy as np
from scipy.optimize import brentq, linprog, nnls
from scipy.stats import chi2

from deixis.analysis.strategies.predictions import Array
from deixis.errors import AnalysisError

_PREFER = 1e-6
"""How much dearer later columns are: too little to be seen in the weights that the answers determine."""
_BESIDE = 0.02
"""How far into the inside a beginning beside known weights is moved, so that no column is shut out."""
_NEAR = 1e-8
"""Weight on staying near, which makes each step's programme strictly convex."""


def fit(parts: Array, counts: Array, near: Array | None = None) -> Array:
    """Return the weights of greatest likelihood; ``parts`` is kinds × columns, ``counts`` the answers of each kind.

    ``near`` are weights to begin beside, which saves steps where many counts are alike and changes nothing else.

    Where several weightings predict the same, the first column (noise) gets as much as it can, then the others in
    their order: a strategy is credited with what nothing before it explains. Kinds without answers say nothing.
    """
    seen = counts > 0
    if not seen.any():
        raise AnalysisError("no answer to fit a mixture to")
    parts, share = parts[seen], counts[seen] / counts.sum()
    columns = parts.shape[1]
    cost = 1 + _PREFER * np.arange(columns) / max(1, columns - 1)
    weights = np.full(columns, 1 / columns)
    if near is not None:
        weights = _BESIDE * weights + (1 - _BESIDE) * near
    value = _value(parts, share, cost, weights)
    for _ in range(200):
        likely = parts @ weights
        slope = cost - parts.T @ (share / likely)
        bend = (parts * (share / likely**2)[:, None]).T @ parts
        bend += (_NEAR + 1e-13 * np.trace(bend)) * np.eye(columns)
        root = np.linalg.cholesky(bend).T
        target, _ = nnls(root, np.linalg.solve(root.T, bend @ weights - slope))
        step = target - weights
        gain = float(slope @ step)
        if gain > -1e-13:
            break
        size = 1.0
        while (new := _value(parts, share, cost, weights + size * step)) > value + 1e-4 * size * gain:
            size /= 2
            if size < 1e-10:
                return _proper(weights)
        weights, value = weights + size * step, new
    return _proper(weights)


def _value(parts: Array, share: Array, cost: Array, weights: Array) -> float:
    likely = parts @ weights
    return float(cost @ weights - share @ np.log(likely)) if likely.min() > 0 else np.inf


def _proper(weights: Array) -> Array:
    clean = np.where(weights < 1e-9, 0, weights)
    return np.asarray(clean / clean.sum())


def log_likelihood(parts: Array, counts: Array, weights: Array) -> float:
    """Return ``Σ n log q``; kinds without answers count for nothing."""
    seen = counts > 0
    likely = parts[seen] @ weights
    return float(counts[seen] @ np.log(likely)) if likely.min() > 0 else -np.inf


def ranges(parts: Array, counts: Array, weights: Array) -> Array:
    """Return columns × 2: the least and the greatest weight among all weightings that fit the answers as well.

    The fitted probabilities of what was answered are unique (the likelihood is strictly concave in them), the weights
    may not be: a linear programme for each end.
    """
    seen = parts[counts > 0]
    equal, held = np.vstack([seen, np.ones(len(weights))]), np.append(seen @ weights, 1.0)
    found = np.empty((len(weights), 2))
    if np.linalg.matrix_rank(equal, tol=1e-8) == len(weights):
        found[:] = weights[:, None]
        return found
    for column, weight in enumerate(weights):
        for end, sign in enumerate((1, -1)):
            aim = np.zeros(len(weights))
            aim[column] = sign
            solved = linprog(aim, A_eq=equal, b_eq=held, bounds=(0, 1), method="highs")
            found[column, end] = np.clip(solved.x[column], 0, 1) if solved.status == 0 else weight
    return found


def profile_limits(
    parts: Array, counts: Array, weights: Array, column: int, level: float = 0.95
) -> tuple[float, float]:
    """Return the profile-likelihood limits of one weight: where the deviance rises by the χ² point with 1 df.

    Trials count as independent. With the weight held at v, the others make a mixture of the columns
    ``v a_column + (1 - v) a_other``.
    """
    best, rise = log_likelihood(parts, counts, weights), chi2.ppf(level, 1) / 2
    others = np.delete(parts, column, axis=1)

    def lost(value: float) -> float:
        mixed = value * parts[:, [column]] + (1 - value) * others
        if mixed[counts > 0].max(axis=1).min() <= 0:
            return 1e9
        return float(min(1e9, best - log_likelihood(mixed, counts, fit(mixed, counts))) - rise)

    def limit(end: float) -> float:
        return end if abs(at - end) < 1e-9 or lost(end) <= 0 else float(brentq(lost, at, end, xtol=5e-5))

    at = float(weights[column])
    return limit(0.0), limit(1.0)
