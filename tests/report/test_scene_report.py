"""The report of a run on scenes: ceilings beside scores, what was said instead, figures."""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from deixis.analysis.effects import effects
from deixis.analysis.errors import classes
from deixis.analysis.estimates import ceilings, cell, confusion
from deixis.analysis.telling import telling
from deixis.analysis.tidy import frame_of, frame_of_rows
from deixis.participants.registry import Setting, references
from deixis.records import AnswerMode, Prompt, Response
from deixis.report.drawing import label
from deixis.report.error_figures import bars
from deixis.report.error_tables import error_csv_rows
from deixis.report.numbers import csv_rows, text_tables
from deixis.report.page import write_report
from deixis.report.scene_figures import bars as scene_bars
from deixis.report.scene_figures import levels
from deixis.report.sections import groups
from deixis.runs.run import ask
from deixis.runs.session import designs, request, run
from deixis.scoring.results import DesignResults, read_results
from deixis.store import RunFolder
from tests.report.runs import asked
from tests.runs.scripted import Quiet, Scripted


class SaysMine(Scripted):
    """Says *I prefer mine* to everything."""

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        for prompt in prompts:
            yield Response(prompt.trial_id, text="I prefer mine.", finish="stop")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Possessives and one check without a model, and possessives with one that always says the same."""
    path = tmp_path_factory.mktemp("run")
    for experiment, condition in (("possessive", "picture-none"), ("checks", "gazer-people")):
        asked = request(
            experiments=(experiment,),
            participants=("strategy:oracle",),
            conditions=(condition,),
            protocol="corrected",
            mode=AnswerMode.GENERATE,
            items=None,
            limit=None,
            out=path,
            seed=0,
            settings={"naming": "name"} if experiment == "possessive" else {},
            setting=Setting(),
        )
        planned = designs(asked)
        run(asked, planned, Quiet())
        if experiment == "possessive":
            part = RunFolder(path).design("possessive-picture-none")
            ask(part, planned[0], SaysMine(), AnswerMode.GENERATE, 32, Quiet())
    write_report([path], path)
    return path


@pytest.fixture(scope="module")
def possessive(folder: Path) -> DesignResults:
    return next(design for design in read_results(folder) if design.name == "possessive-picture-none")


def test_one_answer_for_everything_is_seen_through(possessive: DesignResults) -> None:
    """32 balanced trials: 8 of each right answer."""
    rows = frame_of_rows(possessive.models[0].rows)
    whole = cell({}, rows)
    assert (whole.n, whole.correct, whole.leanings) == (32, 8, {"I": 1, "mine": 1})
    found = {name: effect(rows).value for name, effect in effects(rows).items()}
    assert found == {"pronoun": 0.5, "word": 0.5, "speaker": 0, "position": pytest.approx(0, abs=0.2)}
    assert confusion(rows) == {
        "I mine": {"right": 8},
        "I yours": {"I mine": 8},
        "You mine": {"I mine": 8},
        "You yours": {"I mine": 8},
    }


def test_ceilings_are_those_of_the_trials(possessive: DesignResults) -> None:
    assert ceilings(frame_of_rows(possessive.models[0].rows)) == {"text": 1, "picture": None, "both": 1}
    assert "information ceiling: text 1.00, picture –, both 1.00" in text_tables([possessive])


def test_the_telling_lines_say_what_it_resembles(possessive: DesignResults) -> None:
    lines = telling(possessive)
    assert lines[0].startswith("test:scripted is right on 0.25 [0.13, 0.42], n = 32 (I 0.50, You 0.00)")
    assert lines[0].endswith(", at best from text 1.00, both 1.00")
    assert ", I in 1.00, mine in 1.00 of its answers" in lines[3]


def test_settings_stand_in_the_signature_and_the_title(folder: Path, possessive: DesignResults) -> None:
    assert possessive.signature["naming"] == "name"
    assert "naming name" in (folder / "report.html").read_text(encoding="utf-8")


def test_the_page_and_its_figures(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert not re.findall(
        r'(?:src|href)="(?!data:|figures/|numbers\.csv|errors\.csv|tables/|#)[^"]*"', page.replace("\\u003c", "")
    )
    assert "What was said, by what was right" in page
    assert "Accuracy by sentence type" not in page
    names = {path.stem for path in (folder / "figures").iterdir()}
    assert names == {
        "possessive-picture-none-models",
        "checks-gazer-people-errors",
        "references",
    }


def test_numbers_have_a_header_for_each_set_of_factors(folder: Path) -> None:
    lines = csv_rows(read_results(folder))
    header = "experiment,condition,protocol,participant,speaker,gazer,n,answered,correct,accuracy,accuracy_readable"
    found = [place for place, line in enumerate(lines) if line.startswith("experiment,")]
    assert [lines[place] for place in found] == [header.replace("gazer", "perspective,distance"), header]
    rows = list(csv.DictReader(lines[: found[1]]))
    oracle = [row for row in rows if row["participant"] == "strategy:oracle"]
    assert [(row["n"], row["accuracy"]) for row in oracle] == [("8", "1")] * 16
    assert {row["participant"] for row in rows} == {*references("possessive"), "test:scripted"}


def test_error_classes_have_a_row_a_cell_and_class(folder: Path) -> None:
    lines = (folder / "errors.csv").read_text(encoding="utf-8").splitlines()
    assert lines == error_csv_rows(read_results(folder))
    end = next(place for place, line in enumerate(lines) if place and line.startswith("experiment,"))
    rows = [row for row in csv.DictReader(lines[:end]) if row["participant"] == "strategy:speaker-blind"]
    found: dict[str, int] = {}
    for row in rows:
        found[row["class"]] = found.get(row["class"], 0) + int(row["count"])
    assert found == {"Correct": 64, "PPE": 0, "PoPE": 0, "Double": 64, "Tie": 0}
    wrong = next(row for row in rows if row["class"] == "Double" and row["speaker"] == "girl")
    assert (wrong["count"], wrong["n"], wrong["share"], wrong["high"]) == ("8", "8", "1", "1")


def test_bars_of_error_classes_are_whole(possessive: DesignResults) -> None:
    """*I prefer mine* to everything: a quarter each; its bar is not faint, and stands above the others."""
    table = frame_of(possessive, references=True)
    found = bars(groups(table), classes(table))
    first = [part for part in found if part.row == 0]
    assert [(part.error.value, part.start, part.end, part.faint) for part in first] == [
        ("Correct", 0, 0.25, False),
        ("PPE", 0.25, 0.5, False),
        ("PoPE", 0.5, 0.75, False),
        ("Double", 0.75, 1, False),
    ]
    assert all(part.faint and part.row < -1 for part in found[4:])
    assert sum(part.share for part in found) == pytest.approx(len(possessive.results))


def test_long_names_are_broken_and_short_ones_are_left() -> None:
    assert label("somebody/a-model-with-a-long-name-72b", 24) == "somebody/a-model-with-a-\nlong-name-72b"
    assert label("Claude 3.5 Sonnet\n(published)", 20) == "Claude 3.5 Sonnet\n(published)"
    assert label("strategy:oracle") == "oracle"


def test_guesses_and_bars_of_rated_objects(tmp_path: Path) -> None:
    """Eight sentences mean either object of a pair, .50 by luck, eight the nearest or furthest of four."""
    (design,) = read_results(asked(tmp_path, "comprehension", people=1))
    table = frame_of(design)
    assert levels(table)["chance"] == 0.375
    assert [bar.right for bar in scene_bars({"people": table})] == ["distance 0", "distance 3", "target pair"]


def test_the_page_says_what_the_classes_are(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<b>PoPE</b>: possessive-pronoun error" in page
    assert '<td data-value="0.25" title="8 of 32">0.25 [0.13, 0.42]</td>' in page
