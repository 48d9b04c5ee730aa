"""The trial table in all its forms."""

import csv
import json
from pathlib import Path

import pyarrow.parquet
import pytest

from deixis.errors import UsageError
from deixis.experiments.experiment import Design, Setup
from deixis.experiments.tables import counts, csv_lines, described, find_trial, write_table

COLUMNS = (
    "trial_id,experiment,condition,protocol,indexical,sentence_type,context_prime,marks,item,"
    "option_1,option_2,answer,prompt,picture"
)


def test_three_formats_hold_the_same(few: Design, tmp_path: Path) -> None:
    for kind in ("csv", "jsonl", "parquet"):
        write_table(few, tmp_path / f"trials.{kind}")
    with (tmp_path / "trials.csv").open(newline="", encoding="utf-8") as file:
        from_csv = list(csv.DictReader(file))
    from_json = [json.loads(line) for line in (tmp_path / "trials.jsonl").read_text(encoding="utf-8").splitlines()]
    assert from_csv == from_json == pyarrow.parquet.read_table(tmp_path / "trials.parquet").to_pylist()
    assert ",".join(from_csv[0]) == COLUMNS
    assert from_csv[0]["answer"] in (from_csv[0]["option_1"], from_csv[0]["option_2"])
    assert "".join(csv_lines(few)).encode() == (tmp_path / "trials.csv").read_bytes()


def test_other_names_and_places_are_refused(few: Design, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="must end in .csv, .jsonl or .parquet"):
        write_table(few, tmp_path / "trials.xlsx")
    with pytest.raises(UsageError, match="cannot write"):
        write_table(few, tmp_path / "none" / "trials.csv")


def test_counts_show_the_balance(few: Design) -> None:
    told = "\n".join(counts(few))
    assert "192 trials" in told
    assert "indexical: I 48, you 48, here 48, tomorrow 48" in told
    assert "right answer: option_1 96, option_2 96" in told


def test_one_trial_is_shown_whole() -> None:
    trial, prompt, _ = find_trial("here/002/quoted/shifted", Setup())
    told = "\n".join(described(trial, prompt))
    assert prompt.user in told
    assert told.count("right  option_") == 1
    with pytest.raises(UsageError, match="no trial 'here/002/quoted/shiftd'; nearest: here/002/quoted/shifted"):
        find_trial("here/002/quoted/shiftd", Setup())
