"""Signal detection and prime susceptibility against R and by hand."""

import math

import numpy as np
import pandas as pd
import pytest

from deixis.analysis.intervals import Observed, difference
from deixis.analysis.shares.detection import detection_by_prime, prime_susceptibility, sensitivities, sensitivity
from deixis.errors import AnalysisError
from tests.analysis.agreeing import compare
from tests.analysis.reference import data

CELL = {"model": ("model_a", "model_b"), "indexical": ("I", "you", "here", "tomorrow")}
PRIMES = ("nonshifted", "shifted")
QUOTATIONS = ("nonquoted", "quoted")
COLUMNS = {name: name for name in ("hits", "n_signal", "false_alarms", "n_noise", "hit_rate", "fa_rate")}
COLUMNS |= {"dprime_raw": "dprime_raw", "criterion_raw": "criterion_raw"}
COLUMNS |= {"se_dprime_raw": "dprime_raw_se", "se_criterion_raw": "criterion_raw_se"}
COLUMNS |= {"dprime_loglinear": "dprime", "criterion_loglinear": "criterion"}
COLUMNS |= {"se_dprime_loglinear": "dprime_se", "se_criterion_loglinear": "criterion_se"}


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rows = data(6)
    return rows.assign(shifted=(rows["response"] == "shifted").astype(float))


@pytest.mark.parametrize(("name", "levels"), [("sdt_by_indexical", CELL), ("sdt_by_prime", CELL | {"prime": PRIMES})])
def test_sensitivities_are_rs(table: pd.DataFrame, name: str, levels: dict[str, tuple[str, ...]]) -> None:
    found = sensitivities(table, levels, quotation="quotation", levels=QUOTATIONS)
    compare(found, 6, name, COLUMNS, tuple(levels))
    assert found["dprime"].notna().all()
    assert (found["note"].ne("") == found["dprime_raw"].isna()).all()


@pytest.mark.parametrize("cell", ["model_a_tomorrow", "model_a_you", "model_b_here", "model_b_I", "model_b_tomorrow"])
def test_the_probit_model_is_rs(table: pd.DataFrame, cell: str) -> None:
    rows = table[table["model"] + "_" + table["indexical"] == cell]
    found = detection_by_prime(rows, quotation="quotation", quotations=QUOTATIONS, prime="prime", primes=PRIMES)
    compare(found, 6, f"probit_sdt_{cell}", {name: name for name in ("estimate", "std_error", "z", "p")})


def test_a_cell_at_the_edge_is_corrected_and_said_so(table: pd.DataFrame) -> None:
    rows = table.query("model == 'model_a' and indexical == 'here'")
    found = detection_by_prime(rows, quotation="quotation", quotations=QUOTATIONS, prime="prime", primes=PRIMES)
    assert np.isfinite(found["estimate"]).all()
    assert found["note"].str.contains("log-linear").all()
    narrow = detection_by_prime(
        rows, quotation="quotation", quotations=QUOTATIONS, prime="prime", primes=PRIMES, level=0.5
    )
    assert (narrow["low"] > found["low"]).all()


def test_intervals_are_normal_around_the_corrected_values() -> None:
    found = sensitivity(9, 10, 2, 10, level=0.9)
    assert found.dprime_high - found.dprime == pytest.approx(1.6448536 * found.dprime_se, abs=1e-6)
    assert found.criterion - found.criterion_low == pytest.approx(1.6448536 * found.criterion_se, abs=1e-6)


def test_who_always_shifts_hears_nothing_and_leans() -> None:
    always, never = sensitivity(50, 50, 50, 50), sensitivity(0, 50, 0, 50)
    assert (always.dprime, always.criterion) == (0.0, pytest.approx(-never.criterion))
    assert always.criterion < -2
    assert math.isnan(always.dprime_raw)
    assert always.note == "every answer is shifted: d′ says nothing, the criterion carries everything"
    assert "is not shifted" in never.note


def test_without_a_kind_of_sentence_there_is_no_sensitivity() -> None:
    with pytest.raises(AnalysisError, match="quotation is too small: 0 quoted and 3 other"):
        sensitivity(0, 0, 1, 3)
    one = pd.DataFrame({"sentence_type": ["quoted"], "context_prime": ["shifted"], "shifted": [1.0]})
    with pytest.raises(AnalysisError, match="sentence_type by context_prime is too small"):
        detection_by_prime(one)


def test_unread_answers_are_left_out_and_counted() -> None:
    rows = pd.DataFrame({
        "sentence_type": ["quoted", "quoted", "non-quoted", "non-quoted", "quoted"],
        "context_prime": ["shifted", "non-shifted", "shifted", "non-shifted", "shifted"],
        "shifted": [1.0, 1.0, 0.0, 0.0, np.nan],
        "item": list("aabbc"),
    })  # fmt: skip
    found = sensitivities(rows, {}).iloc[0]
    assert (found["hits"], found["n_signal"], found["n_noise"], found["left_out"]) == (2, 2, 2, 1)
    assert set(detection_by_prime(rows)["left_out"]) == {1}
    assert prime_susceptibility(rows, {}).iloc[0]["left_out"] == 1


def test_prime_susceptibility_keeps_sentences_together(table: pd.DataFrame) -> None:
    found = prime_susceptibility(table, CELL, prime="prime", primes=PRIMES).set_index(list(CELL))
    for cell, rows in table.groupby(list(CELL)):
        sides = [rows[rows["prime"] == prime] for prime in reversed(PRIMES)]
        names = list(rows["item"].unique())
        want = difference(
            *(Observed(side["item"].map(names.index).to_numpy(int), side["shifted"].to_numpy(float)) for side in sides)
        )
        row = found.loc[cell]
        assert (row["estimate"], row["std_error"]) == pytest.approx((want.value, want.se), abs=1e-12)
        if want.low is not None:
            assert (row["low"], row["high"]) == pytest.approx((want.low, want.high), abs=1e-12)
    wide = prime_susceptibility(table, CELL, prime="prime", primes=PRIMES, level=0.99).set_index(list(CELL))
    assert (wide["high"] >= found["high"]).all()
    swayed = found.loc[("model_a", "here")]
    assert swayed["estimate"] == pytest.approx(((100 + 100) - (62 + 0)) / 200)


def test_who_follows_the_prime_alone_has_no_interval() -> None:
    rows = pd.DataFrame({"context_prime": ["shifted", "non-shifted"] * 4, "item": list("aabbccdd")})
    found = prime_susceptibility(rows.assign(shifted=[1.0, 0.0] * 4), {}).iloc[0]
    assert (found["estimate"], found["std_error"]) == (1.0, 0.0)
    assert math.isnan(found["low"])
    assert found["note"] == "no variation between levels of item: no interval"
