"""What forced choice leaves to say, by hand."""

import math

import pytest

from deixis.analysis.forced import forced_summary, told
from deixis.experiments.experiment import Design
from deixis.records import OptionScore, Response
from deixis.scoring import score
from deixis.scoring.results import Scored


def rows(bank: Design, pairs: list[tuple[tuple[float, int], tuple[float, int]]]) -> list[Scored]:
    scored = []
    for trial, pair in zip(bank.trials, pairs, strict=False):
        response = Response(trial.id, scores=tuple(OptionScore(math.log(p), tokens) for p, tokens in pair))
        scored.append(Scored(trial, score(trial, response, "strict"), response))
    return scored


def test_mass_margin_and_length(bank: Design) -> None:
    """The second question's longer option loses by its sum and wins by its mean per token."""
    found = forced_summary(rows(bank, [((0.5, 1), (0.25, 1)), ((0.4, 1), (0.2, 4)), ((0.1, 1), (0.05, 1))]))
    assert found is not None
    assert found.n == 3
    assert found.outside == pytest.approx((0.25 + 0.4 + 0.85) / 3)
    assert found.margin == pytest.approx(math.log(2))
    assert found.otherwise == 1
    assert "otherwise in 1 of 3" in told(found)


def test_little_mass_is_warned_of(bank: Design) -> None:
    found = forced_summary(rows(bank, [((0.015, 1), (0.005, 1))]))
    assert found is not None
    assert "says little" in told(found)


def test_without_log_probabilities_there_is_nothing_to_say(bank: Design) -> None:
    assert forced_summary([]) is None
