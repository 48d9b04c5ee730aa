"""Satterthwaite's degrees of freedom for contrasts of fixed effects in a linear mixed model."""

from dataclasses import dataclass

import numpy as np

from deixis.analysis.mixed.crossed import Floats


@dataclass(frozen=True)
class Satterthwaite:
    """The fixed effects' covariance, how it changes with the variance parameters, and how sure those are."""

    covariance: Floats
    """Of the fixed effects, ``(effects, effects)``."""
    changes: Floats
    """Its derivative by each variance parameter, ``(parameters, effects, effects)``."""
    spread: Floats
    """Covariance of the variance parameters, twice the inverse Hessian of the deviance."""

    def df(self, contrast: Floats) -> float:
        """Return ``2(l′Vl)² / (g′Ag)`` for one contrast, g the derivatives of ``l′Vl`` (Satterthwaite 1946)."""
        variance = contrast @ self.covariance @ contrast
        slopes = np.einsum("a,kab,b->k", contrast, self.changes, contrast)
        return float(2 * variance**2 / (slopes @ self.spread @ slopes))

    def df_together(self, contrasts: Floats) -> float:
        """Return the denominator's degrees of freedom for several contrasts at once, ``(contrasts, effects)``.

        As in lmerTest (Kuznetsova et al. 2017): the contrasts are turned into uncorrelated ones, each has its own
        degrees of freedom, and the F distribution is matched in expectation.
        """
        values, vectors = np.linalg.eigh(contrasts @ self.covariance @ contrasts.T)
        keep = values > 1e-10 * values.max()
        each = np.array([self.df(row) for row in vectors.T[keep] @ contrasts])
        if len(each) == 1 or np.all(np.abs(np.diff(each)) < 1e-8):
            return float(each.mean())
        if np.any(each <= 2):
            return 2.0
        expected = float((each / (each - 2)).sum())
        return 2 * expected / (expected - len(each))
