"""p-values: never 0, adjusted as statsmodels does, Tukey's against scipy's own test."""

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from deixis.analysis.pvalues import (
    adjusted,
    critical,
    from_log,
    log_chi_squared,
    log_tukey,
    log_two_sided,
    p_text,
    standard_errors,
)
from deixis.errors import AnalysisError


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1e-300, "< .001"), (0.00099, "< .001"), (0.001, ".001"), (0.0764, ".076"), (0.9994, ".999"), (0.9996, "1"),
        (1.0, "1"), (math.nan, "–"),
    ],
)  # fmt: skip
def test_p_is_printed_as_in_the_papers(p: float, text: str) -> None:
    assert p_text(p) == text


def test_logarithms_agree_with_the_tails_and_go_on_where_these_end() -> None:
    for z in (0.0, -1.0, 1.96, 8.0, -37.0):
        assert np.exp(log_two_sided(z)) == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-12)
    assert log_two_sided(100.0) == pytest.approx(-5004.83, abs=0.1)
    assert from_log(log_two_sided(100.0)) == np.finfo(float).tiny
    assert np.isnan(from_log(np.nan))


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 31, 32])
def test_chi_squared_has_no_underflow(df: int) -> None:
    for statistic in (0.0, 1e-9, 0.5, df, 50.0, 500.0):
        assert log_chi_squared(statistic, df) == pytest.approx(stats.chi2.logsf(statistic, df), rel=1e-9, abs=1e-12)
    assert -1e4 < log_chi_squared(1e4, df) < -4800
    assert math.isnan(log_chi_squared(math.nan, df))


@pytest.mark.parametrize("method", ["holm", "bonferroni"])
def test_adjusted_as_in_statsmodels(method: str) -> None:
    p = np.array([0.03, 0.0002, 0.7, 0.02, 0.02])
    assert np.exp(adjusted(np.log(p), method)) == pytest.approx(multipletests(p, method=method)[1])  # type: ignore[arg-type]
    assert adjusted(np.log(p), "none") == pytest.approx(np.log(p))


@pytest.mark.parametrize("method", ["holm", "bonferroni"])
def test_what_was_not_tested_is_no_member_of_the_family(method: str) -> None:
    found = adjusted([np.nan, np.log(0.01), np.log(0.02)], method)  # type: ignore[arg-type]
    assert np.isnan(found[0])
    assert found[1:] == pytest.approx(adjusted(np.log([0.01, 0.02]), method))  # type: ignore[arg-type]


def test_tukey_is_not_for_p_alone() -> None:
    with pytest.raises(AnalysisError, match="all pairwise"):
        adjusted(np.log([0.1, 0.2]), "tukey")


@pytest.mark.parametrize("means", [2, 3, 4, 8])
def test_tukey_is_smooth_where_the_bound_takes_over(means: int) -> None:
    z = np.linspace(6.0, 8.5, 251)
    steps = np.diff(log_tukey(z, means))
    assert (steps < 0).all()
    assert (np.abs(np.diff(steps)) < 0.01).all()
    exact = stats.studentized_range.sf(np.sqrt(2) * 3.0, means, np.inf)
    assert np.exp(log_tukey(3.0, means)) == pytest.approx(exact, rel=1e-9)
    assert float(log_tukey(0.0, means)) == 0.0


def test_widths_by_hand() -> None:
    assert critical("none", 3, 3, 0.95) == pytest.approx(1.959963984540054)
    assert critical("holm", 3, 3, 0.95) == critical("bonferroni", 3, 3, 0.95) == pytest.approx(2.393979800)
    assert critical("tukey", 3, 3, 0.95) == pytest.approx(3.314493 / math.sqrt(2), abs=1e-6)
    assert critical("tukey", 1, 2, 0.9) == pytest.approx(critical("none", 1, 2, 0.9), abs=1e-9)


def test_a_variance_of_nothing_has_no_error() -> None:
    found = standard_errors(np.diag([4.0, 1e-30, 0.0, -1.0]))
    assert found[0] == 2
    assert np.isnan(found[1:]).all()
