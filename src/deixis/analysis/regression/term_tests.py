"""Which terms of a logistic regression matter: likelihood-ratio tests of Type II and III, and robust Wald tests.

Type II tests a term in the model without the terms that contain it, Type III in the full model with sum coding, as R's
``car::Anova``. After a bias-reduced fit both are penalised: the term's coefficients are held at 0, and the penalty is
that of the larger model.
"""

from typing import Literal

import numpy as np
import pandas as pd

from deixis.analysis.pvalues import from_log, log_chi_squared
from deixis.analysis.regression.design_matrix import Design, FloatArray, Term
from deixis.analysis.regression.firth import loglik, penalised_test
from deixis.analysis.regression.logistic import LogisticFit, most_likely
from deixis.errors import AnalysisError

Kind = Literal["II", "III"]


def likelihood_ratio_tests(fit: LogisticFit, kind: Kind = "II") -> pd.DataFrame:
    """Return one row a term: term, chi_squared, df, p, log_p, kind, test, n.

    ``test`` is ``likelihood ratio`` or ``penalised likelihood ratio``. Both take trials as independent, whatever the
    covariance of the fit. With one factor, or none that interact, the two kinds are the same.
    """
    if kind not in ("II", "III"):
        raise AnalysisError(f"likelihood-ratio tests are of type II or III, not {kind!r}")
    penalised = fit.method == "bias-reduced"
    rows = []
    for term in fit.design.terms[1:]:
        matrix, tested = _larger(fit.design, term, kind)
        statistic, log_p = _test(fit.design, matrix, tested, penalised=penalised)
        rows.append(
            {
                "term": " × ".join(term), "chi_squared": statistic, "df": len(tested), "p": float(from_log(log_p)),
                "log_p": log_p, "kind": kind, "test": ("penalised " if penalised else "") + "likelihood ratio",
                "n": fit.n,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def wald_tests(fit: LogisticFit) -> pd.DataFrame:
    """Return one row a term: term, chi_squared, df, p, log_p, kind, test, n, with the covariance of the fit.

    Type III: the term's coefficients in sum coding are all 0. With a cluster-robust covariance this is the test that
    knows of the clusters. NaN where the covariance does not reach: fewer clusters than coefficients tested.
    """
    change = np.linalg.pinv(fit.design.coded(fit.design.grid, "sum")) @ fit.design.cells
    estimates, covariance = change @ fit.estimates, change @ fit.covariance @ change.T
    rows = []
    for term in fit.design.terms[1:]:
        places = fit.design.columns(term)
        part, block = estimates[places], covariance[np.ix_(places, places)]
        solid = np.linalg.matrix_rank(block, hermitian=True) == len(places) and (np.diag(block) > 0).all()
        statistic = float(part @ np.linalg.solve(block, part)) if solid else float("nan")
        log_p = log_chi_squared(statistic, len(places))
        rows.append(
            {
                "term": " × ".join(term), "chi_squared": statistic, "df": len(places), "p": float(from_log(log_p)),
                "log_p": log_p, "kind": "III", "test": "robust Wald" if fit.robust else "Wald", "n": fit.n,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def _larger(design: Design, term: Term, kind: Kind) -> tuple[FloatArray, list[int]]:
    """Return the columns of the larger of the two models compared, and the places of those tested."""
    if kind == "III":
        return design.coded(design.grid, "sum"), design.columns(term)
    kept = [place for place, other in enumerate(design.term_of) if not set(term) < set(other)]
    return design.cells[:, kept], [at for at, place in enumerate(kept) if design.term_of[place] == term]


def _test(design: Design, matrix: FloatArray, tested: list[int], *, penalised: bool) -> tuple[float, float]:
    counts = design.successes, design.trials
    if penalised:
        statistic, _, log_p = penalised_test(matrix, *counts, tested)
        return statistic, log_p
    reduced = np.delete(matrix, tested, axis=1)
    best = [loglik(x, *counts, most_likely(x, *counts)[0]) for x in (matrix, reduced)]
    statistic = max(0.0, 2 * (best[0] - best[1]))
    return statistic, log_chi_squared(statistic, len(tested))
