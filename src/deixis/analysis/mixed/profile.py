"""Profile intervals of random-effect standard deviations: where fixing one costs too much likelihood."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.stats import chi2

from deixis.analysis.mixed.newton import minimise
from deixis.analysis.mixed.result import MixedFit
from deixis.errors import AnalysisError

AWAY = 0.1
"""Where the search begins for other standard deviations that were estimated as 0."""
FAR = 50.0
"""A standard deviation beyond this has no upper limit."""


@dataclass(frozen=True)
class Interval:
    """Limits of a standard deviation."""

    factor: str
    estimate: float
    low: float
    high: float
    note: str = ""


def profile_sd(fit: MixedFit, factor: str, level: float = 0.95) -> Interval:
    """Return the profile-likelihood interval of one factor's standard deviation.

    Each limit is where the deviance, lowest in all other parameters, exceeds its minimum by the χ²(1) quantile. The low
    limit is 0, with a note, where even a standard deviation of 0 does not. Not for linear models: their table of random
    effects has intervals by the delta method.
    """
    held = fit.profiled
    if held is None or factor not in fit.factors:
        raise AnalysisError(
            f"no profile interval for {factor!r}: the model has none for {', '.join(fit.factors) or 'it'}"
        )
    number = fit.factors.index(factor)
    place, estimate = held.places[number], float(fit.sd[number])
    allowed = float(chi2.ppf(level, 1))
    free = np.ones(held.problem.size, bool)
    free[place] = False
    # A standard deviation at 0 would stay there, even where the profile leaves it.
    begin = np.where((np.arange(held.problem.size) >= held.places[0]) & (held.parameters == 0), AWAY, held.parameters)

    def excess(sd: float) -> float:
        start = begin.copy()
        start[place] = sd
        found = minimise(held.problem, start, held.effects, free)
        if found is None:
            raise AnalysisError(f"the profile of {factor!r} has no finite likelihood at {sd:.3g}")
        return found.deviance - held.deviance - allowed

    note, low = "", 0.0
    if estimate > 0:
        if excess(0.0) > 0:
            low = float(brentq(excess, 0.0, estimate, xtol=1e-6, rtol=1e-8))
        else:
            note = "a standard deviation of 0 is not ruled out"
    else:
        note = "estimated as 0"
    near, far = estimate, max(2 * estimate, 0.1)
    while far < FAR and excess(far) < 0:
        near, far = far, 2 * far
    if far >= FAR:
        return Interval(factor, estimate, low, float("nan"), f"{note}; no upper limit below {FAR:g}".lstrip("; "))
    return Interval(factor, estimate, low, float(brentq(excess, near, far, xtol=1e-6, rtol=1e-8)), note)
