"""Data sets follow Psych-DS 1.5.0, and what breaks a rule is found."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from deixis.store import RunFolder
from deixis.study.data.columns import ANSWERS, RATINGS
from deixis.study.data.dataset import tables_of
from deixis.study.data.exporting import write_data
from deixis.study.data.psychds import file_name, write_psychds
from deixis.study.data.psychds_check import NAME, RULES, check_psychds
from deixis.study.data.rows import rows_of_run
from deixis.study.data.runfolder import write_run
from deixis.study.data.tables import Row
from tests.study.people import first, made, somebody, together

ROWS: list[Row] = [{"study_id": "pilot-1", "response_raw": 'He said: "mine",\nthen\u2028left', "correct": 1.0}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_psychds(tmp_path / "set", "pilot-1", {"answers": (ANSWERS, ROWS)}, "A study.", "# Pilot\n")
    return tmp_path / "set"


def test_a_study_is_a_data_set_without_a_fault(tmp_path: Path) -> None:
    study = made("comprehension")
    found = together(study, somebody(study, "aaaa"), somebody(study, "bbbb", choose=first))
    write_data("psych-ds", tmp_path / "set", "pilot", "A study.", tables_of(found))
    assert check_psychds(tmp_path / "set") == []
    assert sorted(path.name for path in (tmp_path / "set" / "data").iterdir()) == [
        f"study-pilot_description-{table}_data.csv" for table in ("answers", "extras", "people", "ratings")
    ]
    described = json.loads((tmp_path / "set" / "dataset_description.json").read_text(encoding="utf-8"))
    rating = next(one for one in described["variableMeasured"] if one["name"] == "rating")
    assert described["@context"] == "https://schema.org/"
    assert (rating["@type"], rating["measurementTechnique"]) == ("PropertyValue", "recorded")


def test_a_run_is_a_data_set_without_a_fault(tmp_path: Path) -> None:
    study = made("comprehension")
    write_run(together(study, somebody(study, "aaaa", rt_ms=9000)), tmp_path / "run")
    answers, ratings = rows_of_run(RunFolder(tmp_path / "run"))
    assert (len(answers), len(ratings)) == (16, 64)
    tables = {"answers": (ANSWERS, answers), "ratings": (RATINGS, ratings)}
    write_psychds(tmp_path / "set", "run", tables, "A run.", "# Run\n")
    assert check_psychds(tmp_path / "set") == []


@pytest.mark.parametrize("name", ["pilot", "my-study-2", "ä b", "---"])
def test_file_names_fit_the_standard(name: str) -> None:
    assert NAME.fullmatch(file_name(name, "answers"))


def _without(key: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / "dataset_description.json"
        found = json.loads(path.read_text(encoding="utf-8"))
        found.pop(key)
        path.write_text(json.dumps(found), encoding="utf-8")

    return change


def _data(text: str, name: str = "study-b_description-x_data.csv") -> Callable[[Path], None]:
    return lambda folder: (folder / "data" / name).write_bytes(text.encode("latin-1")) and None


def _variables(*more: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / "dataset_description.json"
        found = json.loads(path.read_text(encoding="utf-8"))
        found["variableMeasured"] += more
        path.write_text(json.dumps(found), encoding="utf-8")

    return change


def _row_ids(folder: Path) -> None:
    _variables("row_id")(folder)
    _data("row_id\n1\n1\n")(folder)


def _gone(name: str) -> Callable[[Path], None]:
    return lambda folder: next(folder.rglob(name)).unlink()


BROKEN: dict[str, Callable[[Path], None]] = {
    "MISSING_DATASET_DESCRIPTION": _gone("dataset_description.json"),
    "JSON_INVALID": lambda folder: (folder / "dataset_description.json").write_text("{") and None,
    "UNKNOWN_NAMESPACE": _without("@context"),
    "INCORRECT_DATASET_TYPE": _without("@type"),
    "JSON_KEY_REQUIRED": _without("description"),
    "MISSING_DATAFILE": _gone("*_data.csv"),
    "FILENAME_KEYWORD_FORMATTING_ERROR": _data("study_id\n1\n", "answers.csv"),
    "FILENAME_UNOFFICIAL_KEYWORD_WARNING": _data("study_id\n1\n", "lab-a_data.csv"),
    "CSV_FORMATTING_ERROR": _data("study_id\n\xff\xfe\n"),
    "CSV_HEADER_MISSING": _data("study_id,study_id\n1,2\n"),
    "CSV_HEADER_LENGTH_MISMATCH": _data("study_id,correct\n1\n"),
    "CSV_COLUMN_MISSING_FROM_METADATA": _data("study_id,mood\n1,2\n"),
    "VARIABLE_MISSING_FROM_CSV_COLUMNS": _variables("mood"),
    "ROWID_VALUES_NOT_UNIQUE": _row_ids,
    "MISSING_README_DOC": _gone("README.md"),
    "MISSING_CHANGES_DOC": _gone("CHANGES.md"),
}


@pytest.mark.parametrize("code", RULES)
def test_each_rule_can_be_broken_and_is_found(code: str, folder: Path) -> None:
    assert check_psychds(folder) == []
    BROKEN[code](folder)
    assert code in {line.split(":")[0] for line in check_psychds(folder)}
