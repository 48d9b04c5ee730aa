"""Tables 3 and 4: tests of runs and of object groups, against hand-made counts and the paper's."""

import math

import pytest

from deixis.published.printed import printed
from deixis.report.tables.counts import count
from deixis.report.tables.objects import object_table
from deixis.report.tables.paper import paper_tables
from deixis.report.tables.people import people_table
from tests.report.tables.made import tidied, trials
from tests.report.tables.test_accuracy import found, text

PRODUCTION = (
    trials("people:first/1", "possessive/people", [1.0] * 4),
    trials("people:first/2", "possessive/people", [1.0, 1.0, 0.0, 0.0]),
)
FOLLOW_UP = tuple(trials(f"people:follow-up/{n}", "possessive/people", [1.0, 0.0, 0.0, 0.0]) for n in (1, 2))


def test_production_against_follow_up_as_published_and_by_person() -> None:
    """6 of 8 against 2 of 8: Yates' χ² is 16 (32 - 8)² / 8⁴ = 2.25; by person t is 2 with 1 degree of freedom."""
    made = people_table(count(tidied(*PRODUCTION, *FOLLOW_UP)))
    row = found(made, block="corrected")[0]
    assert row["run"] == "people:first / people:follow-up"
    assert (row["production"], row["follow_up"], row["difference"]) == (0.75, 0.25, 0.5)
    assert row["p_yates"] == pytest.approx(math.erfc(math.sqrt(2.25 / 2)))
    assert row["p_welch"] == pytest.approx(1 - 2 / math.pi * math.atan(2))
    assert (row["low"], row["high"]) == (-1.0, 1.0)
    assert text(made, made.rows[0], "production_people") == "2 × 4"
    assert row["apart"] == pytest.approx(0.75 - 3588 / 3840)


def test_without_a_follow_up_there_is_production_and_no_test() -> None:
    made = people_table(count(tidied(*PRODUCTION)))
    row = found(made, block="corrected")[0]
    assert (row["production"], row["follow_up"], row["p_yates"], row["p_welch"]) == (0.75, None, None, None)
    assert "No study at hand has follow-up in its name" in made.note
    assert "No people at hand: vocabulary, demonstrative." in made.note


def test_models_under_the_condition_of_people_are_no_people() -> None:
    assert not found(people_table(count(tidied(trials("a/b", "possessive/people", [1.0])))), block="corrected")


def test_people_who_did_unequal_numbers_of_trials_are_counted_in_all() -> None:
    made = people_table(count(tidied(*PRODUCTION, trials("people:first/3", "possessive/people", [1.0]))))
    assert text(made, made.rows[0], "production_people") == "3, 9 in all"


def test_every_number_of_table_3_stands_there_as_printed() -> None:
    made = people_table({})
    assert [row.who for row in made.rows] == ["published"] * 3
    for row, line in zip(made.rows, printed("table3"), strict=True):
        assert row.cells[1].text == line["task"]
        shown = [text(made, row, key) for key in ("production", "follow_up", "p_printed")]
        assert shown == [line["production"], line["follow_up"], line["printed_p"]]
        sides = [f"{line[f'people{side}']} × {line[f'trials{side}']}" for side in (1, 2)]
        assert [text(made, row, f"{side}_people") for side in ("production", "follow_up")] == sides


def test_table_3_says_what_does_not_follow() -> None:
    rows = found(people_table({}))
    assert [row["p_yates"] for row in rows] == pytest.approx([0.0764, 0.2037, 0.4972], abs=6e-5)
    assert "not 0.4908" in people_table({}).note


GROUPS = trials(
    "openai/gpt-4o", "vocabulary/main", [1.0] * 50 + [0.0] * 30, group=["1"] * 30 + ["2"] * 20 + ["1"] * 10 + ["2"] * 20
)


def test_object_groups_by_hand() -> None:
    """30 of 40 against 20 of 40: χ² is 80 · 400² / (40 · 40 · 50 · 30)."""
    made = object_table(tidied(GROUPS), seed=1)
    row = found(made, block="corrected")[0]
    assert row["statistic"] == pytest.approx(16 / 3)
    assert row["p"] == pytest.approx(math.erfc(math.sqrt(8 / 3)))
    assert row["p_monte_carlo"] == pytest.approx(0.0377, abs=0.015)  # Fisher's exact p, two-sided
    assert (row["published_statistic"], row["published_p"]) == (173.116, "<0.001")
    assert "`deixis run possessive demonstrative --condition main`" in made.note


def test_the_seed_fixes_the_monte_carlo_p() -> None:
    first, again, other = (
        found(object_table(tidied(GROUPS), seed=seed), block="corrected")[0]["p_monte_carlo"] for seed in (1, 1, 2)
    )
    assert first == again != other
    table = next(table for table in paper_tables(tidied(GROUPS), seed=2) if table.id == "table4")
    assert found(table, block="corrected")[0]["p_monte_carlo"] == other


def test_references_people_ties_and_single_groups_are_not_tested() -> None:
    table = tidied(
        trials("strategy:oracle", "vocabulary/main", [1.0] * 4),
        trials("people:a/1", "vocabulary/main", [1.0] * 4),
        trials("a/one-group", "possessive/main", [1.0, 0.0], group=["3", "3"]),
        trials("a/ties", "demonstrative/main", [1.0, 0.0, 0.5, 0.5, 1.0]),
    )
    rows = found(object_table(table, seed=0), block="corrected")
    assert [(row["participant"], row["n"]) for row in rows] == [("a/ties", 3)]


def test_every_number_of_table_4_stands_there_as_printed() -> None:
    made = object_table(tidied(), seed=0)
    assert len(made.rows) == 21
    for row, line in zip(made.rows, printed("table4"), strict=True):
        assert [cell.text for cell in row.cells[1:3]] == [line["task"], line["model"]]
        shown = [text(made, row, key) for key in ("statistic", "df", "p")]
        assert shown == [line["statistic"], line["df"], line["printed_p"]]
