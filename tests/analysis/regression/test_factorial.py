"""Quotation × prime against R: coefficients, Type III tests and simple effects, in every group on its own."""

from typing import Any

import numpy as np
import pytest

from deixis.analysis.regression.factorial import Factorial, factorial
from deixis.errors import AnalysisError
from tests.analysis.reference import check, data, near
from tests.analysis.regression.test_logistic import CELLS, ORDINARY, SEPARATED, by_term, hold


@pytest.fixture(scope="module")
def plain() -> Factorial:
    return factorial(data(6), CELLS, by=["model", "indexical"])


@pytest.fixture(scope="module")
def clustered() -> Factorial:
    return factorial(data(6), CELLS, by=["model", "indexical"], clusters=["item"])


def of(table: Any, model: str, word: str) -> Any:
    return table[(table["model"] == model) & (table["indexical"] == word)]


def test_every_group_has_its_own_fit(plain: Factorial) -> None:
    groups = plain.groups.set_index(["model", "indexical"])
    assert len(groups) == 8
    assert (groups["n"] == 400).all()
    assert set(groups.index[groups["method"] == "bias-reduced"]) == set(SEPARATED)
    assert groups.loc[list(SEPARATED), "note"].str.startswith("separated: no finite estimate of").all()
    assert (groups.loc[list(ORDINARY), "note"] == "").all()


def test_coefficients_and_tests_are_rs(plain: Factorial) -> None:
    for model, word in ORDINARY:
        columns = {"estimate": "estimate", "std_error": "std_error", "z": "z", "p": "p"}
        hold(by_term(of(plain.coefficients, model, word)), 6, f"glm2x2_{model}_{word}", columns)
        tests = by_term(of(plain.tests, model, word))
        hold(tests, 6, f"type3_{model}_{word}", {"chisq": "chi_squared", "df": "df", "p": "p"})
    for model, word in SEPARATED:
        columns = {"estimate": "estimate", "profile_low": "low", "profile_high": "high", "p_penalized_lr": "p"}
        hold(by_term(of(plain.coefficients, model, word)), 6, f"firth2x2_{model}_{word}", columns)
        assert (of(plain.tests, model, word)["test"] == "penalised likelihood ratio").all()


def test_simple_effects_are_rs(plain: Factorial) -> None:
    for model, word in ORDINARY:
        expected, tolerance = check(6, f"simple_{model}_{word}")
        found = of(plain.simple, model, word).set_index(["effect", "level"])
        assert len(found) == len(expected) == 4
        assert (found["interval"] == "Wald").all()
        for row in expected:
            ours = found.loc[(row["effect"], row["level"])]
            assert ours["odds_ratio"] == near(row["odds_ratio"], tolerance)
            assert ours["odds_ratio_se"] == near(row["se"], tolerance)
            assert ours["odds_ratio_low"] == near(row["low"], tolerance)
            assert ours["odds_ratio_high"] == near(row["high"], tolerance)
            assert ours["z"] == near(row["z"], tolerance)
            assert ours["p"] == near(row["p"], tolerance)


def test_simple_effects_of_a_separated_group_are_profiles(plain: Factorial) -> None:
    """The prime within non-quoted sentences is the coefficient of the prime in treatment coding."""
    for model, word in SEPARATED:
        found = of(plain.simple, model, word).set_index(["effect", "level"]).loc[("prime", "nonquoted")]
        coefficient = by_term(of(plain.coefficients, model, word))["primeshifted"]
        assert found["interval"] == "profile"
        assert found["contrast"] == "nonshifted - shifted"
        assert [found["low"], found["high"]] == pytest.approx([-coefficient["high"], -coefficient["low"]], abs=1e-7)
        assert found["p"] == pytest.approx(coefficient["p"])


def test_sentences_are_clusters_where_nothing_is_separated(clustered: Factorial, plain: Factorial) -> None:
    assert (clustered.groups["clusters"] == 100).all()
    for model, word in ORDINARY:
        hold(by_term(of(clustered.coefficients, model, word)), 6, f"cluster_{model}_{word}", {"se_hc1": "std_error"})
        assert of(clustered.tests, model, word)["test"].tolist() == ["likelihood ratio"] * 3 + ["robust Wald"] * 3
    for model, word in SEPARATED:
        assert of(clustered.coefficients, model, word).equals(of(plain.coefficients, model, word).set_index(
            of(clustered.coefficients, model, word).index
        ))  # fmt: skip
        (note,) = of(clustered.groups, model, word)["note"]
        assert note.endswith("a separated fit takes trials as independent, not by cluster")


def test_another_kind_of_errors_is_taken(clustered: Factorial) -> None:
    table = data(6).query("model == 'model_b' and indexical == 'tomorrow'")
    other = factorial(table, CELLS, clusters=["item"], kind="hc0").coefficients["std_error"].to_numpy()
    same = of(clustered.coefficients, "model_b", "tomorrow")["std_error"].to_numpy()
    assert other / same == pytest.approx(np.full(4, np.sqrt((400 - 4) / 399)))


def test_cells_are_the_shares(plain: Factorial) -> None:
    found = of(plain.cells, "model_b", "tomorrow").set_index(["quotation", "prime"])["prob"]
    for row in check(6, "accuracy_by_cell")[0]:
        if (row["model"], row["indexical"]) == ("model_b", "tomorrow"):
            assert found[row["quotation"], row["prime"]] == pytest.approx(row["proportion"])


def test_a_group_that_cannot_be_fitted_is_told() -> None:
    table = data(6).query("model == 'model_b' and indexical != 'I'")
    gone = (table["indexical"] == "you") & (table["quotation"] == "quoted") & (table["prime"] == "shifted")
    found = factorial(table[~gone], CELLS, by=["model", "indexical"])
    refused = found.groups[found.groups["method"] == "refused"]
    assert set(refused["indexical"]) == {"you"}
    assert set(refused["note"]) == {
        "interaction quotation × prime is too small: no row has quotation 'quoted' and prime 'shifted'"
    }
    assert "you" not in set(found.simple["indexical"])


def test_what_is_missing_is_counted() -> None:
    table = data(6).query("model == 'model_b' and indexical == 'tomorrow'").reset_index(drop=True)
    table.loc[:4, "correct"] = np.nan
    table.loc[10:11, "item"] = None
    found = factorial(table, CELLS, clusters=["item"], level=0.9)
    assert found.groups[["n", "left_out"]].iloc[0].tolist() == [393, 7]
    assert found.groups["note"][0] == "5 rows left out: correct is missing; 2 rows left out: item is missing"
    row = found.coefficients.iloc[0]
    assert row["high"] - row["estimate"] == pytest.approx(1.6448536269514722 * row["std_error"])


def test_no_analysis_without_two_factors_or_a_group() -> None:
    with pytest.raises(AnalysisError, match="crosses two factors, not 1"):
        factorial(data(6), {"prime": ("nonshifted", "shifted")})
    with pytest.raises(AnalysisError, match="no group can be analysed: factor 'prime' is too small"):
        factorial(data(6).query("prime == 'shifted'"), CELLS, by=["model"])
    with pytest.raises(AnalysisError, match="item has 1 level"):
        factorial(data(6).assign(item="one"), CELLS, clusters=["item"])
