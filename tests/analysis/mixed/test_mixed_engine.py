"""The engine of mixed models: exact derivatives, small cases by other means, what it refuses and what it tells."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.special import expit

from deixis.analysis.mixed import (
    f_test,
    likelihood_ratio,
    linear_mixed,
    logit_mixed,
    ordinal_mixed,
    profile_sd,
    rating_means,
)
from deixis.analysis.mixed.crossed import Crossed
from deixis.analysis.mixed.families import Binomial, Cumulative, Family
from deixis.analysis.mixed.fixed_only import FixedOnly
from deixis.analysis.mixed.laplace import Laplace
from deixis.analysis.mixed.newton import minimise
from deixis.analysis.mixed.tails import log_f, log_t
from deixis.analysis.pvalues import log_two_sided
from deixis.errors import AnalysisError
from deixis.seeds import derived
from tests.analysis.mixed_models import random, simulated

EXACT = 1e-15


def families(rows: int) -> list[tuple[Family, list[float]]]:
    drawn = np.random.default_rng(derived(0, "tests/mixed/families"))
    binomial = Binomial(drawn.integers(0, 3, rows).astype(float), np.full(rows, 2.0))
    ratings = Cumulative(drawn.integers(0, 4, rows), drawn.integers(1, 3, rows).astype(float), 4)
    return [(binomial, []), (ratings, [-1.0, 0.3, 1.2])]


def with_intercept(table: pd.DataFrame) -> np.ndarray:
    return np.column_stack([np.ones(len(table)), table.x])


NAMES = ["(Intercept)", "x"]


@pytest.mark.parametrize("sizes", [[30], [30, 8], [30, 8, 5]], ids=len)
@pytest.mark.parametrize("place", [0, 1], ids=["binomial", "cumulative"])
def test_gradient_and_hessian_are_exact(sizes: list[int], place: int) -> None:
    table = simulated("derivatives", sizes, [1.0] * len(sizes), 400)
    family, extra = families(400)[place]
    crossed = Crossed([table[f"f{k}"].to_numpy() for k in range(len(sizes))], sizes)
    problem = Laplace(family, table[["x"]].to_numpy(), crossed)
    at = np.array([*extra, 0.4, *[0.7, 0.4, 0.9][: len(sizes)]])
    mode = problem.mode(at, np.zeros(crossed.levels), EXACT)
    assert mode is not None
    found, step = problem.derivatives(mode), 1e-5

    def near(by: np.ndarray) -> tuple[float, np.ndarray]:
        there = problem.mode(at + by, mode.effects, EXACT)
        assert there is not None
        return there.deviance, problem.derivatives(there).gradient

    for k, direction in enumerate(step * np.eye(len(at))):
        (above, rising), (below, falling) = near(direction), near(-direction)
        assert found.gradient[k] == pytest.approx((above - below) / (2 * step), abs=1e-5)
        assert found.hessian[k] == pytest.approx((rising - falling) / (2 * step), abs=1e-5)


def test_without_spread_the_deviance_is_that_of_fixed_effects() -> None:
    table = simulated("none", [20], [1.0], 200)
    for family, extra in families(200):
        problem = Laplace(family, table[["x"]].to_numpy(), Crossed([table.f0.to_numpy()], [20]))
        plain = FixedOnly(family, table[["x"]].to_numpy())
        one = problem.mode(np.array([*extra, 0.4, 0.0]), np.zeros(20), EXACT)
        other = plain.mode(np.array([*extra, 0.4]), np.empty(0))
        assert one is not None
        assert other is not None
        assert one.deviance == pytest.approx(other.deviance, rel=1e-12)
        slopes = problem.derivatives(one).gradient
        assert slopes[:-1] == pytest.approx(plain.derivatives(other).gradient, rel=1e-9)
        assert slopes[-1] == 0


def test_laplace_lies_close_to_the_integral() -> None:
    """One level, twelve trials: the integral over its intercept by quadrature."""
    y = np.array([1.0] * 8 + [0.0] * 4)
    crossed = Crossed([np.array([0] * 12)], [1])
    mode = Laplace(Binomial(y, np.ones(12)), np.ones((12, 1)), crossed).mode(np.array([0.2, 0.5]), np.zeros(1), EXACT)
    assert mode is not None
    whole, _ = quad(lambda u: expit(0.2 + 0.5 * u) ** 8 * expit(-0.2 - 0.5 * u) ** 4 * stats.norm.pdf(u), -8, 8)
    assert mode.deviance == pytest.approx(-2 * np.log(whole), abs=0.02)


def test_linear_model_is_the_multivariate_normal() -> None:
    table = simulated("normal", [9, 5], [1.0, 0.5], 60).assign(y=lambda t: t.eta + t.noise)
    fit = linear_mixed(table.y, with_intercept(table), NAMES, random(table, "f0", "f1"), reml=False)
    assert fit.residual_sd is not None
    covariance = fit.residual_sd**2 * np.eye(60)
    for name, sd in zip(fit.factors, fit.sd, strict=True):
        covariance += sd**2 * (table[name].to_numpy()[:, None] == table[name].to_numpy())
    mean = with_intercept(table) @ fit.params
    assert fit.loglik == pytest.approx(stats.multivariate_normal(mean, covariance).logpdf(table.y), rel=1e-10)


def test_balanced_one_way_layout_has_its_textbook_values() -> None:
    """REML equals the analysis of variance; the mean has levels - 1 degrees of freedom."""
    groups, each = 8, 6
    drawn = np.random.default_rng(derived(0, "tests/mixed/oneway"))
    values = drawn.normal(size=(groups, 1)) * 2 + drawn.normal(size=(groups, each))
    labels = np.repeat(np.arange(groups), each)
    fit = linear_mixed(values.ravel(), np.ones((groups * each, 1)), ["mean"], {"group": labels})
    within = values.var(axis=1, ddof=1).mean()
    between = each * values.mean(axis=1).var(ddof=1)
    assert fit.residual_sd == pytest.approx(np.sqrt(within), rel=1e-7)
    assert fit.sd[0] == pytest.approx(np.sqrt((between - within) / each), rel=1e-7)
    row = fit.table().iloc[0]
    assert (row["df"], row["std_error"]) == pytest.approx((groups - 1, np.sqrt(between / groups / each)), rel=1e-5)


def test_counting_alike_rows_together_changes_nothing() -> None:
    table = simulated("alike", [12, 6], [1.0, 0.5], 900)
    shuffled = table.sample(frac=1, random_state=1)
    one, two = (logit_mixed(t.correct, with_intercept(t), NAMES, random(t, "f0", "f1")) for t in (table, shuffled))
    assert one.profiled is not None
    assert len(one.profiled.problem.columns[0]) < 150
    assert one.params == pytest.approx(two.params, abs=1e-6)
    assert one.loglik == pytest.approx(two.loglik, abs=1e-7)
    own = table.assign(x=table.x + np.arange(900) * 1e-9)
    alone = logit_mixed(own.correct, with_intercept(own), NAMES, random(own, "f0", "f1"))
    assert alone.params == pytest.approx(one.params, abs=1e-4)
    mine, other = (fit.modes().sort_values(["factor", "level"])["mode"].to_numpy() for fit in (one, two))
    assert mine == pytest.approx(other, abs=1e-5)


def test_units_of_a_column_do_not_matter() -> None:
    table = simulated("units", [20], [1.0], 500)
    one = logit_mixed(table.correct, with_intercept(table), NAMES, random(table, "f0"))
    two = logit_mixed(table.correct, with_intercept(table) * [1, 1e5], NAMES, random(table, "f0"))
    assert two.params * [1, 1e5] == pytest.approx(one.params, abs=1e-7)
    assert np.diag(two.covariance) * [1, 1e10] == pytest.approx(np.diag(one.covariance), rel=1e-6)


def test_a_variance_of_zero_is_told() -> None:
    table = simulated("boundary", [20, 10], [1.0, 0.0], 400)
    # Every level of f1 gets the same share of right answers: less spread than chance.
    table = table.sort_values("correct").assign(f1=np.arange(400) % 10)
    logit = logit_mixed(table.correct, with_intercept(table), NAMES, random(table, "f0", "f1"))
    ordered = ordinal_mixed(table.correct, table[["x"]], ["x"], random(table, "f0", "f1"), categories=(0, 1))
    linear = linear_mixed(table.correct, with_intercept(table), NAMES, random(table, "f0", "f1"))
    for fit in (logit, ordered, linear):
        assert fit.boundary == ("f1",)
        assert "variance of f1 is estimated as 0" in fit.note
        row = fit.random().set_index("factor").loc["f1"]
        assert (row["sd"], row["note"]) == (0, "variance estimated as 0: no interval")
        assert np.isnan([row["low"], row["high"]]).all()
        assert np.isfinite(fit.table()["std_error"]).all()
    limits = profile_sd(logit, "f1")
    assert (limits.low, limits.note) == (0, "estimated as 0")
    assert 0.05 < limits.high < 2
    # Two ordered categories are right and wrong with the sign of the threshold turned.
    assert ordered.params == pytest.approx(logit.params * [-1, 1], abs=1e-6)
    smaller = logit_mixed(table.correct, with_intercept(table), NAMES, random(table, "f0"))
    assert likelihood_ratio(smaller, logit).p == 1


def test_profile_ends_where_the_likelihood_has_fallen_enough() -> None:
    table = simulated("profile", [40, 10], [1.0, 0.5], 1000)
    fit = logit_mixed(table.correct, with_intercept(table), NAMES, random(table, "f0", "f1"))
    wide, narrow = profile_sd(fit, "f0"), profile_sd(fit, "f0", level=0.5)
    assert wide.low < narrow.low < fit.sd[0] < narrow.high < wide.high
    delta = fit.random().set_index("factor").loc["f0"]
    assert (wide.low, wide.high) == pytest.approx((delta["low"], delta["high"]), rel=0.1)
    with pytest.raises(AnalysisError, match="no profile interval for 'f7'"):
        profile_sd(fit, "f7")


def test_a_second_start_finds_the_same() -> None:
    table = simulated("starts", [30, 10], [1.5, 0.5], 600)
    one, two = (
        logit_mixed(table.correct, with_intercept(table), NAMES, random(table, "f0", "f1"), thorough=thorough)
        for thorough in (False, True)
    )
    assert one.loglik == pytest.approx(two.loglik, abs=1e-6)
    assert two.note == ""


def test_the_search_leaves_a_saddle() -> None:
    """A standard deviation of 0 has no gradient, whether or not the factor matters."""
    table = simulated("starts", [30, 10], [1.5, 0.5], 600)
    fit = logit_mixed(table.correct, with_intercept(table), NAMES, random(table, "f0", "f1"))
    assert fit.profiled is not None
    begin = np.array([0.3, 0.5, 0.0, 0.0])
    found = minimise(fit.profiled.problem, begin, np.zeros(40), np.ones(4, bool))
    assert found is not None
    assert found.converged
    assert found.deviance == pytest.approx(fit.profiled.deviance, abs=1e-6)


def test_one_random_factor_more_has_half_the_p() -> None:
    table = simulated("mixture", [30, 10], [1.0, 0.3], 600)
    small, large = (
        logit_mixed(table.correct, with_intercept(table), NAMES, random(table, *factors))
        for factors in (["f0"], ["f0", "f1"])
    )
    found = likelihood_ratio(small, large)
    assert found.p == pytest.approx(stats.chi2.sf(found.chisq, 1) / 2)
    assert "mixture" in found.note
    none = logit_mixed(table.correct, with_intercept(table), NAMES, {})
    assert "too large" in likelihood_ratio(none, large).note


def test_what_cannot_be_compared() -> None:
    table = simulated("nested", [20], [1.0], 300)
    full = logit_mixed(table.correct, with_intercept(table), NAMES, random(table, "f0"))
    part = logit_mixed(table.correct[:200], with_intercept(table)[:200, :1], NAMES[:1], random(table[:200], "f0"))
    with pytest.raises(AnalysisError, match="different rows: 200 and 300"):
        likelihood_ratio(part, full)
    with pytest.raises(AnalysisError, match="nothing to test"):
        likelihood_ratio(full, full)
    smaller = logit_mixed(table.correct, with_intercept(table)[:, :1], NAMES[:1], random(table, "f0"))
    with pytest.raises(AnalysisError, match="not nested"):
        likelihood_ratio(full, smaller)
    big, little = (
        linear_mixed(table.noise, with_intercept(table)[:, :k], NAMES[:k], random(table, "f0")) for k in (2, 1)
    )
    with pytest.raises(AnalysisError, match="reml=False"):
        likelihood_ratio(little, big)
    with pytest.raises(AnalysisError, match="cannot be compared"):
        likelihood_ratio(little, full)
    with pytest.raises(AnalysisError, match="F tests are for linear"):
        f_test(full, np.eye(2))
    with pytest.raises(AnalysisError, match="do not fit this logit model"):
        rating_means(full, np.eye(2), (1, 2, 3))


def test_missing_rows_are_counted_and_their_levels_forgotten() -> None:
    table = simulated("missing", [20, 8], [1.0, 0.5], 400)
    holes = table.assign(f1=table.f1.astype(object), f0=pd.Categorical(table.f0, categories=range(25)))
    holes.loc[holes.f0 == 3, "correct"] = np.nan
    holes.loc[5, "f1"] = None
    holes.loc[6, "x"] = np.nan
    kept = holes.dropna()
    found = logit_mixed(holes.correct, with_intercept(holes), NAMES, random(holes, "f0", "f1"))
    clean = logit_mixed(kept.correct, with_intercept(kept), NAMES, random(table.loc[kept.index], "f0", "f1"))
    assert (found.n, found.left_out) == (len(kept), 400 - len(kept))
    # Levels of a categorical without a row do not count: neither 20-24 nor the one left out.
    assert found.levels == {"f0": 19, "f1": 8} == clean.levels
    assert found.params == pytest.approx(clean.params, abs=1e-9)
    assert set(found.modes().query("factor == 'f0'")["level"]) == set(range(20)) - {3}


def test_refusals_name_what_is_too_small() -> None:
    table = simulated("refused", [20], [1.0], 100)
    matrix = with_intercept(table)
    for model in (logit_mixed, linear_mixed):
        with pytest.raises(AnalysisError, match="random factor 'participant' has a single level"):
            model(table.correct, matrix, NAMES, {"item": table.f0, "participant": ["me"] * 100})
        with pytest.raises(AnalysisError, match="random factor 'trial' has one row a level"):
            model(table.correct, matrix, NAMES, {"trial": np.arange(100)})
        with pytest.raises(AnalysisError, match="'twice' is a combination"):
            model(table.correct, np.column_stack([matrix, 2 * table.x]), [*NAMES, "twice"], random(table, "f0"))
        with pytest.raises(AnalysisError, match="does not vary: every row is 1"):
            model(np.ones(100), matrix, NAMES, random(table, "f0"))
        with pytest.raises(AnalysisError, match="no row is left"):
            model(np.full(100, np.nan), matrix, NAMES, random(table, "f0"))
        with pytest.raises(AnalysisError, match="expected 100 rows and 1 named"):
            model(table.correct, matrix, ["(Intercept)"], random(table, "f0"))
        with pytest.raises(AnalysisError, match="'f0' has 99 rows"):
            model(table.correct, matrix, NAMES, random(table[:99], "f0"))
    with pytest.raises(AnalysisError, match="needs a random factor"):
        linear_mixed(table.eta, matrix, NAMES, {})
    with pytest.raises(AnalysisError, match="'f0' leaves no residual variance"):
        linear_mixed(table.eta, matrix, NAMES, random(table, "f0"))
    with pytest.raises(AnalysisError, match="between 0 and 1"):
        logit_mixed(table.eta, matrix, NAMES, random(table, "f0"))


def test_separated_outcomes_are_told_before_fitting() -> None:
    table = simulated("separated", [20], [1.0], 200)
    table.loc[table.x == 1, "correct"] = 1.0
    with pytest.raises(AnalysisError, match="no finite estimate of x: the outcomes are separated"):
        logit_mixed(table.correct, with_intercept(table), NAMES, random(table, "f0"))
    with pytest.raises(AnalysisError, match="no finite estimate of .*x"):
        ordinal_mixed(table.correct + table.x, table[["x"]], ["x"], random(table, "f0"), categories=(0, 1, 2))


def test_ratings_outside_the_categories() -> None:
    table = simulated("ratings", [20], [1.0], 200).assign(
        rating=lambda t: np.clip(np.round(t.eta + t.noise), -1, 1) + 2
    )
    with pytest.raises(AnalysisError, match="rating 3 is none of the categories"):
        ordinal_mixed(table.rating, table[["x"]], ["x"], random(table, "f0"), categories=(1, 2))
    with pytest.raises(AnalysisError, match="nobody chose category 4"):
        ordinal_mixed(table.rating, table[["x"]], ["x"], random(table, "f0"), categories=(1, 2, 3, 4))
    with pytest.raises(AnalysisError, match="from low to high"):
        ordinal_mixed(table.rating, table[["x"]], ["x"], random(table, "f0"), categories=(3, 2, 1))


def test_shares_of_an_answer_count_as_such() -> None:
    table = simulated("ties", [20], [1.0], 200)
    table.loc[:9, "correct"] = 0.5
    fit = logit_mixed(table.correct, with_intercept(table), NAMES, random(table, "f0"))
    assert fit.note == "shares of an answer count as such"
    assert fit.converged


def test_p_never_vanishes() -> None:
    table = simulated("sure", [20], [0.5], 4000).assign(y=lambda t: 40 * t.x + t.noise)
    row = linear_mixed(table.y, with_intercept(table), NAMES, random(table, "f0")).table().iloc[1]
    assert row["log_p"] < -2000
    assert np.isfinite(row["log_p"])
    assert row["p"] > 0
    # The series takes over without a seam; where t has many degrees of freedom it is a normal.
    assert log_t(-3.0, 7.5) == pytest.approx(np.log(2 * stats.t.sf(3, 7.5)), rel=1e-12)
    assert log_f(4.0, 3, 20.5) == pytest.approx(stats.f.logsf(4, 3, 20.5), rel=1e-12)
    near, far = log_t([29.9, 30.1], 3000)
    assert far - near == pytest.approx(log_two_sided(30.1) - log_two_sided(29.9), rel=0.3)
    assert log_t(60.0, 1e9) == pytest.approx(log_two_sided(60.0), rel=1e-5)
