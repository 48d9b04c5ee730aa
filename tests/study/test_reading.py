"""Result files of other hosts come into the database once, and what is wrong with them is named."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deixis.errors import UsageError
from deixis.study.data.gathering import gather
from deixis.study.database import reading
from deixis.study.database.opening import Database, open_database
from deixis.study.hosts.importing import Imported, import_results
from tests.study.elsewhere import jsonl, lines_of, table
from tests.study.people import first, made, somebody

CODES = ("AAAA2222AA", "BBBB3333BB")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(tmp_path / "study.db")
    yield opened
    opened.close()


def take(database: Database, tmp_path: Path, text: str, name: str = "results.txt", design: str = "") -> Imported:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    return import_results(made(design or "production-vocabulary"), database, [path])


def contents(database: Database) -> tuple[list[object], list[object]]:
    return list(database.read(reading.people)), list(database.read(reading.answers))


@pytest.mark.parametrize("design", ["production-vocabulary", "comprehension"])
@pytest.mark.parametrize("form", ["lines", "csv", "list"])
def test_what_was_answered_elsewhere_is_what_is_stored(
    database: Database, tmp_path: Path, form: str, design: str
) -> None:
    study = made(design)
    people = [somebody(study, CODES[0], choose=first), somebody(study, CODES[1])]
    lines = [lines_of(study, one) for one in people]
    text = {
        "lines": jsonl(*lines),
        "csv": table(study, *people),
        "list": json.dumps([{**line, "code": CODES[n], "study": "pilot", "design_sha256":
                             study.manifest.design_sha256, "arm": people[n][0].arm, "started": people[n][0].arrived_at}
                            for n, own in enumerate(lines) for line in own if line["type"] == "answer"]),
    }[form]  # fmt: skip
    found = take(database, tmp_path, text, f"results.{form}", design)
    assert found.damaged == ()
    assert (found.taken.people, found.taken.answers, found.taken.there) == (2, 40, 0)
    everybody, stored = database.read(reading.people), database.read(reading.answers)
    assert [(one.code, one.mode, one.status, one.arm) for one in everybody] == [
        (code, "live", "complete", people[0][0].arm) for code in CODES
    ]
    wanted = {(one.person, one.answer.key): one for _, own in people for one in own}
    for one in stored:
        asked = wanted[one.person, one.answer.key]
        assert (one.part, one.block, one.server_at) == (asked.part, asked.block, "")
        assert (one.answer.said, one.answer.rt_ms) == (asked.answer.said, asked.answer.rt_ms)
        assert (one.answer.size, one.answer.order) == ("1280x800", asked.answer.order)
    gathered = gather(study.plan, study.manifest, everybody, stored)
    assert [one.complete for one in gathered.people] == [True, True]


def test_importing_twice_changes_nothing(database: Database, tmp_path: Path) -> None:
    study = made("production-vocabulary")
    text = jsonl(lines_of(study, somebody(study, CODES[0])))
    take(database, tmp_path, text)
    before = contents(database)
    found = take(database, tmp_path, text)
    assert (found.taken.people, found.taken.answers, found.taken.there) == (0, 0, 20)
    assert contents(database) == before


def test_the_first_answer_stays(database: Database, tmp_path: Path) -> None:
    study = made("production-vocabulary")
    take(database, tmp_path, jsonl(lines_of(study, somebody(study, CODES[0]))))
    before = contents(database)
    take(database, tmp_path, jsonl(lines_of(study, somebody(study, CODES[0], choose=first))))
    assert contents(database) == before


def test_a_later_file_completes_an_earlier_one(database: Database, tmp_path: Path) -> None:
    study = made("production-vocabulary")
    take(database, tmp_path, jsonl(lines_of(study, somebody(study, CODES[0], most=5), phase="")))
    assert [one.status for one in database.read(reading.people)] == ["expired"]
    found = take(database, tmp_path, jsonl(lines_of(study, somebody(study, CODES[0]))))
    assert (found.taken.answers, found.taken.there) == (13, 7)
    assert [one.status for one in database.read(reading.people)] == ["complete"]


def test_runs_put_together_without_line_ends_are_read(database: Database, tmp_path: Path) -> None:
    study = made("production-vocabulary")
    text = "".join(jsonl(lines_of(study, somebody(study, code))).rstrip("\n") for code in CODES)
    assert take(database, tmp_path, text).taken.answers == 40


def test_an_archive_is_read_file_by_file(database: Database, tmp_path: Path) -> None:
    study = made("production-vocabulary")
    with zipfile.ZipFile(tmp_path / "results.jrzip", "w") as archive:
        archive.writestr("metadata.json", '{"data": []}')
        for number, code in enumerate(CODES):
            text = jsonl(lines_of(study, somebody(study, code)))
            archive.writestr(f"study_result_{number}/comp-result_{number}/data.txt", text)
    found = import_results(study, database, [tmp_path / "results.jrzip"])
    assert (found.taken.people, found.taken.answers, found.damaged) == (2, 40, ())


def test_damaged_lines_are_named_and_the_rest_is_taken(database: Database, tmp_path: Path) -> None:
    study = made("production-vocabulary")
    lines = jsonl(lines_of(study, somebody(study, CODES[0]))).splitlines(keepends=True)
    lines[5] = lines[5][:30] + "\n"
    found = take(database, tmp_path, "".join(lines))
    assert found.taken.answers == 19
    assert found.damaged == (f"{tmp_path / 'results.txt'!s} line 6 is damaged ({lines[5][:30]!r})",)


def test_answers_behind_a_damaged_session_belong_to_nobody(database: Database, tmp_path: Path) -> None:
    """Else they would be taken for those of the person before."""
    study = made("production-vocabulary")
    one, other = (jsonl(lines_of(study, somebody(study, code, most=3), phase="")) for code in CODES)
    found = take(database, tmp_path, one + other[40:])
    whose = [one.person for one in database.read(reading.answers)]
    assert [whose.count(code) for code in CODES] == [5, 3]
    assert "line 8 is damaged" in found.damaged[0]
    assert found.damaged[1].endswith("line 9 belongs to nobody: the line that says whose it is, is damaged")
    assert len(found.damaged) == 3


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("design_sha256", "e" * 64, "answers the design 'eeeeeeeeeeee'"),
        ("study", "other", "belongs to the study 'other'"),
    ],
)
def test_a_foreign_design_is_refused_and_nothing_is_taken(
    database: Database, tmp_path: Path, field: str, value: str, said: str
) -> None:
    study = made("production-vocabulary")
    own, foreign = (lines_of(study, somebody(study, code)) for code in CODES)
    foreign[0][field] = value
    with pytest.raises(UsageError, match=f"line 24 {said}"):
        take(database, tmp_path, jsonl(own, foreign))
    assert contents(database) == ([], [])


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("choice", 4, "choice is no whole number from 0 to 3"),
        ("choice", None, "choice is no whole number"),
        ("rt_ms", -1, "rt_ms is no number"),
        ("rt_ms", 1e9, "rt_ms is no number"),
        ("key", "trial/0000000000000000", "there is no such trial"),
        ("input", "<script>", "input is none of"),
    ],
)
def test_answers_are_checked_as_the_server_checks_them(
    database: Database, tmp_path: Path, field: str, value: object, said: str
) -> None:
    study = made("production-vocabulary")
    lines = lines_of(study, somebody(study, CODES[0]))
    lines[6][field] = value
    found = take(database, tmp_path, jsonl(lines))
    (message,) = found.damaged
    assert "line 7 cannot be taken" in message
    assert said in message
    assert found.taken.answers == 19


def test_an_answer_to_another_list_is_named(database: Database, tmp_path: Path) -> None:
    study = made("production-vocabulary")
    lines = lines_of(study, somebody(study, CODES[0], "1"))
    other = next(one for one in lines_of(study, somebody(study, "x", "2")) if str(one.get("key")).startswith("trial/"))
    found = take(database, tmp_path, jsonl([*lines[:-1], other]))
    assert found.damaged == (f"{CODES[0]} answered {other['key']!r}, which is not on the list '1'",)


@pytest.mark.parametrize("order", ["before", "after"])
def test_who_withdrew_keeps_no_answer(database: Database, tmp_path: Path, order: str) -> None:
    study = made("production-vocabulary")
    lines = lines_of(study, somebody(study, CODES[0]), phase="")
    gone = {"type": "withdrawn", "code": CODES[0], "phase": "withdrawn", "ended": "2026-03-01T10:30:00.000Z"}
    files = [jsonl(lines), jsonl([lines[0], gone])]
    for text in files if order == "after" else files[::-1]:
        take(database, tmp_path, text)
    assert database.read(reading.answers) == []
    assert [one.status for one in database.read(reading.people)] == ["withdrawn"]


def test_leaving_and_declining_are_kept(database: Database, tmp_path: Path) -> None:
    study = made("production-vocabulary")
    declined = [{"type": "end", "code": CODES[1], "phase": "declined", "ended": "2026-03-01T10:30:00.000Z"}]
    left = lines_of(study, somebody(study, CODES[0], most=3), phase="left")
    take(database, tmp_path, jsonl(left, declined))
    assert {one.code: one.status for one in database.read(reading.people)} == {CODES[0]: "left", CODES[1]: "declined"}


def test_a_list_that_changed_is_refused(database: Database, tmp_path: Path) -> None:
    study = made("production-vocabulary")
    take(database, tmp_path, jsonl(lines_of(study, somebody(study, CODES[0], "1", most=2))))
    with pytest.raises(UsageError, match="is there with the list '1', and the file says '2'"):
        take(database, tmp_path, jsonl(lines_of(study, somebody(study, CODES[0], "2", most=2))))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,age\nA,3\n", "has no columns key, type and code"),
        ("[{", "is damaged"),
        (b"\xff\xfe", "is no UTF-8 text"),
    ],
)
def test_other_files_are_refused(database: Database, tmp_path: Path, text: str | bytes, said: str) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UsageError, match=said):
        import_results(made("production-vocabulary"), database, [path])
    with pytest.raises(UsageError, match="cannot read"):
        import_results(made("production-vocabulary"), database, [tmp_path / "gone.csv"])
