"""The whole analysis of a real small run, and of scenes made by hand: what is there, and why the rest is not."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deixis.analysis.whole import Analysis, analyse
from deixis.errors import AnalysisError
from deixis.experiments import experiment
from deixis.participants.registry import Setting, build, references
from deixis.records import AnswerMode, Option, Response, Trial
from deixis.report.analysis_tables import text_lines
from deixis.runs.run import ask
from deixis.scoring.results import DesignResults, Result, Scored, only, read_results
from deixis.scoring.score import score
from deixis.store import RunFolder
from tests.runs.scripted import Quiet, Scripted


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, few_items: Path) -> Path:
    """All reference participants, one that answers as the oracle does, and one that answers by a hash."""
    path = tmp_path_factory.mktemp("run")
    design = experiment("indexicals").design(few_items, "classic", "corrected", 0)
    part = RunFolder(path).design("indexicals-classic")
    part.keep(design.signature, design.notes, design.trials, design.prompts)
    knows = build("strategy:oracle", design.trials, 0, Setting())
    knows.id = "test:knows"
    for one in (*(build(name, design.trials, 0, Setting()) for name in references("indexicals")), knows):
        ask(part, design, one, AnswerMode.CHOOSE, None, Quiet())
    ask(part, design, Scripted(), AnswerMode.GENERATE, 150, Quiet())
    return path


@pytest.fixture(scope="module")
def found(folder: Path) -> Analysis:
    return analyse(list(read_results(folder)))


def test_the_tables_that_these_data_allow_are_there(found: Analysis) -> None:
    assert set(found.tables) == {
        "accuracy", "planned", "pairs", "indexicals-groups", "indexicals-cells", "indexicals-tests",
        "indexicals-simple", "detection",
        "prime", "fingerprint",
    }  # fmt: skip
    assert all(len(table) for table in found.tables.values())
    assert len(found.tables["planned"]) == 2 * 8
    assert len(found.tables["indexicals-cells"]) == 2 * 4 * 4


def test_the_others_are_refused_by_the_factor_that_is_too_small(found: Analysis) -> None:
    assert set(found.refused) == {"tasks", "groups", "mixed"}
    assert found.refused["tasks"].startswith("experiment has a single level")
    assert found.refused["groups"].startswith("no task on scenes")
    assert found.refused["mixed"] == "no task on scenes was asked in its main condition"
    assert [line for line in text_lines(found) if line.startswith("no ")] == [
        f"no {name}: {reason}" for name, reason in found.refused.items()
    ]


def test_accuracy_is_over_what_was_asked(found: Analysis) -> None:
    table = found.tables["accuracy"].set_index("participant")
    assert list(table.n) == [192, 150]
    knows, guesses = table.loc["test:knows"], table.loc["test:scripted"]
    assert knows.estimate == 1
    assert 0.97 < knows.wilson_low < 1
    assert "does not vary" in knows.note
    assert guesses.clustered_low < guesses.estimate < guesses.clustered_high


def test_who_answers_as_the_oracle_is_the_oracle(found: Analysis) -> None:
    table = found.tables["fingerprint"]
    mine = table[table.participant == "test:knows"].set_index("strategy")
    assert mine.estimate.idxmax() == "oracle = quotation-mark"
    assert mine.estimate.max() == pytest.approx(1)
    assert set(mine.verdict) == {"explained"}
    assert found.lines[0].startswith("test:knows on indexicals-classic: explained (192 answers")
    other = table[table.participant == "test:scripted"].set_index("strategy")
    assert other.estimate["oracle = quotation-mark"] < 0.3


def test_one_participant_is_not_paired(folder: Path) -> None:
    designs = only(read_results(folder), [*references("indexicals"), "test:scripted"])
    one = analyse(designs)
    assert one.refused["pairs"].startswith("participant has a single level")
    assert set(one.tables["accuracy"].participant) == {"test:scripted"}


def test_references_alone_are_refused(folder: Path) -> None:
    with pytest.raises(AnalysisError, match="no participant but the references"):
        analyse(only(read_results(folder), ["strategy:oracle"]))


def scenes(task: str, people: int, wrong: int, name: str = "m") -> DesignResults:
    """32 trials of 8 groups of objects; every ``wrong``-th trial of a participant is wrong, shifted by participant."""
    options = (Option("mine", {}), Option("yours", {}))
    trials = [
        Trial(
            f"{task}/g{n % 8}/{n}", task, "main", "corrected",
            {"group": str(n % 8), "speaker": ("boy", "girl")[n // 8 % 2]}, options, 0, {},
        )
        for n in range(32)
    ]  # fmt: skip
    made = []
    for person in range(people):
        rows = []
        for n, trial in enumerate(trials):
            response = Response(trial.id, text="yours" if (n + person * n // 3 + person) % wrong == 0 else "mine")
            rows.append(Scored(trial, score(trial, response, "strict"), response))
        made.append(Result(f"{name}{person}", {}, tuple(rows)))
    signature: dict[str, str | int] = {"experiment": task, "condition": "main", "protocol": "corrected", "seed": 0}
    return DesignResults(f"{task}-main", signature, (), (), tuple(made))


def test_scenes_have_tasks_and_groups_and_five_people_a_mixed_model() -> None:
    found = analyse([scenes("possessive", 5, 7), scenes("demonstrative", 5, 3)])
    tasks = found.tables["tasks"]
    assert list(tasks.contrast) == ["possessive - demonstrative"] * 5
    assert (tasks.odds_ratio > 1).all()
    assert not tasks.planned.any()
    assert len(found.tables["groups"]) == 10
    assert list(found.tables["mixed"].term) == ["(Intercept)", "experiment[demonstrative]"]
    assert found.tables["mixed"].estimate[1] < 0
    assert found.refused["indexicals-cells"] == "indexicals were not asked"
    assert set(found.refused) == {
        "indexicals-groups",
        "indexicals-cells",
        "indexicals-tests",
        "indexicals-simple",
        "detection",
        "prime",
    }


def test_people_of_a_study_are_one_group_and_are_not_paired() -> None:
    """Five people, and two models on the same trials: one pair, not 21; limits of people keep a person together."""
    people, models = scenes("possessive", 5, 7, "people:pilot/00"), scenes("possessive", 2, 7)
    found = analyse([replace(people, results=(*people.results, *models.results))])
    accuracy = found.tables["accuracy"].set_index("participant")
    assert list(accuracy.n) == [160, 32, 32]
    assert list(accuracy.clustered_clusters) == [5, 8, 8]
    shares = [np.mean([row.score.credit for row in result.rows]) for result in people.results]
    assert accuracy.estimate["people:pilot"] == pytest.approx(np.mean(shares))
    pairs = found.tables["pairs"]
    assert list(zip(pairs["first"], pairs["second"], strict=True)) == [("m0", "m1")]
    assert not any("people" in str(name) for name in found.tables["planned"]["participant"])
    assert not any("people" in line for line in found.lines)


def test_people_alone_have_accuracies_and_nothing_one_by_one() -> None:
    found = analyse([scenes("possessive", 3, 7, "people:pilot/00")])
    assert list(found.tables["accuracy"].participant) == ["people:pilot"]
    assert set(found.tables) == {"accuracy", "fingerprint"}
    assert found.refused["pairs"].startswith("participant has a single level")
    assert found.lines == ()


def test_four_participants_are_too_few_for_a_random_intercept() -> None:
    found = analyse([scenes("possessive", 4, 7), scenes("demonstrative", 4, 3)])
    assert found.refused["mixed"].startswith("participant has 4 levels: a random intercept needs 5")
