"""Tables 1, 2 and 5-9: numbers at hand, numbers printed, and their differences."""

import pytest

from deixis.analysis.shares.proportions import newcombe
from deixis.published.printed import printed
from deixis.report.tables.accuracy import Part, accuracy_table
from deixis.report.tables.counts import count
from deixis.report.tables.paper import paper_tables
from deixis.report.tables.printed import Printed
from deixis.report.tables.table import Row, Table, Value
from tests.report.tables.made import tidied, trials


def found(table: Table, **levels: str) -> list[dict[str, Value]]:
    """The rows of a table at some levels, as the CSV has them."""
    rows = [dict(zip(table.header, table.values(row), strict=True)) for row in table.rows]
    return [row for row in rows if all(row[name] == level for name, level in levels.items())]


def text(table: Table, row: Row, key: str) -> str:
    return next(cell.text for cell, column in zip(row.cells, table.columns, strict=True) if key in column.keys)


def one(*parts: Part, table: object) -> Table:
    return accuracy_table("t", "T", "", parts, count(table))  # type: ignore[arg-type]


def test_ours_minus_published_has_the_interval_that_newcombe_prints() -> None:
    """Newcombe (1998), example (a): 56/70 against 48/80."""
    part = Part("x", "checks", "object", (Printed("GPT-4o", "0.600", 80),))
    made = one(part, table=tidied(trials("openai/gpt-4o", "checks/object", [1.0] * 56 + [0.0] * 14)))
    row = made.rows[0]
    shown = [text(made, row, key) for key in ("accuracy", "low", "n", "published", "difference", "difference_low")]
    assert shown == ["0.800", "[0.692, 0.877]", "70", "0.600", "+0.200", "[+0.052, +0.334]"]
    values = found(made, participant="openai/gpt-4o")[0]
    assert values["difference_low"] == pytest.approx(newcombe(56, 70, 48, 80)[0], abs=1e-12)
    assert (values["published_as"], values["published_n"], values["correct"]) == ("GPT-4o", 80, 56.0)


def test_unreadable_answers_are_wrong_in_the_headline_and_errors_in_no_denominator() -> None:
    made = one(
        Part("x", "checks", "gazer"),
        table=tidied(trials("a/b", "checks/gazer", [1.0, 1.0, 1.0, 0.0], unreadable=1, errored=1)),
    )
    row = found(made, participant="a/b")[0]
    assert (row["accuracy"], row["n"], row["readable"], row["answered"]) == (0.6, 5, 0.75, 4)


def test_a_participant_that_the_paper_does_not_have_has_no_published_number() -> None:
    made = paper_tables(tidied(trials("openai/gpt-4o-mini", "checks/control", [1.0] * 4)))[4]
    row = found(made, participant="openai/gpt-4o-mini")[0]
    assert (made.id, row["published"], row["difference"]) == ("table5", None, None)


def test_models_come_before_people_and_these_before_oracle_chance_and_ceilings() -> None:
    names = ("strategy:chance", "people:pilot/1", "strategy:first-option", "strategy:oracle", "people:pilot/2", "a/b")
    made = one(
        Part("x", "checks", "object"), table=tidied(*(trials(name, "checks/object", [1.0, 0.0]) for name in names))
    )
    assert [row.cells[2].text for row in made.rows] == [
        "a/b",
        "people:pilot (2)",
        "strategy:oracle",
        "strategy:chance",
        "ceiling: text and picture",
        "ceiling: text alone",
        "ceiling: picture alone",
    ]
    assert [text(made, row, "accuracy") for row in made.rows[-3:]] == ["1.000", "0.500", "–"]
    assert found(made, participant="people:pilot")[0]["n"] == 4


def test_people_keep_their_trials_together() -> None:
    """One right and one wrong throughout are worth two observations, not twenty."""
    both = [
        trials("people:pilot/1", "checks/object", [1.0] * 10),
        trials("people:pilot/2", "checks/object", [0.0] * 10),
    ]
    row = found(one(Part("x", "checks", "object"), table=tidied(*both)), participant="people:pilot")[0]
    assert row["accuracy"] == 0.5
    assert float(row["low"] or 1) < 0.01


def test_protocols_are_never_pooled() -> None:
    table = tidied(
        trials("a/b", "checks/control", [1.0] * 3),
        trials("a/b", "checks/control", [0.0] * 5, protocol="published"),
    )
    made = next(table for table in paper_tables(table) if table.id == "table5")
    rows = found(made, participant="a/b")
    assert [(row["block"], row["protocol"], row["accuracy"], row["n"]) for row in rows] == [
        ("published", "published", 0.0, 5),
        ("corrected", "corrected", 1.0, 3),
    ]


def test_what_was_not_asked_is_named_with_the_command_that_asks_it() -> None:
    made = {table.id: table for table in paper_tables(tidied(trials("a/b", "checks/gazer", [1.0])))}
    assert "`deixis run checks --condition object --condition speaker` asks it" in made["table2"].note
    assert "`deixis run vocabulary possessive demonstrative --condition simple`" in made["table8"].note
    assert "--condition picture-none --condition picture-empty --condition picture-unrelated" in made["table9"].note
    assert all(row.who == "published" for row in made["table8"].rows)


def test_a_command_names_the_protocol_that_lacks_something() -> None:
    table = tidied(trials("a/b", "checks/gazer", [1.0], protocol="published"))
    assert "--condition object --condition speaker --protocol published`" in paper_tables(table)[1].note


def test_references_alone_have_not_been_asked() -> None:
    made = paper_tables(tidied(trials("strategy:oracle", "checks/control", [1.0])))[4]
    assert "`deixis run checks --condition control`" in made.note
    assert found(made, participant="strategy:oracle")[0]["accuracy"] == 1.0


WHERE = [
    ("table1", "table1", {"object": "object recognition", "gazer": "gazer identification"}, "check"),
    ("table2", "table2", {"object": "object recognition", "speaker": "speaker identification"}, "check"),
    ("table5", "table5", {}, ""),
    ("table6", "tables6-8", {"context-first": ""}, "wording"),
    ("table7", "tables6-8", {"condensed": ""}, "wording"),
    ("table8", "tables6-8", {"simple": ""}, "wording"),
    ("table9", "table9", {}, ""),
]


@pytest.mark.parametrize(("name", "source", "labels", "factor"), WHERE, ids=[name for name, *_ in WHERE])
def test_every_accuracy_of_the_paper_stands_there_to_the_digit(
    name: str, source: str, labels: dict[str, str], factor: str
) -> None:
    made = next(table for table in paper_tables(tidied()) if table.id == name)
    there = [(row.cells[1].text, row.cells[2].text, text(made, row, "accuracy")) for row in made.rows]
    lines = [line for line in printed(source) if source != "tables6-8" or line["wording"] in labels]
    assert len(there) == len(lines)
    assert all(row.who == "published" and row.block == "paper" for row in made.rows)
    for (tested, model, words), line in zip(there, lines, strict=True):
        assert (model, words) == (line["model"], line["accuracy"] or "–")
        if factor == "check" and line["check"] in labels:
            assert tested == labels[line["check"]]
        if "task" in line:
            assert tested.startswith(line["task"])


def test_a_printed_share_that_no_count_gives_is_said() -> None:
    made = next(table for table in paper_tables(tidied()) if table.id == "table9")
    assert "No count of 128 prints as 0.657 (Gemma-3, possessive, no image)" in made.note
    assert made.note.count("No count") == 1
