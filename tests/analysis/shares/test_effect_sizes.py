"""Effect sizes by hand and their intervals by how often they cover."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.stats.contingency import association
from scipy.stats.contingency import odds_ratio as scipy_odds
from statsmodels.stats.proportion import proportion_effectsize

from deixis.analysis.shares.effect_sizes import cohens_h, cramers_v, cramers_v_corrected, odds_ratio, risk_difference
from deixis.analysis.shares.proportions import newcombe
from deixis.errors import AnalysisError
from tests.analysis.agreeing import compare
from tests.analysis.reference import data


def test_h_is_statsmodels() -> None:
    found = cohens_h(30, 40, 20, 50)
    assert found.estimate == pytest.approx(proportion_effectsize(30 / 40, 20 / 50), abs=1e-12)
    assert found.high - found.low == pytest.approx(2 * 1.959964 * math.sqrt(1 / 40 + 1 / 50), abs=1e-6)
    assert cohens_h(1, 1, 0, 1).high == math.pi
    assert "rough" in cohens_h(5, 5, 3, 5).note
    assert cohens_h(30, 40, 20, 50, level=0.5).low > found.low


def test_odds_are_scipys() -> None:
    found, want = odds_ratio(30, 40, 20, 50), scipy_odds(np.array([[30, 10], [20, 30]]), kind="sample")
    interval = want.confidence_interval(0.9)
    assert found.estimate == pytest.approx(want.statistic)
    narrow = odds_ratio(30, 40, 20, 50, level=0.9)
    assert (narrow.low, narrow.high) == pytest.approx((interval.low, interval.high), rel=1e-9)


@pytest.mark.parametrize("cell", ["model_a_tomorrow", "model_a_you", "model_b_here", "model_b_I", "model_b_tomorrow"])
def test_simple_effects_as_odds_are_rs(cell: str) -> None:
    """Of the first level over the second, quotation within prime and prime within quotation."""
    table, rows = data(6), []
    table = table[table["model"] + "_" + table["indexical"] == cell]
    levels = {"quotation": ("nonquoted", "quoted"), "prime": ("nonshifted", "shifted")}
    for effect, within in (("quotation", "prime"), ("prime", "quotation")):
        for level in levels[within]:
            part = table[table[within] == level]
            sides = [part.loc[part[effect] == side, "correct"] for side in levels[effect]]
            found = odds_ratio(*(int(n) for side in sides for n in (side.sum(), len(side))))
            rows.append(
                {"effect": effect, "level": level, "estimate": found.estimate, "low": found.low, "high": found.high}
            )
    columns = {"odds_ratio": "estimate", "low": "low", "high": "high"}
    compare(pd.DataFrame(rows), 6, f"simple_{cell}", columns, ("effect", "level"))


@pytest.mark.parametrize(("counts", "want"), [((5, 5, 3, 5), math.inf), ((0, 5, 3, 5), 0.0), ((5, 5, 5, 5), math.nan)])
def test_odds_with_a_count_of_0_say_so(counts: tuple[int, int, int, int], want: float) -> None:
    found = odds_ratio(*counts)
    assert found.estimate == pytest.approx(want, nan_ok=True)
    assert "½ added" in found.note
    assert 0 < found.low < found.high < math.inf


def test_the_risk_difference_is_newcombes() -> None:
    found = risk_difference(9, 20, 3, 30, level=0.9)
    assert (found.low, found.high) == newcombe(9, 20, 3, 30, 0.9)
    assert found.estimate == pytest.approx(0.35)


def test_v_is_scipys() -> None:
    table = np.array([[10, 20], [30, 15], [12, 9]])
    statistic = stats.chi2_contingency(table, correction=False).statistic
    assert cramers_v(statistic, 96, 3, 2).estimate == pytest.approx(association(table, method="cramer"), abs=1e-12)


def test_the_ends_of_v_are_where_the_statistic_becomes_unlikely() -> None:
    found = cramers_v(60.0, 1280, 32, 2, level=0.9)
    for end, tail in ((found.low, 0.95), (found.high, 0.05)):
        assert stats.ncx2.cdf(60.0, 31, end**2 * 1280) == pytest.approx(tail, abs=1e-9)


@pytest.mark.parametrize("spread", [0.0, 0.05, 0.12])
def test_the_interval_of_v_covers_the_populations(spread: float) -> None:
    """20 groups of 80 whose true shares are spread evenly: V² is the mean squared deviation over p(1 - p)."""
    shares = 0.6 + np.linspace(-spread, spread, 20)
    true = math.sqrt(np.mean((shares - shares.mean()) ** 2) / (0.6 * 0.4))
    generator, covered, corrected, plain = np.random.default_rng(11), 0, [], []
    for _ in range(250):
        right = generator.binomial(80, shares)
        statistic = stats.chi2_contingency(np.column_stack([right, 80 - right]), correction=False).statistic
        found = cramers_v(statistic, 1600, 20, 2)
        covered += found.low <= true <= found.high
        corrected.append(cramers_v_corrected(statistic, 1600, 20, 2))
        plain.append(found.estimate)
    assert 0.92 <= covered / 250 <= 0.99
    assert abs(np.mean(corrected) - true) < abs(np.mean(plain) - true)


def test_v_says_what_chance_makes_of_it() -> None:
    assert "chance alone" in cramers_v(31.0, 1280, 32, 2).note
    few = cramers_v(7.0, 6144, 32, 2)
    assert (few.low, few.high) == (0.0, 0.0)
    assert "shrinks to 0" in few.note
    assert cramers_v(100.0, 100, 2, 2).high == 1.0
    assert math.isnan(cramers_v(math.nan, 10, 3, 2).estimate)


def test_without_trials_nothing_is_defined() -> None:
    for function in (cohens_h, odds_ratio, risk_difference):
        assert math.isnan(function(0, 0, 1, 2).estimate)
        assert function(0, 0, 1, 2).note == "one side has no trial"
    with pytest.raises(AnalysisError, match="level of 95"):
        cohens_h(1, 2, 1, 2, level=95)
