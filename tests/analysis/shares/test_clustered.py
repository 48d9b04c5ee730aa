"""Errors by cluster against R and statsmodels; what cannot be clustered is refused."""

import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from deixis.analysis.intervals import Observed, difference, mean
from deixis.analysis.shares.clustered import clustered_difference, clustered_logistic, clustered_proportions
from deixis.analysis.shares.sandwich import covariance
from deixis.errors import AnalysisError
from tests.analysis.agreeing import compare
from tests.analysis.reference import data

TASKS = ("vocabulary", "possessive", "demonstrative")
PROMPTS = ("zero_shot", "in_context", "instruction")
QUOTATION = {"quotation": ("nonquoted", "quoted"), "prime": ("nonshifted", "shifted")}


def held(found: dict[str, pd.DataFrame], number: int, name: str, columns: dict[str, str]) -> None:
    """Hold terms in order: our names are bracketed, R's are not. ``columns``: R's name to 'kind column'."""
    for their, our in columns.items():
        kind, column = our.split()
        compare(found[kind], number, name, {their: column})


@pytest.mark.parametrize("by", ["participant", "item"])
def test_coefficients_by_one_factor_are_rs(by: str) -> None:
    kinds = ("hc0", "hc1", "cr2")
    fits = {kind: clustered_logistic(data(1), {"task": TASKS}, (by,), kind=kind).table() for kind in kinds}
    columns = {"estimate": "hc0 estimate", "se_hc0": "hc0 std_error", "se_hc1": "hc1 std_error"}
    columns |= {"se_cr2": "cr2 std_error"} if by == "participant" else {"p_hc1": "hc1 p"}
    held(fits, 1, f"cluster_{by}", columns)


def test_coefficients_by_two_factors_are_rs() -> None:
    fit = clustered_logistic(data(1), {"task": TASKS}, ("participant", "item"), kind="hc1")
    held({"hc1": fit.table()}, 1, "cluster_two_way", {"se": "hc1 std_error"})
    assert fit.n == 4786


@pytest.mark.parametrize("task", ["possessive", "demonstrative"])
def test_coefficients_by_stimulus_are_rs(task: str) -> None:
    rows = data(2).query(f"task == '{task}'")
    fit = clustered_logistic(rows, {"prompt": PROMPTS}, ("trial_id",))
    columns = {"se_hc1": "hc1 std_error", "z": "hc1 z", "p": "hc1 p"}
    held({"hc1": fit.table()}, 2, f"cluster_trial_{task[:4]}", columns)


@pytest.mark.parametrize("cell", ["model_a_tomorrow", "model_a_you", "model_b_here", "model_b_I", "model_b_tomorrow"])
def test_the_two_by_two_by_sentence_is_rs(cell: str) -> None:
    table = data(6)
    rows = table[table["model"] + "_" + table["indexical"] == cell]
    fit = clustered_logistic(rows, QUOTATION, ("item",))
    held({"hc1": fit.table()}, 6, f"cluster_{cell}", {"se_hc1": "hc1 std_error"})


def test_bias_reduced_coefficients_by_item_are_rs() -> None:
    """Vocabulary is all right, so maximum likelihood has no estimate; the sandwich stands at the bias-reduced one."""
    rows = data(5).query("model == 'model_a'")
    fit = clustered_logistic(rows, {"task": TASKS}, ("item",), kind="hc0")
    assert fit.method == "bias-reduced"
    held({"hc0": fit.table()}, 5, "cluster_item_firth", {"se": "hc0 std_error"})


def test_a_linear_model_by_participant_is_rs() -> None:
    rows = data(7).dropna(subset=["rating"])
    word, far = rows["word"].to_numpy() == "that", rows["distance"].to_numpy()
    steps = [far == step for step in (1, 2, 3)]
    columns = np.column_stack([np.ones(len(rows)), word, *steps, *(word & step for step in steps)]).astype(float)
    bread = np.linalg.inv(columns.T @ columns)
    estimate = bread @ columns.T @ rows["rating"].to_numpy()
    found = covariance(columns, rows["rating"].to_numpy() - columns @ estimate, bread, [rows["participant"].to_numpy()])
    table = pd.DataFrame({"estimate": estimate, "std_error": np.sqrt(np.diag(found))})
    compare(table, 7, "lm_cluster", {"estimate": "estimate", "se": "std_error"})


def test_separation_is_not_hidden_by_a_sandwich() -> None:
    rows = data(8).dropna(subset=["correct"])
    with pytest.raises(AnalysisError, match="separat"):
        clustered_logistic(rows, {"task": TASKS}, ("object_group",), method="maximum likelihood")


def test_clusters_present_are_counted_and_not_those_a_category_knows() -> None:
    rows = data(4).query("task == 'possessive'")
    known = rows.assign(participant=rows["participant"].astype("category"))
    known["participant"] = known["participant"].cat.add_categories([f"unused {n}" for n in range(50)])
    runs = {"run": ("production", "followup")}
    want = clustered_logistic(rows, runs, ("participant",)).table()["std_error"]
    assert list(clustered_logistic(known, runs, ("participant",)).table()["std_error"]) == list(want)
    share = clustered_proportions(known, {}, ("participant",)).iloc[0]
    assert share["clusters"] == rows["participant"].nunique()


def test_shares_and_differences_are_those_of_the_summary() -> None:
    rows = data(4).query("task == 'demonstrative'")
    known = rows.dropna(subset=["correct"])
    codes = known.assign(code=pd.factorize(known["item"])[0])
    want = mean(Observed(codes["code"].to_numpy(), codes["correct"].to_numpy(float)))
    found = clustered_proportions(rows, {}, ("item",)).iloc[0]
    assert tuple(found[["estimate", "std_error", "low", "high"]]) == pytest.approx(
        (want.value, want.se, want.low, want.high), abs=1e-12
    )
    assert found["left_out"] == len(rows) - len(known)
    sides = [
        Observed(side["code"].to_numpy(), side["correct"].to_numpy(float))
        for _, side in codes.groupby("run", sort=False)
    ]
    runs = list(known["run"].unique())
    wanted = difference(*sides)
    got = clustered_difference(rows, "run", runs, ("item",))
    assert (got.estimate, got.std_error, got.low, got.high) == pytest.approx(
        (wanted.value, wanted.se, wanted.low, wanted.high), abs=1e-12
    )


def test_a_difference_is_statsmodels_by_two_factors_too() -> None:
    rows = data(4).query("task == 'possessive'").dropna(subset=["correct"])
    columns = np.column_stack([np.ones(len(rows)), rows["run"] == "production"]).astype(float)
    codes = np.column_stack([pd.factorize(rows[name])[0] for name in ("participant", "item")])
    for clusters, groups in ((("participant",), codes[:, 0]), (("participant", "item"), codes)):
        fit = sm.OLS(rows["correct"].to_numpy(), columns).fit(cov_type="cluster", cov_kwds={"groups": groups})
        found = clustered_difference(rows, "run", ("production", "followup"), clusters, kind="hc1", level=0.9)
        assert (found.estimate, found.std_error) == pytest.approx((fit.params[1], fit.bse[1]), abs=1e-12)
    assert found.clusters == rows["item"].nunique()
    assert found.p < 1


def test_cr2_is_unbiased_where_trials_are_independent_and_clusters_few() -> None:
    """Six clusters of unequal size: E[CR2] is the variance itself, E[HC0] without its factor is too small."""
    sizes = (2, 3, 5, 8, 13, 30)
    labels = np.repeat(range(6), sizes)
    columns = np.column_stack([np.ones(labels.size), np.repeat([0.0, 1, 0, 1, 0, 1], sizes)])
    bread = np.linalg.inv(columns.T @ columns)
    hat = np.eye(labels.size) - columns @ bread @ columns.T
    # with unit variances the expectation over residuals is the mean over the columns of I - H
    parts = {k: sum(covariance(columns, r, bread, [labels], kind=k)[1, 1] for r in hat.T) for k in ("hc0", "cr2")}
    assert parts["cr2"] == pytest.approx(bread[1, 1], rel=1e-10)
    assert abs(parts["hc0"] / bread[1, 1] - 1) > 0.05


def test_what_cannot_be_clustered_is_refused_by_name() -> None:
    rows = data(8)
    one = clustered_proportions(rows, {"task": TASKS}, ("participant",))
    assert set(one["note"]) == {"participant has 1 level: no standard error by it"}
    assert one["std_error"].isna().all()
    with pytest.raises(AnalysisError, match="participant has 1 level"):
        clustered_logistic(rows, {"speaker": ("boy", "girl")}, ("participant",))
    with pytest.raises(AnalysisError, match="cr2 is defined for one factor"):
        clustered_logistic(data(1), {"task": TASKS}, ("participant", "item"), kind="cr2")
    with pytest.raises(AnalysisError, match="not by 3"):
        covariance(np.ones((2, 1)), np.ones(2), np.ones((1, 1)), [[1, 2]] * 3)
    same = clustered_proportions(rows, {"task": TASKS}, ("object_group",)).set_index("task").loc["vocabulary"]
    assert (same["std_error"], same["note"]) == (0.0, "no variation between levels of object_group: no interval")
    assert math.isnan(same["low"])
    with pytest.raises(AnalysisError, match="a difference has two"):
        clustered_difference(rows, "speaker", ("boy",), ("object_group",))
    none = clustered_difference(rows[rows["speaker"] == "boy"], "speaker", ("boy", "girl"), ("object_group",))
    assert none.note == "speaker has no trial at girl"


def test_trials_of_nobody_are_left_out_and_counted() -> None:
    rows = data(4).query("task == 'possessive'").reset_index(drop=True)
    rows.loc[:9, "participant"] = None
    missing = int(rows["correct"].isna().sum()) + 10 - int(rows.loc[:9, "correct"].isna().sum())
    runs = ("production", "followup")
    assert clustered_proportions(rows, {}, ("participant",)).iloc[0]["left_out"] == missing
    assert clustered_difference(rows, "run", runs, ("participant",)).left_out == missing
    assert clustered_logistic(rows, {"run": runs}, ("participant",)).left_out == missing
    with pytest.raises(AnalysisError, match="participant is missing in 1 row"):
        covariance(np.ones((2, 1)), np.ones(2), np.ones((1, 1)), [["p", None]], names=("participant",))
