"""Marginal means against R's emmeans, and what they say of their averages."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from deixis.analysis.regression.design_matrix import Levels, design
from deixis.analysis.regression.logistic import LogisticFit, logistic
from deixis.analysis.regression.marginal import Estimated, Means, marginal_means
from deixis.errors import AnalysisError
from tests.analysis.reference import check, data, near

TASKS = ("vocabulary", "possessive", "demonstrative")
PROMPTS = ("zero_shot", "in_context", "instruction")
MODELS = ("model_a", "model_b")
CROSSED: Levels = {"task": TASKS[1:], "prompt": PROMPTS}


def fitted(table: pd.DataFrame, factors: Levels, interactions: Sequence[Sequence[str]] | None = None) -> LogisticFit:
    return logistic(design(table, "correct", factors, "all" if interactions is None else interactions))


def of_task(table: pd.DataFrame, task: str) -> LogisticFit:
    return fitted(table[table["task"] == task], {"prompt": PROMPTS})


def hold(means: Means, number: int, name: str) -> None:
    expected, tolerance = check(number, name)
    found = means.table().astype(dict.fromkeys(means.of + means.by, str))
    assert len(expected) == len(found)
    for row in expected:
        here = np.logical_and.reduce([found[factor] == row[factor] for factor in means.of + means.by])
        for column in (name for name in row if name.startswith(("logit", "prob"))):
            assert found.loc[here, column].item() == near(row[column], tolerance), (name, row)


def test_means_are_emmeans() -> None:
    hold(marginal_means(fitted(data(1), {"task": TASKS}), ["task"]), 1, "emm_task")
    hold(marginal_means(of_task(data(2), "possessive"), ["prompt"]), 2, "emm_prompt_poss")
    hold(marginal_means(of_task(data(2), "demonstrative"), ["prompt"]), 2, "emm_prompt_demo")


def test_averages_over_other_factors_are_emmeans() -> None:
    factors = {"task": TASKS, "speaker": ("boy", "girl"), "perspective": ("I", "you")}
    crossed = fitted(data(1), factors, [("speaker", "perspective")])
    hold(marginal_means(crossed, ["task"]), 1, "emm_speaker_averaged")
    hold(marginal_means(fitted(data(2), CROSSED), ["prompt"], weights="proportional"), 2, "emm_prompt_proportional")


def test_means_of_separated_cells_are_brglm2s() -> None:
    table = data(5)
    for model in MODELS:
        fit = fitted(table[table["model"] == model], {"task": TASKS})
        hold(marginal_means(fit, ["task"]), 5, f"{model[-1]}_emm")
    hold(marginal_means(fitted(table, {"task": TASKS, "model": MODELS}), ["task"], ["model"]), 5, "ab_emm")


def test_estimates_from_elsewhere_have_means_too() -> None:
    """R's mixed model of set 1: its intercept is the mean of the reference level, random effects at 0."""
    columns = design(data(1), "correct", {"task": TASKS})
    rows, _ = check(1, "glmm_task")
    fixed = np.array([row["estimate"] for row in rows["fixed"]])
    errors = np.diag([row["std_error"] ** 2 for row in rows["fixed"]])
    table = marginal_means(Estimated(columns, fixed, errors, "mixed model (Laplace)"), ["task"]).table()
    expected, tolerance = check(1, "glmm_emm_task")
    assert table["logit"].tolist() == [near(row["logit"], tolerance) for row in expected]
    assert table["logit_se"][0] == near(expected[0]["logit_se"], tolerance)
    assert set(table["method"]) == {"mixed model (Laplace)"}


def test_weights_by_hand() -> None:
    fit = fitted(data(2), CROSSED)
    logits = marginal_means(fit, ["task", "prompt"]).logits.reshape(2, 3)
    share = data(2)["task"].value_counts(normalize=True)[list(TASKS[1:])].to_numpy()
    assert marginal_means(fit, ["prompt"]).logits == pytest.approx(logits.mean(axis=0))
    assert marginal_means(fit, ["prompt"], weights="proportional").logits == pytest.approx(share @ logits)


def test_limits_of_a_probability_stay_within_0_and_1() -> None:
    row = marginal_means(fitted(data(1), {"task": TASKS}), ["task"]).table(level=0.999).iloc[0]
    assert row["prob_high"] < 1 < row["prob"] + 3.29 * row["prob_se"]


def test_a_mean_knows_its_trials_and_its_levels() -> None:
    means = marginal_means(fitted(data(2), CROSSED), ["prompt"], ["task"])
    assert means.trials == tuple(data(2).groupby(["task", "prompt"], sort=False).size().to_list())
    assert means.labels[1] == ("possessive", "in_context")
    assert [label for label, _ in means.families] == [("possessive",), ("demonstrative",)]
    assert means.table().columns[:2].tolist() == ["prompt", "task"]


def test_an_average_says_what_it_hides() -> None:
    assert marginal_means(fitted(data(2), CROSSED), ["task", "prompt"]).notes == ()
    (note,) = marginal_means(fitted(data(2), CROSSED), ["prompt"]).notes
    assert note == "averaged over a factor that interacts: task × prompt"
    table = data(2)
    table = table[(table["task"] == "possessive") | (table["prompt"] != "in_context")]
    (note,) = marginal_means(fitted(table, CROSSED, []), ["prompt"]).notes
    assert note == "averaged over 1 of 6 cells that have no row: the model fills them"


@pytest.mark.parametrize(
    ("of", "by", "weights", "message"),
    [
        (["model"], [], "equal", "the model has no factor 'model'; it has task, prompt"),
        ([], ["task"], "equal", "at least one factor"),
        (["task"], ["task"], "equal", "each of them once"),
        (["task"], [], "cells", "weights 'cells' do not exist"),
    ],
)
def test_what_has_no_mean_is_refused(of: list[str], by: list[str], weights: str, message: str) -> None:
    with pytest.raises(AnalysisError, match=message):
        marginal_means(fitted(data(2), CROSSED), of, by, weights)  # type: ignore[arg-type]
