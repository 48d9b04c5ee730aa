"""Shares of error classes: one denominator, all classes sum to it."""

import pytest

from deixis.analysis.errors import class_shares, classes, row_class
from deixis.analysis.tidy import frame_of_rows
from deixis.experiments.experiment import Design
from deixis.records import Response
from deixis.scoring.error_classes import ErrorClass
from deixis.scoring.results import Scored
from deixis.scoring.score import score


def said(design: Design, *answers: str | None) -> list[Scored]:
    """Score texts for the first trials, each after what it says: ``right``, ``wrong``, a text, or an error."""
    rows = []
    for trial, answer in zip(design.trials, answers, strict=False):
        texts = {"right": trial.options[trial.answer].text, "wrong": trial.options[1 - trial.answer].text}
        response = (
            Response(trial.id, error="502") if answer is None else Response(trial.id, text=texts.get(answer, answer))
        )
        rows.append(Scored(trial, score(trial, response, "strict"), response))
    return rows


def test_shares_have_the_denominator_of_accuracy(few: Design) -> None:
    """Of 8 questions two are errors of the participant's machine; 6 count."""
    rows = said(few, "right", "right", "wrong", "wrong", "right", "", None, None)
    table = frame_of_rows(rows)
    among = classes(table)
    assert among == (ErrorClass.CORRECT, ErrorClass.SHIFT, ErrorClass.UNSHIFT, ErrorClass.NFI)
    found = {part.error: part for part in class_shares(table, among)}
    quoted = sum(row.trial.factors["sentence_type"] == "quoted" for row in rows[2:4])
    assert [found[error].count for error in among] == [3, 2 - quoted, quoted, 1]
    assert {part.n for part in found.values()} == {6}
    assert (found[ErrorClass.CORRECT].share, found[ErrorClass.NFI].share) == (0.5, 1 / 6)
    assert found[ErrorClass.CORRECT].low == pytest.approx(0.1876, abs=1e-4)
    assert [row_class(row) for row in rows[6:]] == [None, None]


def test_nothing_asked_has_no_share(few: Design) -> None:
    (part,) = class_shares(frame_of_rows(said(few, None)), [ErrorClass.CORRECT])
    assert (part.count, part.n, part.share, part.low, part.high) == (0, 0, None, 0.0, 1.0)
    assert classes(frame_of_rows([])) == ()
