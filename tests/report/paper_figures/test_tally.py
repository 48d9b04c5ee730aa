"""What is counted, and that nothing is pooled that was asked differently."""

import numpy as np
import pandas as pd
import pytest

from deixis.report.paper_figures.tally import shown, tally
from tests.report.paper_figures.made import cell, small, table


def row(frame: pd.DataFrame, **levels: str) -> pd.Series:
    """The one row with these levels."""
    found = frame[np.logical_and.reduce([frame[name] == level for name, level in levels.items()])]
    assert len(found) == 1
    return found.iloc[0]


def test_a_model_has_its_share_with_wilsons_interval() -> None:
    # Wilson's interval of 90 of 100 by its formula, z = 1.959964
    found = row(shown(tally(small()).cells), name="gpt-4o", experiment="vocabulary", condition="main")
    assert (found["n"], found["accuracy"], found["chance"]) == (100, 0.9, 0.25)
    assert (found["low"], found["high"]) == pytest.approx((0.8256343, 0.9447708), abs=1e-7)
    assert (found["text"], found["picture"], found["both"]) == (0.5, 0.5, 1.0)


def test_people_have_the_mean_of_their_means_and_one_standard_error() -> None:
    # means 16/16, 12/16, 14/16: mean .875, sd .125, standard error .125/√3
    found = row(shown(tally(small()).cells), name="people (pilot)", experiment="possessive", condition="people")
    assert (found["people"], found["n"], found["accuracy"]) == (3, 48, 0.875)
    assert found["high"] - found["accuracy"] == pytest.approx(0.125 / 3**0.5)
    assert found["accuracy"] - found["low"] == pytest.approx(0.125 / 3**0.5)


def test_a_person_with_more_trials_counts_no_more() -> None:
    whole = table(cell("people:a/1", "possessive", "people", 30, 30), cell("people:a/2", "possessive", "people", 0, 10))
    assert shown(tally(whole).cells)["accuracy"].tolist() == [0.5]


def test_one_person_alone_has_no_standard_error() -> None:
    found = shown(tally(table(cell("people:a/1", "possessive", "people", 3, 4))).cells).iloc[0]
    assert found["accuracy"] == 0.75
    assert np.isnan(found["low"])


def test_what_was_not_asked_is_in_no_denominator() -> None:
    whole = small()
    missing = whole.assign(correct=whole["correct"].where(whole["trial_id"] != "vocabulary/0"))
    found = row(shown(tally(missing).cells), name="gpt-4o", experiment="vocabulary", condition="main")
    assert found["n"] == 99
    assert found["accuracy"] == pytest.approx(89 / 99)


def test_protocols_are_never_pooled_and_stand_side_by_side() -> None:
    whole = table(
        cell("m/one", "possessive", "main", 1, 4, protocol="published"),
        cell("m/two", "possessive", "main", 2, 4, protocol="published"),
        cell("m/one", "possessive", "main", 3, 4, protocol="corrected"),
    )
    found = shown(tally(whole).cells)
    assert dict(zip(found["name"], found["accuracy"], strict=True)) == {
        "one [published]": 0.25,
        "one [corrected]": 0.75,
        "two [published]": 0.5,
    }
    assert list(found["name"])[:2] == ["one [published]", "one [corrected]"]


def test_plain_texts_give_the_same_as_categories() -> None:
    whole = small()
    plain = whole.astype({name: object for name in whole.columns if isinstance(whole[name].dtype, pd.CategoricalDtype)})
    one, other = tally(whole), tally(plain)
    pd.testing.assert_frame_equal(shown(one.cells), shown(other.cells))
    pd.testing.assert_frame_equal(one.items, other.items)


def test_groups_of_objects_are_named_by_the_demonstratives() -> None:
    assert tally(small()).objects == {"g01": "axe, drum", "g02": "bell, rose"}
