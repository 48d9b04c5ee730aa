"""``deixis study export``, ``import`` and ``join``: what they print, and one line for what cannot be."""

from pathlib import Path

import pytest

from deixis.cli.study_export import FORMATS, export
from deixis.cli.study_import import import_
from deixis.cli.study_join import join
from deixis.errors import DeixisError, Unfinished, UsageError
from deixis.study.database.opening import open_database
from deixis.study.database.people import launch
from deixis.study.database.records import Launched
from tests.study.elsewhere import jsonl, lines_of
from tests.study.people import first, made, somebody, stored

DESIGN = "production-vocabulary"


@pytest.fixture
def database(tmp_path: Path) -> str:
    study = made(DESIGN)
    people = somebody(study, "aaaa"), somebody(study, "bbbb", choose=first), somebody(study, "cccc", mode="test")
    return str(stored(tmp_path / "study.db", *people, prolific=True))


def test_data_are_written_and_told(tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    study, out = made(DESIGN), tmp_path / "data"
    export(study.folder, "csv", out, database)
    assert capsys.readouterr().out.splitlines() == [
        f"{out}/answers.csv: 32 rows",
        f"{out}/extras.csv: 8 rows",
        f"{out}/people.csv: 2 rows",
        "excluded by declared rules: 1 of 2 (excluded_reason)",
        "not counted: 1 test people",
    ]
    assert {path.name for path in out.iterdir()} == {
        "answers.csv", "extras.csv", "people.csv", "codebook.csv", "codebook.json", "flow.json", "README.md",
    }  # fmt: skip


def test_people_go_into_a_run_and_come_out_of_it(
    tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    study, run = made(DESIGN), tmp_path / "run"
    export(study.folder, "run", run, database)
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"{run}: 1 people, 16 answers (vocabulary-people)"
    assert told[1].startswith("left out: people:pilot/bbbb: below-chance: 4 of 16 right")
    assert told[2].startswith("models beside them: deixis run vocabulary --condition people")
    export(run, "psych-ds", tmp_path / "set")
    (line,) = capsys.readouterr().out.splitlines()
    assert line == f"{tmp_path}/set/data/study-run_description-answers_data.csv: 16 rows"
    export(study.folder, "run", run, database, with_excluded=True)
    assert capsys.readouterr().out.splitlines()[0].startswith(f"{run}: 2 people, 32 answers")


def test_answers_from_elsewhere_are_taken_and_what_is_damaged_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study, where = made(DESIGN), str(tmp_path / "new.db")
    file = tmp_path / "results.jsonl"
    file.write_text(jsonl(lines_of(study, somebody(study, "AAAA2222"))), encoding="utf-8")
    for told in ("1 new people, 20 new answers, 0 there before", "0 new people, 0 new answers, 20 there before"):
        import_(study.folder, [file], where)
        assert capsys.readouterr().out == f"imported: {told}\n"
    file.write_text(file.read_text(encoding="utf-8") + "{nonsense\n", encoding="utf-8")
    with pytest.raises(Unfinished, match="1 entry could not be taken") as raised:
        import_(study.folder, [file], where)
    assert raised.value.exit_code == 3
    assert capsys.readouterr().err == f"{file} line 24 is damaged ('{{nonsense')\n"


def test_mismatches_are_told(tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "prolific.csv"
    file.write_text("Submission id,Participant id,Status\nsession-aaaa,pid-aaaa,TIMED-OUT\n", encoding="utf-8")
    join(made(DESIGN).folder, file, database=database)
    assert capsys.readouterr().out.splitlines() == [
        "matched: 1 of 1 submissions, 2 people here",
        "mismatch: aaaa: complete here, TIMED-OUT there; the answers are kept",
        "mismatch: bbbb: complete here, in no row there",
    ]


@pytest.mark.parametrize(
    ("to", "given", "said"),
    [
        ("xlsx", {}, "no format 'xlsx'; there is csv, parquet"),
        ("csv", {"with_excluded": True}, "--with-excluded says nothing to csv"),
        ("static", {"mode": "live"}, "--mode says nothing to static"),
        ("csv", {"experiment": "abcd"}, "--experiment says nothing to csv"),
        ("datapipe", {}, "give --experiment ID"),
        ("csv", {"database": "gone.db"}, "no database 'gone.db'"),
        ("csv", {"mode": "robots"}, "no mode 'robots'"),
    ],
)
def test_what_cannot_be_is_one_line(
    tmp_path: Path, database: str, to: str, given: dict[str, object], said: str
) -> None:
    asked = {"out": tmp_path / "out", **({"database": database} if to in FORMATS[:4] else {}), **given}
    with pytest.raises(UsageError) as raised:
        export(made(DESIGN).folder, to, **asked)  # type: ignore[arg-type]
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_folder_that_is_no_study_is_one_line(tmp_path: Path) -> None:
    for to in ("csv", "run", "static"):
        with pytest.raises(DeixisError) as raised:
            export(tmp_path, to, tmp_path / "out")
        assert "\n" not in str(raised.value)


def test_the_database_of_another_design_is_refused(tmp_path: Path, database: str) -> None:
    opened = open_database(database)
    opened.write(lambda c: launch(c, opened.now, Launched("pilot", "e" * 64, "{}", opened.now)))
    opened.close()
    with pytest.raises(UsageError, match="holds 'pilot', design eeeeeeeeeeee, and the folder is 'pilot'"):
        export(made(DESIGN).folder, "csv", tmp_path / "out", database)
