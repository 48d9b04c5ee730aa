"""Contrasts against R's emmeans: all pairs with four adjustments, planned ones, equivalence, profile limits."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from deixis.analysis.regression.contrasts import Planned, contrasts, equivalence, pair, planned_contrasts
from deixis.analysis.regression.design_matrix import Levels, design
from deixis.analysis.regression.logistic import LogisticFit, logistic
from deixis.analysis.regression.marginal import Means, marginal_means
from deixis.analysis.shares.sandwich import by_clusters
from deixis.errors import AnalysisError
from tests.analysis.reference import check, data, near

TASKS = ("vocabulary", "possessive", "demonstrative")
PROMPTS = ("zero_shot", "in_context", "instruction")
MODELS = ("model_a", "model_b")
CELLS: Levels = {"quotation": ("nonquoted", "quoted"), "prime": ("nonshifted", "shifted")}


def fitted(table: pd.DataFrame, factors: Levels, **settings: Any) -> LogisticFit:
    return logistic(design(table, "correct", factors), **settings)


def of_task(**settings: Any) -> Means:
    return marginal_means(fitted(data(1), {"task": TASKS}, **settings), ["task"])


def of_prompt(by: Sequence[str] = ()) -> Means:
    return marginal_means(fitted(data(2), {"task": TASKS[1:], "prompt": PROMPTS}), ["prompt"], by)


RENAMED = {"se": "std_error"}


def agree(found: Mapping[str, Any], row: Mapping[str, Any], tolerance: dict[str, float]) -> None:
    for column, value in row.items():
        if isinstance(value, float | int):
            assert found[RENAMED.get(column, column)] == near(value, tolerance), (row, column)


def hold(means: Means, number: int, name: str, scale: Any = "logit") -> None:
    """Hold every row of a check of pairs: by adjustment, family and contrast."""
    expected, tolerance = check(number, name)
    adjustments = list(dict.fromkeys(row["adjust"] for row in expected))
    table = pd.concat([contrasts(means, adjust, scale) for adjust in adjustments])
    keys = ["adjust", *means.by, "contrast"]
    rows = {tuple(row[key] for key in keys): row for row in table.to_dict("records")}
    assert len(rows) == len(table) == len(expected)
    for row in expected:
        agree(rows[tuple(row[key] for key in keys)], row, tolerance)


def test_pairs_are_emmeans() -> None:
    hold(of_task(), 1, "pairs_task")
    table = data(2)
    for task, short in (("possessive", "poss"), ("demonstrative", "demo")):
        fit = fitted(table[table["task"] == task], {"prompt": PROMPTS})
        hold(marginal_means(fit, ["prompt"]), 2, f"pairs_prompt_{short}")
    hold(of_prompt(["task"]), 2, "pairs_prompt_by_task")
    hold(of_prompt(), 2, "pairs_prompt_averaged")


def test_differences_of_probabilities_are_emmeans() -> None:
    hold(of_task(), 1, "pairs_task_probability", "probability")


def test_pairs_with_clustered_errors_are_emmeans() -> None:
    hold(of_task(covariance=by_clusters(data(1), ["item"])), 1, "pairs_task_cluster_item")


def test_pairs_of_separated_cells_are_brglm2s() -> None:
    table = data(5)
    for model in MODELS:
        fit = fitted(table[table["model"] == model], {"task": TASKS})
        hold(marginal_means(fit, ["task"]), 5, f"{model[-1]}_pairs")
    hold(marginal_means(fitted(table, {"task": TASKS, "model": MODELS}), ["task"], ["model"]), 5, "ab_pairs")
    hold(marginal_means(fitted(data(8), {"task": TASKS}), ["task"]), 8, "firth_pairs")


def test_planned_contrasts_against_a_reference_are_emmeans() -> None:
    expected, tolerance = check(2, "trt_vs_ctrl")
    plan = [pair(f"{p} - {PROMPTS[0]}|{t}", (t, p), (t, PROMPTS[0])) for t in TASKS[1:] for p in PROMPTS[1:]]
    table = planned_contrasts(of_prompt(["task"]), plan, "holm")
    assert table["planned"].all()
    assert table["comparisons"].tolist() == [4] * 4
    rows = {row["contrast"]: row for row in table.to_dict("records")}
    for row in expected:
        agree(rows[f"{row['contrast']}|{row['task']}"], row, tolerance)


def test_planned_interactions_are_emmeans() -> None:
    expected, tolerance = check(2, "interaction_contrasts")
    plan = [
        Planned(f"{prompt} - {PROMPTS[0]}", {
            (TASKS[1], prompt): 1, (TASKS[1], PROMPTS[0]): -1, (TASKS[2], prompt): -1, (TASKS[2], PROMPTS[0]): 1,
        })
        for prompt in PROMPTS[1:]
    ]  # fmt: skip
    rows = planned_contrasts(of_prompt(["task"]), plan).set_index("contrast")
    for row in expected:
        agree(rows.loc[row["prompt_trt.vs.ctrl"]], row, tolerance)


def test_equivalence_is_emmeans() -> None:
    expected, tolerance = check(6, "emm_equivalence_model_b_tomorrow")
    table = data(6)
    part = table[(table["model"] == "model_b") & (table["indexical"] == "tomorrow")]
    means = marginal_means(fitted(part, CELLS), ["prime"], ["quotation"])
    found = equivalence(contrasts(means), np.log(2)).set_index("quotation")
    for row in expected:
        ours = found.loc[row["quotation"]]
        assert ours["estimate"] == near(row["estimate"], tolerance)
        assert ours["equivalence_z"] == near(row["z"], tolerance)
        assert ours["equivalence_p"] == near(row["p"], tolerance)
    with pytest.raises(AnalysisError, match="above 0"):
        equivalence(found, 0.0)


def test_holm_has_the_limits_of_bonferroni() -> None:
    holm, bonferroni = (contrasts(of_task(), adjust) for adjust in ("holm", "bonferroni"))
    assert (holm["low"] == bonferroni["low"]).all()
    assert (holm["p"] <= bonferroni["p"]).all()


def test_two_means_need_no_adjustment() -> None:
    table = data(1)
    means = marginal_means(fitted(table[table["task"] != "vocabulary"], {"task": TASKS[1:]}), ["task"])
    for adjust in ("tukey", "holm", "bonferroni"):
        plain, other = contrasts(means).iloc[0], contrasts(means, adjust).iloc[0]
        assert [other[name] for name in ("p", "low", "high")] == pytest.approx([plain[n] for n in ("p", "low", "high")])


def test_p_is_never_0_and_its_logarithm_goes_on() -> None:
    table = pd.DataFrame(
        {"group": ["a"] * 20000 + ["b"] * 20000, "correct": ([1] * 9 + [0]) * 2000 + ([0] * 9 + [1]) * 2000}
    )
    means = marginal_means(fitted(table, {"group": ("a", "b")}), ["group"])
    for adjust in ("none", "tukey", "holm", "bonferroni"):
        row = contrasts(means, adjust).iloc[0]
        assert 0 < row["p"] < 1e-300
        assert row["log_p"] == pytest.approx(-(row["z"] ** 2) / 2, rel=0.01)


def test_profile_limits_of_a_separated_pair_are_those_of_its_coefficient() -> None:
    table = data(5)
    fit = fitted(table[table["model"] == "model_a"], {"task": TASKS})
    means = marginal_means(fit, ["task"])
    row, coefficient = contrasts(means, interval="profile").iloc[0], fit.table().iloc[1]
    assert (row["contrast"], row["method"]) == ("vocabulary - possessive", "bias-reduced")
    assert [row["low"], row["high"]] == pytest.approx([-coefficient["high"], -coefficient["low"]], abs=1e-8)
    assert row["p"] == pytest.approx(coefficient["p"])
    assert row["z"] ** 2 == pytest.approx(coefficient["chi_squared"])
    adjusted = contrasts(means, "bonferroni", interval="profile").iloc[0]
    assert adjusted["low"] < row["low"] < row["high"] < adjusted["high"]
    assert adjusted["p"] == pytest.approx(3 * row["p"])


def test_no_variation_is_no_test() -> None:
    """The clusters of two groups with the same share: residuals add up to 0 in each, and so does the robust error."""
    table = pd.DataFrame({"group": list("aabb") * 4, "item": np.repeat(range(4), 4), "correct": [0, 1] * 8})
    fit = fitted(table, {"group": ("a", "b")}, covariance=by_clusters(table, ["item"]))
    row = contrasts(marginal_means(fit, ["group"])).iloc[0]
    assert np.isnan([row["std_error"], row["z"], row["p"], row["low"]]).all()
    assert row["note"] == "the standard error is 0 or not defined: no test and no interval"
    assert fit.table()["p"].isna().all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"adjust": "scheffe"}, "'scheffe' does not exist; choose from none, tukey, holm, bonferroni"),
        ({"scale": "odds"}, "scale 'odds' does not exist"),
        ({"interval": "profile"}, "profile limits are for bias-reduced fits"),
        ({"interval": "profile", "adjust": "tukey"}, "profile limits are for the logit scale, with none, holm"),
    ],
)
def test_what_cannot_be_compared_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(AnalysisError, match=message):
        contrasts(of_task(), **settings)


@pytest.mark.parametrize(
    ("plan", "adjust", "message"),
    [
        (pair("x", "vocabulary", "naming"), "none", "planned contrast 'x': there is no mean of \\('naming',\\)"),
        (Planned("x", {("vocabulary",): 1, ("possessive",): -0.5}), "none", "add up to 0"),
        (Planned("x", {}), "none", "not all be 0"),
        (pair("x", "vocabulary", "possessive"), "tukey", "tukey is for all pairs"),
    ],
)
def test_a_plan_that_does_not_fit_is_refused(plan: Planned, adjust: Any, message: str) -> None:
    with pytest.raises(AnalysisError, match=message):
        planned_contrasts(of_task(), [plan], adjust)
