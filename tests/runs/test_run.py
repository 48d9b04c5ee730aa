"""Asking what remains: kill it anywhere, and the same command ends with the same table."""

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from deixis.errors import ParticipantError, SignatureError, Unfinished
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.participants.participant import Abilities
from deixis.records import AnswerMode, Prompt, Response
from deixis.report.numbers import csv_rows
from deixis.report.page import write_report
from deixis.runs.finish import finish
from deixis.runs.run import Asked, ask
from deixis.scoring.results import read_results
from deixis.store import DesignFolder, RunFolder
from tests.runs.scripted import Quiet, Scripted, run

ROOT = Path(__file__).parents[2]


def part_of(folder: Path, design: Design) -> DesignFolder:
    part = RunFolder(folder).design("indexicals-main")
    part.keep(design.signature, design.notes, design.trials, design.prompts)
    return part


def asked(folder: Path, design: Design, participant: object, limit: int | None = None) -> Asked:
    return ask(part_of(folder, design), design, participant, AnswerMode.GENERATE, limit, Quiet())


def test_killed_ten_times_it_ends_with_the_same_table(tmp_path: Path, few_items: Path) -> None:
    """kill -9 at random points; nothing is lost, and only the question on the way is asked twice."""
    log, folder = tmp_path / "log", tmp_path / "killed"
    command = [sys.executable, "-m", "tests.runs.scripted", str(folder), str(few_items), str(log)]
    generator = random.Random(0)
    kills = 0
    while kills < 10:
        process = subprocess.Popen(command, cwd=ROOT)
        before = log.read_text().count("\n") if log.exists() else 0
        while process.poll() is None and (log.read_text().count("\n") if log.exists() else 0) == before:
            time.sleep(0.005)
        time.sleep(generator.uniform(0, 0.06))
        process.kill()
        process.wait()
        kills += 1
    subprocess.run(command, cwd=ROOT, check=True)
    run(tmp_path / "whole", few_items, Scripted())
    assert csv_rows(read_results(folder)) == csv_rows(read_results(tmp_path / "whole"))
    times_asked = Counter(log.read_text().split())
    assert len(times_asked) == 192
    assert sum(times_asked.values()) <= 192 + kills


def test_a_finished_run_asks_nothing_and_changes_nothing(tmp_path: Path, few: Design) -> None:
    first = asked(tmp_path, few, Scripted())
    content = {path: path.read_bytes() for path in tmp_path.rglob("*.jsonl")}
    again = asked(tmp_path, few, Scripted())
    assert (first.new, again.new) == (192, 0)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.jsonl")} == content


def test_a_row_in_the_middle_that_is_missing_is_the_one_asked(tmp_path: Path, few: Design) -> None:
    asked(tmp_path, few, Scripted())
    (file,) = tmp_path.rglob("answers/*.jsonl")
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:2] + lines[3:]))
    assert asked(tmp_path, few, Scripted()).new == 1
    assert len(set(file.read_bytes().splitlines())) == 192


def test_a_larger_limit_asks_the_rest(tmp_path: Path, few: Design) -> None:
    assert asked(tmp_path, few, Scripted(), limit=1).new == 1
    assert asked(tmp_path, few, Scripted(), limit=8).new == 7
    assert asked(tmp_path, few, Scripted()).new == 184
    assert asked(tmp_path, few, Scripted(), limit=8).new == 0


class Troubled(Scripted):
    """Answers out of order, one twice, one never asked for, some with errors; then is interrupted."""

    def __init__(self, *, errors: int = 0, interrupt_after: int | None = None) -> None:
        super().__init__()
        self._errors = errors
        self._interrupt_after = interrupt_after

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        answers = list(super().respond(list(reversed(prompts)), mode))
        yield answers[0]
        yield Response("stranger", text="x")
        for place, response in enumerate(answers):
            if place == self._interrupt_after:
                raise KeyboardInterrupt
            yield Response(response.trial_id, error="502") if place < self._errors else response


def test_answers_are_joined_by_id_whatever_order_they_come_in(tmp_path: Path, few: Design) -> None:
    asked(tmp_path / "a", few, Troubled())
    asked(tmp_path / "b", few, Scripted())
    assert csv_rows(read_results(tmp_path / "a")) == csv_rows(read_results(tmp_path / "b"))


def test_errors_are_kept_apart_and_asked_again(tmp_path: Path, few: Design) -> None:
    turn = asked(tmp_path, few, Troubled(errors=15))
    assert (turn.new, turn.errored) == (178, 14)  # the first of the 15 had come before
    with pytest.raises(Unfinished, match=r"test:scripted 14 of 192\), the first: 502; the same command"):
        finish([turn])
    (results,) = read_results(tmp_path)
    outcomes = Counter(row.score.outcome.value for row in results.results[0].rows)
    assert outcomes == {"answered": 178, "errored": 14}
    turn = asked(tmp_path, few, Scripted())
    assert (turn.new, turn.errored) == (14, 0)
    finish([turn])


def test_an_interruption_says_how_to_go_on(tmp_path: Path, few: Design) -> None:
    with pytest.raises(Unfinished, match=r"has 40 of 192 answers, all kept in .*; run the same command to go on"):
        asked(tmp_path, few, Troubled(interrupt_after=40))
    assert asked(tmp_path, few, Scripted()).new == 152


def test_a_run_killed_before_anybody_was_asked_is_reported(tmp_path: Path, few: Design) -> None:
    part_of(tmp_path, few)
    _, lines = write_report([tmp_path], tmp_path)
    assert lines == ["nobody has been asked yet"]


def test_another_design_or_participant_version_is_refused(tmp_path: Path, few: Design) -> None:
    asked(tmp_path, few, Scripted())
    other = experiment("indexicals").design(None, "main", "published", 0)
    with pytest.raises(SignatureError, match="protocol was 'corrected' and is now 'published'"):
        part_of(tmp_path, other)
    newer = Scripted()
    newer.identity = {"weights": "other"}
    with pytest.raises(SignatureError, match="weights was 'none' and is now 'other'"):
        asked(tmp_path, few, newer)


def test_what_cannot_be_done_is_said_before_anything_is_asked(tmp_path: Path, few: Design) -> None:
    participant = Scripted()
    participant.abilities = Abilities()
    with pytest.raises(ParticipantError, match="cannot be asked with --answer choose"):
        ask(part_of(tmp_path, few), few, participant, AnswerMode.CHOOSE, None, Quiet())
    assert not list(tmp_path.rglob("answers"))
