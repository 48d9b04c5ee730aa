"""What the response is: right or wrong (binomial), or one of ordered categories (cumulative logit).

A family says, at a linear predictor η, the log-likelihood and the derivatives that Laplace's approximation needs: the
score dℓ/dη, the weight -d²ℓ/dη² and its slope, all by row, and how they change along directions. The thresholds of the
cumulative family are parameters of its own; for the binomial family these parts are empty.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import expit

from deixis.analysis.mixed.crossed import Codes, Floats


class Change(Protocol):
    """How score, weight and slope change along directions, each ``(many, rows)``."""

    score: Floats
    weight: Floats
    slope: Floats


class Point(Protocol):
    """A family at one linear predictor."""

    loglik: float
    score: Floats
    weight: Floats

    def slope(self) -> Floats:
        """Return d weight / dη by row."""

    def score_change(self, eta: Floats) -> Floats:
        """Return the first part of :meth:`change`."""

    def change(self, eta: Floats) -> Change:
        """Return the change along directions of η, ``(many, rows)``; the first ones move a threshold each as well."""

    def pull(self, h: Floats, z: Floats) -> Floats:
        """Return ``Σ -2·dℓ + z·d score + h·d weight`` with respect to each threshold, over rows."""

    def pull_change(self, h: Floats, z: Floats, h_dot: Floats, z_dot: Floats, change: Change) -> Floats:
        """Return how :meth:`pull` changes along the directions of ``change``, ``(thresholds, many)``."""


class Family(Protocol):
    """The response of all rows."""

    extras: int

    def at(self, extra: Floats, eta: Floats) -> Point:
        """Return the family at the linear predictor ``eta`` and its own parameters ``extra``."""


@dataclass
class _Moved:
    score: Floats
    weight: Floats
    slope: Floats


class Binomial:
    """``successes`` out of ``trials`` in each row, logit link; without binomial coefficients, as for single trials."""

    extras = 0

    def __init__(self, successes: Floats, trials: Floats) -> None:
        self.successes, self.trials = successes, trials

    def at(self, extra: Floats, eta: Floats) -> "BinomialPoint":  # noqa: ARG002  (it has none)
        """Return the family at ``eta``."""
        return BinomialPoint(self, eta)


class BinomialPoint:
    """The binomial family at one linear predictor."""

    def __init__(self, family: Binomial, eta: Floats) -> None:
        # One exponential of a negative number serves everything, and nothing overflows.
        small = np.exp(-np.abs(eta))
        large = 1 / (1 + small)
        self.share = np.where(eta >= 0, large, small * large)
        self.spread = small * large * large
        self.weight = family.trials * self.spread
        self.score = family.successes - family.trials * self.share
        self.loglik = float(family.successes @ eta - family.trials @ (np.maximum(eta, 0) - np.log(large)))

    def slope(self) -> Floats:
        """Return d weight / dη."""
        found: Floats = self.weight * (1 - 2 * self.share)
        return found

    def score_change(self, eta: Floats) -> Floats:
        """Return the change of the score along directions of η."""
        return np.negative(self.weight * eta)

    def change(self, eta: Floats) -> _Moved:
        """Return the change along directions of η."""
        return _Moved(-self.weight * eta, self.slope() * eta, self.weight * (1 - 6 * self.spread) * eta)

    def pull(self, h: Floats, z: Floats) -> Floats:  # noqa: ARG002  (it has no thresholds)
        """Return nothing: there are no thresholds."""
        return np.empty(0)

    def pull_change(self, h: Floats, z: Floats, h_dot: Floats, z_dot: Floats, change: Change) -> Floats:  # noqa: ARG002
        """Return nothing: there are no thresholds."""
        return np.empty((0, len(h_dot)))


class Cumulative:
    """Categories 0 … k-1 in each row, ``counts`` times; ``P(y ≤ c) = logistic(threshold_c - η)`` (McCullagh 1980)."""

    def __init__(self, categories: Codes, counts: Floats, number: int) -> None:
        self.categories, self.counts, self.extras = categories, counts, number - 1
        threshold = np.arange(self.extras)[:, None]
        self.above = (categories == threshold).astype(float)  # the row's upper threshold is this one
        self.below = (categories == threshold + 1).astype(float)

    def at(self, extra: Floats, eta: Floats) -> "CumulativePoint":
        """Return the family at thresholds ``extra`` and ``eta``."""
        return CumulativePoint(self, extra, eta)


@dataclass
class _CumulativeMoved(_Moved):
    high: Floats
    low: Floats


class CumulativePoint:
    """The cumulative family at one linear predictor."""

    def __init__(self, family: Cumulative, thresholds: Floats, eta: Floats) -> None:
        self.family = family
        if np.any(np.diff(thresholds) <= 0):
            self.loglik, self.score, self.weight = -np.inf, np.zeros_like(eta), np.zeros_like(eta)
            return
        limits = np.concatenate([[-np.inf], thresholds, [np.inf]])
        high, low = limits[family.categories + 1] - eta, limits[family.categories] - eta
        top, bottom = expit(high), expit(low)
        # The difference of two numbers near 1 loses digits; that of their complements does not.
        self.p = np.where(low > 0, expit(-low) - expit(-high), top - bottom)
        self.f, self.g = top * expit(-high), bottom * expit(-low)
        self.f1, self.g1 = self.f * (1 - 2 * top), self.g * (1 - 2 * bottom)
        self.score, self.weight = family.counts * (top + bottom - 1), family.counts * (self.f + self.g)
        with np.errstate(divide="ignore"):
            self.loglik = float(family.counts @ np.log(self.p))

    def slope(self) -> Floats:
        """Return d weight / dη."""
        found: Floats = -self.family.counts * (self.f1 + self.g1)
        return found

    def score_change(self, eta: Floats) -> Floats:
        """Return the change of the score along directions, as in :meth:`change`."""
        found = np.negative(self.weight * eta)
        n, extras = self.family.counts, self.family.extras
        found[:extras] += n * (self.f * self.family.above + self.g * self.family.below)
        return found

    def change(self, eta: Floats) -> _CumulativeMoved:
        """Return the change along directions of η; direction k < k-1 moves threshold k as well."""
        n, high, low = self.family.counts, -eta, -eta
        high[: self.family.extras] += self.family.above
        low = low.copy()
        low[: self.family.extras] = -eta[: self.family.extras] + self.family.below
        f2, g2 = self.f * (1 - 6 * self.f), self.g * (1 - 6 * self.g)
        return _CumulativeMoved(
            n * (self.f * high + self.g * low),
            n * (self.f1 * high + self.g1 * low),
            -n * (f2 * high + g2 * low),
            high,
            low,
        )

    def pull(self, h: Floats, z: Floats) -> Floats:
        """Return the sum over rows with respect to each threshold."""
        n = self.family.counts
        up = -2 * self.f / self.p + z * self.f + h * self.f1
        down = 2 * self.g / self.p + z * self.g + h * self.g1
        found: Floats = self.family.above @ (n * up) + self.family.below @ (n * down)
        return found

    def pull_change(self, h: Floats, z: Floats, h_dot: Floats, z_dot: Floats, change: Change) -> Floats:
        """Return how :meth:`pull` changes along directions."""
        assert isinstance(change, _CumulativeMoved)  # noqa: S101  (made by this very class)
        high, low, p, n = change.high, change.low, self.p, self.family.counts
        f2, g2 = self.f * (1 - 6 * self.f), self.g * (1 - 6 * self.g)
        wider = (self.f * high - self.g * low) / p
        up = -2 * (self.f1 * high - self.f * wider) / p + z_dot * self.f + z * self.f1 * high
        up += h_dot * self.f1 + h * f2 * high
        down = 2 * (self.g1 * low - self.g * wider) / p + z_dot * self.g + z * self.g1 * low
        down += h_dot * self.g1 + h * g2 * low
        found: Floats = self.family.above @ (n * up).T + self.family.below @ (n * down).T
        return found
