"""Minimising the deviance: Newton steps with the exact Hessian, made downhill where it is not positive definite."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from deixis.analysis.mixed.crossed import Floats
from deixis.analysis.mixed.problem import Derivatives, Found, Mode, Problem

CLOSE = 2e-7
"""The step that would lower the deviance by less is the last: it moves no parameter by more than 5e-4 standard errors,
squared again by that step itself, and the curvature is taken from before it."""
SETTLED = 1e-13
"""The random effects' mode is found when one more step would gain less log-likelihood than this."""
LOOSE = 1e-6
"""The same on the way, while steps are still large."""
FIRST = 1e-4
"""The same at the start."""
SURE = 1e-11
"""No search ends at a mode less accurate than this."""
AWAY = 0.3
"""How far the search goes from a saddle."""
SADDLES = 5
"""How many saddles it leaves."""
FARTHEST = 3.0
"""No parameter moves further in one step, in logits or standard deviations."""
FLAT = 1e-7
"""Curvature below this share of the largest counts as none."""


@dataclass(frozen=True)
class Optimum:
    """Where a search ended."""

    parameters: Floats
    deviance: float
    hessian: Floats
    gradient: Floats
    effects: Floats
    steps: int
    converged: bool
    """Whether the gradient vanishes and the curvature is positive, in the parameters that were free."""


def minimise(
    problem: Problem[Found], start: Floats, effects: Floats, free: NDArray[np.bool_], most: int = 60
) -> Optimum | None:
    """Search from ``start`` in the parameters that are ``free``; nothing where the deviance is not finite there.

    Where the Hessian is not positive definite its eigenvalues are taken at their absolute value, which leads away from
    saddles (a standard deviation of 0 is one whenever the factor matters).
    """
    accuracy, places, left = FIRST, np.flatnonzero(free), SADDLES
    mode = problem.mode(start, effects, accuracy)
    if mode is None:
        return None
    for count in range(most):
        found = problem.derivatives(mode)
        gradient, hessian = found.gradient[places], found.hessian[places[:, None], places]
        step, positive = _step(gradient, hessian)
        gain = float(-gradient @ step)
        full = np.zeros(problem.size)
        full[places] = step * min(1.0, FARTHEST / max(np.abs(step).max(), 1e-300))
        if gain < CLOSE and accuracy <= SURE:
            if not positive and left:
                # A saddle, as every standard deviation of 0 is whose factor matters: roll down along its steepest side.
                left -= 1
                full[places] = AWAY * np.linalg.eigh(hessian)[1][:, 0]
                away = _search(problem, mode, found, full, accuracy)
                if away is not None:
                    mode = away
                    continue
            last = Mode(
                mode.parameters + full, mode.effects + full @ found.effects, mode.deviance - gain / 2, mode.found
            )
            return _optimum(last if positive else mode, found, count + 1, converged=positive)
        # Newton's error squares itself; the random effects need to be no more accurate than what comes next.
        accuracy = max(SETTLED, LOOSE * min(gain, 1.0) ** 2)
        better = _search(problem, mode, found, full, accuracy)
        if better is None:
            return _optimum(mode, found, count, converged=False)
        mode = better
    return _optimum(mode, problem.derivatives(mode), most, converged=False)


def _step(gradient: Floats, hessian: Floats) -> tuple[Floats, bool]:
    """Return the step, and whether the curvature is positive."""
    root, fault = lapack.dpotrf(hessian, lower=1)
    if not fault:
        return -lapack.dpotrs(root, gradient, lower=1)[0], True
    values, vectors = np.linalg.eigh(hessian)
    bounded = np.maximum(np.abs(values), FLAT * np.abs(values).max() + 1e-300)
    return -vectors @ ((vectors.T @ gradient) / bounded), False


def _search(
    problem: Problem[Found], mode: Mode[Found], found: Derivatives, step: Floats, accuracy: float
) -> Mode[Found] | None:
    """Halve the step until the deviance falls by a part of what its slope promises."""
    slope, part = float(found.gradient @ step), 1.0
    # An error of û enters log|H| by its first power.
    slack = accuracy**0.5 + 1e-11 * abs(mode.deviance)
    while part > 1e-6:
        tried = problem.mode(mode.parameters + part * step, mode.effects + part * (step @ found.effects), accuracy)
        if tried is not None and tried.deviance <= mode.deviance + 1e-4 * part * slope + slack:
            return tried
        part /= 2
    return None


def _optimum(mode: Mode[Found], found: Derivatives, steps: int, *, converged: bool) -> Optimum:
    return Optimum(mode.parameters, mode.deviance, found.hessian, found.gradient, mode.effects, steps, converged)
