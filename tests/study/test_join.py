"""Joining Prolific's export: both sides' mismatches are told, only what is named is kept, and never an id."""

from pathlib import Path

import pytest

from deixis.errors import UsageError
from deixis.study.data.dataset import tables_of
from deixis.study.data.join import Identified, Joined, join, read_export
from deixis.study.data.opening import gathered, joined_table
from deixis.study.data.telling import joined
from tests.study.people import made, somebody, stored

HEADER = "Submission id,Participant id,Status,Age,First language\n"


def export(path: Path, *rows: str, header: str = HEADER) -> Path:
    path.write_text(header + "".join(f"{row}\n" for row in rows), encoding="utf-8-sig")
    return path


def joining(tmp_path: Path, *rows: str, columns: tuple[str, ...] = ("Age", "First language")) -> Joined:
    study = made("production-vocabulary")
    people = [somebody(study, "aaaa")[0], somebody(study, "bbbb", status="active", most=3)[0]]
    known = [Identified(person.code, f"pid-{person.code}", f"session-{person.code}") for person in people]
    return join("pilot", people, known, read_export(export(tmp_path / "p.csv", *rows), columns), columns)


def test_only_the_columns_named_are_kept_by_code(tmp_path: Path) -> None:
    found = joining(tmp_path, "session-aaaa,pid-aaaa,APPROVED,31,English", columns=("First language",))
    assert [column.name for column in found.columns] == ["respondent_id", "prolific_first_language"]
    assert found.rows == ({"respondent_id": "people:pilot/aaaa", "prolific_first_language": "English"},)


def test_expired_values_are_empty_and_counted(tmp_path: Path) -> None:
    found = joining(tmp_path, "session-aaaa,pid-aaaa,APPROVED,DATA_EXPIRED,CONSENT_REVOKED")
    assert found.rows == ({"respondent_id": "people:pilot/aaaa"},)
    assert found.expired == 2


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("session-aaaa,pid-aaaa,TIMED-OUT,31,English", "aaaa: complete here, TIMED-OUT there; the answers are kept"),
        ("session-aaaa,pid-aaaa,RETURNED,31,English", "aaaa: complete here, RETURNED there; the answers are kept"),
        ("session-bbbb,pid-bbbb,APPROVED,31,English", "bbbb: active here, APPROVED there; look before you pay"),
        ("session-zzzz,pid-zzzz,APPROVED,31,English", "row 2: APPROVED there, nobody here"),
        ("session-zzzz,pid-aaaa,APPROVED,31,English",
         "row 2: APPROVED there, nobody here, of somebody who is here with another submission"),
    ],
)  # fmt: skip
def test_both_sides_are_told(tmp_path: Path, row: str, told: str) -> None:
    found = joining(tmp_path, row)
    assert found.mismatches[0] == told
    assert not any("pid-" in line or "session-" in line for line in found.mismatches)


def test_whom_the_export_lacks_is_told(tmp_path: Path) -> None:
    row = "session-aaaa,pid-aaaa,APPROVED,31,English"
    found = joining(tmp_path, row, row)
    assert found.mismatches == ("row 3: aaaa a second time", "bbbb: active here, in no row there")
    assert len(found.rows) == 1


@pytest.mark.parametrize(
    ("header", "columns", "said"),
    [
        ("Participant id,Status\n", (), "has no column 'Submission id'"),
        (HEADER, ("Mood",), "has no column 'Mood'; there is Submission id, Participant id"),
        (HEADER, ("Participant id",), "says who somebody is, and is never written"),
    ],
)
def test_columns_that_cannot_be(tmp_path: Path, header: str, columns: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_export(export(tmp_path / "p.csv", header=header), columns)


def test_a_short_row_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="row 2 has not as many cells"):
        read_export(export(tmp_path / "p.csv", "session-aaaa,pid-aaaa"))
    with pytest.raises(UsageError, match="cannot read"):
        read_export(tmp_path / "gone.csv")


def test_what_was_kept_goes_with_the_data_and_no_id_anywhere(tmp_path: Path) -> None:
    study = made("production-vocabulary")
    people = somebody(study, "aaaa"), somebody(study, "bbbb"), somebody(study, "cccc", mode="test")
    where = stored(tmp_path / "study.db", *people, prolific=True)
    rows = [f"session-{code},pid-{code},APPROVED,3{n},English" for n, code in enumerate(("aaaa", "bbbb", "cccc"))]
    kept = study.folder / "joined.csv"
    try:
        told = joined(study.folder, export(tmp_path / "p.csv", *rows), ["Age"], str(where))
        assert told[0] == "matched: 2 of 3 submissions, 2 people here"
        assert told[1] == "mismatch: row 4: APPROVED there, nobody here"
        found = gathered(study, str(where))
        columns, values = joined_table(study, found)["joined"]
        assert [column.name for column in columns] == ["respondent_id", "prolific_age"]
        assert [row["prolific_age"] for row in values] == ["30", "31"]
        everything = repr([tables_of(found), values]) + kept.read_text(encoding="utf-8")
        assert "pid-" not in everything
        assert "session-" not in everything
    finally:
        kept.unlink(missing_ok=True)
