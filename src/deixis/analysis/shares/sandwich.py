"""Covariances that hold when trials of one cluster resemble each other: HC0, HC1, CR2, by one factor or by two."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from deixis.errors import AnalysisError

Kind = Literal["hc0", "hc1", "cr2"]
"""``hc0``: scores summed by cluster, times G/(G-1). ``hc1``: times (n-1)/(n-k) too. ``cr2``: the residuals of every
cluster corrected for their leverage (Bell and McCaffrey 2002), which is less biased with few clusters."""
Matrix = NDArray[np.float64]
Codes = NDArray[np.int64]


def by_clusters(
    table: pd.DataFrame, clusters: Sequence[str], kind: Kind = "hc1"
) -> Callable[[Matrix, Matrix, Matrix, Codes], Matrix]:
    """Return what :func:`logistic` takes as ``covariance``, for clusters in a table's columns.

    For CR2 the outcome must be 1 or 0, since the weights of the fit are told from the residuals.
    """

    def found(columns: Matrix, residuals: Matrix, bread: Matrix, rows: Codes) -> Matrix:
        labels = [table[name].iloc[rows].to_numpy() for name in clusters]
        # a residual y - p of y = 0 or 1 is p or 1 - p in size, and either gives the weight p(1 - p)
        weights = np.abs(residuals) * (1 - np.abs(residuals))
        if kind == "cr2" and not np.allclose(columns.T @ (columns * weights[:, None]) @ bread, np.eye(len(bread))):
            raise AnalysisError("cr2 needs outcomes of 1 and 0: some trials earned a share, so take hc1")
        return covariance(columns, residuals, bread, labels, kind=kind, weights=weights, names=clusters)

    return found


def covariance(
    columns: Matrix,
    residuals: Matrix,
    bread: Matrix,
    clusters: Sequence[ArrayLike],
    *,
    kind: Kind = "hc1",
    weights: Matrix | None = None,
    names: Sequence[str] = (),
) -> Matrix:
    """Return the k × k cluster-robust covariance of a regression's coefficients (Liang and Zeger 1986).

    ``columns`` is n × k, ``residuals`` the n differences of outcome and fitted mean, ``bread`` the model's (X'WX)⁻¹
    with the diagonal ``weights`` W (p(1 - p) of a logistic regression; by default 1, as in a linear one), ``clusters``
    one or two sequences of n labels, which ``names`` names in errors. With two, trials may resemble each other within
    either: the covariances by each are added and that by both together is taken off, each with its own G/(G-1)
    (Cameron, Gelbach and Miller 2011); it may have a variance below 0, which then is no variance. Only clusters present
    count. Raises :class:`AnalysisError` for a single cluster, and for CR2 by two factors, which is not defined.
    """
    if len(clusters) not in (1, 2):
        raise AnalysisError(f"errors are clustered by one factor or by two, not by {len(clusters)}")
    if len(clusters) == 2 and kind == "cr2":
        raise AnalysisError("cr2 is defined for one factor: take hc1 for two, or one of them")
    codes = [pd.factorize(np.asarray(labels))[0] for labels in clusters]
    for at, code in enumerate(codes):
        count = int(code.max(initial=-1)) + 1
        name = names[at] if at < len(names) else "the clustering factor"
        if code.min(initial=0) < 0:
            raise AnalysisError(f"{name} is missing in {int((code < 0).sum())} rows: leave them out first")
        if count < 2:
            raise AnalysisError(f"{name} has {count} level{'' if count == 1 else 's'}: errors by it need at least two")
    n, k = columns.shape
    if kind == "cr2":
        return _cr2(columns, residuals, np.ones(n) if weights is None else weights, bread, codes[0])
    scores = columns * residuals[:, None]
    total = np.zeros((k, k))
    for code in codes:
        total += _meat(scores, code)
    if len(codes) == 2:
        total -= _meat(scores, codes[0] * (int(codes[1].max()) + 1) + codes[1])
    return np.asarray(bread @ total @ bread * ((n - 1) / (n - k) if kind == "hc1" else 1.0), dtype=float)


def _meat(scores: Matrix, code: NDArray[np.intp]) -> Matrix:
    _, present = np.unique(code, return_inverse=True)
    count = int(present.max()) + 1
    summed = np.column_stack([np.bincount(present, weights=score, minlength=count) for score in scores.T])
    return np.asarray(summed.T @ summed * (count / (count - 1)), dtype=float)


def _cr2(columns: Matrix, residuals: Matrix, weights: Matrix, bread: Matrix, code: NDArray[np.intp]) -> Matrix:
    """Return CR2 with the working weights of the fit as its model of the variances.

    Each cluster's Pearson residuals are multiplied by the symmetric (I - H)^(-1/2) of its block H of the hat matrix. H
    has rank k at most, so the root is taken of its k singular values, never of a matrix as large as the cluster.
    """
    root = np.sqrt(weights)
    leaning = (columns * root[:, None]) @ np.linalg.cholesky(bread)
    pearson = residuals / root
    summed = np.zeros((int(code.max()) + 1, columns.shape[1]))
    order = np.argsort(code, kind="stable")
    for at, rows in enumerate(np.split(order, np.flatnonzero(np.diff(code[order])) + 1)):
        u, s, _ = np.linalg.svd(leaning[rows], full_matrices=False)
        left = 1 - s**2
        # a cluster that alone determines a coefficient has leverage 1: there the generalised inverse takes 0
        grow = np.where(left > 1e-10, 1 / np.sqrt(np.where(left > 1e-10, left, 1.0)), 0.0) - 1
        corrected = pearson[rows] + u @ (grow * (u.T @ pearson[rows]))
        summed[at] = (columns[rows] * root[rows][:, None]).T @ corrected
    return np.asarray(bread @ (summed.T @ summed) @ bread, dtype=float)
