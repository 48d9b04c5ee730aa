"""Estimates: denominators, effects of participants whose effects are known, position."""

import pandas as pd
import pytest

from deixis.analysis.effects import position_effect, prime_effect, quotation_effect
from deixis.analysis.estimates import agreement, cell, cells
from deixis.analysis.telling import telling
from deixis.analysis.tidy import frame_of_rows
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.participants.strategies import Strategy
from deixis.records import AnswerMode, Response
from deixis.scoring import score
from deixis.scoring.results import DesignResults, Result, Scored

ABOUT = {"experiment": "indexicals", "condition": "main", "protocol": "corrected"}


def table(design: Design, name: str) -> pd.DataFrame:
    return frame_of_rows(rows(design, name), name)


def rows(design: Design, name: str) -> list[Scored]:
    responses = Strategy(name, design.trials, 0).respond(design.prompts, AnswerMode.CHOOSE)
    return [
        Scored(trial, score(trial, response, "strict"), response)
        for trial, response in zip(design.trials, responses, strict=True)
    ]


def test_errors_leave_the_denominator_and_nothing_else_does(few: Design) -> None:
    """8 questions, 2 right, 1 empty, 2 errored: 2 of 6 counted, 2 of 5 readable."""
    trials = few.trials[:8]
    right = [trial.options[trial.answer].text for trial in trials]
    wrong = [trial.options[1 - trial.answer].text for trial in trials]
    said = [right[0], right[1], wrong[2], wrong[3], wrong[4], ""]
    responses = [Response(t.id, text=text) for t, text in zip(trials, said, strict=False)]
    responses += [Response(t.id, error="502") for t in trials[6:]]
    scored = [Scored(t, score(t, r, "strict"), r) for t, r in zip(trials, responses, strict=True)]
    found = cell({}, frame_of_rows(scored))
    assert (found.n, found.answered, found.correct) == (6, 5, 2)
    assert (found.accuracy, found.accuracy_readable) == (2 / 6, 2 / 5)
    assert found.outcomes["errored"] == 2
    assert sum(found.outcomes.values()) == 8


@pytest.mark.parametrize(
    ("name", "prime", "quotation", "position", "shifted", "first"),
    [
        ("oracle", 0, 0, 0, 0.5, 0.5),
        ("prime-follower", 1, 0, 0, 0.5, 0.5),
        ("always-shifted", 0, 1, 0, 1, 0.5),
        ("never-shifted", 0, -1, 0, 0, 0.5),
        ("first-option", 0, 0, 1, 0.5, 1),
        ("last-option", 0, 0, -1, 0.5, 0),
    ],
)
def test_effects_of_participants_whose_effects_are_known(
    few: Design, name: str, prime: float, quotation: float, position: float, shifted: float, first: float
) -> None:
    answered = table(few, name)
    whole = cell({}, answered)
    assert prime_effect(answered).value == pytest.approx(prime)
    assert quotation_effect(answered).value == pytest.approx(quotation)
    assert position_effect(answered).value == pytest.approx(position)
    assert whole.leanings == {"shifted": shifted}
    assert whole.first_rate == first


def test_position_is_not_told_from_quotation_where_the_order_is_fixed() -> None:
    design = experiment("indexicals").design(None, "main", "published", 0)
    found = position_effect(table(design, "first-option"))
    assert found.value is None
    assert "position does not vary" in found.note


def test_cells_and_agreement(few: Design) -> None:
    oracle, follower = table(few, "oracle"), table(few, "prime-follower")
    assert len(cells(oracle, ["indexical", "sentence_type", "context_prime"])) == 16
    assert {c.n for c in cells(oracle, ["indexical"])} == {48}
    assert agreement(oracle, follower) == (96, 192)


def test_five_telling_lines(few: Design) -> None:
    results = [
        Result("gguf:x", {}, tuple(rows(few, "first-option"))),
        *(Result(f"strategy:{n}", {}, tuple(rows(few, n))) for n in ("oracle", "chance", "first-option")),
    ]
    lines = telling(DesignResults("indexicals-main", ABOUT, (), few.prompts, tuple(results)))
    assert len(lines) == 5
    assert "gguf:x is right on 0.50 [0.43, 0.57], n = 192" in lines[0]
    assert "oracle 1.00" in lines[0]
    assert "takes the first option in 1.00" in lines[3]
    assert lines[4] == "answers most like strategy:first-option: the same choice in 192 of 192 (1.00)"
