"""Are two shares the same, within a margin named beforehand? Two one-sided tests (Schuirmann 1987)."""

import math
from dataclasses import dataclass

from scipy import stats
from scipy.optimize import brentq

from deixis.analysis.pvalues import from_log
from deixis.analysis.shares.proportions import newcombe
from deixis.errors import AnalysisError

NAN = math.nan


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Two proportions tested for a difference within ± ``margin``; *lower* is against -margin, *upper* against it."""

    n1: int
    """Trials on the first side."""
    n2: int
    """Trials on the second."""
    margin: float
    """The largest difference that would not matter."""
    difference: float
    """Share of the first minus share of the second."""
    wald_z_lower: float
    """(difference + margin) / SE, with the unpooled standard error."""
    wald_z_upper: float
    """(difference - margin) / SE."""
    p_wald: float
    """The larger of the two one-sided p."""
    wald_low: float
    """Lower end of the interval at level 1 - 2 alpha that goes with the Wald test."""
    wald_high: float
    """Upper end."""
    score_z_lower: float
    """Score statistic against a difference of -margin (Farrington and Manning 1990)."""
    score_z_upper: float
    """The same against margin."""
    p_score: float
    """The larger of the two one-sided p."""
    newcombe_low: float
    """Lower end of Newcombe's interval at level 1 - 2 alpha, which exists always."""
    newcombe_high: float
    """Upper end."""
    equivalent_wald: bool
    """Whether ``p_wald`` is below alpha."""
    equivalent_score: bool
    """Whether ``p_score`` is below alpha."""
    equivalent_newcombe: bool
    """Whether Newcombe's interval lies within ± margin."""
    defined: bool
    """Whether there are tests, or the interval alone."""
    note: str = ""
    """Why there are none."""


def equivalence(k1: int, n1: int, k2: int, n2: int, margin: float, *, alpha: float = 0.05) -> Equivalence:
    """Test whether ``k1/n1 - k2/n2`` lies within ± ``margin``, trials taken as independent.

    Where neither side varies the Wald standard error is 0 and no test is given: the interval has the word. Raises
    :class:`AnalysisError` for a margin outside 0 to 1 and for a side without trials.
    """
    if not 0 < margin < 1:
        raise AnalysisError(f"a margin of {margin:g} cannot be: it must lie between 0 and 1")
    if n1 < 1 or n2 < 1:
        raise AnalysisError(f"the sides have {n1} and {n2} trials: an equivalence needs trials on both")
    p1, p2 = k1 / n1, k2 / n2
    d = p1 - p2
    low, high = newcombe(k1, n1, k2, n2, 1 - 2 * alpha)
    inside = -margin < low and high < margin
    error = math.sqrt(p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)
    if error == 0:
        note = "neither side varies, so that tests are not defined: Newcombe's interval stands"
        unknown = (NAN,) * 8
        return Equivalence(n1, n2, margin, d, *unknown, low, high, False, False, inside, False, note)
    z = (d + margin) / error, (d - margin) / error
    score = score_z(k1, n1, k2, n2, -margin), score_z(k1, n1, k2, n2, margin)
    p_wald, p_score = _larger(*z), _larger(*score)
    half = float(stats.norm.ppf(1 - alpha)) * error
    verdicts = p_wald < alpha, p_score < alpha, inside
    return Equivalence(
        n1, n2, margin, d, *z, p_wald, d - half, d + half, *score, p_score, low, high, *verdicts, defined=True
    )  # fmt: skip


def score_z(k1: int, n1: int, k2: int, n2: int, difference: float) -> float:
    """Return the score statistic of the hypothesis that p1 - p2 is ``difference`` (Farrington and Manning 1990).

    The standard error is that of the shares likeliest under the hypothesis, found as the root of the derivative of
    their log-likelihood, which falls all the way. Not by ``statsmodels``: its score test of a difference other than 0
    puts a count where the number of trials belongs (0.15.0, issue 10269).
    """
    low, high = max(0.0, -difference), min(1.0, 1.0 - difference)

    def slope(q: float) -> float:
        parts = ((k1, q + difference, 1), (n1 - k1, 1 - q - difference, -1), (k2, q, 1), (n2 - k2, 1 - q, -1))
        return sum(sign * count / share for count, share, sign in parts if count)

    edge = 1e-12
    if slope(low + edge) <= 0:
        q = low
    elif slope(high - edge) >= 0:
        q = high
    else:
        q = float(brentq(slope, low + edge, high - edge, xtol=1e-15))
    p = q + difference
    variance = p * (1 - p) / n1 + q * (1 - q) / n2
    return (k1 / n1 - k2 / n2 - difference) / math.sqrt(variance) if variance > 0 else NAN


def equivalence_of(estimate: float, std_error: float, margin: float, *, df: float = math.inf) -> float:
    """Return the p of equivalence within ± ``margin`` of any estimate with its standard error, such as a clustered one.

    From Student's t, by default the normal distribution. NaN without a standard error above 0. Raises
    :class:`AnalysisError` for a margin that is not above 0.
    """
    if margin <= 0:
        raise AnalysisError(f"a margin of {margin:g} cannot be: it must be above 0")
    if not std_error > 0:
        return NAN
    return float(from_log(stats.t.logsf((margin - abs(estimate)) / std_error, df)))


def _larger(lower: float, upper: float) -> float:
    if math.isnan(lower) or math.isnan(upper):
        return NAN
    return float(from_log(max(stats.norm.logsf(lower), stats.norm.logcdf(upper))))
