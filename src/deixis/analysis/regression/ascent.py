"""The way to the top of a smooth function of a few coefficients: Newton's method that never goes down."""

from collections.abc import Callable

import numpy as np

from deixis.analysis.regression.design_matrix import FloatArray
from deixis.errors import AnalysisError

_STEPS = 200
_NEAR = 1e-9
_THERE = 1e-17


def ascend(
    start: FloatArray,
    value: Callable[[FloatArray], float],
    slope: Callable[[FloatArray], tuple[FloatArray, FloatArray]],
    what: str,
) -> FloatArray:
    """Return where ``value`` is highest, from ``start``.

    ``slope`` gives the gradient and the curvature (minus the second derivatives, positive definite). A step is halved
    until the value does not fall. ``gradient · step`` is what the step promises to gain twice over: below 1e-17 the
    last step is taken and that is all. Raises :class:`AnalysisError`, naming ``what``, where no rest is found.
    """
    at = start.copy()
    for _ in range(_STEPS):
        gradient, curvature = slope(at)
        step = np.linalg.solve(curvature, gradient)
        promised = float(gradient @ step)
        # Steps longer than two log odds overshoot where probabilities are near 0 or 1.
        step = step / max(1.0, float(np.abs(step).max(initial=0.0)) / 2)
        if promised < _THERE:
            return at + step
        if promised > _NEAR:
            # Nearer to the top than this, differences of the value are lost in rounding.
            before = value(at)
            while value(at + step) < before and np.abs(step).max() > 1e-12:
                step = step / 2
        at = at + step
    raise AnalysisError(f"{what} did not come to rest in {_STEPS} steps")
