"""Two runs against R, as published and as nested in people."""

import math

import numpy as np
import pandas as pd
import pytest

from deixis.analysis.shares.runs_compared import compare_runs, two_proportions
from deixis.errors import AnalysisError
from tests.analysis.agreeing import compare, same
from tests.analysis.reference import check, data

TASKS = ("vocabulary", "possessive", "demonstrative")
RUNS = ("production", "followup")
COLUMNS = same("k1 n1 k2 n2 p1 p2 difference wald_low wald_high newcombe_low newcombe_high chisq_yates p_yates chisq")
COLUMNS |= same("p_chisq p_fisher odds_ratio p_wald_logit") | {"se_unpooled": "std_error"}


@pytest.fixture(scope="module")
def found() -> pd.DataFrame:
    return compare_runs(data(4), "run", RUNS, {"task": TASKS})


def test_runs_are_rs(found: pd.DataFrame) -> None:
    columns = COLUMNS | {"p_yates_holm": "p_yates_adjusted", "p_fisher_holm": "p_fisher_adjusted"}
    compare(found, 4, "two_runs", columns, ("task",))
    assert (found["n1"] + found["n2"] + found["left_out"]).sum() == len(data(4))
    assert list(found["task"]) == list(TASKS)


def test_people_are_rs(found: pd.DataFrame) -> None:
    columns = {name: f"welch_{name}" for name in ("difference", "t", "df", "p", "low", "high")}
    compare(found, 4, "welch_by_task", columns, ("task",))
    turned = found.assign(log_odds_ratio=-found["log_odds_estimate"])  # R has the follow-up over the production
    columns = {"log_odds_ratio": "log_odds_ratio", "se_model": "log_odds_std_error_model"}
    columns |= {"se_cluster": "log_odds_std_error", "p_cluster": "log_odds_p"}
    compare(turned, 4, "cluster_by_task", columns, ("task",))


def test_pooled_trials_are_too_sure(found: pd.DataFrame) -> None:
    """Where people differ in ability their trials are alike, and the error by person is larger."""
    row = found.set_index("task").loc["demonstrative"]
    assert row["clustered_std_error"] > 1.3 * row["std_error"]
    assert row["clustered_low"] < row["wald_low"]


def test_the_fisher_pairs_of_another_set_are_rs() -> None:
    rows = []
    for row in check(5, "fisher_pairs")[0]:
        model = data(5)[data(5)["model"] == row["model"]]
        counts = [model.loc[model["task"] == row[side], "correct"] for side in ("first", "second")]
        p = two_proportions(*(n for c in counts for n in (int(c.sum()), len(c)))).p_fisher
        rows.append({"model": row["model"], "first": row["first"], "second": row["second"], "p": p})
    compare(pd.DataFrame(rows), 5, "fisher_pairs", {"p": "p"}, ("model", "first", "second"))


def test_runs_at_the_ceiling_say_what_is_not_defined() -> None:
    same_ = two_proportions(10, 10, 12, 12)
    assert math.isnan(same_.p_yates)
    assert math.isnan(same_.wald_low)
    assert (same_.p_fisher, same_.std_error) == (1.0, 0.0)
    assert same_.newcombe_low < 0 < same_.newcombe_high
    assert "the outcome does not vary" in same_.note
    one = two_proportions(10, 10, 9, 12)
    assert math.isnan(one.p_wald_logit)
    assert one.odds_ratio == math.inf
    with pytest.raises(AnalysisError, match="0 and 3 trials"):
        two_proportions(0, 0, 1, 3)


def test_a_separated_run_has_no_log_odds_and_says_so() -> None:
    """A sandwich would give it a small standard error and p = 0."""
    table = pd.DataFrame({
        "participant": np.repeat(list("abcdef"), 4),
        "run": np.repeat(["one", "two"], 12),
        "correct": [1] * 12 + [1, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0],
    })  # fmt: skip
    row = compare_runs(table, "run", ("one", "two"), {}).iloc[0]
    assert math.isnan(row["log_odds_p"])
    assert "all right or all wrong" in row["note"]
    assert row["clustered_p"] < 1
    with pytest.raises(AnalysisError, match="run has the level 'two'"):
        compare_runs(table, "run", ("one", "three"), {})


def test_one_person_has_pooled_tests_alone() -> None:
    table = pd.DataFrame({"participant": "m", "run": ["a", "b"] * 10, "correct": [1, 0, 0, 1] * 5})
    row = compare_runs(table, "run", ("a", "b"), {}, level=0.9).iloc[0]
    assert row["p_yates"] == 1
    assert math.isnan(row["welch_p"])
    assert math.isnan(row["clustered_p"])
    assert math.isnan(row["log_odds_p"])
    assert "participant has 1 level" in row["note"]
    assert row["newcombe_low"] == two_proportions(5, 10, 5, 10, level=0.9).newcombe_low
