"""Logistic regression against R: coefficients, tests of terms, robust errors, and the shape of the design."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from deixis.analysis.regression.design_matrix import Levels, design
from deixis.analysis.regression.logistic import LogisticFit, logistic
from deixis.analysis.regression.term_tests import likelihood_ratio_tests, wald_tests
from deixis.analysis.shares.sandwich import by_clusters
from deixis.errors import AnalysisError
from tests.analysis.reference import check, data, near

TASKS = ("vocabulary", "possessive", "demonstrative")
PROMPTS = ("zero_shot", "in_context", "instruction")
CELLS: Levels = {"quotation": ("nonquoted", "quoted"), "prime": ("nonshifted", "shifted")}
SEPARATED = (("model_a", "here"), ("model_a", "I"), ("model_b", "you"))
ORDINARY = tuple(
    (model, word)
    for model in ("model_a", "model_b")
    for word in ("here", "I", "tomorrow", "you")
    if (model, word) not in SEPARATED
)


def fitted(table: pd.DataFrame, factors: Levels, interactions: Any = "all", **settings: Any) -> LogisticFit:
    return logistic(design(table, "correct", factors, interactions), **settings)


def task_fit(**settings: Any) -> LogisticFit:
    return fitted(data(1), {"task": TASKS}, **settings)


def indexical(model: str, word: str) -> pd.DataFrame:
    table = data(6)
    return table[(table["model"] == model) & (table["indexical"] == word)].reset_index(drop=True)


def by_term(table: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the rows by the names R gives to terms: ``taskpossessive``, ``quotation:prime``."""
    table = table.assign(term=table["term"].str.replace("[", "").str.replace("]", "").str.replace(" × ", ":"))
    return {row["term"]: row for row in table.to_dict("records")}


def hold(found: dict[str, dict[str, Any]], number: int, name: str, columns: dict[str, str]) -> None:
    """Hold the columns of a check, named as ours, against the rows found."""
    expected, tolerance = check(number, name)
    assert {row["term"] for row in expected} == set(found)
    for row in expected:
        for theirs, ours in columns.items():
            assert found[row["term"]][ours] == near(row[theirs], tolerance), (name, row["term"], theirs)


WALD = {"estimate": "estimate", "std_error": "std_error", "z": "z", "p": "p"}


def test_coefficients_are_rs() -> None:
    hold(by_term(task_fit().table()), 1, "glm_task_coef", WALD)
    for task, short in (("possessive", "poss"), ("demonstrative", "demo")):
        table = data(2)
        fit = fitted(table[table["task"] == task], {"prompt": PROMPTS})
        hold(by_term(fit.table()), 2, f"glm_prompt_{short}", WALD)
    joint = fitted(data(2), {"task": TASKS[1:], "prompt": PROMPTS})
    hold(by_term(joint.table()), 2, "glm_task_prompt", WALD)
    for model, word in ORDINARY:
        hold(by_term(fitted(indexical(model, word), CELLS).table()), 6, f"glm2x2_{model}_{word}", WALD)


def test_the_fit_is_rs() -> None:
    expected, tolerance = check(1, "glm_task_fit")
    fit = task_fit()
    assert fit.n == expected["n_used"]
    for name in ("null_deviance", "deviance", "df_residual", "loglik", "aic"):
        assert getattr(fit, name) == near(expected[name], tolerance), name
    assert fit.lowest_deviance == fit.deviance


def test_likelihood_ratio_tests_are_rs() -> None:
    tests = {"task": likelihood_ratio_tests(task_fit()).iloc[0]}
    for task in ("possessive", "demonstrative"):
        table = data(2)
        tests[task] = likelihood_ratio_tests(fitted(table[table["task"] == task], {"prompt": PROMPTS})).iloc[0]
    for number, name, key in (
        (1, "glm_task_lrt", "task"), (2, "lrt_prompt_poss", "possessive"), (2, "lrt_prompt_demo", "demonstrative"),
    ):  # fmt: skip
        expected, tolerance = check(number, name)
        row = expected[0] if isinstance(expected, list) else expected
        for column in ("chisq", "df", "p"):
            assert tests[key][column.replace("chisq", "chi_squared")] == near(row[column], tolerance)


LR = {"chisq": "chi_squared", "df": "df", "p": "p"}


def test_types_two_and_three_are_cars() -> None:
    factors = {"task": TASKS, "speaker": ("boy", "girl"), "perspective": ("I", "you")}
    crossed = fitted(data(1), factors, [("speaker", "perspective")])
    hold(by_term(likelihood_ratio_tests(crossed)), 1, "glm_speaker_perspective", LR)
    joint = fitted(data(2), {"task": TASKS[1:], "prompt": PROMPTS})
    hold(by_term(likelihood_ratio_tests(joint, "II")), 2, "glm_task_prompt_lrt", LR)
    for model, word in ORDINARY:
        tests = likelihood_ratio_tests(fitted(indexical(model, word), CELLS), "III")
        hold(by_term(tests), 6, f"type3_{model}_{word}", LR)


def test_type_two_is_not_type_three() -> None:
    joint = fitted(data(2), {"task": TASKS[1:], "prompt": PROMPTS})
    two, three = (likelihood_ratio_tests(joint, kind)["chi_squared"] for kind in ("II", "III"))
    assert two[2] == pytest.approx(three[2])
    assert abs(two[0] - three[0]) > 1


def test_a_wald_test_of_one_coefficient_is_its_z_squared() -> None:
    table = indexical("model_b", "tomorrow")
    fit = fitted(table, CELLS, covariance=by_clusters(table, ["item"]))
    tests = wald_tests(fit)
    assert tests["test"].tolist() == ["robust Wald"] * 3
    assert tests["chi_squared"][2] == pytest.approx(fit.table()["z"][3] ** 2)
    assert tests["chi_squared"][2] != pytest.approx(wald_tests(fitted(table, CELLS))["chi_squared"][2], rel=1e-3)


@pytest.mark.parametrize(
    ("name", "clusters", "kinds"),
    [
        ("cluster_participant", ["participant"], {"hc0": "se_hc0", "hc1": "se_hc1", "cr2": "se_cr2"}),
        ("cluster_item", ["item"], {"hc0": "se_hc0", "hc1": "se_hc1"}),
        ("cluster_two_way", ["participant", "item"], {"hc1": "se"}),
    ],
)
def test_clustered_errors_are_rs(name: str, clusters: list[str], kinds: dict[Any, str]) -> None:
    for kind, column in kinds.items():
        fit = task_fit(covariance=by_clusters(data(1), clusters, kind))
        hold(by_term(fit.table()), 1, name, {column: "std_error"})


def test_clustered_z_and_p_are_rs() -> None:
    hold(by_term(task_fit(covariance=by_clusters(data(1), ["item"])).table()), 1, "cluster_item", {"p_hc1": "p"})
    for task, short in (("possessive", "poss"), ("demonstrative", "demo")):
        table = data(2)
        table = table[table["task"] == task]
        fit = fitted(table, {"prompt": PROMPTS}, covariance=by_clusters(table, ["trial_id"]))
        hold(by_term(fit.table()), 2, f"cluster_trial_{short}", {"se_hc1": "std_error", "z": "z", "p": "p"})
    for model, word in ORDINARY:
        table = indexical(model, word)
        fit = fitted(table, CELLS, covariance=by_clusters(table, ["item"]))
        hold(by_term(fit.table()), 6, f"cluster_{model}_{word}", {"se_hc1": "std_error"})


def test_statsmodels_agrees_on_single_trials() -> None:
    table = data(2)
    fit = fitted(table, {"task": TASKS[1:], "prompt": PROMPTS}, covariance=by_clusters(table, ["trial_id"]))
    groups = {"groups": pd.factorize(table["trial_id"])[0]}
    model = sm.GLM(table["correct"].to_numpy(), fit.design.matrix, family=sm.families.Binomial())
    other = model.fit(tol=1e-14, cov_type="cluster", cov_kwds=groups)
    assert fit.estimates == pytest.approx(other.params, abs=1e-9)
    assert fit.covariance == pytest.approx(other.cov_params(), abs=1e-12)
    assert (fit.deviance, fit.loglik) == pytest.approx((other.deviance, other.llf))


def test_another_level_gives_other_limits() -> None:
    wide, narrow = (task_fit(level=level).table() for level in (0.99, 0.90))
    assert (wide["low"] < narrow["low"]).all()
    assert (wide["high"] - wide["estimate"]).to_numpy() == pytest.approx(wide["std_error"] * 2.5758293035489)


def test_two_groups_by_hand() -> None:
    """3 of 4 against 1 of 4: log odds ratio log 9, standard error √(1 + 1/3 + 1/3 + 1)."""
    table = pd.DataFrame({"group": list("aaaabbbb"), "correct": [0, 1, 0, 0, 1, 1, 1, 0]})
    row = fitted(table, {"group": ("a", "b")}).table().iloc[1]
    assert row["term"] == "group[b]"
    assert row["estimate"] == pytest.approx(math.log(9))
    assert row["std_error"] == pytest.approx(math.sqrt(8 / 3))


def test_levels_have_the_order_that_is_given() -> None:
    table = data(1)
    turned = fitted(table.sample(frac=1, random_state=3), {"task": TASKS[::-1]})
    assert turned.design.names == ("(Intercept)", "task[possessive]", "task[vocabulary]")
    assert turned.estimates[2] == pytest.approx(-task_fit().estimates[2])


def test_categories_numbers_and_truth_values_are_levels() -> None:
    table = pd.DataFrame({"a": [0, 3, 0, 3], "b": [True, True, False, False], "correct": [1.0, 0, 0, 1]})
    table["c"] = pd.Categorical(["q", "q", "p", "q"], categories=["unused", "q", "p"])
    assert design(table, "correct", {"a": (3, 0)}).matrix[:, 1].tolist() == [1, 0, 1, 0]
    assert design(table, "correct", {"b": (False, True)}).matrix[:, 1].tolist() == [1, 1, 0, 0]
    assert design(table, "correct", {"c": ("q", "p")}).matrix[:, 1].tolist() == [0, 0, 1, 0]


def test_rows_left_out_are_counted_by_reason() -> None:
    table = data(8)
    table.loc[table.index[table["correct"].notna()][:3], "speaker"] = None
    columns = design(table, "correct", {"task": TASKS}, needed=["speaker"])
    assert columns.left_out == {"correct is missing": 8, "speaker is missing": 3}
    assert columns.n == 302 - 11
    fit = logistic(columns)
    assert (fit.n, fit.left_out) == (291, 11)
    assert "8 rows left out: correct is missing" in fit.notes


def test_a_tie_counts_with_its_share() -> None:
    table = pd.DataFrame({"group": list("aaaabbbb"), "correct": [0, 0.5, 1, 0, 1, 1, 0.5, 0]})
    fit = fitted(table, {"group": ("a", "b")})
    assert fit.estimates[0] == pytest.approx(math.log(1.5 / 2.5))
    assert any("2 trials count with a share" in note for note in fit.notes)


def test_columns_are_products_of_levels() -> None:
    table = pd.DataFrame({"a": list("xyz") * 2, "b": [2, 2, 2, 1, 1, 1], "correct": 1})
    columns = design(table, "correct", {"a": ("x", "y", "z"), "b": (2, 1)})
    assert columns.names == ("(Intercept)", "a[y]", "a[z]", "b[1]", "a[y]:b[1]", "a[z]:b[1]")
    assert columns.matrix[4].tolist() == [1, 1, 0, 1, 1, 0]
    assert columns.matrix[0].tolist() == [1, 0, 0, 0, 0, 0]
    sums = columns.coded(columns.grid, "sum")
    assert np.allclose(sums.sum(axis=0), [6, 0, 0, 0, 0, 0])
    assert design(table, "correct", {"a": ("x", "y", "z"), "b": (2, 1)}, "none").names == columns.names[:4]


BASE = pd.DataFrame({"a": list("xxyy") * 3, "b": list("pqpq") * 3, "correct": [1, 0] * 6})


@pytest.mark.parametrize(
    ("table", "factors", "interactions", "message"),
    [
        (BASE, {"a": ("x",)}, "all", "factor 'a' is too small: it has one level, 'x', and needs two"),
        (BASE, {"a": ("x", "y", "z")}, "all", "factor 'a' is too small: no row has a 'z'"),
        (BASE, {"a": ("x", "z")}, "all", "factor 'a' has 'y', not one of ['x', 'z']"),
        (BASE, {"a": ("x", "y", "x")}, "all", "factor 'a' has a level twice: ['x', 'y', 'x']"),
        (
            BASE[(BASE["a"] == "x") | (BASE["b"] == "p")], {"a": ("x", "y"), "b": ("p", "q")}, "all",
            "interaction a × b is too small: no row has a 'y' and b 'q'",
        ),
        (
            BASE.assign(c=BASE["a"]), {"a": ("x", "y"), "c": ("x", "y")}, "none",
            "factor 'c' cannot be told from the factors before it in these rows",
        ),
        (BASE.assign(correct=np.nan), {"a": ("x", "y")}, "all", "no row is left of 12: correct is missing in 12"),
        (BASE, {"d": ("x", "y")}, "all", "there is no column 'd'; there are a, b, correct"),
        (BASE, {"a": ("x", "y")}, [("a", "b")], "the interaction a × b has 'b', which is not a factor"),
    ],
)  # fmt: skip
def test_a_refusal_names_the_factor(table: pd.DataFrame, factors: Levels, interactions: Any, message: str) -> None:
    with pytest.raises(AnalysisError) as refused:
        design(table, "correct", factors, interactions)
    assert str(refused.value) == message


def test_main_effects_do_without_a_cell() -> None:
    table = BASE[(BASE["a"] == "x") | (BASE["b"] == "p")]
    assert design(table, "correct", {"a": ("x", "y"), "b": ("p", "q")}, "none").cells.shape == (3, 3)


def test_a_single_cluster_is_refused_by_name() -> None:
    table = data(8)
    with pytest.raises(AnalysisError, match="participant has 1 level"):
        fitted(table, {"condition": ("original", "ablated")}, covariance=by_clusters(table, ["participant"]))


def test_what_cannot_be_fitted_is_refused() -> None:
    with pytest.raises(AnalysisError, match="1, 0 or a share"):
        fitted(BASE.assign(correct=2), {"a": ("x", "y")})
    with pytest.raises(AnalysisError, match="type II or III"):
        likelihood_ratio_tests(task_fit(), "I")  # type: ignore[arg-type]
    with pytest.raises(AnalysisError, match="'ml' does not exist"):
        task_fit(method="ml")
