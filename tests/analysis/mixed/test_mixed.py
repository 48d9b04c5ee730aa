"""Mixed models against R's lme4, ordinal and lmerTest, and against the package glmm."""

import warnings

import glmm
import numpy as np
import pandas as pd
import pytest

from deixis.analysis.mixed import (
    MixedFit,
    f_test,
    likelihood_ratio,
    linear_mixed,
    logit_mixed,
    ordinal_mixed,
    rating_means,
)
from deixis.analysis.regression.contrasts import contrasts
from deixis.analysis.regression.design_matrix import design
from deixis.analysis.regression.marginal import Estimated, marginal_means
from tests.analysis.mixed_models import CELLS, RATINGS, RUNS, TASKS, columns, hold, random, simulated
from tests.analysis.reference import check, data, near


@pytest.fixture(scope="module")
def ratings() -> pd.DataFrame:
    return data(7).assign(dist=lambda table: table.distance.astype(str))


@pytest.fixture(scope="module")
def by_task() -> MixedFit:
    table = data(1)
    return logit_mixed(table.correct, *columns(table, TASKS), random(table, "participant", "item"))


def test_logit_with_people_and_items_is_glmer(by_task: MixedFit) -> None:
    expected, tolerance = check(1, "glmm_task")
    hold(by_task.table(), expected["fixed"], tolerance)
    for row in expected["sd"]:
        assert by_task.sd[by_task.factors.index(row["group"])] == near(row["sd"], tolerance)
    assert by_task.loglik == near(expected["fit"]["loglik"], {"abs": 1e-4, "rel": 0})
    assert by_task.aic == near(expected["fit"]["aic"], tolerance)
    assert (by_task.n, by_task.boundary, by_task.note) == (expected["fit"]["n_used"], (), "")
    assert by_task.converged is not expected["singular"]


def test_likelihood_ratio_of_the_task(by_task: MixedFit) -> None:
    table, (expected, tolerance) = data(1), check(1, "glmm_task_lrt")
    matrix, names = columns(table, TASKS)
    found = likelihood_ratio(
        logit_mixed(table.correct, matrix[:, :1], names[:1], random(table, "participant", "item")), by_task
    )
    assert (found.chisq, found.df) == (near(expected["chisq"], tolerance), expected["df"])
    # An absolute tolerance would accept any small p.
    assert found.p == pytest.approx(expected["p"], rel=1e-3)
    assert found.log_p == pytest.approx(np.log(expected["p"]), rel=1e-5)


def test_marginal_means_of_the_task(by_task: MixedFit) -> None:
    table, (expected, tolerance) = data(1), check(1, "glmm_emm_task")
    means = marginal_means(
        Estimated(design(table, "correct", TASKS), by_task.params, by_task.covariance, "mixed"), ["task"]
    )
    found = means.table().set_index("task")
    for row in expected:
        for name in set(row) - {"task"}:
            assert found.loc[row["task"], name] == near(row[name], tolerance), (row["task"], name)
    rows, tolerance = check(1, "glmm_pairs_task")
    for adjust in ("tukey", "holm"):
        pairs = contrasts(means, adjust)  # type: ignore[arg-type]
        for row, (_, ours) in zip([row for row in rows if row["adjust"] == adjust], pairs.iterrows(), strict=True):
            assert ours["estimate"] == near(row["estimate"], tolerance)
            assert ours["std_error"] == near(row["se"], tolerance)
            assert ours["z"] == near(row["z"], tolerance)
            assert ours["p"] == near(row["p"], tolerance)
            assert ours["p"] == pytest.approx(row["p"], rel=0.05)


def test_two_runs_and_their_interaction() -> None:
    table, (expected, tolerance) = data(4), check(4, "glmer_run")
    matrix, names = columns(table, RUNS)
    larger = logit_mixed(table.correct, matrix, names, random(table, "participant", "item"))
    hold(larger.table(), expected["fixed"], tolerance)
    for row in expected["sd"]:
        assert larger.sd[larger.factors.index(row["group"])] == near(row["sd"], tolerance)
    assert larger.loglik == near(expected["loglik"], {"abs": 1e-4, "rel": 0})
    assert (larger.n, larger.left_out) == (5255, 25)
    smaller = logit_mixed(table.correct, matrix[:, :4], names[:4], random(table, "participant", "item"))
    found, want = likelihood_ratio(smaller, larger), expected["interaction"]
    assert (found.chisq, found.df, found.p) == (near(want["chisq"], tolerance), want["df"], near(want["p"], tolerance))
    assert found.left_out == 25


def test_one_random_factor() -> None:
    table, (expected, tolerance) = data(6), check(6, "glmm_item_model_b_tomorrow")
    table = table[(table.model == "model_b") & (table.indexical == "tomorrow")]
    found = logit_mixed(table.correct, *columns(table, CELLS), random(table, "item"))
    hold(found.table(), expected["laplace"], tolerance)
    assert found.sd[0] == near(expected["laplace_sd"], {"abs": 1e-5, "rel": 0})
    assert found.loglik == near(expected["laplace_loglik"], {"abs": 1e-5, "rel": 0})


def test_cumulative_logit_is_clm(ratings: pd.DataFrame) -> None:
    expected, tolerance = check(7, "clm")
    matrix, names = columns(ratings, RATINGS)
    found = ordinal_mixed(ratings.rating, matrix[:, 1:], names[1:], {}, categories=range(1, 8))
    hold(found.table(), expected["coef"], tolerance)
    assert (found.loglik, found.aic, found.n) == (
        near(expected["fit"]["loglik"], tolerance),
        near(expected["fit"]["aic"], tolerance),
        expected["fit"]["n_used"],
    )
    smaller = ordinal_mixed(ratings.rating, matrix[:, 1:5], names[1:5], {}, categories=range(1, 8))
    tested, (want, tolerance) = likelihood_ratio(smaller, found), check(7, "clm_interaction_lrt")
    assert (tested.chisq, tested.df) == (near(want["chisq"], tolerance), want["df"])
    assert tested.log_p == pytest.approx(np.log(want["p"]), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "factors"), [("clmm_participant", ["participant"]), ("clmm_participant_item", ["participant", "item"])]
)
def test_cumulative_logit_with_random_intercepts_is_clmm(ratings: pd.DataFrame, name: str, factors: list[str]) -> None:
    expected, tolerance = check(7, name)
    matrix, names = columns(ratings, RATINGS)
    found = ordinal_mixed(ratings.rating, matrix[:, 1:], names[1:], random(ratings, *factors), categories=range(1, 8))
    hold(found.table(), expected["coef"], tolerance)
    assert dict(zip(found.factors, found.sd, strict=True)) == {f: near(s, tolerance) for f, s in expected["sd"].items()}
    assert found.loglik == near(expected["loglik"], {"abs": 1e-5, "rel": 0})


def test_means_trends_and_pairs_of_ratings(ratings: pd.DataFrame) -> None:
    matrix, names = columns(ratings, RATINGS)
    fit = ordinal_mixed(ratings.rating, matrix[:, 1:], names[1:], {}, categories=range(1, 8))
    grid = pd.DataFrame([(w, d) for d in RATINGS["dist"] for w in RATINGS["word"]], columns=["word", "dist"])
    rows = columns(grid, RATINGS)[0][:, 1:]
    expected, tolerance = check(7, "clm_emm")
    ours = {"latent": "latent", "latent_se": "latent_std_error", "mean_class": "mean", "mean_class_se": "std_error"}
    for row, (_, found) in zip(expected, rating_means(fit, rows, range(1, 8)).iterrows(), strict=True):
        assert all(found[our] == near(row[their], tolerance) for their, our in ours.items()), row

    def judged(weights: np.ndarray) -> tuple[float, float]:
        return float(weights @ fit.params[6:]), float(np.sqrt(weights @ fit.covariance[6:, 6:] @ weights))

    expected, tolerance = check(7, "clm_linear_trend")
    trends = [np.array([-3, -1, 1, 3]) @ rows[grid.word == word] for word in RATINGS["word"]]
    for weights, row in zip([*trends, trends[0] - trends[1]], expected, strict=True):
        assert judged(weights) == (near(row["estimate"], tolerance), near(row["se"], tolerance))
    expected, tolerance = check(7, "clm_pairs_distance")
    for row in expected:
        first, second = (int(one[-1]) for one in row["contrast"].split(" - "))
        within = rows[grid.word == row["word"]]
        assert judged(within[first] - within[second]) == (near(row["estimate"], tolerance), near(row["se"], tolerance))


def test_linear_model_is_lmer_with_satterthwaite(ratings: pd.DataFrame) -> None:
    expected, tolerance = check(7, "lmm")
    found = linear_mixed(ratings.rating, *columns(ratings, RATINGS), random(ratings, "participant", "item"))
    hold(found.table(), expected["fixed"], tolerance)
    spreads = {**dict(zip(found.factors, found.sd, strict=True)), "Residual": found.residual_sd}
    assert spreads == {row["grp"]: near(row["sdcor"], tolerance) for row in expected["sd"]}
    assert -2 * found.loglik == near(expected["reml_criterion"], tolerance)
    assert found.table().log_p[7] == pytest.approx(np.log(2) + np.log(5.48750435728387e-274 / 2), rel=1e-3)
    grid = pd.DataFrame([(w, d) for d in RATINGS["dist"] for w in RATINGS["word"]], columns=["word", "dist"])
    rows, (expected, tolerance) = columns(grid, RATINGS)[0], check(7, "lmm_emm")
    for line, row in zip(rows, expected, strict=True):
        mean, error = line @ found.params, np.sqrt(line @ found.covariance @ line)
        limits = (mean - 1.959963984540054 * error, mean + 1.959963984540054 * error)
        assert (mean, error) == (near(row["emmean"], tolerance), near(row["se"], tolerance))
        assert limits == (near(row["low"], tolerance), near(row["high"], tolerance))


def test_f_tests_of_type_three(ratings: pd.DataFrame) -> None:
    word = np.where(ratings.word == "this", 1.0, -1.0)[:, None]
    dist = np.column_stack([(ratings.dist == k).astype(float) - (ratings.dist == "3") for k in "012"])
    matrix = np.hstack([np.ones((len(ratings), 1)), word, dist, word * dist])
    fit = linear_mixed(ratings.rating, matrix, list("iwabcdef"), random(ratings, "participant", "item"))
    expected, tolerance = check(7, "lmm_anova")
    for places, row in zip(([1], [2, 3, 4], [5, 6, 7]), expected, strict=True):
        found = f_test(fit, np.eye(8)[places])
        assert (found.num_df, found.den_df, found.f) == (
            row["num_df"],
            near(row["den_df"], tolerance),
            near(row["f"], tolerance),
        )
        assert found.log_p == pytest.approx(np.log(row["p"]), rel=1e-4)


def peer(table: pd.DataFrame, formula: str, family: str = "binomial", **settings: bool) -> glmm.Fit:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return glmm.fit({name: table[name].to_numpy() for name in table}, formula, family, **settings)


@pytest.mark.parametrize(("sizes", "spreads"), [([30], [1.0]), ([40, 12], [1.2, 0.4]), ([60, 20, 6], [0.8, 0.8, 0.5])])
def test_logit_agrees_with_glmm(sizes: list[int], spreads: list[float]) -> None:
    table = simulated(f"glmm/{len(sizes)}", sizes, spreads, 1500)
    factors = [name for name in table if name.startswith("f")]
    theirs = peer(table.astype(dict.fromkeys(factors, str)), "correct ~ x" + "".join(f" + (1|{f})" for f in factors))
    ours = logit_mixed(
        table.correct, np.column_stack([np.ones(1500), table.x]), ["(Intercept)", "x"], random(table, *factors)
    )
    assert ours.loglik == pytest.approx(theirs.loglik, abs=1e-5)
    assert ours.params == pytest.approx(theirs.beta, abs=1e-4)
    assert np.sqrt(np.diag(ours.covariance)) == pytest.approx(theirs.se, rel=1e-3)
    assert [one**2 for one in ours.sd] == pytest.approx([float(np.ravel(v)[0]) for v in theirs.varcorr], abs=1e-3)


@pytest.mark.parametrize("reml", [True, False])
def test_linear_agrees_with_glmm(reml: bool) -> None:
    table = simulated("glmm/linear", [40, 12], [1.2, 0.4], 1500).assign(y=lambda t: t.eta + t.noise)
    theirs = peer(table.astype({"f0": str, "f1": str}), "y ~ x + (1|f0) + (1|f1)", "gaussian", reml=reml)
    ours = linear_mixed(
        table.y, np.column_stack([np.ones(1500), table.x]), ["(Intercept)", "x"], random(table, "f0", "f1"), reml=reml
    )
    assert ours.loglik == pytest.approx(theirs.loglik, abs=1e-5)
    assert ours.params == pytest.approx(theirs.beta, abs=1e-5)
    assert ours.table().std_error.to_numpy() == pytest.approx(theirs.se, rel=1e-4)
    assert ours.table().df.to_numpy() == pytest.approx(np.asarray(theirs.coef_df), rel=1e-3)
