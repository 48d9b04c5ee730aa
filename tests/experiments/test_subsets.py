"""Subsets: nested, seeded, balanced."""

from collections import Counter

import pytest

from deixis.experiments.experiment import Design
from deixis.experiments.subsets import subset


def test_160_questions_are_balanced(bank: Design) -> None:
    drawn = subset(bank.trials, 160, 0)
    assert set(Counter(t.factors["indexical"] for t in drawn).values()) == {40}
    cells = Counter((t.factors["indexical"], t.factors["sentence_type"], t.factors["context_prime"]) for t in drawn)
    assert set(cells.values()) == {10}
    assert set(Counter((t.factors["indexical"], t.stimulus["gender"]) for t in drawn).values()) == {16, 24}
    assert set(Counter(t.stimulus["gender"] for t in drawn).values()) == {80}


def test_sixteen_questions_hold_every_indexical_and_both_genders(few: Design) -> None:
    drawn = subset(few.trials, 16, 0)
    assert set(Counter(t.factors["indexical"] for t in drawn).values()) == {4}
    assert set(Counter(t.stimulus["gender"] for t in drawn).values()) == {8}


@pytest.mark.parametrize("limit", [1, 7, 32, 191])
def test_smaller_subsets_lie_in_larger_ones(bank: Design, limit: int) -> None:
    small = subset(bank.trials, limit, 3)
    assert len(small) == limit
    assert {t.id for t in small} < {t.id for t in subset(bank.trials, limit + 1, 3)}


def test_no_limit_is_everything_and_seeds_differ(bank: Design) -> None:
    assert subset(bank.trials, None, 0) == list(bank.trials)
    assert subset(bank.trials, 5000, 0) == list(bank.trials)
    assert {t.id for t in subset(bank.trials, 32, 0)} != {t.id for t in subset(bank.trials, 32, 1)}
