"""The ledger as a whole: on the printed numbers, and what is a row."""

import pandas as pd
import pytest

from deixis.analysis.claims.ledger import CLAIMS, COLUMNS, ledger
from deixis.errors import AnalysisError
from tests.analysis.claims.tables import indexicals

PRINTED = {
    "I1": "holds", "I2": "holds", "I3": "holds", "I4": "fails", "I5": "holds", "I6": "holds", "I7": "holds",
    "I8": "fails", "I9": "holds", "I10": "fails", "I11": "holds", "I12": "fails", "I13": "fails", "I14": "holds",
    "I15": "untested", "I16": "untested", "I17": "holds", "I18": "fails", "I19": "holds",
    "P1": "holds", "P2": "untested", "P3": "holds", "P4": "fails", "P5": "untested", "P6": "untested",
    "P7": "untested", "P8": "untested", "P9": "untested", "P10": "untested", "P11": "untested", "P12": "fails",
    "P13": "holds", "P14": "holds", "P15": "fails", "P16": "untested", "P17": "untested", "P18": "untested",
    "P19": "holds", "P20": "fails",
}  # fmt: skip
"""Written by hand from Figure 2, Tables 1-9 and the text."""


@pytest.fixture(scope="module")
def printed() -> pd.DataFrame:
    return ledger()


def test_verdicts_on_the_printed_numbers(printed: pd.DataFrame) -> None:
    assert dict(zip(printed["id"], printed["verdict"], strict=True)) == PRINTED
    assert list(printed["id"]) == [f"I{n}" for n in range(1, 20)] + [f"P{n}" for n in range(1, 21)]
    assert list(printed.columns) == list(COLUMNS)
    assert set(printed["protocol"]) == {"printed"}
    assert set(printed["participant"]) == {""}


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ("I1", "mean of 4 models 0.994"),
        ("I2", "GPT-4o: quoted I 0.960 (above 0.94?)"),
        ("I4", "DeepSeek V3 0.760; both primes (0.78?): DeepSeek V3 0.465"),
        ("I6", "Claude 3.5 Sonnet 0.755 against 0.560, DeepSeek V3 0.785 against 0.565"),
        ("I8", "non-shifted prime (below 0.02?): Claude 3.5 Sonnet 1.000"),
        ("I9", "both primes 0.985, non-shifted prime alone 0.970"),
        ("I10", "third comes Claude 3.5 Sonnet, not Gemini 1.5 Pro"),
        ("I12", "fails for Gemini 1.5 Pro"),
        ("I13", "GPT-4o: tomorrow, non-shifted option chosen 0.970, in quoted trials alone 0.940"),
        ("I14", "GPT-4o 0.940 against 0.040"),
        ("I18", "you less here 0.673 against 0.681"),
        ("I19", "GPT-4o 0.980 against 0.630"),
        ("P1", "vocabulary less possessive 0.998 against 0.934; possessive less demonstrative 0.934 against 0.830"),
        ("P3", "0.128 against 0.077"),
        ("P4", "19 of 21 models and wordings in this order; Ovis2-8B, condensed: vocabulary less possessive 0.514"),
        ("P12", "demonstrative: p = 0.4908 does not follow"),
        ("P13", "21 of 21 p follow"),
        ("P14", "gazer (above 0.9?): GPT-4o 0.906"),
        ("P15", "fails for GPT-4o"),
        ("P20", "fails for Llama-4-Scout, InternVL2.5-4B-MPO, Ovis2-4B and Ovis2-8B"),
    ],
)  # fmt: skip
def test_evidence_has_the_numbers(printed: pd.DataFrame, claim: str, told: str) -> None:
    assert told in printed.set_index("id").evidence[claim]


def test_every_claim_says_what_where_and_in_which_paper() -> None:
    for claim in CLAIMS:
        assert claim.statement.endswith(".")
        assert claim.where
        assert claim.paper == ("indexicals" if claim.id.startswith("I") else "perspectival words")


def test_protocols_are_rows_of_their_own_and_references_none() -> None:
    good, bad = indexicals("you", (99, 58, 13, 100)), indexicals("you", (50, 99, 99, 50))
    reference = indexicals("you", (1, 99, 99, 1), participant="strategy:prime-follower")
    found = ledger(pd.concat([good, bad.assign(protocol="published"), reference]))
    fifth = found[(found["id"] == "I5") & (found["protocol"] != "printed")]
    assert list(zip(fifth["protocol"], fifth["participant"], fifth["verdict"], strict=True)) == [
        ("corrected", "", "holds"),
        ("corrected", "a/model", "holds"),
        ("published", "", "fails"),
        ("published", "a/model", "fails"),
    ]


def test_references_alone_are_nobody() -> None:
    found = ledger(indexicals("you", (99, 58, 13, 100), participant="strategy:oracle"))
    assert set(found["protocol"]) == {"printed"}


def test_labels_may_be_categories() -> None:
    table = indexicals("you", (99, 58, 13, 100))
    labelled = table.astype(dict.fromkeys(("participant", "experiment", "condition", "protocol", "error"), "category"))
    pd.testing.assert_frame_equal(ledger(table), ledger(labelled))


def test_what_is_lacking_is_named() -> None:
    found = ledger(indexicals("you", (99, 58, 13, 100))).set_index(["protocol", "id"]).loc["corrected"]
    assert found.evidence["I17"] == "needs indexicals, I in main"
    assert found.evidence["I7"] == "needs Gemini 1.5 Pro"
    assert found.evidence["P1"] == "needs people's answers to vocabulary, possessive and demonstrative"
    assert found.evidence["P7"] == "needs possessive and demonstrative in main and spatial-linguistic"


def test_a_table_without_its_columns_is_refused() -> None:
    with pytest.raises(AnalysisError, match="no column 'shifted'"):
        ledger(indexicals("I", (1, 1, 1, 1)).drop(columns="shifted"))


GOOD = {"female": 200, "male": 200, "out of turn": 0, "pairs": 800, "pairs that differ otherwise": 0, "damaged": 0}


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "holds"),
        ({"female": 203, "male": 197}, "fails"),
        ({"out of turn": 12}, "fails"),
        ({"pairs that differ otherwise": 51}, "fails"),
        ({"damaged": 33}, "fails"),
    ],
)
def test_the_items_decide_what_is_said_of_them(changed: dict[str, int], verdict: str) -> None:
    found = ledger(items=GOOD | changed)
    assert list(found.loc[found["protocol"] == "items", "verdict"]) == [verdict]


def test_facts_that_are_lacking_are_named() -> None:
    found = ledger(items={"female": 1, "male": 1})
    assert found.set_index("protocol").evidence["items"] == (
        "needs of the items: out of turn, pairs, pairs that differ otherwise, damaged"
    )
