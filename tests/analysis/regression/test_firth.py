"""Separation found and bias-reduced estimates against R (brglm2, and profiles as logistf has them)."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from deixis.analysis.regression.design_matrix import Levels, design
from deixis.analysis.regression.firth import _slope, firth, profile
from deixis.analysis.regression.logistic import LogisticFit, logistic
from deixis.analysis.regression.separation import separation
from deixis.analysis.regression.term_tests import likelihood_ratio_tests
from deixis.analysis.shares.sandwich import by_clusters
from deixis.errors import AnalysisError
from deixis.seeds import derived
from tests.analysis.reference import check, data, near
from tests.analysis.regression.test_logistic import CELLS, SEPARATED, TASKS, by_term, hold, indexical

MODELS = ("model_a", "model_b")
SETS: dict[str, Levels] = {"a": {"task": TASKS}, "b": {"task": TASKS}, "ab": {"task": TASKS, "model": MODELS}}


def part(name: str) -> pd.DataFrame:
    table = data(5)
    return table if name == "ab" else table[table["model"] == f"model_{name}"].reset_index(drop=True)


def fitted(name: str, **settings: Any) -> LogisticFit:
    return logistic(design(part(name), "correct", SETS[name]), **settings)


PROFILE = {"profile_low": "low", "profile_high": "high", "chisq_penalized_lr": "chi_squared", "p_penalized_lr": "p"}
WALD = {"estimate": "estimate", "std_error": "std_error"}


@pytest.mark.parametrize("name", SETS)
def test_bias_reduced_estimates_are_brglm2s(name: str) -> None:
    found = by_term(fitted(name).table())
    hold(found, 5, f"{name}_brglm2", {**WALD, "z": "z"})
    hold(found, 5, f"{name}_firth", {**WALD, **PROFILE})


def test_profiles_of_the_other_sets_are_rs() -> None:
    fits = {(8, "firth_task"): logistic(design(data(8), "correct", {"task": TASKS}))}
    for model, word in SEPARATED:
        fits[6, f"firth2x2_{model}_{word}"] = logistic(design(indexical(model, word), "correct", CELLS))
    for (number, name), fit in fits.items():
        found = by_term(fit.table())
        hold(found, number, name, {**WALD, **PROFILE})
        for row in check(number, name)[0]:
            for column in WALD:
                assert found[row["term"]][column] == near(row[column], {"abs": 1e-5, "rel": 1e-5})


@pytest.mark.parametrize("name", SETS)
def test_separation_is_found_where_r_shows_it(name: str) -> None:
    expected, tolerance = check(5, f"{name}_ml")
    fit = fitted(name)
    assert fit.separation.found is expected["separated"]
    assert fit.lowest_deviance == near(expected["deviance"], tolerance)
    assert fit.design.trials[list(fit.separation.cells)].sum() == expected["n_fitted_0_or_1"]
    assert fit.lowest_deviance < fit.deviance


def test_a_separated_fit_says_so() -> None:
    fit = fitted("a")
    assert fit.method == "bias-reduced"
    assert fit.separation.direction == (1, -1, -1)
    assert any(note.startswith("separated: no finite estimate of (Intercept), task[possessive]") for note in fit.notes)
    table = fit.table()
    assert table["interval"].eq("profile").all()
    assert table["note"].eq("no finite maximum-likelihood estimate").all()
    assert np.isnan(fit.aic)
    with pytest.raises(AnalysisError, match=r"no finite estimate of \(Intercept\), task\[possessive\]"):
        fitted("a", method="maximum likelihood")


def test_only_the_coefficients_concerned_are_infinite() -> None:
    fit = fitted("b")
    names = [fit.design.names[place] for place in fit.separation.columns]
    assert names == ["task[demonstrative]"]
    assert fit.table()["note"].tolist() == ["", "", "no finite maximum-likelihood estimate"]


def test_the_interaction_is_tested_with_the_penalty_of_the_full_model() -> None:
    expected, tolerance = check(5, "ab_interaction_plr")
    row = likelihood_ratio_tests(fitted("ab"), "III").iloc[2]
    assert row["test"] == "penalised likelihood ratio"
    for theirs, ours in {"chisq": "chi_squared", "df": "df", "p": "p"}.items():
        assert row[ours] == near(expected[theirs], tolerance)
    assert likelihood_ratio_tests(fitted("ab"), "II").iloc[2]["chi_squared"] == pytest.approx(row["chi_squared"])


def test_clustered_errors_of_a_bias_reduced_fit_are_rs() -> None:
    fit = fitted("a", covariance=by_clusters(part("a"), ["item"], "hc0"))
    hold(by_term(fit.table()), 5, "cluster_item_firth", {"se": "std_error"})
    assert "standard errors are robust, limits and p are not: they take trials as independent" in fit.notes
    assert fit.table()["low"].tolist() == fitted("a").table()["low"].tolist()


def test_the_bias_of_one_proportion_by_hand() -> None:
    """Firth's estimate of one proportion adds half a success and half a failure."""
    for right, total in ((0, 7), (3, 7), (7, 7)):
        found = firth(np.ones((1, 1)), np.array([right]), np.array([total]))
        assert expit(found.estimates[0]) == pytest.approx((right + 0.5) / (total + 1))


def test_trials_and_counts_are_the_same() -> None:
    columns = design(part("a"), "correct", {"task": TASKS})
    one = firth(columns.matrix, columns.response)
    many = firth(columns.cells, columns.successes, columns.trials)
    assert one.estimates == pytest.approx(many.estimates, abs=1e-9)
    assert one.penalised_loglik == pytest.approx(many.penalised_loglik)


def test_a_profile_does_not_depend_on_the_reference_level() -> None:
    columns, turned = (design(part("a"), "correct", {"task": levels}) for levels in (TASKS, TASKS[::-1]))
    first = profile(columns.cells, columns.successes, columns.trials, np.array([0.0, 1.0, -1.0]))
    second = profile(turned.cells, turned.successes, turned.trials, np.array([0.0, 1.0, 0.0]))
    for name in ("estimate", "low", "high", "chi_squared", "log_p"):
        assert getattr(first, name) == pytest.approx(getattr(second, name), abs=1e-7)


def test_a_wider_level_has_wider_profiles() -> None:
    wide, narrow = (fitted("a", level=level).table() for level in (0.99, 0.9))
    assert (wide["low"] < narrow["low"]).all()
    assert (wide["high"] > narrow["high"]).all()


def test_bias_reduction_can_be_asked_for() -> None:
    columns = design(indexical("model_b", "tomorrow"), "correct", CELLS)
    plain, reduced = logistic(columns), logistic(columns, method="bias-reduced")
    assert (plain.method, reduced.method) == ("maximum likelihood", "bias-reduced")
    assert 0 < np.abs(reduced.estimates).sum() < np.abs(plain.estimates).sum()
    assert reduced.notes == ("estimates are bias-reduced (Firth) as asked, though nothing is separated",)


def test_an_outcome_that_does_not_vary_says_so() -> None:
    table = part("a").assign(correct=1)
    fit = logistic(design(table, "correct", {"task": TASKS}))
    assert fit.method == "bias-reduced"
    assert "the outcome does not vary" in fit.notes
    assert fit.lowest_deviance == 0


def test_the_way_to_the_top_does_not_go_to_and_fro() -> None:
    """Few trials in one cell and many in another: steps by the information alone never come to rest here."""
    matrix = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], float)
    successes, trials = np.array([0.0, 0.0, 0.0, 2.0]), np.array([30000.0, 1.0, 1.0, 2.0])
    found = firth(matrix, successes, trials)
    for place, side in itertools.product(range(3), (-1e-3, 1e-3)):
        moved = found.estimates + side * np.eye(3)[place]
        assert firth(matrix, successes, trials, [0, 1, 2], moved).penalised_loglik < found.penalised_loglik


def test_the_curvature_is_the_change_of_the_gradient() -> None:
    columns = design(part("ab"), "correct", SETS["ab"])
    at, counts = np.array([1.0, -0.5, 0.3, 0.2, -1.0, 0.7]), (columns.successes, columns.trials)
    _, curvature = _slope(columns.cells, *counts, at)
    changes = [
        (_slope(columns.cells, *counts, at + 1e-5 * unit)[0] - _slope(columns.cells, *counts, at - 1e-5 * unit)[0])
        / 2e-5
        for unit in np.eye(6)
    ]
    assert curvature(np.arange(6)) == pytest.approx(-np.array(changes), abs=1e-6)


def test_any_counts_have_an_estimate_and_a_profile() -> None:
    draws = np.random.default_rng(derived(8, "firth"))
    for _ in range(40):
        size = int(draws.integers(2, 5))
        matrix = np.column_stack([np.ones(2 * size), draws.integers(0, 2, (2 * size, size - 1))]).astype(float)
        if np.linalg.matrix_rank(matrix) < size:
            continue
        trials = draws.choice([1, 2, 10, 30000], 2 * size)
        successes = draws.binomial(trials, draws.choice([0, 0.02, 0.5, 1], 2 * size)).astype(float)
        found = profile(matrix, successes, trials.astype(float), np.eye(size)[-1])
        assert -np.inf < found.low < found.estimate < found.high < np.inf


def test_separation_agrees_with_a_search_of_all_directions() -> None:
    """Every outcome of eight trials on two binary factors without interaction, against directions tried one by one."""
    matrix = np.array([[1, a, b] for a, b in itertools.product((0, 1), repeat=2)], float)
    steps = np.array(list(itertools.product((-2, -1, 0, 1, 2), repeat=3)), float)
    for outcome in itertools.product((0.0, 1.0, 2.0), repeat=4):
        successes, trials = np.array(outcome), np.full(4, 2.0)
        slopes = steps @ matrix.T
        signed = np.hstack([slopes[:, successes > 0], -slopes[:, successes < trials]])
        harmless = (signed >= 0).all(axis=1) & (signed > 0).any(axis=1)
        lost = np.flatnonzero((np.abs(slopes[harmless]) > 0).any(axis=0)) if harmless.any() else []
        found = separation(matrix, successes, trials)
        assert found.found is bool(harmless.any()), outcome
        assert list(found.cells) == list(lost), outcome
        infinite = np.flatnonzero((steps[harmless] != 0).any(axis=0)) if harmless.any() else []
        assert list(found.columns) == list(infinite), outcome


def test_a_fit_that_cannot_be_is_refused() -> None:
    with pytest.raises(AnalysisError, match="not independent"):
        firth(np.ones((4, 2)), np.array([0.0, 1.0, 1.0, 0.0]))
    with pytest.raises(AnalysisError, match="all zeros"):
        profile(np.ones((1, 1)), np.array([1.0]), np.array([2.0]), np.zeros(1))
