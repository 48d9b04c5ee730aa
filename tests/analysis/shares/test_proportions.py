"""Proportions against R, by hand, and where they are not defined."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from deixis.analysis.intervals import wilson
from deixis.analysis.shares.proportions import (
    across_participants,
    against,
    exact,
    means,
    newcombe,
    proportion,
    proportions,
    welch,
)
from deixis.errors import AnalysisError
from tests.analysis.agreeing import compare, same
from tests.analysis.reference import check, data, near

TASKS = ("vocabulary", "possessive", "demonstrative")
FACTORS = {
    (1, "accuracy_by_task"): {"task": TASKS},
    (2, "accuracy_by_cell"): {
        "task": ("possessive", "demonstrative"),
        "prompt": ("zero_shot", "in_context", "instruction"),
    },
    (4, "accuracy_by_task_run"): {"task": TASKS, "run": ("production", "followup")},
    (5, "accuracy_by_cell"): {"model": ("model_a", "model_b"), "task": TASKS},
    (6, "accuracy_by_cell"): {
        "model": ("model_a", "model_b"),
        "indexical": ("I", "you", "here", "tomorrow"),
        "quotation": ("nonquoted", "quoted"),
        "prime": ("nonshifted", "shifted"),
    },
    (8, "accuracy_by_cell"): {"task": TASKS, "condition": ("original", "ablated")},
}


@pytest.mark.parametrize(("number", "name"), FACTORS)
def test_cells_are_rs(number: int, name: str) -> None:
    levels = FACTORS[number, name]
    found = proportions(data(number), levels)
    columns = same("n k wilson_low wilson_high exact_low exact_high")
    columns |= {"proportion": "estimate", "se_binomial": "std_error"}
    compare(found, number, name, columns, tuple(levels))
    assert (found["n"] + found["left_out"]).sum() == len(data(number))


def test_a_table_of_one_cell_is_rs() -> None:
    rows = data(3).query("model == 'model_a' and task == 'vocabulary'")
    groups = [f"g{n:02}" for n in range(1, 33)]
    found = proportions(rows, {"object_group": groups})
    assert list(found["object_group"]) == groups
    columns = same("n k wilson_low wilson_high exact_low exact_high")
    compare(found, 3, "group_table", columns, ("object_group",))


@pytest.mark.parametrize(
    ("number", "name", "levels"),
    [
        (1, "participant_se_by_task", {"task": TASKS}),
        (4, "participant_se", {"task": TASKS, "run": ("production", "followup")}),
        (8, "participant_se", {"task": TASKS}),
    ],
)
def test_errors_across_participants_are_rs(number: int, name: str, levels: dict[str, tuple[str, ...]]) -> None:
    found = across_participants(data(number), levels)
    columns = {"n_participants": "participants", "mean": "estimate", "sd": "sd", "se": "std_error"}
    compare(found, number, name, columns | {"t_low": "low", "t_high": "high"}, tuple(levels))
    if number == 8:
        assert set(found["note"]) == {"participant has 1 level: no standard error across them"}


def test_welch_is_rs() -> None:
    table, rows = data(4), []
    for task in TASKS:
        part = table[table["task"] == task]
        found = welch(means(part[part["run"] == "production"]), means(part[part["run"] == "followup"]))
        rows.append({"task": task, **{name: getattr(found, name) for name in "difference t df p low high".split()}})
    compare(pd.DataFrame(rows), 4, "welch_by_task", same("difference t df p low high"), ("task",))


def test_against_chance_is_rs() -> None:
    expected, tolerance = check(8, "binomial_against_chance")
    for row in expected:
        assert against(row["k"], row["n"], 0.25) == near(row["p"], tolerance)
        assert against(row["k"], row["n"], 0.25, alternative="greater") == near(row["p_greater"], tolerance)
    with pytest.raises(AnalysisError, match="between 0 and 1"):
        against(1, 2, 1.0)
    assert math.isnan(against(0, 0, 0.25))


@pytest.mark.parametrize("number", [2, 8])
def test_answers_outside_the_instruction_change_the_denominator(number: int) -> None:
    """Counted as wrong they stay; left out they are counted as left out. Empty answers are left out either way."""
    name, levels = {
        2: ("nfi_policies", FACTORS[2, "accuracy_by_cell"]),
        8: ("accuracy_policies", {"task": TASKS}),
    }[number]
    table = data(number)
    other = table.assign(correct=table["correct"].mask(table["response_type"] == "NFI"))
    compare(proportions(table, levels), number, name, {"n_wrong": "n", "p_wrong": "estimate"}, tuple(levels))
    found = proportions(other, levels)
    compare(found, number, name, {"n_left_out": "n", "p_left_out": "estimate"}, tuple(levels))
    assert found["left_out"].sum() == other["correct"].isna().sum()


def test_wilson_takes_a_level_and_ends_exactly() -> None:
    assert wilson(7, 10, 0.9) == pytest.approx(proportion_confint(7, 10, alpha=0.1, method="wilson"), abs=1e-12)
    assert [wilson(n, n)[1] for n in range(1, 300)] == [1.0] * 299
    assert [wilson(0, n)[0] for n in range(1, 300)] == [0.0] * 299


def test_exact_and_newcombe_are_statsmodels_at_other_levels() -> None:
    assert exact(3, 17, 0.8) == pytest.approx(proportion_confint(3, 17, alpha=0.2, method="beta"), abs=1e-12)
    want = confint_proportions_2indep(9, 20, 3, 30, method="newcomb", compare="diff", alpha=0.1)
    assert newcombe(9, 20, 3, 30, 0.9) == pytest.approx(want, abs=1e-12)
    assert newcombe(5, 5, 7, 7)[0] < 0 < newcombe(5, 5, 7, 7)[1]
    assert all(map(math.isnan, (*exact(0.5, 2), *exact(0, 0), *newcombe(0, 0, 1, 2))))


def test_exact_covers_at_least_what_it_says() -> None:
    for share in (0.01, 0.2, 0.5):
        covered = sum(stats.binom.pmf(k, 25, share) for k in range(26) if exact(k, 25)[0] <= share <= exact(k, 25)[1])
        assert covered >= 0.95


def test_what_is_not_defined_says_so() -> None:
    assert proportion(0, 0).note == "no trial with a known outcome"
    assert math.isnan(proportion(0, 0).estimate)
    assert "standard error of 0" in proportion(5, 5).note
    assert "ties" in proportion(2.5, 5).note
    assert math.isnan(proportion(2.5, 5).exact_low)
    with pytest.raises(AnalysisError, match="6 of 5"):
        proportion(6, 5)


def test_empty_cells_stay_and_unknown_levels_are_refused() -> None:
    table = pd.DataFrame({"task": ["b", "a", "b"], "correct": [1, 0, np.nan]})
    found = proportions(table, {"task": ("b", "a", "c")})
    assert list(zip(found["task"], found["n"], found["left_out"], strict=True)) == [
        ("b", 1, 1),
        ("a", 1, 0),
        ("c", 0, 0),
    ]
    with pytest.raises(AnalysisError, match="task has the level 'b', which is not among a"):
        proportions(table, {"task": ("a",)})
    with pytest.raises(AnalysisError, match="no column 'word'"):
        proportions(table, {"word": ("a",)})
    with pytest.raises(AnalysisError, match="no column 'right'"):
        proportions(table, {"task": ("a", "b")}, outcome="right")


def test_participants_alike_have_no_interval() -> None:
    table = pd.DataFrame({"participant": ["p", "p", "q", "q"], "correct": [1, 0, 0, 1]})
    row = across_participants(table, {}).iloc[0]
    assert (row["estimate"], row["std_error"], row["note"]) == (
        0.5,
        0.0,
        "every participant has the same mean: no interval",
    )
    assert math.isnan(row["low"])
    assert welch(np.array([1.0, 1.0]), np.array([0.5, 0.5])).note.startswith("no participant differs")
    assert "2 and 1 levels" in welch(np.array([1.0, 1.0]), np.array([0.5])).note


def test_welch_takes_a_level() -> None:
    first, second = np.array([0.1, 0.4, 0.9]), np.array([0.5, 0.7, 0.3, 0.2])
    want = stats.ttest_ind(first, second, equal_var=False)
    found = welch(first, second, level=0.8)
    assert (found.t, found.p) == pytest.approx((want.statistic, want.pvalue), abs=1e-12)
    assert (found.low, found.high) == pytest.approx(tuple(want.confidence_interval(0.8)), abs=1e-12)
