"""Power by simulation against closed forms: two proportions, McNemar, means of clusters, crossed people and items."""

import time
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, norm, t, ttest_ind
from statsmodels.stats.power import NormalIndPower, TTestIndPower

from deixis.analysis.planning.power import _blocks, p_values, power, power_table, sizes
from deixis.analysis.planning.studies import Study, response_covariance
from deixis.errors import AnalysisError

NEAR = 0.025
"""Three Monte Carlo standard errors of 4,000 simulations, or less."""


def simulated(study: Study) -> float:
    found = power(study, simulations=4000, seed=1)
    assert found.false_alarms == pytest.approx(0.05, abs=0.012)
    assert found.error == pytest.approx((found.power * (1 - found.power) / 4000) ** 0.5)
    assert found.low < found.power < found.high
    return found.power


def test_two_proportions() -> None:
    """One answer a person: the textbook's arcsine formula, and the t test over all 101² tables exactly."""
    study = Study(people=200, items=1, base=0.7, difference=0.18, pairing="between", test="people")
    found = simulated(study)
    effect = 2 * (np.arcsin(0.88**0.5) - np.arcsin(0.7**0.5))
    assert found == pytest.approx(NormalIndPower().power(effect, 100, 0.05), abs=NEAR)
    k = np.arange(101)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = k / 100 * (1 - k / 100) / 99
        z = (k[:, None] - k) / 100 / np.sqrt(variance[:, None] + variance)
    exact = binom.pmf(k, 100, 0.88) @ (2 * t.sf(np.abs(np.nan_to_num(z)), 198) < 0.05) @ binom.pmf(k, 100, 0.7)
    assert found == pytest.approx(float(exact), abs=NEAR)


def test_mcnemar() -> None:
    """One item under both conditions: power from the discordant shares (Miettinen 1968)."""
    study = Study(people=150, items=1, base=0.7, difference=0.1, sd_people=1.5, test="people")
    p, q = study.shares
    both = response_covariance(study)[0, 1] + p * q
    gained, lost = q - both, p - both
    apart, total = gained - lost, gained + lost
    want = norm.cdf((apart * 150**0.5 - 1.96 * total**0.5) / (total - apart**2) ** 0.5)
    assert simulated(study) == pytest.approx(float(want), abs=NEAR)


def test_clusters_by_design_effect() -> None:
    """20 answers a person of one condition: a t test on persons' means with variance p (1 - p) (1 + 19 ρ) / 20."""
    study = Study(people=80, items=20, base=0.75, difference=0.1, sd_people=1, pairing="between", test="people")
    p, q = study.shares
    # the covariance of a person's answers to two items under one condition
    alike = [response_covariance(replace(study, base=x, difference=0.0))[0, 1] for x in (p, q)]
    variances = [x * (1 - x) / 20 * (1 + 19 * rho / (x * (1 - x))) for x, rho in zip((p, q), alike, strict=True)]
    want = TTestIndPower().power((q - p) / np.mean(variances) ** 0.5, 40, 0.05)
    assert simulated(study) == pytest.approx(float(want), abs=NEAR)


def test_the_t_test_is_scipys() -> None:
    study = Study(people=30, items=7, difference=0.1, sd_people=1, pairing="between", test="people")
    name = np.random.default_rng(0)
    second, first = _blocks(study, name, 5)
    want = ttest_ind(second.mean(axis=2) / 2, -first.mean(axis=2) / 2, axis=1).pvalue
    from deixis.analysis.planning.power import _test

    assert _test([second, first], study) == pytest.approx(want)


@pytest.mark.parametrize("pairing", ["crossed", "lists", "between"])
def test_people_and_items_both(pairing: str) -> None:
    """Where both vary the test keeps its promise, and one that forgets the items does not."""
    study = Study(
        *(40, 24),
        difference=0.08,
        sd_people=1,
        sd_items=0.7,
        sd_people_effect=0.5,
        sd_items_effect=0.8,
        pairing=pairing,
    )
    assert power(study, simulations=1500).false_alarms == pytest.approx(0.05, abs=0.018)
    forgetful = "items" if pairing == "between" else "people"
    assert power(replace(study, test=forgetful), simulations=1500).false_alarms > 0.08


def test_variance_of_the_difference_from_its_parts() -> None:
    """The squared standard error that the test uses is, on average, the variance of the difference."""
    from deixis.analysis.planning.power import _squares

    study = Study(
        20, 16, difference=0.0, sd_people=1, sd_items=1, sd_people_effect=1, sd_items_effect=1, pairing="lists"
    )
    blocks = _blocks(study, np.random.default_rng(2), 8000)
    estimates = np.mean([block.mean(axis=(1, 2)) for block in blocks], axis=0)
    people, items, residual = (square.mean() for square, _ in _squares(blocks, study))
    assert (people + items - residual) / 320 == pytest.approx(estimates.var(), rel=0.05)


def test_more_of_anything_finds_more() -> None:
    base = Study(30, 16, difference=0.06, sd_people=1, sd_items=0.5)
    found = power(base, simulations=600).power
    for change in ({"people": 90}, {"items": 64}, {"repeats": 5}, {"difference": 0.12}, {"base": 0.9}):
        assert power(replace(base, **change), simulations=600).power > found, change
    assert power(base, alpha=0.2, simulations=600).power > found
    assert power(replace(base, difference=-0.06), simulations=600).power > 0.1


def test_seeds_and_chunks() -> None:
    study = Study(30, 16, difference=0.06)
    assert np.array_equal(p_values(study, 50, 3), p_values(study, 50, 3))
    assert not np.array_equal(p_values(study, 50, 3), p_values(study, 50, 4))
    assert len(p_values(Study(2000, 1000, difference=0.01), 3)) == 3


def test_nothing_varies() -> None:
    """Two people, one item, hardly an error: no difference is p = 1, not an undefined number."""
    found = p_values(Study(2, 2, base=0.9999, difference=0.0), 20)
    assert np.isfinite(found).all()
    assert (found == 1).sum() >= 19


def test_five_sizes_are_fast_and_complete() -> None:
    study = Study(40, 32, difference=0.05, sd_people=1, sd_items=0.5, sd_people_effect=0.5, sd_items_effect=0.3)
    begun = time.process_time()
    found = power_table(sizes(study, [20, 40, 80, 120, 160], [32], [1]))
    assert time.process_time() - begun < 20
    assert found.people.tolist() == [20, 40, 80, 120, 160]
    assert found.power.is_monotonic_increasing
    assert found.trials.tolist() == [n * 64 for n in (20, 40, 80, 120, 160)]


def test_sizes_in_order() -> None:
    found = sizes(Study(4, 4, difference=0.1), [4, 6], [8, 10], [1, 2])
    assert [(s.people, s.items, s.repeats) for s in found[:3]] == [(4, 8, 1), (6, 8, 1), (4, 10, 1)]
    assert len(found) == 8


@pytest.mark.parametrize(("alpha", "simulations", "why"), [(0, 10, "alpha of 0"), (0.05, 0, "0 simulations")])
def test_what_says_nothing_is_refused(alpha: float, simulations: int, why: str) -> None:
    with pytest.raises(AnalysisError, match=why):
        power(Study(4, 4, difference=0.1), alpha, simulations)
