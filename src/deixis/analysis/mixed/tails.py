"""Logarithms of the tails of Student's t and of F, which stay finite where the tails are too small for a number."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from deixis.analysis.mixed.crossed import Floats

_SMALL = 1e-200
_MOST = 1000


def log_f(statistic: ArrayLike, num_df: ArrayLike, den_df: ArrayLike) -> Floats:
    """Return the logarithm of the upper tail of F: ``I_x(den/2, num/2)`` at ``x = den / (den + num · F)``.

    Where the incomplete beta function is too small for a number, by its continued fraction (DLMF 8.17.22).
    """
    ratio = np.asarray(num_df, float) * np.asarray(statistic, float) / np.asarray(den_df, float)
    a, b = np.asarray(den_df, float) / 2, np.asarray(num_df, float) / 2
    x = 1 / (1 + ratio)
    plain = np.asarray(special.betainc(a, b, x), float)
    with np.errstate(divide="ignore", invalid="ignore"):
        front = -(a + b) * np.log1p(ratio) + b * np.log(ratio) - np.log(a) - special.betaln(a, b)
        far = front - np.log(_fraction(a, b, x))
        return np.asarray(np.where(plain > _SMALL, np.log(plain), far))


def log_t(statistic: ArrayLike, df: ArrayLike) -> Floats:
    """Return the logarithm of the two-sided tail of Student's t."""
    return log_f(np.square(np.asarray(statistic, float)), 1.0, df)


def _fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    """Return the continued fraction ``1 + d₁/(1 + d₂/(1 + …))``, by Lentz's method; quick in the far tail."""
    value = np.ones(np.broadcast_shapes(a.shape, b.shape, x.shape))
    upper, lower = value.copy(), np.zeros_like(value)
    for step in range(1, _MOST):
        m = step // 2
        if step % 2:
            d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        lower = 1 / (1 + d * lower)
        upper = 1 + d / upper
        value = value * upper * lower
        if step > 4 and np.all(np.abs(upper * lower - 1) < 1e-14):
            break
    return value
