"""Figures 4B, 17 and 18, the table of references and difficulty."""

import pandas as pd
import pytest

from deixis.errors import AnalysisError
from deixis.report.paper_figures.difficulty import ENDS, ends, ranked, sketch_difficulty
from deixis.report.paper_figures.figure4 import shares4, sketch4b
from deixis.report.paper_figures.figure17 import distribution, figure17, means, sketch17
from deixis.report.paper_figures.figure18 import shares18, sketch18
from deixis.report.paper_figures.reference_table import sketch_references, tiles
from deixis.report.paper_figures.stacks import WORD, heights, parts
from deixis.report.paper_figures.tally import tally
from tests.report.paper_figures.made import cell, ratings, small, table


def test_the_shares_of_a_bar_sum_to_one() -> None:
    for found in (shares4(tally(small())), shares18(tally(small()))):
        assert found.groupby(["panel", "heading", "row"])["share"].sum().tolist() == pytest.approx(
            [1.0] * len(found[["panel", "heading", "row"]].drop_duplicates())
        )


def test_the_shares_of_people_are_means_of_the_persons() -> None:
    whole = table(
        cell("people:a/1", "possessive", "people", 3, 4, errors=("PPE",)),
        cell("people:a/2", "possessive", "people", 0, 2, errors=("PoPE",)),
    )
    found = shares18(tally(whole)).set_index("error")["share"].to_dict()
    assert found == pytest.approx({"Correct": 0.375, "PPE": 0.125, "PoPE": 0.5})


def test_parts_follow_one_another_in_the_order_of_the_classes() -> None:
    found = parts(shares18(tally(small())))
    own = found[(found["heading"] == "gpt-4o") & (found["panel"] == "possessive")]
    assert own["part"].tolist() == ["Correct", "PPE", WORD]
    assert own["start"].tolist() == pytest.approx([0, 0.6, 0.8])
    assert own["end"].tolist() == pytest.approx([0.6, 0.8, 1])


def test_rows_stand_under_their_heading_without_overlap() -> None:
    place = heights(shares4(tally(small())))
    assert list(place)[:4] == [("gpt-4o", ""), ("gpt-4o", "main"), ("gpt-4o", "in-context"), ("gpt-4o", "instruction")]
    ys = list(place.values())
    assert all(first - second > 0.79 for first, second in zip(ys, ys[1:], strict=False))


def test_alternatives_name_the_most_frequent_errors() -> None:
    four, eighteen = sketch4b(tally(small())), sketch18(tally(small()))
    assert four is not None
    assert eighteen is not None
    # possessive PoPE of three ways and two models: (20 + 39 + 5 + 30 + 59 + 25) of 600
    assert "possessive PoPE (0.30 of answers)" in four.alt
    assert "people (pilot) are right in 0.88 (vocabulary), 0.88 (possessive), 0.62 (demonstrative)." in eighteen.alt


def test_the_mean_rating_is_of_persons_and_in_the_order_of_the_scale() -> None:
    found = means(ratings())
    assert list(dict.fromkeys(found["panel"])) == ["A  mine", "A  yours", "B  this one"]
    assert found[found["word"] == "mine"]["mean"].tolist() == [6.0, 1.5]
    first = found.iloc[0]
    assert (first["role"], first["people"], first["low"], first["high"]) == ("target pair", 2, 5.0, 7.0)
    assert found[found["word"] == "this one"]["role"].tolist() == ["0", "1", "2", "3"]


def test_the_distribution_of_ratings_sums_to_one() -> None:
    found = distribution(ratings())
    assert found.groupby(["word", "role"])["share"].sum().tolist() == pytest.approx([1.0] * 8)
    mine = found[(found["word"] == "mine") & (found["role"] == "target pair")]
    assert mine[["rating", "share"]].to_numpy().tolist() == [[5, 0.5], [7, 0.5]]


def test_ratings_that_there_are_not_are_refused() -> None:
    with pytest.raises(AnalysisError, match="rating 8 is not on the scale"):
        means(ratings().assign(rating=8))
    with pytest.raises(AnalysisError, match="role 'near' does not exist"):
        means(ratings().assign(role="near"))
    with pytest.raises(AnalysisError, match="no column 'person'"):
        means(ratings().drop(columns="person"))
    assert figure17(ratings().head(0)) is None


def test_the_alternative_of_ratings_has_every_mean() -> None:
    found = sketch17(ratings())
    assert found is not None
    assert found.alt.startswith("Mean ratings from 1 to 7. mine, target pair: 6.0, other pair: 1.5; yours")


def test_the_table_of_references_has_a_column_a_condition_and_protocol() -> None:
    found = tiles(tally(small()))
    assert found.groupby("name", sort=False)["accuracy"].apply(list).to_dict() == {
        "oracle": [1.0] * 3,
        "always-I": [0.5] * 3,
    }
    assert not found.duplicated(["x", "y"]).any()
    twice = table(
        *(cell("strategy:oracle", "possessive", "main", 4, 4, protocol=p) for p in ("published", "corrected"))
    )
    assert tiles(tally(twice))["heading"].tolist() == ["possessive [published]", "possessive [corrected]"]
    assert sketch_references(tally(table(cell("m/one", "possessive", "main", 1, 2)))) is None


def test_a_heading_of_one_column_has_room() -> None:
    """Thirteen letters need nearly three columns, which the experiment behind it keeps free."""
    whole = table(
        cell("strategy:oracle", "comprehension", "people", 4, 4), cell("strategy:oracle", "checks", "object", 4, 4)
    )
    first, second = tiles(tally(whole)).sort_values("x")["x"]
    assert first == 0
    assert 2.5 < second < 4


def test_items_are_ranked_by_the_mean_of_the_models() -> None:
    whole = table(
        cell("m/one", "indexicals", "main", 1, 2, items=("I/001", "I/002"), options=2),
        cell("m/two", "indexicals", "main", 2, 2, items=("I/001", "I/002"), options=2),
        cell("strategy:oracle", "indexicals", "main", 2, 2, items=("I/001", "I/002"), options=2),
    )
    found = ranked(tally(whole))
    assert found[["item", "accuracy", "low", "high", "models", "rank"]].to_numpy().tolist() == [
        ["I/002", 0.5, 0.0, 1.0, 2, 1],
        ["I/001", 1.0, 1.0, 1.0, 2, 2],
    ]


def test_only_the_ends_of_a_long_ranking_are_drawn_and_groups_are_named() -> None:
    many = table(cell("m/one", "indexicals", "main", 30, 60, items=[f"I/{at:03d}" for at in range(60)], options=2))
    found = ends(ranked(tally(many)))
    assert found["rank"].tolist() == [*range(1, ENDS + 1), *range(61 - ENDS, 61)]
    scenes = ranked(tally(small()))
    assert set(scenes["label"]) == {"g01 axe, drum", "g02 bell, rose"}
    assert scenes[scenes["panel"] == "demonstrative"]["n"].tolist() == [100, 100]
    said = sketch_difficulty(tally(many))
    assert said is not None
    assert said.alt == (
        "Dots of accuracy by item, hardest first, models: 1. indexicals: from I/030 (0.00) to I/029 (1.00)."
    )


def test_pandas_frames_given_are_left_as_they_were() -> None:
    whole = small()
    before = whole.copy()
    tally(whole)
    pd.testing.assert_frame_equal(whole, before)
