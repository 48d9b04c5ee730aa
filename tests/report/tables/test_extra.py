"""What the papers leave out: accuracy by levels that must not matter, and denominators."""

import math

import pytest

from deixis.analysis.shares.proportions import newcombe
from deixis.report.tables.extra import extra_tables
from deixis.report.tables.table import Table
from tests.report.tables.made import tidied, trials
from tests.report.tables.test_accuracy import found

SPOKEN = trials(
    "a/b",
    "possessive/main",
    [1.0] * 50 + [0.0] * 30,
    speaker=["boy"] * 30 + ["girl"] * 20 + ["boy"] * 10 + ["girl"] * 20,
)


def extra(table: object, seed: int = 0) -> dict[str, Table]:
    return {one.id: one for one in extra_tables(table, seed=seed)}  # type: ignore[arg-type]


def test_speakers_by_hand() -> None:
    row = found(extra(tidied(SPOKEN))["speaker"])[0]
    assert (row["accuracy_boy"], row["accuracy_girl"], row["spread"], row["test"]) == (0.75, 0.5, 0.25, "χ²")
    assert row["p"] == pytest.approx(math.erfc(math.sqrt(8 / 3)))
    assert (row["low"], row["high"]) == pytest.approx(newcombe(30, 40, 20, 40))
    assert (row["correct_boy"], row["n_girl"]) == (30.0, 40)


def test_small_counts_get_a_monte_carlo_p_that_the_seed_fixes() -> None:
    """3 of 3 against 0 of 3 is one of two tables as uneven, of 20 with these margins."""
    table = tidied(trials("a/b", "checks/gazer", [1.0, 0.0] * 3, answer=["0", "1"] * 3))
    rows = [found(extra(table, seed)["position"])[0] for seed in (0, 0, 3)]
    assert [row["test"] for row in rows] == ["Monte Carlo"] * 3
    assert rows[0]["p"] == pytest.approx(0.1, abs=0.03)
    assert rows[0]["p"] == rows[1]["p"] != rows[2]["p"]


def test_the_family_of_a_table_is_adjusted_by_holm() -> None:
    other = SPOKEN.assign(condition="simple")
    rows = found(extra(tidied(SPOKEN, other))["speaker"])
    assert [row["p_adjusted"] for row in rows] == pytest.approx([2 * float(row["p"] or 0) for row in rows])


def test_sides_of_the_table_and_places_without_a_target() -> None:
    """Left is places 0 and 1; a demonstrative has its targets at the ends."""
    ends = trials("a/b", "demonstrative/main", [1.0, 1.0, 0.0, 1.0], target=["0", "0", "3", "3"])
    row = found(extra(tidied(ends))["side"])[0]
    assert [row[f"accuracy_{place}"] for place in range(4)] == [1.0, None, None, 0.5]
    assert (row["difference"], row["spread"]) == (0.5, 0.5)


def test_people_have_no_p_and_references_no_row() -> None:
    table = tidied(
        *(trials(f"people:a/{n}", "possessive/people", [1.0, 0.0, 1.0, 1.0]) for n in range(3)),
        trials("strategy:oracle", "possessive/people", [1.0] * 4),
    )
    rows = found(extra(table)["speaker"])
    assert [(row["participant"], row["p"], row["accuracy_boy"]) for row in rows] == [("people:a", None, 1.0)]


def test_a_tie_that_earned_a_share_has_no_p_and_one_outcome_has_none() -> None:
    table = tidied(trials("a/b", "checks/gazer", [0.5, 1.0]), trials("a/c", "checks/gazer", [1.0, 1.0]))
    assert [row["test"] for row in found(extra(table)["speaker"])] == [
        "none: ties earned a share",
        "none: the outcome does not vary",
    ]


def test_an_empty_factor_makes_an_empty_table_that_says_so() -> None:
    made = extra(tidied(SPOKEN))["background"]
    assert made.rows == ()
    assert "Nobody here was asked at two levels" in made.note


def test_denominators() -> None:
    table = tidied(trials("a/b", "checks/gazer", [1.0, 1.0, 1.0, 0.0], unreadable=1, errored=2))
    row = found(extra(table)["denominators"])[0]
    assert (row["accuracy"], row["n"], row["readable"], row["cost"]) == (0.6, 5, 0.75, pytest.approx(0.15))
    counts = ("answered", "unreadable", "refused", "empty", "truncated", "errored", "missing")
    assert [row[name] for name in counts] == [4, 1, 0, 0, 0, 2, 0]


def test_people_and_protocols_stand_apart_in_denominators() -> None:
    table = tidied(
        *(trials(f"people:a/{n}", "possessive/people", [1.0, 0.0]) for n in range(3)),
        trials("a/b", "possessive/people", [1.0], protocol="published"),
    )
    rows = found(extra(table)["denominators"])
    assert [(row["protocol"], row["participant"], row["n"], row["persons"]) for row in rows] == [
        ("corrected", "people:a", 6, 3),
        ("published", "a/b", 1, 1),
    ]
