"""What a mixed model found: fixed effects with their covariance, standard deviations of the random intercepts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy import stats

from deixis.analysis.mixed.crossed import Floats
from deixis.analysis.mixed.fitting import Profiled
from deixis.analysis.mixed.satterthwaite import Satterthwaite
from deixis.analysis.mixed.tails import log_t
from deixis.analysis.pvalues import from_log, log_two_sided


@dataclass(frozen=True)
class MixedFit:
    """A fitted model; ``params``, ``covariance`` and ``names`` are all that marginal means need."""

    kind: str
    """``logit``, ``ordinal``, ``linear (REML)`` or ``linear (ML)``."""
    names: tuple[str, ...]
    """Thresholds (``1|2``) first, if there are any, then the fixed effects."""
    params: Floats
    covariance: Floats
    factors: tuple[str, ...]
    """Random factors, from many levels to few."""
    sd: Floats
    """Standard deviation of each factor's intercepts; 0 where the estimate lies on the boundary."""
    log_sd_error: Floats
    """Standard error of each log standard deviation; NaN at 0."""
    levels: Mapping[str, int]
    """Levels of each factor."""
    level_names: tuple[pd.Index, ...] = field(repr=False)
    intercepts: Floats = field(repr=False)
    """Predicted intercept of each level, factors one after the other."""
    loglik: float
    """Log-likelihood (Laplace's approximation; restricted for REML)."""
    n: int
    """Rows the model was fitted to."""
    left_out: int
    """Rows left out because something in them was missing."""
    converged: bool
    steps: int
    """Newton steps of the search."""
    data: int = field(repr=False)
    """Stands for the response that was used: fits can be compared only where it is the same."""
    note: str = ""
    residual_sd: float | None = None
    """Linear models only."""
    residual_log_sd_error: float | None = None
    satterthwaite: Satterthwaite | None = field(default=None, repr=False)
    """Linear models only: what degrees of freedom are worked out from."""
    profiled: Profiled | None = field(default=None, repr=False)
    """Logit and ordinal models only: what profile intervals are worked out from."""

    @property
    def boundary(self) -> tuple[str, ...]:
        """Random factors whose variance is estimated as 0."""
        return tuple(name for name, sd in zip(self.factors, self.sd, strict=True) if sd == 0)

    @property
    def parameters(self) -> int:
        """Number of parameters: thresholds, fixed effects, standard deviations."""
        return len(self.params) + len(self.sd) + (self.residual_sd is not None)

    @property
    def aic(self) -> float:
        """Akaike's criterion."""
        return 2 * self.parameters - 2 * self.loglik

    def modes(self) -> pd.DataFrame:
        """Return one row a level of each random factor: factor, level and its predicted intercept."""
        names = [name for name, levels in zip(self.factors, self.level_names, strict=True) for _ in levels]
        return pd.DataFrame(
            {"factor": names, "level": [one for levels in self.level_names for one in levels], "mode": self.intercepts}
        )

    def table(self, level: float = 0.95) -> pd.DataFrame:
        """Return one row a parameter: estimate, std_error, z (linear models: df and t), p, log_p, low, high.

        ``log_p`` is the natural logarithm of p, which stays finite where p is too small for a number.
        """
        error = np.sqrt(np.diag(self.covariance))
        ratio = self.params / error
        frame = pd.DataFrame({"term": self.names, "estimate": self.params, "std_error": error})
        if self.satterthwaite is None:
            frame["z"], log_p, half = ratio, log_two_sided(ratio), stats.norm.isf((1 - level) / 2)
        else:
            df = np.array([self.satterthwaite.df(row) for row in np.eye(len(self.params))])
            frame["df"], frame["t"] = df, ratio
            log_p, half = log_t(ratio, df), stats.t.isf((1 - level) / 2, df)
        frame["p"], frame["log_p"] = from_log(log_p), log_p
        frame["low"], frame["high"] = self.params - half * error, self.params + half * error
        return frame

    def random(self, level: float = 0.95) -> pd.DataFrame:
        """Return one row a random factor (and the residual): levels, sd, variance, low and high of the sd, note.

        The interval is by the delta method on the logarithm of the standard deviation; at 0 it is not defined and the
        note says so (:func:`deixis.analysis.mixed.profile.profile_sd` gives an upper limit even there).
        """
        names, sd, error = list(self.factors), list(self.sd), list(self.log_sd_error)
        if self.residual_sd is not None:
            names, sd = [*names, "residual"], [*sd, self.residual_sd]
            error = [*error, np.nan if self.residual_log_sd_error is None else self.residual_log_sd_error]
        half = stats.norm.isf((1 - level) / 2)
        size, wide = np.array(sd), np.exp(half * np.array(error))
        return pd.DataFrame(
            {
                "factor": names,
                "levels": pd.array([self.levels.get(name) for name in names], dtype="Int64"),
                "sd": size,
                "variance": size**2,
                "low": size / wide,
                "high": size * wide,
                "note": ["" if s > 0 else "variance estimated as 0: no interval" for s in sd],
            }
        )
