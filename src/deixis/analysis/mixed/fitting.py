"""One search from start to finish: two starts where in doubt, variances at 0, standard errors from the Hessian."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from deixis.analysis.mixed.crossed import Floats
from deixis.analysis.mixed.laplace import Laplace
from deixis.analysis.mixed.newton import Optimum, minimise
from deixis.errors import AnalysisError

ZERO = 1e-3
"""A standard deviation below this is taken to be 0."""
SECOND = 1.5
"""Standard deviations of the second start."""


@dataclass(frozen=True)
class Fitted:
    """What a search found."""

    parameters: Floats
    covariance: Floats
    """Of all parameters; NaN in the rows of a standard deviation at 0."""
    deviance: float
    effects: Floats
    converged: bool
    steps: int
    note: str


@dataclass(frozen=True)
class Profiled:
    """A fitted deviance, to be fitted again with a standard deviation held."""

    problem: Laplace
    parameters: Floats
    effects: Floats
    deviance: float
    places: tuple[int, ...]
    """The parameter of each random factor."""


def fit(problem: Laplace, start: Floats, *, thorough: bool) -> Fitted:
    """Search from ``start``, and once more from larger standard deviations.

    The second search is made where the first ended with a variance at 0 or did not converge, and always if
    ``thorough``; the lower deviance counts.
    """
    first_sd = problem.first_sd
    free = np.ones(problem.size, bool)
    nothing = np.zeros(problem.crossed.levels)
    notes = []
    best = minimise(problem, start, nothing, free)
    if thorough or best is None or not best.converged or np.any(np.abs(best.parameters[first_sd:]) < ZERO):
        again = start.copy()
        again[first_sd:] = SECOND
        second = minimise(problem, again, nothing, free)
        if best is not None and second is not None and abs(best.deviance - second.deviance) > 1e-4:
            notes.append(
                f"two starts ended at deviances {best.deviance:.4f} and {second.deviance:.4f}: the lower counts"
            )
        best = min((one for one in (best, second) if one is not None), key=lambda one: one.deviance, default=None)
    if best is None:
        raise AnalysisError("the likelihood is not finite at the start: look for fixed effects of very different size")
    steps, parameters = best.steps, best.parameters.copy()
    parameters[first_sd:] = np.abs(parameters[first_sd:])
    zero = np.flatnonzero(parameters[first_sd:] < ZERO) + first_sd
    if len(zero):
        parameters[zero] = 0.0
        free[zero] = False
        best = minimise(problem, parameters, nothing, free) or best
        parameters = best.parameters.copy()
        parameters[first_sd:] = np.abs(parameters[first_sd:])
    if not best.converged:
        notes.append("the search did not converge: estimates are where it stopped")
    return Fitted(
        parameters=parameters,
        covariance=covariance(best, free),
        deviance=best.deviance,
        effects=best.effects * np.where(problem.crossed.scales(best.parameters[first_sd:]) < 0, -1, 1),
        converged=best.converged,
        steps=steps,
        note="; ".join(notes),
    )


def covariance(found: Optimum, free: NDArray[np.bool_]) -> Floats:
    """Return twice the inverse Hessian in the free parameters; NaN elsewhere, and everywhere without a minimum."""
    full, places = np.full((len(free), len(free)), np.nan), np.flatnonzero(free)
    root, fault = lapack.dpotrf(found.hessian[places[:, None], places], lower=1)
    if not fault:
        half = lapack.dpotri(root, lower=1)[0]
        full[places[:, None], places] = 2 * (np.tril(half) + np.tril(half, -1).T)
    return full
