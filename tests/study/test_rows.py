"""One row an answer: the same columns for people and models, people's exclusions as a column, nothing lost."""

import csv
import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pandas as pd
import pytest

from deixis.errors import UsageError
from deixis.records import Trial
from deixis.store import RunFolder
from deixis.study.data.chance import chance_of, rated_right
from deixis.study.data.columns import ANSWERS, PEOPLE, RATINGS, TABLES
from deixis.study.data.dataset import stimulus_hash, tables_of
from deixis.study.data.exporting import write_data
from deixis.study.data.flow import flow
from deixis.study.data.rows import rows_of_run
from deixis.study.data.runfolder import write_run
from deixis.study.data.tables import cell, header, write_csv, write_parquet
from deixis.study.exclusions import Rule
from tests.study.people import first, made, right, somebody, together, trials_in

HEADER = (
    "study_id,respondent_kind,respondent_id,item_id,trial_id,trial_index,experiment,task,condition,protocol,part,block,"
    "block_order,list_id,indexical,sentence_type,context_prime,marks,group,target,speaker,gazer,perspective,order,distance,"
    "arrangement,background,word,options,right,response,response_raw,correct,error_type,outcome,rt_ms,answered_at,"
    "presentation,input_kind,hidden_ms,blurs,trusted,travel_px,viewport,motion,page_loads,excluded_reason,"
    "stimulus_sha256,design_sha256,code_version"
)


def test_a_row_says_what_was_shown_said_and_right() -> None:
    study = made("production-vocabulary")
    found = together(study, somebody(study, "aaaa", "2"))
    rows = tables_of(found)["answers"][1]
    assert len(rows) == 16
    row = next(one for one in rows if one["trial_index"] == 1)
    key = next(key for _, key in study.manifest.order_of(study.manifest.arm("2"), 7, "aaaa"))
    trial = trials_in(str(study.folder))[key]
    assert row["respondent_id"], row["respondent_kind"] == ("people:pilot/aaaa", "human")
    assert (row["trial_id"], row["list_id"], row["block_order"]) == (trial.id, "2", None)
    assert json.loads(str(row["options"])) == [option.text for option in trial.options]
    assert row["response"] == row["right"] == trial.options[trial.answer].text
    assert (row["response_raw"], row["correct"], row["error_type"]) == (str(trial.answer), 1.0, "Correct")
    assert (row["target"], row["speaker"], row["item_id"]) == (
        int(trial.factors["target"]),
        trial.factors["speaker"],
        trial.id.split("/")[1],
    )
    assert (row["rt_ms"], row["input_kind"], row["travel_px"], row["trusted"]) == (2502.0, "mouse", 12, True)
    assert row["stimulus_sha256"] == str(study.manifest.stimuli[key].picture).removesuffix(".svg")
    assert row["design_sha256"] == study.manifest.design_sha256


def test_every_cell_has_a_column(tmp_path: Path) -> None:
    study = made("comprehension")
    people = (somebody(study, "aaaa"), somebody(study, "bbbb", choose=first), somebody(study, "cccc", most=4))
    for name, (columns, rows) in tables_of(together(study, *people)).items():
        known = set(header(columns))
        assert columns == TABLES[name]
        assert all(set(row) <= known for row in rows)


def test_practice_and_checks_stand_apart() -> None:
    study = made("production-vocabulary")
    tables = tables_of(together(study, somebody(study, "aaaa")))
    assert {row["part"] for row in tables["answers"][1]} == {"trial"}
    extras = tables["extras"][1]
    assert [row["part"] for row in extras] == ["practice", "practice", "check", "check"]
    assert all(row["correct"] == 1.0 and row["list_id"] is None for row in extras)
    assert [row["error_type"] for row in extras] == ["Correct", "Correct", None, None]


def test_a_failed_check_is_wrong_though_the_scene_makes_it_right() -> None:
    study = made("production-vocabulary")

    checks = [trial for key, trial in trials_in(str(study.folder)).items() if key.startswith("check")]

    def by_the_scene(trial: Trial) -> int:
        return (trial.answer + (trial in checks)) % 4

    extras = tables_of(together(study, somebody(study, "aaaa", choose=by_the_scene)))["extras"][1]
    assert [row["correct"] for row in extras if row["part"] == "check"] == [0.0, 0.0]


def test_planned_trials_without_an_answer_are_rows_that_count_for_nothing() -> None:
    study = made("production-vocabulary")
    rows = tables_of(together(study, somebody(study, "aaaa", status="left", most=5)))["answers"][1]
    missing = [row for row in rows if row["outcome"] == "missing"]
    assert len(rows) == 16
    assert len({row["trial_id"] for row in rows}) == 16
    assert len(missing) == 11
    assert all(row["correct"] is None and row["trial_index"] is None and row["error_type"] is None for row in missing)


def test_who_has_everything_erased_has_no_rows() -> None:
    study = made("production-vocabulary")
    person, _ = somebody(study, "aaaa", status="withdrawn")
    tables = tables_of(together(study, (person, [])))
    assert not tables["answers"][1]
    assert [row["status"] for row in tables["people"][1]] == ["withdrawn"]


def test_exclusions_are_a_column_never_missing_rows() -> None:
    study = made("production-vocabulary")
    found = together(study, somebody(study, "aaaa"), somebody(study, "bbbb", choose=first))
    rows = tables_of(found)["answers"][1]
    reasons = {str(row["respondent_id"]): row["excluded_reason"] for row in rows}
    assert len(rows) == 32
    assert reasons["people:pilot/aaaa"] is None
    assert str(reasons["people:pilot/bbbb"]).startswith("below-chance: 4 of 16 right, 8 needed; failed-checks: 2 of 2")


def test_flow_counts_who_came_how_far_and_why_somebody_is_left_out() -> None:
    study = made("production-vocabulary")
    arrived = replace(somebody(study, "eeee")[0], arm="", status="declined", consented_at="")
    found = flow(
        together(
            study,
            somebody(study, "aaaa"),
            somebody(study, "bbbb", "2", first),
            somebody(study, "cccc", "2", status="left", most=3),
            somebody(study, "dddd", mode="test"),
            (arrived, []),
        )
    )
    assert (found["arrived"], found["consented"], found["assigned"], found["finished"]) == (4, 3, 3, 2)
    assert found["excluded"]["people"] == 2
    assert found["excluded"]["by_rule"]["below-chance"] == 1
    assert found["excluded"]["by_rule"]["incomplete"] == 1
    assert found["not_counted"] == {"test": 1}
    assert found["by_arm"]["2"]["assigned"] == 2
    assert found["by_arm"]["2"]["status"] == {"complete": 1, "left": 1}
    assert (found["kept"], found["by_arm"]["2"]["kept"]) == (1, 0)


def test_made_up_people_never_stand_beside_real_ones() -> None:
    study = made("production-vocabulary")
    real, robot, look = (
        somebody(study, code, mode=mode) for code, mode in (("aaaa", "live"), ("bbbb", "simulated"), ("cccc", "test"))
    )
    assert [one.person.code for one in together(study, real, robot, look).people] == ["aaaa"]
    alone = together(study, robot, look)
    assert (alone.mode, alone.aside) == ("simulated", {"test": 1})
    assert {row["respondent_kind"] for row in tables_of(alone)["answers"][1]} == {"simulated"}
    assert [one.person.code for one in together(study, real, look, mode="test").people] == ["cccc"]
    with pytest.raises(UsageError, match="no mode 'robots'"):
        together(study, real, mode="robots")


def test_answers_of_another_study_are_refused() -> None:
    study, other = made("production-vocabulary"), made("comprehension")
    person, answers = somebody(other, "aaaa")
    with pytest.raises(UsageError, match="does not ask"):
        together(study, (person, answers))


def test_ratings_have_a_row_an_object() -> None:
    study = made("comprehension")
    tables = tables_of(together(study, somebody(study, "aaaa")))
    ratings, answers = tables["ratings"][1], tables["answers"][1]
    assert len(ratings) == 16 * 4
    one = next(row for row in answers if row["task"] == "demonstrative" and row["word"] == "this one")
    own = [row for row in ratings if row["trial_id"] == one["trial_id"]]
    assert json.loads(str(one["response_raw"])) == [row["rating"] for row in own]
    assert [row["object_label"] for row in own] == ["A", "B", "C", "D"]
    nearest = next(row for row in own if row["rating"] == 7)
    assert (nearest["object_distance"], nearest["object_role"]) == (0, "0")
    assert all(str(row["object_distance"]) == row["object_role"] for row in ratings if row["task"] == "demonstrative")


@pytest.mark.parametrize("right_ones", [1, 2, 3])
def test_chance_of_ratings_is_that_of_all_ratings(right_ones: int) -> None:
    def is_right(given: tuple[int, ...]) -> bool:
        return all(place < right_ones for place, rating in enumerate(given) if rating == max(given))

    every = list(product(range(7), repeat=4))
    assert rated_right(right_ones, 4) == pytest.approx(sum(map(is_right, every)) / len(every), abs=1e-12)


def test_chance_of_a_choice_is_one_of_the_options() -> None:
    trial = next(iter(trials_in(str(made("production-vocabulary").folder)).values()))
    assert chance_of(trial, rated=False) == 0.25


def test_header_is_the_same_for_people_and_models(tmp_path: Path) -> None:
    """Byte for byte, and the cells of answers agree, whether they come from the database or from a run folder."""
    study = made("production-vocabulary")
    found = together(study, somebody(study, "aaaa", "3"), somebody(study, "bbbb", "2", most=5))
    write_run(found, tmp_path / "run", with_excluded=True)
    answers, _ = rows_of_run(RunFolder(tmp_path / "run"))
    write_data("csv", tmp_path / "study", "pilot", "A study.", tables_of(found))
    write_data("csv", tmp_path / "models", "run", "A run.", {"answers": (ANSWERS, answers)})
    tables = [tmp_path / name / "answers.csv" for name in ("study", "models")]
    heads = [path.read_bytes().split(b"\n", 1)[0] for path in tables]
    assert heads[0] == heads[1] == HEADER.encode()
    people, run = (_by_trial(path) for path in tables)
    assert people.keys() == run.keys()
    own = (
        "trial_index block presentation input_kind hidden_ms blurs trusted travel_px viewport motion page_loads".split()
    )
    own += ["stimulus_sha256"]
    for key, row in people.items():
        assert {k: v for k, v in row.items() if k not in own} == {k: v for k, v in run[key].items() if k not in own}


def test_csv_and_parquet_hold_the_same(tmp_path: Path) -> None:
    study = made("comprehension")
    tables = tables_of(together(study, somebody(study, "aaaa"), somebody(study, "bbbb", most=3)))
    for name in ("answers", "ratings", "people"):
        columns, rows = tables[name]
        write_csv(tmp_path / "table.csv", columns, rows)
        write_parquet(tmp_path / "table.parquet", columns, rows)
        read = pd.read_parquet(tmp_path / "table.parquet").astype(object)
        cells = [[cell(None if pd.isna(v) else v) for v in row] for row in read.itertuples(index=False, name=None)]
        with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
            written = list(csv.reader(file))
        assert written[0] == list(read.columns)
        assert written[1:] == cells


@pytest.mark.parametrize(
    ("value", "text"), [(None, ""), (True, "true"), (1.0, "1"), (0.5, "0.5"), (2503.1, "2503.1"), (3, "3"), ("a", "a")]
)
def test_cells_of_csv(value: str | float | None, text: str) -> None:
    assert cell(value) == text


def test_stimuli_with_the_same_picture_have_the_same_hash() -> None:
    study = made("production-vocabulary")
    stimulus = next(iter(study.manifest.stimuli.values()))
    assert stimulus_hash(stimulus) == stimulus_hash(replace(stimulus, options=("a", "b")))
    text = replace(stimulus, picture=None, passage="Nora sings.")
    assert stimulus_hash(text) != stimulus_hash(replace(text, passage="Ida sings."))
    assert len(stimulus_hash(text)) == 64


def test_reasons_hang_on_the_declared_rules() -> None:
    study = made("production-vocabulary")
    slow = replace(study, plan=replace(study.plan, rules=(Rule("fast", median_below_ms=9000),)))
    rows = tables_of(together(slow, somebody(slow, "aaaa", choose=right)))["people"][1]
    assert rows[0]["excluded_reason"] == "fast: median 2510 ms, under 9000"


def test_tables_have_no_column_twice() -> None:
    for columns in (ANSWERS, RATINGS, PEOPLE):
        assert len(set(header(columns))) == len(columns)


def _by_trial(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return {(row["respondent_id"], row["trial_id"]): row for row in csv.DictReader(file)}
