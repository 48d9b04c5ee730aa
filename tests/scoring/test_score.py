"""Scores: every outcome apart, ties shared, joined by id."""

from collections import Counter

import pytest

from deixis.experiments.experiment import Design
from deixis.records import Option, OptionScore, Outcome, Response, Trial
from deixis.scoring import score
from deixis.scoring.reading import VERSIONS

TRIAL = Trial("t", "x", "main", "corrected", {"item": "1"}, (Option("Ida", {}), Option("Nora", {})), 1, {})


def found(**response: object):
    return score(TRIAL, Response("t", **response), "strict")  # type: ignore[arg-type]


def test_four_kinds_of_answer_have_four_outcomes() -> None:
    kinds = [found(text=text) for text in ("Nora", "Ida", "", "I cannot see an image, I am unable to say.")]
    assert [(s.outcome, s.credit) for s in kinds] == [
        (Outcome.ANSWERED, 1.0),
        (Outcome.ANSWERED, 0.0),
        (Outcome.EMPTY, 0.0),
        (Outcome.REFUSED, 0.0),
    ]
    assert {s.reader for s in kinds} == {VERSIONS["strict"]}


def test_errors_and_absence_are_not_answers() -> None:
    assert found(error="you do not have access, Nora").outcome is Outcome.ERRORED
    assert score(TRIAL, None, "strict").outcome is Outcome.MISSING


def test_nothing_is_ever_filled_in() -> None:
    scores = [found(text="", finish="stop") for _ in range(1000)]
    assert Counter(s.outcome for s in scores) == {Outcome.EMPTY: 1000}
    assert sum(s.credit for s in scores) == 0


@pytest.mark.parametrize(
    ("logprobs", "choice", "credit", "tied"),
    [((-2.0, -1.0), 1, 1.0, False), ((-1.0, -2.0), 0, 0.0, False), ((-1.0, -1.0), None, 0.5, True)],
)
def test_forced_choice_takes_the_highest_sum(
    logprobs: tuple[float, float], choice: int | None, credit: float, tied: bool
) -> None:
    result = found(scores=tuple(OptionScore(value, 3) for value in logprobs))
    assert (result.outcome, result.choice, result.credit, result.tied) == (Outcome.ANSWERED, choice, credit, tied)


def test_ties_on_a_balanced_set_earn_half_and_are_counted(bank: Design) -> None:
    even = (OptionScore(-1.0, 1),) * 2
    scores = [score(trial, Response(trial.id, scores=even), "strict") for trial in bank.trials]
    assert sum(s.credit for s in scores) / len(scores) == 0.5
    assert all(s.tied for s in scores)


def test_a_tie_without_the_right_option_earns_nothing() -> None:
    three = Trial("t", "x", "m", "c", {}, (Option("a", {}), Option("b", {}), Option("c", {})), 2, {})
    tied = Response("t", scores=(OptionScore(-1.0, 1), OptionScore(-1.0, 1), OptionScore(-5.0, 1)))
    assert score(three, tied, "strict").credit == 0.0
