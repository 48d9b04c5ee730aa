"""The codebook describes every column of every table, and its levels are those that trials have."""

import csv
import io
import json

import pytest

from deixis.experiments import EXPERIMENTS, experiment
from deixis.study.data.codebook import codebook_csv, codebook_json, distinct
from deixis.study.data.columns import ABOUT, ANSWERS, PEOPLE, TABLES
from deixis.study.data.factors import NAMES, factor_columns


def test_every_column_is_described() -> None:
    rows = list(csv.DictReader(io.StringIO(codebook_csv(TABLES))))
    assert [(row["table"], row["name"]) for row in rows] == [
        (table, column.name) for table, columns in TABLES.items() for column in columns
    ]
    assert all(row["meaning"] and row["type"] and row["origin"] in {"asked", "recorded", "derived"} for row in rows)
    correct = next(row for row in rows if row["name"] == "correct")
    assert (correct["type"], correct["origin"], correct["units"]) == ("number", "derived", "")
    assert next(row["units"] for row in rows if row["name"] == "rt_ms") == "ms"


def test_json_says_the_same_as_csv() -> None:
    written = json.loads(codebook_json(TABLES))["tables"]
    rows = list(csv.DictReader(io.StringIO(codebook_csv(TABLES))))
    found = [(table, one) for table, entry in written.items() for one in entry["columns"]]
    assert len(found) == len(rows)
    for (table, entry), row in zip(found, rows, strict=True):
        entry["levels"] = " | ".join(entry["levels"])
        assert {"table": table, **entry} == row
    assert {table: entry["about"] for table, entry in written.items()} == {table: ABOUT[table] for table in TABLES}


def test_every_factor_of_every_experiment_is_a_column() -> None:
    wanted = {name for found in EXPERIMENTS.values() for name in found.factors}
    assert wanted <= {*NAMES, "task", "item"}
    assert set(NAMES) <= {column.name for column in ANSWERS}


@pytest.mark.parametrize("name", ["vocabulary", "possessive", "demonstrative", "comprehension"])
def test_trials_have_only_the_levels_that_are_declared(name: str) -> None:
    declared = {column.name: column.levels for column in factor_columns() if column.levels}
    for trial in experiment(name).design(condition="people").bare():
        for factor, level in trial.factors.items():
            assert level in declared.get(factor, (level,)), (factor, level)


def test_a_name_in_two_tables_means_the_same() -> None:
    """Data set descriptions name each column once."""
    known = {column.name: column.meaning for column in ANSWERS}
    shared = [column for column in PEOPLE if column.name in known]
    assert {column.name for column in shared} == {
        "study_id", "respondent_kind", "respondent_id", "list_id", "block_order", "excluded_reason",
    }  # fmt: skip
    assert len(distinct(TABLES.values())) == len({column.name for columns in TABLES.values() for column in columns})
