"""What a cumulative-logit model says of ratings: means on the latent scale and on the scale of the ratings."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats
from scipy.special import expit

from deixis.analysis.mixed.result import MixedFit
from deixis.errors import AnalysisError


def rating_means(fit: MixedFit, rows: ArrayLike, categories: Sequence[float], level: float = 0.95) -> pd.DataFrame:
    """Return for each row of fixed effects (``(means, effects)``, random effects at 0) two means with standard errors.

    ``latent`` is the linear predictor less the average threshold; ``mean`` is ``Σ category · P(category)`` with a
    delta-method standard error and interval (both as R's emmeans, modes *latent* and *mean.class*). ``categories`` are
    those of the fit.
    """
    x, steps = np.atleast_2d(np.asarray(rows, float)), np.diff(np.asarray(categories, float))
    cuts = len(steps)
    if fit.kind != "ordinal" or x.shape[1] + cuts != len(fit.params):
        raise AnalysisError(f"{cuts + 1} categories and rows of {x.shape[1]} effects do not fit this {fit.kind} model")
    latent = np.hstack([np.full((len(x), cuts), -1 / cuts), x])
    below = expit(fit.params[:cuts] - (x @ fit.params[cuts:])[:, None])
    fall = steps * below * (1 - below)
    slopes = np.hstack([-fall, fall.sum(axis=1)[:, None] * x])
    mean = categories[-1] - below @ steps
    errors = [np.sqrt(np.einsum("ia,ab,ib->i", one, fit.covariance, one)) for one in (latent, slopes)]
    half = stats.norm.isf((1 - level) / 2) * errors[1]
    return pd.DataFrame(
        {
            "latent": latent @ fit.params,
            "latent_std_error": errors[0],
            "mean": mean,
            "std_error": errors[1],
            "low": mean - half,
            "high": mean + half,
        }
    )
