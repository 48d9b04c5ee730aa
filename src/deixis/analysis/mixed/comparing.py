"""Tests within and between fitted mixed models: likelihood ratios of nested ones, F tests of several effects."""

from dataclasses import dataclass

import numpy as np

from deixis.analysis.mixed.crossed import Floats
from deixis.analysis.mixed.result import MixedFit
from deixis.analysis.mixed.tails import log_f
from deixis.analysis.pvalues import from_log, log_chi_squared
from deixis.errors import AnalysisError

NOTHING = 1e-6
"""A likelihood ratio below this is none: the variance that was added is 0."""


@dataclass(frozen=True)
class LikelihoodRatio:
    """A likelihood-ratio test."""

    chisq: float
    df: int
    p: float
    log_p: float
    """Natural logarithm of p, finite where p is too small for a number."""
    n: int
    left_out: int
    note: str = ""


def likelihood_ratio(smaller: MixedFit, larger: MixedFit) -> LikelihoodRatio:
    """Test whether the terms that only ``larger`` has improve the fit.

    With one random factor more and nothing else, its variance lies on the boundary under the null hypothesis and p is
    that of the even mixture of χ²(0) and χ²(1) (Self & Liang 1987, Stram & Lee 1994); with random factors and fixed
    effects at once p is of the plain χ², too large. Raises :class:`AnalysisError` where the models are not nested by
    their names, were fitted to different rows or as different kinds, or where restricted likelihoods would be compared
    across fixed effects.
    """
    if smaller.kind != larger.kind:
        raise AnalysisError(f"a {smaller.kind} model cannot be compared with a {larger.kind} one")
    if (smaller.n, smaller.data) != (larger.n, larger.data):
        raise AnalysisError(f"the models were fitted to different rows: {smaller.n} and {larger.n}")
    fixed = set(larger.names) - set(smaller.names)
    random = set(larger.factors) - set(smaller.factors)
    if not (set(smaller.names) <= set(larger.names) and set(smaller.factors) <= set(larger.factors)):
        raise AnalysisError("the first model has terms that the second lacks: they are not nested")
    if not fixed and not random:
        raise AnalysisError("both models have the same terms: there is nothing to test")
    if fixed and smaller.kind == "linear (REML)":
        raise AnalysisError("restricted likelihoods depend on the fixed effects: fit both models with reml=False")
    chisq, df = 2 * (larger.loglik - smaller.loglik), len(fixed) + len(random)
    notes = [
        f"{name} model: {fit.note}" for name, fit in (("smaller", smaller), ("larger", larger)) if not fit.converged
    ]
    if chisq < 0:
        if chisq < -1e-4:
            notes.append(f"the larger model fits worse by {-chisq:.3g}: one search went astray")
        chisq = 0.0
    log_p = log_chi_squared(chisq, df)
    if len(random) == 1 and not fixed:
        log_p = log_p + float(np.log(0.5)) if chisq > NOTHING else 0.0
        notes.append("p of the mixture of χ²(0) and χ²(1): a variance cannot be negative")
    elif random:
        notes.append("p is too large: variances cannot be negative")
    return LikelihoodRatio(chisq, df, float(from_log(log_p)), log_p, larger.n, larger.left_out, "; ".join(notes))


@dataclass(frozen=True)
class FTest:
    """An F test with Satterthwaite's degrees of freedom."""

    f: float
    num_df: int
    den_df: float
    p: float
    log_p: float


def f_test(fit: MixedFit, contrasts: Floats) -> FTest:
    """Test in a linear mixed model whether all ``contrasts`` (``(contrasts, effects)``) are 0."""
    if fit.satterthwaite is None:
        raise AnalysisError(f"F tests are for linear mixed models, not for {fit.kind} ones")
    rows = np.atleast_2d(np.asarray(contrasts, float))
    estimate, covariance = rows @ fit.params, rows @ fit.covariance @ rows.T
    number = int(np.linalg.matrix_rank(covariance))
    f = float(estimate @ np.linalg.pinv(covariance, hermitian=True) @ estimate) / number
    den_df = fit.satterthwaite.df_together(rows)
    log_p = float(log_f(f, number, den_df))
    return FTest(f, number, den_df, float(from_log(log_p)), log_p)
