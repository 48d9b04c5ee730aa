"""People in a run folder: read like models, nobody doubled, the excluded told, the withdrawn gone."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from deixis.errors import SignatureError
from deixis.experiments import experiment
from deixis.scoring.results import read_results
from deixis.store import RunFolder
from deixis.study.data.runfolder import invitation, write_run
from tests.study.people import first, made, somebody, together


def accuracies(run: Path) -> dict[str, dict[str, float]]:
    """Mean credit by design and participant, as ``deixis score`` reads it."""
    return {
        design.name: {
            result.participant: sum(row.score.credit for row in result.rows) / len(result.rows)
            for result in design.results
        }
        for design in read_results(run)
    }


def test_people_stand_in_a_run_as_they_answered(tmp_path: Path) -> None:
    study = made("follow-up")
    found = together(study, somebody(study, "aaaa", "1/V-P-D"), somebody(study, "bbbb", "2/V-D-P", first))
    written = write_run(found, tmp_path, with_excluded=True)
    assert written.designs == ("vocabulary-people", "possessive-people", "demonstrative-people")
    assert (written.people, written.answers, written.left_out) == (2, 96, ())
    assert accuracies(tmp_path) == {
        name: {"people:pilot/aaaa": 1.0, "people:pilot/bbbb": 0.25} for name in sorted(written.designs, reverse=True)
    }
    possessive = RunFolder(tmp_path).design("possessive-people")
    own = possessive.answers("people:pilot/aaaa")
    assert (own.planned(), len(own.trials()), len(own.read())) == (16, 16, 16)
    assert {response.seconds > 2 for response in own.read().values()} == {True}
    signature = possessive.answers("people:pilot/bbbb").signature()
    assert (signature["study"], signature["block_order"], signature["answer"]) == ("pilot", "V-D-P", "choice")
    assert signature["design_sha256"] == study.manifest.design_sha256
    assert signature["consent_sha256"] == "c" * 64
    assert str(signature["excluded"]).startswith("below-chance in vocabulary")


def test_a_run_of_models_goes_on_in_the_same_folder(tmp_path: Path) -> None:
    """What ``deixis run`` asks for with the settings told is what is there."""
    study = made("production-vocabulary")
    found = together(study, somebody(study, "aaaa"))
    write_run(found, tmp_path)
    told = f"--condition people --protocol corrected --seed 1 --set list=all --out {tmp_path} -p MODEL"
    assert invitation(found, tmp_path) == f"deixis run vocabulary {told}"
    design = experiment("vocabulary").design(condition="people", seed=1, settings={"list": "all"})
    assert RunFolder(tmp_path).design("vocabulary-people").signature() == design.signature


def test_whom_a_rule_leaves_out_is_told_and_not_written(tmp_path: Path) -> None:
    study = made("production-vocabulary")
    gone = somebody(study, "cccc", most=0, status="left")
    found = together(study, somebody(study, "aaaa"), somebody(study, "bbbb", choose=first), gone)
    written = write_run(found, tmp_path)
    assert list(accuracies(tmp_path)["vocabulary-people"]) == ["people:pilot/aaaa"]
    with (tmp_path / "pilot-left-out.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["respondent_id"]: (row["reason"], row["trials_answered"]) for row in csv.DictReader(file)}
    assert rows["people:pilot/cccc"] == ("no answer to a trial (left)", "0")
    assert rows["people:pilot/bbbb"][0].startswith("below-chance: 4 of 16 right")
    assert len(written.left_out) == len(rows) == 2
    assert json.loads((tmp_path / "pilot-flow.json").read_text(encoding="utf-8"))["excluded"]["people"] == 2


def test_trials_without_an_answer_are_missing_not_wrong(tmp_path: Path) -> None:
    study = made("production-vocabulary")
    found = together(study, somebody(study, "aaaa", status="left", most=4))
    write_run(found, tmp_path, with_excluded=True)
    (design,) = read_results(tmp_path)
    (result,) = design.results
    outcomes = [row.score.outcome.value for row in result.rows]
    assert (outcomes.count("answered"), outcomes.count("missing")) == (4, 12)


def test_writing_again_doubles_nobody_and_forgets_who_withdrew(tmp_path: Path) -> None:
    study = made("production-vocabulary")
    one, other = somebody(study, "aaaa"), somebody(study, "bbbb")
    half = somebody(study, "bbbb", status="active", most=6)
    for people in ((one, half), (one, other), (one, other)):
        write_run(together(study, *people), tmp_path, with_excluded=True)
    folder = RunFolder(tmp_path).design("vocabulary-people")
    assert [len(file.entries()) for file in folder.participants()] == [16, 16]
    withdrawn = replace(other[0], status="withdrawn")
    write_run(together(study, one, (withdrawn, [])), tmp_path)
    assert [file.participant for file in folder.participants()] == ["people:pilot/aaaa"]


def test_other_participants_of_the_folder_stay(tmp_path: Path) -> None:
    study = made("production-vocabulary")
    write_run(together(study, somebody(study, "aaaa")), tmp_path)
    folder = RunFolder(tmp_path).design("vocabulary-people")
    for other in ("people:pilot2/aaaa", "openai/gpt"):
        folder.answers(other).sign({**folder.signature(), "participant": other}, 64)
    write_run(together(study), tmp_path)
    assert [file.participant for file in folder.participants()] == ["openai/gpt", "people:pilot2/aaaa"]


def test_another_design_in_the_folder_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    study = made("production-vocabulary")
    found = together(study, somebody(study, "aaaa"))
    write_run(found, tmp_path)
    changed = replace(found, plan=replace(study.plan, seed=2))
    with pytest.raises(SignatureError, match="seed was 1 and is now 2"):
        write_run(changed, tmp_path)
    assert accuracies(tmp_path) == {"vocabulary-people": {"people:pilot/aaaa": 1.0}}


def test_made_up_people_are_marked(tmp_path: Path) -> None:
    study = made("production-vocabulary")
    write_run(together(study, somebody(study, "aaaa", mode="simulated")), tmp_path)
    signature = RunFolder(tmp_path).design("vocabulary-people").answers("people:pilot/aaaa").signature()
    assert signature["simulated_by"] == "deixis study simulate"


def test_models_are_not_invited_to_rate(tmp_path: Path) -> None:
    study = made("comprehension")
    assert invitation(together(study, somebody(study, "aaaa")), tmp_path) == ""
