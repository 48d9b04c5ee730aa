"""Equivalence against R; the score test against its definition; where there is no test."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar
from statsmodels.stats.proportion import score_test_proportions_2indep

from deixis.analysis.shares.equivalence import Equivalence, equivalence, equivalence_of, score_z
from deixis.errors import AnalysisError
from tests.analysis.agreeing import compare, same
from tests.analysis.reference import check, data, near

COLUMNS = same("difference wald_z_lower wald_z_upper p_wald score_z_lower score_z_upper p_score equivalent_wald")
COLUMNS |= same("equivalent_newcombe") | {"wald90_low": "wald_low", "wald90_high": "wald_high"}
NEWCOMBE = {"newcombe90_low": "newcombe_low", "newcombe90_high": "newcombe_high"}
CELLS = [f"model_{model}_{word}" for model in "ab" for word in ("I", "you", "here", "tomorrow")]


def fields(found: Equivalence) -> dict[str, float]:
    return {name: getattr(found, name) for name in found.__slots__}


def test_runs_are_rs() -> None:
    runs = {row["task"]: row for row in check(4, "two_runs")[0]}
    rows = []
    for wanted in check(4, "tost_by_task")[0]:
        run = runs[wanted["task"]]
        found = equivalence(run["k1"], run["n1"], run["k2"], run["n2"], wanted["delta"])
        rows.append({"task": wanted["task"], "delta": wanted["delta"], **fields(found)})
    compare(pd.DataFrame(rows), 4, "tost_by_task", COLUMNS | NEWCOMBE, ("task", "delta"))


@pytest.mark.parametrize("cell", CELLS)
def test_primes_are_rs(cell: str) -> None:
    table = data(6)
    table, rows = table[table["model"] + "_" + table["indexical"] == cell], []
    for quotation in ("nonquoted", "quoted"):
        sides = [table[(table["quotation"] == quotation) & (table["prime"] == p)] for p in ("nonshifted", "shifted")]
        found = equivalence(*(n for side in sides for n in (int(side["correct"].sum()), len(side))), 0.10)
        rows.append({"quotation": quotation, **fields(found)})
    columns = same("defined difference p_wald p_score") | NEWCOMBE
    compare(pd.DataFrame(rows), 6, f"tost_prime_{cell}", columns, ("quotation",))


@pytest.mark.parametrize("counts", [(9, 20, 3, 30), (20, 20, 28, 30), (0, 15, 4, 9), (40, 40, 50, 50), (1, 2, 1, 3)])
@pytest.mark.parametrize("difference", [-0.3, -0.05, 0.1, 0.4])
def test_the_score_is_that_of_the_likeliest_shares(counts: tuple[int, int, int, int], difference: float) -> None:
    k1, n1, k2, n2 = counts

    def lost(q: float) -> float:
        return -stats.binom.logpmf(k1, n1, q + difference) - stats.binom.logpmf(k2, n2, q)

    ends = max(0.0, -difference), min(1.0, 1 - difference)
    q = minimize_scalar(lost, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
    p = q + difference
    want = (k1 / n1 - k2 / n2 - difference) / math.sqrt(p * (1 - p) / n1 + q * (1 - q) / n2)
    assert score_z(*counts, difference) == pytest.approx(want, rel=1e-4)


def test_the_score_is_statsmodels_only_without_a_difference() -> None:
    """At a difference of 0 it is right and we agree; elsewhere its error is in the third digit, and R has the word."""
    counts = (1372, 1431, 533, 555)
    plain = score_test_proportions_2indep(*counts, correction=False)
    assert score_z(*counts, 0) == pytest.approx(float(plain.statistic), abs=1e-9)
    want = next(r for r in check(4, "tost_by_task")[0] if r["task"] == "possessive" and r["delta"] == 0.03)
    assert score_z(*counts, 0.03) == pytest.approx(want["score_z_upper"], abs=1e-6)


def test_constant_sides_leave_the_interval_alone() -> None:
    found = equivalence(200, 200, 300, 300, 0.05)
    assert (found.defined, found.equivalent_newcombe, found.equivalent_wald) == (False, True, False)
    assert math.isnan(found.p_wald)
    assert math.isnan(found.p_score)
    assert "Newcombe's interval stands" in found.note
    assert not equivalence(20, 20, 30, 30, 0.05).equivalent_newcombe


def test_alpha_is_the_level_of_test_and_interval() -> None:
    counts = (80, 100, 82, 100)
    strict, lenient = (equivalence(*counts, 0.12, alpha=alpha) for alpha in (0.01, 0.2))
    assert strict.newcombe_low < lenient.newcombe_low
    assert (strict.equivalent_wald, lenient.equivalent_wald) == (False, True)
    assert (strict.equivalent_score, lenient.equivalent_score) == (False, True)


def test_the_level_is_held_at_the_margin() -> None:
    """Exactly: at a true difference of the margin, equivalence is found in about 5 % of samples of 100."""
    k = np.arange(101)
    weight = np.outer(stats.binom.pmf(k, 100, 0.8), stats.binom.pmf(k, 100, 0.6))
    likely = [(int(a), int(b)) for a, b in np.argwhere(weight > 5e-5)]
    found = sum(weight[a, b] for a, b in likely if equivalence(a, 100, b, 100, 0.2).equivalent_score)
    assert 0.03 < found < 0.065


def test_any_estimate_can_be_tested() -> None:
    assert equivalence_of(0.02, 0.03, 0.1) == pytest.approx(stats.norm.sf(0.08 / 0.03), rel=1e-12)
    assert equivalence_of(-0.02, 0.03, 0.1, df=11) == pytest.approx(stats.t.sf(0.08 / 0.03, 11), rel=1e-12)
    assert equivalence_of(0.0, 1e-9, 0.1) > 0
    assert math.isnan(equivalence_of(0.0, 0.0, 0.1))
    assert math.isnan(equivalence_of(0.0, math.nan, 0.1))
    with pytest.raises(AnalysisError, match="above 0"):
        equivalence_of(0, 1, 0)


def test_an_equivalence_of_log_odds_is_emmeans() -> None:
    expected, tolerance = check(6, "emm_equivalence_model_b_tomorrow")
    for row in expected:
        assert equivalence_of(row["estimate"], row["se"], math.log(2)) == near(row["p"], tolerance)


def test_a_margin_or_a_side_that_cannot_be_is_refused() -> None:
    with pytest.raises(AnalysisError, match="margin of 5"):
        equivalence(1, 2, 1, 2, 5)
    with pytest.raises(AnalysisError, match="0 and 3 trials"):
        equivalence(0, 0, 1, 3, 0.1)
