"""Object groups against R; p for small counts; where there is no test."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from deixis.analysis.adjustment import over_family
from deixis.analysis.shares.groups import group_test, group_tests, monte_carlo_p, residuals
from deixis.errors import AnalysisError
from tests.analysis.agreeing import compare, same
from tests.analysis.reference import check, data

TASKS = ("vocabulary", "possessive", "demonstrative")
COLUMNS = same("defined groups n statistic df p expected_warning cramers_v g_statistic g_p min_expected p_monte_carlo")
COLUMNS |= {"n_expected_lt5": "expected_below_5", "share_expected_lt5": "share_below_5"}
MODELS = {"model": ("model_a", "model_b"), "task": TASKS}


@pytest.mark.parametrize(
    ("number", "name", "levels"),
    [
        (1, "chisq_object_group", {"task": TASKS}),
        (3, "chisq_by_cell", MODELS),
        (8, "chisq_groups", {"task": TASKS}),
    ],
)
def test_groups_are_rs(number: int, name: str, levels: dict[str, tuple[str, ...]]) -> None:
    found = group_tests(data(number), levels, seed=7)
    found.loc[~found["defined"], ["expected_below_5", "share_below_5"]] = np.nan
    compare(found, number, name, COLUMNS, tuple(levels), loose={"p_monte_carlo": 0.015})
    assert (found["n"] + found["left_out"]).sum() == len(data(number))


@pytest.mark.parametrize(
    ("rule", "column"), [("holm", "holm"), ("bonferroni", "bonferroni"), ("benjamini-hochberg", "bh")]
)
def test_the_family_is_the_defined_tests(rule: str, column: str) -> None:
    found = group_tests(data(3), MODELS, seed=7, drawn=100, rule=rule)
    assert found["p_adjusted"].isna().sum() == found["p_monte_carlo_adjusted"].isna().sum() == 1
    compare(found[found["defined"]], 3, "chisq_adjusted", {"p": "p", column: "p_adjusted"}, ("model", "task"))


def test_rules_are_scipys_and_none_changes_nothing() -> None:
    p = np.array([0.01, 0.2, np.nan, 0.011, 0.9])
    found = over_family(np.log(p), "benjamini-hochberg")
    assert found[[0, 1, 3, 4]] == pytest.approx(stats.false_discovery_control(p[[0, 1, 3, 4]]), abs=1e-12)
    assert math.isnan(found[2])
    assert over_family(np.log(p), "none")[[0, 1, 3, 4]] == pytest.approx(p[[0, 1, 3, 4]])


def test_residuals_are_rs() -> None:
    rows = data(3).query("model == 'model_a' and task == 'demonstrative'")
    found = residuals(rows, levels=[f"g{n:02}" for n in range(1, 33)])
    columns = {"observed": "observed", "expected": "expected", "stdres": "residual"}
    compare(found, 3, "std_residuals_demo", columns, ("object_group",))
    assert (found["residual"].abs() > 1.96).any()


def test_where_the_outcome_does_not_vary_there_is_no_test() -> None:
    """R turns the table of one column into another test, with p = 1 (check ``r_default_one_column``)."""
    assert check(3, "r_default_one_column")[0]["p"] == 1
    for outcome in (0, 1):
        table = pd.DataFrame({"object_group": ["a", "b", "b", "c"], "correct": [outcome] * 4})
        found = group_test(table, seed=1)
        assert (found.defined, found.note) == (False, "not defined, the outcome does not vary")
        assert math.isnan(found.p)
        assert math.isnan(found.p_monte_carlo)
        assert residuals(table, levels="abc")["residual"].isna().all()


def test_monte_carlo_is_the_exact_p_where_that_can_be_counted() -> None:
    """Two groups of 6: χ² is as large wherever the split of 4 is 4:0 or more even turned round, Fisher's exact test."""
    total = np.array([6, 6])
    exact = stats.fisher_exact([[4, 2], [0, 6]]).pvalue
    statistic = stats.chi2_contingency([[4, 2], [0, 6]], correction=False).statistic
    found = monte_carlo_p(total, 4, statistic, 200_000, 5)
    assert found == pytest.approx(exact, abs=4 * math.sqrt(exact / 200_000))


def test_tables_drawn_follow_seed_and_name() -> None:
    rows = data(3).query("model == 'model_a' and task == 'possessive'")
    first, again = (group_test(rows, seed=3, drawn=500).p_monte_carlo for _ in range(2))
    named = [group_test(rows, seed=3, name=name, drawn=500).p_monte_carlo for name in ("one", "two", "three")]
    seeded = [group_test(rows, seed=seed, drawn=500).p_monte_carlo for seed in (4, 5, 6)]
    assert first == again
    assert len(set(named)) > 1
    assert len(set(seeded)) > 1
    assert group_test(rows, seed=3, drawn=500).drawn == 500


def test_p_is_never_0() -> None:
    table = pd.DataFrame({"object_group": np.repeat(["a", "b"], 4000), "correct": np.repeat([0, 1], 4000)})
    found = group_test(table, seed=1, drawn=99)
    assert found.p > 0
    assert found.log_p == pytest.approx(-4004.7, abs=0.1)
    assert found.p_monte_carlo == 0.01


def test_what_does_not_fit_is_refused() -> None:
    table = pd.DataFrame({"object_group": ["a", "b"], "correct": [0.5, 1]})
    with pytest.raises(AnalysisError, match="correct is 0.5 in 1 of 2 rows"):
        group_test(table, seed=1)
    with pytest.raises(AnalysisError, match="object_group has 1 level: groups need at least two"):
        group_test(table[table["correct"] == 1], seed=1)
    with pytest.raises(AnalysisError, match="no cell has a trial"):
        group_tests(table[:0], {}, seed=1)


def test_the_published_case_needs_the_monte_carlo_p() -> None:
    """192 trials a group and 6 errors in all, two each in three groups: χ² says p = .002, counting says .019."""
    wrong = np.zeros(32, dtype=int)
    wrong[:3] = 2
    correct = np.concatenate([np.repeat([0, 1], [errors, 192 - errors]) for errors in wrong])
    found = group_test(pd.DataFrame({"object_group": np.repeat(np.arange(32), 192), "correct": correct}), seed=1)
    assert (found.n, found.expected_below_5, found.min_expected) == (6144, 32, 6 / 32)
    assert "rely on the Monte Carlo p" in found.note
    assert found.p < 0.003
    assert 0.014 < found.p_monte_carlo < 0.024
