"""When something goes wrong on the server's side: what people are told, what is logged, how it goes on."""

import logging
from pathlib import Path

import pytest

from deixis.study.database import people, reading
from deixis.study.database.opening import Database, open_database
from tests.study.studies import Somebody, client
from tests.study.test_security import Direct

WHO = "5f3c9a1b7d2e4f6a8b0c1d2e"
PROLIFIC = f"?PROLIFIC_PID={WHO}&STUDY_ID=S&SESSION_ID=X1"


def test_a_fault_is_told_with_all_headers_and_logged_without_ids(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError(f"Key (external_id)=({WHO}) already exists")

    web = client(database)
    one = Somebody.arrive(web, PROLIFIC)
    monkeypatch.setattr(people, "own", fail)
    with caplog.at_level(logging.DEBUG):
        told = one.call("state")
    assert (told.status_code, told.json()["error"]) == (503, "busy")
    assert told.headers["content-security-policy"].startswith("default-src 'none'")
    assert told.headers["cache-control"] == "no-store"
    assert "RuntimeError" in caplog.text
    assert WHO not in caplog.text
    monkeypatch.undo()
    assert one.call("state").status_code == 200


@pytest.mark.parametrize("token", ["%00", "x%00y", "%ff", "a" * 5000, "' or 1=1"])
def test_a_token_that_can_be_none_is_nobodys_on_both_databases(database: Database, token: str) -> None:
    direct = Direct(client(database).app)
    sent = b'{"page": "p", "answers": [], "events": [], "step": "consent", "delete": true}'
    for call in ("state", "step", "answers", "leave", "event"):
        assert direct.request("POST", f"/api/{token}/{call}", sent) == 404
    for address in ("run", "researcher"):
        assert direct.request("GET", f"/{address}/{token}") == 404
    direct.close()


def test_a_lost_connection_to_postgresql_is_made_anew(postgres: str) -> None:
    import psycopg

    database = open_database(postgres)
    one = Somebody.arrive(client(database))
    key = one.begin()["timeline"][0]["key"]
    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()")
    assert one.answers(key).json() == {"stored": [key], "refused": {}}
    assert one.state()["progress"]["done"] == 1
    database.close()


def test_who_withdraws_is_in_no_file_and_comes_to_be_in_none_again(tmp_path: Path) -> None:
    database = open_database(tmp_path / "study.db")
    one = Somebody.arrive(client(database), PROLIFIC)
    one.begin()
    assert one.call("leave", delete=True).json()["phase"] == "withdrawn"
    assert [file.name for file in tmp_path.iterdir() if WHO.encode() in file.read_bytes()] == []
    assert one.call("state", size=[1280, 800]).json()["phase"] == "withdrawn"
    (person,) = database.read(reading.people)
    assert (person.size, person.page_id) == ("", "")
    assert [event.kind for event in database.read(reading.events)] == ["withdrawn"]
    database.close()


def test_a_program_that_looks_at_the_link_is_nobody(database: Database) -> None:
    assert client(database).head("/").status_code == 200
    assert database.read(reading.people) == []
