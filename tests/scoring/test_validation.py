"""The sheet for a person: blind, drawn in shares, read back by hash, every bad value one line."""

import csv
import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from deixis.errors import StoreError, UsageError
from deixis.records import Outcome, Response, Trial
from deixis.scoring.results import read_results
from deixis.scoring.validation import Case, cases, draw, read_sheet, sheet, write_sheet
from tests.scoring.bench import VAGUE, design, run_of


def mixed(trial: Trial) -> str | Response:
    """Of four answers one is vague, one empty, one an option, one declines."""
    return [VAGUE, "", trial.options[2].text, "I cannot answer that, sorry."][design().trials.index(trial) % 4]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    run = run_of(tmp_path_factory.mktemp("validation"), mixed)
    run_of(run, lambda trial: trial.options[0].text, "openai-api/scripted/model-y", 32)
    run_of(run, lambda trial: Response(trial.id, choice=0), "openai-api/scripted/chooses")
    return cases(list(read_results(run)))


def test_every_stratum_gives_its_share(found: list[Case]) -> None:
    assert len(found) == 128 + 32
    drawn = draw(found, 40, 0)
    assert len({case.id for case in drawn}) == 40
    assert Counter(case.participant.rpartition("-")[2] for case in drawn) == {"x": 32, "y": 8}
    outcomes = Counter(case.row.score.outcome for case in drawn if case.participant.endswith("x"))
    assert outcomes == {Outcome.UNREADABLE: 8, Outcome.EMPTY: 8, Outcome.ANSWERED: 8, Outcome.REFUSED: 8}


def test_draws_are_fixed_by_seed(found: list[Case]) -> None:
    assert [c.id for c in draw(found, 20, 1)] == [c.id for c in draw(found, 20, 1)]
    assert [c.id for c in draw(found, 20, 1)] != [c.id for c in draw(found, 20, 2)]
    assert len(draw(found, 10_000, 0)) == len(found)
    assert [c.participant for c in draw(found, 40, 0)] != sorted(c.participant for c in draw(found, 40, 0))


def test_every_answer_has_the_same_chance_however_small_its_stratum(found: list[Case]) -> None:
    times = Counter(case.id for seed in range(400) for case in draw(found, 16, seed))
    assert len(times) == len(found)
    assert all(15 <= times[case.id] <= 75 for case in found), times.most_common()[-3:]  # 40 each, give or take


def test_nothing_can_be_drawn_from_nothing(found: list[Case]) -> None:
    with pytest.raises(UsageError, match="--validate 0 draws nothing"):
        draw(found, 0, 0)
    with pytest.raises(UsageError, match="no answer in words"):
        draw([], 5, 0)


def test_the_sheet_is_blind(found: list[Case]) -> None:
    text = sheet(draw(found, 40, 0))
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert list(rows[0]) == ["id", "option_1", "option_2", "option_3", "option_4", "text", "person"]
    assert {row["person"] for row in rows} == {""}
    for word in ("model-x", "possessive/", "unreadable", "strict", "boy-speaks"):
        assert word not in text
    assert all(row["id"].isalnum() for row in rows)


def test_any_answer_goes_onto_a_sheet_and_back(tmp_path: Path) -> None:
    said = ['a "b", c\n\nd;\te', "=1+1\r\nx", "\x00\x07\ud800", "“é” ＡＢ", "x" * 200_000]
    run = run_of(tmp_path, lambda trial: said[design().trials.index(trial) % 5], count=40)
    every = cases(list(read_results(run)))
    path = tmp_path / "s.csv"
    write_sheet(draw(every, 40, 0), path)
    filled = fill(path, lambda _case: "none", every)
    seen, left = read_sheet(filled, every)
    assert (len(seen), left) == (40, 0)


def test_a_sheet_is_never_written_over(tmp_path: Path, found: list[Case]) -> None:
    path = tmp_path / "sheets" / "s.csv"
    write_sheet(draw(found, 5, 0), path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is there already; name another file with --out"):
        write_sheet(draw(found, 5, 1), path)
    assert path.read_bytes() == before
    with pytest.raises(StoreError, match="cannot write"):
        write_sheet(draw(found, 5, 0), path / "x.csv")


def fill(path: Path, person: Callable[[Case], str], found: list[Case], mark: str = ",", bom: bool = False) -> Path:
    """Fill a sheet in as a person would, and save it as a spreadsheet might."""
    known = {case.id: case for case in found}
    csv.field_size_limit(10**6)
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(rows[0]), delimiter=mark, lineterminator="\r\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({**row, "person": person(known[row["id"]])})
    out = path.with_name(f"{path.stem}-filled.csv")
    out.write_bytes(buffer.getvalue().encode("utf-8-sig" if bom else "utf-8"))
    return out


@pytest.mark.parametrize(("mark", "bom"), [(",", False), (";", True), ("\t", False)])
def test_a_filled_sheet_is_read_as_spreadsheets_save_it(
    tmp_path: Path, found: list[Case], mark: str, bom: bool
) -> None:
    write_sheet(draw(found, 40, 0), tmp_path / "s.csv")
    said = {Outcome.UNREADABLE: "none", Outcome.EMPTY: "Empty ", Outcome.REFUSED: "refused", Outcome.ANSWERED: ""}
    filled = fill(tmp_path / "s.csv", lambda case: said[case.row.score.outcome], found, mark, bom)
    seen, left = read_sheet(filled, found)
    assert (len(seen), left) == (24, 16)
    assert all(entry.outcome is entry.case.row.score.outcome and entry.choice is None for entry in seen)
    assert not any(entry.right for entry in seen)


def test_numbers_and_words(tmp_path: Path, found: list[Case]) -> None:
    write_sheet(draw(found, 6, 0), tmp_path / "s.csv")
    words = iter(["1", "4", "3.0", "several", "TRUNCATED", " 2 "])
    seen, _ = read_sheet(fill(tmp_path / "s.csv", lambda _case: next(words), found), found)
    assert [entry.choice for entry in seen] == [0, 3, 2, None, None, 1]
    assert [entry.outcome.value for entry in seen] == [
        "answered", "answered", "answered", "unreadable", "truncated", "answered",
    ]  # fmt: skip
    assert [entry.right for entry in seen] == [entry.choice == entry.case.row.trial.answer for entry in seen]


@pytest.mark.parametrize("value", ["5", "0", "mine", "yes", "-1", "1,2", "２", "nan"])
def test_a_bad_value_is_one_line_with_its_row(tmp_path: Path, found: list[Case], value: str) -> None:
    write_sheet(draw(found, 6, 0), tmp_path / "s.csv")
    count = iter(range(6))
    filled = fill(tmp_path / "s.csv", lambda _case: value if next(count) == 2 else "1", found)
    with pytest.raises(StoreError) as caught:
        read_sheet(filled, found)
    assert f"row 4 has person {value!r}; write the number of an option, 1 to 4, or none" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"id,person\nv123,1\n", "row 2 has the id 'v123', which is no answer of this run"),
        (b"id,text\nv123,1\n", "has no column 'person'"),
        (b"", "has no column 'id'"),
        (b"id,person\n", "has nothing in its column 'person'"),
        (b"id,person\n\xe9,1\n", "save it as CSV in UTF-8"),
        (b'id,person\n"v\n', "which is no answer"),
        (b"id,person\nv1,1\x00\n", "row 2 has the id"),
    ],
)
def test_a_file_that_is_no_sheet_is_one_line(tmp_path: Path, found: list[Case], content: bytes, told: str) -> None:
    path = tmp_path / "s.csv"
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        read_sheet(path, found)
    assert told in str(caught.value)


def test_a_row_twice_and_no_file(tmp_path: Path, found: list[Case]) -> None:
    name = found[0].id
    path = tmp_path / "s.csv"
    path.write_text(f"id,person\n{name},1\n\n{name},1\n")
    with pytest.raises(StoreError, match="repeats the id"):
        read_sheet(path, found)
    with pytest.raises(StoreError, match="no file"):
        read_sheet(tmp_path / "none.csv", found)
