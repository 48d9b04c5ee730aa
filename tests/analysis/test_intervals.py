"""Intervals against R, statsmodels and arithmetic."""

import math
import random

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.stats.proportion import proportion_confint

from deixis.analysis.intervals import Observed, difference, mean, wilson


def observed(pairs: list[tuple[str, float]], known: tuple[str, ...] = ()) -> Observed:
    """Observations from clusters by name; ``known`` are the names in their order where several sets are compared."""
    names = known or tuple(dict.fromkeys(name for name, _ in pairs))
    return Observed(np.array([names.index(name) for name, _ in pairs], int), np.array([value for _, value in pairs]))


@pytest.mark.parametrize(
    ("correct", "n", "low", "high"),
    [  # values from R: 100 of 100, 0 of 100, 948 of 956, 1780 of 1914, 59 of 59
        (100, 100, 0.963006501793014, 1.0),
        (0, 100, 0.0, 0.0369934982069857),
        (948, 956, 0.983574681275549, 0.995753718598872),
        (1780, 1914, 0.917675947031306, 0.940580606152265),
        (59, 59, 0.938870629473212, 1.0),
    ],
)
def test_wilson_is_rs(correct: int, n: int, low: float, high: float) -> None:
    assert wilson(correct, n) == pytest.approx((low, high), abs=1e-12)
    assert wilson(correct, n) == pytest.approx(proportion_confint(correct, n, method="wilson"), abs=1e-12)


def test_nothing_asked_leaves_everything_open() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert mean(observed([])).value is None
    assert difference(observed([("a", 1.0)]), observed([])).note == "one side has no observation"


def test_repeats_of_a_scene_are_not_independent() -> None:
    """10 scenes by 20 identical repeats, 7 right: the naive standard error is 0.032, by scene it is 0.153."""
    repeats = [(f"scene {scene}", float(scene < 7)) for scene in range(10) for _ in range(20)]
    found = mean(observed(repeats))
    assert found.se == pytest.approx(math.sqrt(0.7 * 0.3 / 9), abs=1e-12)
    assert (found.n, found.clusters) == (200, 10)


def clustered(observations: list[tuple[str, float]], design: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and cluster-robust errors by statsmodels, its extra factor (n-1)/(n-k) taken out."""
    values = np.array([value for _, value in observations])
    groups = np.unique([name for name, _ in observations], return_inverse=True)[1]
    fit = sm.OLS(values, design).fit(cov_type="cluster", cov_kwds={"groups": groups})
    n, k = design.shape
    return fit.params, fit.bse / math.sqrt((n - 1) / (n - k))


def observations(seed: int) -> list[tuple[str, float]]:
    generator = random.Random(seed)
    return [(f"i{n % 17}", float(generator.random() < 0.3 + 0.4 * (n % 17) / 17)) for n in range(120)]


@pytest.mark.parametrize("seed", range(5))
def test_clustered_errors_are_statsmodels(seed: int) -> None:
    data = observations(seed)
    params, errors = clustered(data, np.ones((120, 1)))
    whole = mean(observed(data))
    assert (whole.value, whole.se) == pytest.approx((params[0], errors[0]), abs=1e-12)
    side = np.array([random.Random(seed * 1000 + n).random() < 0.4 for n in range(120)])
    params, errors = clustered(data, np.column_stack([np.ones(120), side]))
    plus = [row for row, one in zip(data, side, strict=True) if one]
    minus = [row for row, one in zip(data, side, strict=True) if not one]
    names = tuple(dict.fromkeys(name for name, _ in data))
    found = difference(observed(plus, names), observed(minus, names))
    assert (found.value, found.se) == pytest.approx((params[1], errors[1]), abs=1e-12)
    assert found.low is not None
    assert found.high is not None
    assert (found.low + found.high) / 2 == pytest.approx(found.value)


def test_intervals_stay_within_what_is_possible() -> None:
    few = difference(observed([("a", 1.0), ("b", 0.0)]), observed([("a", 0.0), ("b", 1.0)]))
    assert (few.low, few.high) == (-1.0, 1.0)
    assert mean(observed([("a", 1.0), ("b", 0.0)])).low == 0.0


def test_no_variation_gives_no_interval_and_says_so() -> None:
    found = difference(observed([(f"i{n}", 1.0) for n in range(9)]), observed([(f"i{n}", 0.0) for n in range(9)]))
    assert (found.value, found.se, found.low) == (1.0, 0.0, None)
    assert "no variation" in found.note
    assert "one item" in mean(observed([("a", 1.0), ("a", 0.0)])).note
