"""What should be gone is gone, down to the bytes of the files."""

from pathlib import Path

import pytest

from deixis.errors import StoreError, UsageError
from deixis.study.database import reading
from deixis.study.database.forgetting import end, forget
from deixis.study.database.opening import Database, open_database
from tests.study.studies import Somebody, client

WHO = "?PROLIFIC_PID=5f3c9a1b7d2e4f6a8b0c1d2e&STUDY_ID=S&SESSION_ID=64aa11bb22cc33dd44ee55ff"
SECRETS = (b"5f3c9a1b7d2e4f6a8b0c1d2e", b"64aa11bb22cc33dd44ee55ff")


def found(path: Path) -> list[str]:
    return [file.name for file in sorted(path.parent.iterdir()) if any(word in file.read_bytes() for word in SECRETS)]


def test_forgotten_somebody_is_in_no_file(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    database = open_database(path)
    one = Somebody.arrive(client(database), WHO)
    one.begin()
    code = one.finish()["code"]
    other = Somebody.arrive(client(database), WHO.replace("5f3c", "aaaa").replace("64aa", "bbbb"))
    other.begin()
    other.finish()
    assert found(path) != []
    told = forget(database, code)
    assert told.answers == 7 - 2
    assert str(path) in told.searched
    assert found(path) == []
    assert [person.status for person in database.read(reading.people)] == ["withdrawn", "complete"]
    assert len(database.read(reading.answers)) == 5
    assert one.call("state").status_code == 404
    with pytest.raises(UsageError, match="nobody has the code 'nobody'"):
        forget(database, "nobody")
    database.close()


def test_closing_deletes_who_people_are_and_keeps_what_they_said(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    database = open_database(path)
    one = Somebody.arrive(client(database), WHO)
    one.begin()
    one.finish()
    number, _ = end(database)
    assert number == 1
    assert found(path) == []
    assert len(database.read(reading.answers)) == 5
    database.close()


def test_a_trace_held_by_another_reader_is_said(tmp_path: Path) -> None:
    """Somebody reads an old state, so the log cannot be emptied: better said than believed."""
    path = tmp_path / "study.db"
    database = open_database(path)
    one = Somebody.arrive(client(database), WHO)
    one.begin()
    code = one.finish()["code"]
    reader = open_database(path)

    def held(connection: object) -> None:
        with pytest.raises(StoreError, match="a trace is left in"):
            forget(database, code)

    reader.read(lambda c: (c.all("begin"), c.all("select count(*) from identity"), held(c), c.all("commit")))
    reader.close()
    database.close()


def test_both_databases_forget(database: Database) -> None:
    one = Somebody.arrive(client(database), WHO)
    one.begin()
    code = one.finish()["code"]
    assert forget(database, code).answers == 5
    assert database.read(reading.answers) == []
    assert database.read(reading.identities) == []
