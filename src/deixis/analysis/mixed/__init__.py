"""Mixed models with crossed random intercepts: right or wrong, ratings, measures; their tests and intervals."""

from deixis.analysis.mixed.comparing import FTest, LikelihoodRatio, f_test, likelihood_ratio
from deixis.analysis.mixed.linear import linear_mixed
from deixis.analysis.mixed.logit import logit_mixed
from deixis.analysis.mixed.ordinal import ordinal_mixed
from deixis.analysis.mixed.profile import Interval, profile_sd
from deixis.analysis.mixed.rating_means import rating_means
from deixis.analysis.mixed.result import MixedFit

__all__ = [
    "FTest",
    "Interval",
    "LikelihoodRatio",
    "MixedFit",
    "f_test",
    "likelihood_ratio",
    "linear_mixed",
    "logit_mixed",
    "ordinal_mixed",
    "profile_sd",
    "rating_means",
]
