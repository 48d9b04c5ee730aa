"""Power in words and as CSV: sizes read, assumptions told, pilots read, every fault one line."""

import csv
from pathlib import Path

import pytest

from deixis.errors import AnalysisError, DeixisError, UsageError
from deixis.report.power import Question, csv_lines, numbers, text_lines

FAST = {"simulations": 60, "items": "8"}


@pytest.mark.parametrize(
    ("text", "want"), [("40", [40]), ("20,40,20", [20, 40]), ("40:100:20", [40, 60, 80, 100]), ("4:9:2", [4, 6, 8])]
)
def test_sizes_are_read(text: str, want: list[int]) -> None:
    assert numbers(text, "people") == want


@pytest.mark.parametrize("text", ["", "x", "4.5", "0", "4:2:1", "4:8", "4:8:0", "4,,5", "-4", "1:100:1"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--people"):
        numbers(text, "people")


def test_what_is_assumed_is_told() -> None:
    lines = list(text_lines(Question(people="10,20", difference=0.1, sds=(2.0, None, 0.0, None), **FAST)))
    assert lines[0].startswith("to tell 90.0% from 80.0% right (difference +0.100; odds 2.25, ")
    assert "people 2.00, items 0.50, people's own effects 0.00, items' own effects 0.50; everyone" in lines[1]
    assert [line.split()[:4] for line in lines[3:5]] == [["10", "8", "1", "160"], ["20", "8", "1", "320"]]
    assert lines[5].startswith("60 studies of each size")
    assert lines[6].startswith("80% power with 8 items: ")


def test_enough_is_the_smallest_size_that_is() -> None:
    lines = list(text_lines(Question(people="4,60", difference=0.19, sds=(0.0,) * 4, **FAST)))
    assert "80% power with 8 items: from 60 people on" in lines
    lines = list(text_lines(Question(people="4", repeats="1,2", difference=0.01, **FAST)))
    assert lines[-2:] == [
        "80% power with 8 items: with none of these numbers of people",
        "80% power with 8 items, 2 times: with none of these numbers of people",
    ]


def test_a_test_that_does_not_keep_its_promise_is_said_to() -> None:
    question = Question(people="60", difference=0.1, against="people", sds=(1.0, 1.0, 0.0, 2.0), **FAST)
    assert list(text_lines(question))[-1].startswith("careful: ")


def test_one_item_is_held_against_people() -> None:
    lines = list(text_lines(Question(people="20", items="1", odds=2.0, simulations=20)))
    assert lines[0].endswith("held against the variation of people alone")


def test_csv_has_a_row_a_size() -> None:
    rows = list(csv.DictReader(csv_lines(Question(people="10,20", odds=2.0, pairing="lists", seed=3, **FAST))))
    assert [row["people"] for row in rows] == ["10", "20"]
    assert [row["trials"] for row in rows] == ["80", "160"]
    other = list(csv.DictReader(csv_lines(Question(people="10,20", odds=2.0, pairing="lists", seed=4, **FAST))))
    assert [row["power"] for row in rows] != [row["power"] for row in other]


def pilot(path: Path, rows: str, head: str = "participant,item,condition,correct") -> Path:
    path.write_text(f"{head}\n{rows}", encoding="utf-8")
    return path


def test_a_pilot_fills_in_what_is_not_said(tmp_path: Path) -> None:
    rows = "".join(
        f"p{p},i{i},{c},{'' if p == i == 0 else int((3 * p + 5 * i + 2 * (c == 'old')) % 7 > (c == 'old'))}\n"
        for p in range(12)
        for i in range(9)
        for c in ("old", "new")
    )
    path = pilot(tmp_path / "pilot.csv", rows)
    lines = list(text_lines(Question(people="10", pilot=path, **FAST)))
    assert lines[1] == "pilot pilot.csv: new against old, 12 people, 9 items, 214 trials, 2 without credit left out"
    given = list(text_lines(Question(people="10", pilot=path, base=0.6, difference=0.1, sds=(3.0,) * 4, **FAST)))
    assert given[0].startswith("to tell 70.0% from 60.0%")
    assert "people 3.00" in given[2]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("a,b,c,1\n", "has 1 conditions"),
        ("a,b,c,1\na,b,d,2\n", "'correct' is 1 or 0"),
        ("a,b,c,yes\na,b,d,1\n", "'correct' is 1 or 0"),
        ("a,b,c,1\na,b,d,0\n", "all right under 'c'"),
        ("a,b,c,1\na,b,c,0,5,6\n", "cannot be read"),
    ],
)
def test_a_pilot_that_says_nothing_is_refused(tmp_path: Path, rows: str, why: str) -> None:
    with pytest.raises(DeixisError, match=why) as fault:
        list(text_lines(Question(people="10", pilot=pilot(tmp_path / "pilot.csv", rows))))
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("question", "why"),
    [
        (Question(), "how many people"),
        (Question(people="4"), "which difference"),
        (Question(people="4", odds=2.0, difference=0.1), "one of the two"),
        (Question(people="4", odds=2.0, alpha=1.0), "alpha of 1"),
        (Question(people="4", odds=2.0, simulations=0), "0 simulations"),
        (Question(people="4", odds=2.0, pilot=Path("nowhere.csv")), "cannot be read"),
        (Question(people="4,5", odds=2.0, pairing="between"), "no two equal halves"),
    ],
)
def test_faults_come_before_any_line(question: Question, why: str) -> None:
    with pytest.raises((UsageError, AnalysisError), match=why):
        next(text_lines(question))
