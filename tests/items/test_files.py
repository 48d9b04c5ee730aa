"""Files as people send them: encodings, line ends, columns, formats; a repair is said, a fault is one line."""

import codecs
import json
from pathlib import Path

import pytest

from deixis.errors import ItemsError
from deixis.items.bank import load_bank
from deixis.items.files import read_items, write_items
from deixis.items.lint.run import lint
from deixis.items.notes import summary
from deixis.items.reading import read_questions
from deixis.items.table import read_table
from deixis.items.text import read_text
from tests.conftest import HEADER, item_rows, write_csv


def accented() -> list[dict[str, str]]:
    return [{**row, "renamed_sentence": f"In a café. {row['renamed_sentence']}"} for row in item_rows(1)]


@pytest.mark.parametrize(
    ("encode", "note"),
    [
        (lambda text: text.encode(), []),
        (lambda text: codecs.BOM_UTF8 + text.encode(), []),
        (lambda text: text.replace("\r\n", "\n").encode(), []),
        (lambda text: text.encode("windows-1252"), ["read as Windows-1252, since it is not UTF-8"]),
        (lambda text: text.encode("utf-16"), ["read as UTF-16"]),
    ],
)
def test_every_usual_encoding_is_read_and_a_repair_is_said(tmp_path: Path, encode, note: list[str]) -> None:
    path = write_csv(tmp_path / "items.csv", accented())
    sound, _ = read_items(path, mend=False)
    path.write_bytes(encode(path.read_bytes().decode()))
    items, notes = read_items(path, mend=False)
    assert [cell.passage for cell in items[0].cells] == [cell.passage for cell in sound[0].cells]
    assert [found.fault for found in notes] == note
    assert [found.fault for found in read_questions(path)[1]] == note


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"caf\xc3\xa9 caf\xe9", "mixes encodings: line 1 is not UTF-8"),
        (b"\x81\x8d\x8f", "is not text in UTF-8, UTF-16 or Windows-1252"),
        (b"\xff\xfe\x00\xd8", "is not text in UTF-8, UTF-16 or Windows-1252"),
        (b"\xe9\x00\x00", "is not text in UTF-8, UTF-16 or Windows-1252"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, raw: bytes, words: str) -> None:
    (tmp_path / "x.csv").write_bytes(raw)
    with pytest.raises(ItemsError, match=words):
        read_text(tmp_path / "x.csv")


def test_columns_are_taken_for_what_they_nearly_are_and_others_are_named(tmp_path: Path) -> None:
    rows = [{**row, "mood": "sunny", "Question ": row["question"]} for row in item_rows(1)]
    header = ["Question " if name == "question" else name for name in HEADER]
    path = write_csv(tmp_path / "items.csv", rows, [*header, "mood"])
    items, notes = read_items(path, mend=True)
    assert items[0].question == "According to the last sentence, who will win?"
    assert summary(notes) == [
        "repaired: columns 'Question' read as 'question': 1 in 1 items (items.csv)",
        "ignored: columns that are not read: 'mood': 1 in 1 items (items.csv)",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty; give a CSV with the columns a"),
        ("a,b\n", "has a header and no rows"),
        ("a,b\n1\n", "row 1 (line 2) has another number of fields than the header's 2"),
        ("a,a\n1,2\n", "has the column 'a' twice"),
        ("b,c\n1,2\n", "lacks the columns a; it has 'b', 'c'"),
        ('a,b\n"1,2\n', "is not CSV"),
    ],
)
def test_broken_tables_are_one_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(ItemsError) as caught:
        read_table(tmp_path / "x.csv", ("a",))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("mark", [";", "\t"])
def test_what_spreadsheets_write_for_commas_is_read_and_said(tmp_path: Path, mark: str) -> None:
    (tmp_path / "x.csv").write_text(f'a{mark}"b c"\r\n1{mark}"2, {mark}3"\r\n')
    found = read_table(tmp_path / "x.csv", ("a", "b_c"))
    assert found.rows == ({"a": "1", "b_c": f"2, {mark}3"},)
    assert found.notes[0].fault == f"read with {mark!r} between the fields"


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_the_bank_comes_back_from_either_format(tmp_path: Path, kind: str) -> None:
    bank = load_bank()[::41]
    path = tmp_path / f"bank.{kind}"
    write_items(path, bank)
    items, notes = read_items(path, mend=True)
    assert notes == []
    assert [(i.id, i.gender, i.roles, i.question, i.options, i.cells) for i in items] == [
        (i.id, i.gender, i.roles, i.question, i.options, i.cells) for i in bank
    ]
    assert lint(read_questions(path)[0]) == []


def test_rows_without_ids_are_known_by_all_their_levels(tmp_path: Path) -> None:
    path = tmp_path / "bank.csv"
    write_items(path, load_bank()[::41])
    text = path.read_text(encoding="utf-8").replace("unique_id,", "old_id,", 1)
    path.write_text(text, encoding="utf-8")
    questions, _ = read_questions(path)
    assert len({question.row for question in questions}) == 80
    assert lint(questions) == []


def test_a_file_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text("precious")
    with pytest.raises(ItemsError, match="is there already; name another file or take it away"):
        write_items(tmp_path / "mine.jsonl", load_bank()[:1], anew=True)
    assert (tmp_path / "mine.jsonl").read_text() == "precious"


def test_other_suffixes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ItemsError, match=r"must end in .jsonl or .csv"):
        write_items(tmp_path / "bank.xlsx", [])


def test_rows_may_come_as_json_lines_too(tmp_path: Path) -> None:
    rows = item_rows(1)
    rows[0]["name_mapping"] = {"Andrew": "Nora", "Chris": "Ida"}  # type: ignore[assignment]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    questions, _ = read_questions(path)
    assert [question.row for question in questions] == ["1-0", "1-1", "1-2", "1-3"]
    assert questions[0].roles == questions[1].roles == {"narrator": "Nora", "reporter": "Ida"}
    assert lint(questions) == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "line 1 is not an item"),
        ('{"renamed_sentence": "x"}', "line 1 lacks Item_ID, sentence_type"),
        ('{"id": "here/001"}', "line 1 is not an item"),
        ("[]", "line 1 is not an item"),
        ("[" * 100_000, "line 1 is not an item"),
        ('{"id": null, "cells": []}', "id is None, not text"),
        ('{"id": "x", "number": Infinity, "indexical": "I", "gender": "", "roles": {}, "cells": []}', "is not an item"),
        ("", "is empty"),
    ],
)
def test_broken_lines_are_one_line(tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "x.jsonl").write_text(line)
    with pytest.raises(ItemsError) as caught:
        read_questions(tmp_path / "x.jsonl")
    assert words in str(caught.value)


def test_templates_are_linted_as_files_too(tmp_path: Path) -> None:
    path = tmp_path / "here.toml"
    path.write_text("[[item]]\nnumber = 1\n")
    with pytest.raises(ItemsError, match=r"has a template without 'event'"):
        read_questions(path)
    path.write_text("[[item\n")
    with pytest.raises(ItemsError, match="is not templates in TOML"):
        read_questions(path)
    with pytest.raises(ItemsError, match=r"name it I.toml, you.toml, here.toml, tomorrow.toml"):
        (tmp_path / "mine.toml").write_text("")
        read_questions(tmp_path / "mine.toml")
