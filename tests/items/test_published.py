"""The importer: what it repairs, what it leaves out, and what it refuses in one line."""

from pathlib import Path

import pytest

from deixis.errors import ItemsError
from deixis.items.files import read_items, write_items
from deixis.items.notes import full, summary
from deixis.items.published import REQUIRED
from tests.conftest import HEADER, item_rows, write_csv


def items_of(tmp_path: Path, rows: list[dict[str, str]], *, mend: bool = True):
    return read_items(write_csv(tmp_path / "items.csv", rows), mend=mend)


def test_a_sound_file_is_read_as_it_is(tmp_path: Path) -> None:
    items, notes = items_of(tmp_path, item_rows(7))
    assert [item.id for item in items] == ["I/007"]
    assert notes == []
    assert items[0].roles == {"narrator": "Nora", "reporter": "Ida"}
    assert items[0].cells[2].sentence == 'Ida thinks "I will win".'
    assert items[0].cells[0].passage == "I am Nora. My friend Ida knows how hard I train. Ida thinks that I will win."


def test_names_replaced_one_after_another_are_replaced_at_once(tmp_path: Path) -> None:
    rows = item_rows(1, name_mapping="Andrew -> Ida\nChris -> Nora", **{"non-shifted_option": "Ida"})
    for row in rows:
        row["shifted_option"] = "Nora"
        row["renamed_sentence"] = row["renamed_sentence"].replace("Ida", "Nora")
    items, notes = items_of(tmp_path, rows)
    assert items[0].cells[0].passage.startswith("I am Ida. My friend Nora")
    assert {note.fault for note in notes} == {"names replaced one after another"}
    kept, kept_notes = items_of(tmp_path, rows, mend=False)
    assert kept[0].cells[0].passage.startswith("I am Nora. My friend Nora")
    assert {note.kind for note in kept_notes} == {"kept"}


def test_text_marks_and_pronouns_are_repaired(tmp_path: Path) -> None:
    rows = item_rows()
    for row in rows:
        row["context"] = row["context"].replace("My friend", "At the café he says my friend")
        row["renamed_sentence"] = row["renamed_sentence"].replace("My friend", "At the caf√© he says my friend")
        row["renamed_sentence"] = row["renamed_sentence"].replace('win".', 'win"".')
    items, notes = items_of(tmp_path, rows)
    assert "At the café she says" in items[0].cells[0].passage
    assert items[0].cells[2].sentence == 'Ida thinks "I will win".'
    assert {note.fault for note in notes} == {
        "text decoded wrongly",
        "quotation mark doubled",
        "male pronoun for a woman",
    }


def test_what_cannot_be_repaired_is_left_out_and_said(tmp_path: Path) -> None:
    lost = item_rows(2, shifted_option="Olga")
    twins = item_rows(3, name_mapping="Andrew -> Nora\nChris -> Nora")
    items, notes = items_of(tmp_path, item_rows(1) + lost + twins)
    assert [item.id for item in items] == ["I/001"]
    told = summary(notes)
    assert any("left out: an option never occurs in the passage: 1 in 1 items (I/002)" in line for line in told)
    assert any("left out: two roles share one name: 1 in 1 items (I/003)" in line for line in told)
    assert any(line.startswith("left out: I/002: an option never occurs") for line in full(notes))


def test_a_file_with_nothing_usable_says_so(tmp_path: Path) -> None:
    with pytest.raises(ItemsError, match="no item of .* can be used: left out: an option never occurs"):
        items_of(tmp_path, item_rows(1, shifted_option="Olga"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"indexical": "now"}, "row 1 has indexical 'now'; it must be one of I, you, here, tomorrow"),
        ({"sentence_type": "direct"}, "row 1 has sentence_type 'direct'"),
        ({"context_prime": "none"}, "row 1 has context_prime 'none'"),
        ({"shifted_option": "nora"}, "row 1 offers 'nora' twice"),
        ({"question": " "}, "row 1 has nothing in question"),
        ({"ground_truth": "shifted"}, "row 1 says that 'shifted' is right"),
        ({"unique_id": "5"}, "row 2 repeats the unique_id '5' of row 1"),
        ({"Item_ID": "seven"}, "Item_ID 'seven'"),
        ({"Item_ID": "1.5"}, "Item_ID '1.5'"),
        ({"shifted_option": "Nora."}, "row 1 offers 'Nora.' twice"),
    ],
)
def test_a_bad_row_is_one_clear_line(tmp_path: Path, changes: dict[str, str], words: str) -> None:
    with pytest.raises(ItemsError) as caught:
        items_of(tmp_path, item_rows(1, **changes))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_repeated_cell_is_refused(tmp_path: Path) -> None:
    rows = item_rows(1)
    with pytest.raises(ItemsError, match="row 5 repeats the cell I/1/non-quoted/non-shifted of row 1"):
        items_of(tmp_path, [*rows, {**rows[0], "unique_id": "new"}])


def test_two_numbers_that_are_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ItemsError, match="Item_IDs '1' and '001', which are one"):
        items_of(
            tmp_path, item_rows(1) + [{**r, "unique_id": f"x{n}"} for n, r in enumerate(item_rows(1, Item_ID="001"))]
        )


def test_rows_of_an_item_that_disagree_are_refused(tmp_path: Path) -> None:
    rows = item_rows(1)
    rows[3]["question"] = "Who else?"
    with pytest.raises(ItemsError, match="2 values of question for item I/1"):
        items_of(tmp_path, rows)


def test_bad_files_are_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ItemsError, match="no file"):
        read_items(tmp_path / "none.csv", mend=True)
    with pytest.raises(ItemsError, match="cannot read"):
        read_items(tmp_path, mend=True)
    short = [column for column in HEADER if column not in ("question", "indexical")]
    with pytest.raises(ItemsError, match="lacks the columns indexical, question"):
        read_items(write_csv(tmp_path / "short.csv", item_rows(), short), mend=True)
    for name, content, words in [
        ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\xff", "not text in UTF-8"),
        ("empty.csv", b"", "is empty"),
        ("prose.csv", b"Dear reader,\nthis is a letter.\n", f"lacks the columns {', '.join(REQUIRED)}"),
        ("header.csv", ",".join(HEADER).encode(), "has a header and no rows"),
        ("ragged.csv", (",".join(HEADER) + "\n1,2,3\n").encode(), "row 1 (line 2) has another number of fields"),
        ("semicolons.csv", ";".join(HEADER).encode(), "has a header and no rows"),
        ("twice.csv", (",".join([*HEADER, "question"]) + "\n").encode(), "has the column 'question' twice"),
        ("open.csv", (",".join(HEADER) + '\n1,"2,3\n').encode(), "is not CSV"),
    ]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ItemsError) as caught:
            read_items(tmp_path / name, mend=True)
        assert words in str(caught.value), name


def test_a_byte_order_mark_and_other_line_ends_are_read(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "items.csv", item_rows())
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert len(read_items(path, mend=True)[0]) == 1


def test_own_format_comes_back_the_same(tmp_path: Path) -> None:
    items, _ = items_of(tmp_path, item_rows(1) + item_rows(12))
    write_items(tmp_path / "items.jsonl", items)
    assert read_items(tmp_path / "items.jsonl", mend=True) == (items, [])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"indexical": "I"', '"indexical": "now"', "line 1 has indexical 'now'"),
        ('"cells"', '"cell"', "is not an item (no field 'cells')"),
        ('"shifted": "Ida"', '"shifted": "Nora"', "offers 'Nora' twice"),
        ("{", "", "is not an item"),
        ('"question": "According', '"question": "", "_": "According', "has nothing in question"),
        ('"sentence": "Ida', '"sentence": "Eva', "does not end in its sentence"),
    ],
)
def test_own_format_is_checked(tmp_path: Path, old: str, new: str, words: str) -> None:
    items, _ = items_of(tmp_path, item_rows(1))
    path = tmp_path / "items.jsonl"
    write_items(path, items)
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(ItemsError) as caught:
        read_items(path, mend=True)
    assert words in str(caught.value)


def test_the_published_set(published_csv: Path) -> None:
    kept, kept_notes = read_items(published_csv, mend=False)
    items, notes = read_items(published_csv, mend=True)
    assert len(kept) == len(items) == 400
    assert {note.kind for note in notes} == {"repaired"}
    found = {fault: [n.where for n in notes if n.fault == fault] for fault in {n.fault for n in notes}}
    damaged = found["names replaced one after another"]
    assert (len(damaged), len(set(damaged))) == (44, 11)
    assert len(found["quotation mark doubled"]) == 10
    assert len(set(found["text decoded wrongly"])) == 5
    assert len(kept_notes) == len(notes)
    lena = next(item for item in items if item.id == "you/106")
    assert lena.question.startswith("According to the last sentence, who did Christina say that Natalie")
