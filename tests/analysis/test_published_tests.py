"""Tables 3 and 4 as printed: what follows and what does not."""

import json

import pandas as pd
import pytest

from deixis.analysis.published_tests import counts, people_that_fit, prints_as, table3, table4
from deixis.published.printed import TABLES, printed
from tests.analysis.reference import FOLDER, near

PUBLISHED = json.loads((FOLDER / "published_tables.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def third() -> pd.DataFrame:
    return table3()


def test_table_3_is_rs(third: pd.DataFrame) -> None:
    names = {"se_unpooled": "std_error"}
    for found, want in zip(third.to_dict("records"), PUBLISHED["table3"]["rows"], strict=True):
        assert found["task"] == want["task"].lower()
        for name, value in want.items():
            if name not in ("task", "printed_p"):
                assert found[names.get(name, name)] == near(value, PUBLISHED["tolerance"]), name


def test_two_rows_of_table_3_follow_and_the_third_does_not(third: pd.DataFrame) -> None:
    assert list(third["follows"]) == [True, True, False]
    assert third.loc[0, "note"] == "whether p is below .05 depends on the correction"
    assert third.loc[1, "note"] == ""
    assert third.loc[2, "note"] == (
        "no count out of 3840 prints as 83.00%; the nearest counts give p = 0.4972, not 0.4908; share and p would "
        "follow from 123 people in the first run, which is a guess"
    )


def test_no_count_at_all_explains_the_demonstrative_p() -> None:
    assert counts(0.83, 120 * 32) == []
    assert counts(0.8219, 1600) == [1315]
    assert people_that_fit(0.83, 32, 1315, 1600, "0.4908") == [123]
    assert 120 in people_that_fit(0.9344, 32, 1479, 1600, "0.2037")


def test_table_4_is_rs_and_follows() -> None:
    fourth = table4()
    assert fourth["follows"].all()
    for found, want in zip(fourth.to_dict("records"), PUBLISHED["table4"]["rows"], strict=True):
        assert found["task"] == want["task"].lower()
        assert found["p"] == near(want["p"], {"abs": 1e-12, "rel": 1e-6})  # closer than stated: p is small
        assert (found["statistic"], found["df"], found["printed_p"]) == (want["chisq"], want["df"], want["printed_p"])
    assert fourth["accuracy_limit"].iloc[0] == pytest.approx(0.974, abs=1e-4)
    assert set(fourth.loc[fourth["note"] != "", "task"]) == {"vocabulary"}
    assert fourth["p_adjusted"].between(fourth["p"], 1).all()


@pytest.mark.parametrize(
    ("p", "text", "same"),
    [(0.20374, "0.2037", True), (0.20376, "0.2037", False), (9e-4, "<0.001", True), (0.001, "<0.001", False),
     (0.99999, "1.000", True), (0.0035, "0.003", True), (0.0035, "0.004", True)],
)  # fmt: skip
def test_what_a_p_prints_as(p: float, text: str, same: bool) -> None:
    assert prints_as(p, text) is same


def test_everything_printed_is_there() -> None:
    rows = {name: len(printed(name)) for name in TABLES}
    assert list(rows.values()) == [64, 4, 21, 21, 3, 21, 7, 63, 21]
