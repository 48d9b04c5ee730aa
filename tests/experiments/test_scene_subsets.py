"""Subsets of scenes: nested, seeded, as balanced as the number allows."""

from collections import Counter

import pytest

from deixis.experiments.subsets import subset
from deixis.records import Trial
from tests.experiments.test_perspectives import TASKS, kind, table

LIMITS = [16, 32, 128, 512]


def spread(trials: list[Trial], factor: str, of: int) -> int:
    """How much more often the commonest of ``of`` levels comes than the rarest."""
    counts = Counter(trial.factors[factor] for trial in trials)
    return max(counts.values()) - (min(counts.values()) if len(counts) == of else 0)


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("name", TASKS)
def test_every_factor_is_balanced(name: str, limit: int, seed: int) -> None:
    every = table(name).trials
    drawn = subset(every, limit, seed)
    assert len(drawn) == len({trial.id for trial in drawn}) == limit
    for factor in every[0].factors:
        levels = len({trial.factors[factor] for trial in every})
        assert spread(drawn, factor, levels) <= (0 if limit % levels == 0 else 1), factor


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("name", TASKS)
def test_answers_and_their_positions_are_balanced(name: str, limit: int, seed: int) -> None:
    drawn = subset(table(name).trials, limit, seed)
    kinds = Counter(map(kind, drawn))
    assert kinds == dict.fromkeys(kinds, limit // (2 if name == "vocabulary" else 4))
    positions = Counter((kind(trial), trial.answer) for trial in drawn)
    assert len(positions) == 4 * len(kinds) or limit == 16
    assert max(positions.values()) - min(positions.values()) <= 2


@pytest.mark.parametrize("name", TASKS)
def test_smaller_subsets_begin_larger_ones_and_seeds_differ(name: str) -> None:
    every = table(name).trials
    largest = subset(every, 512, 0)
    for limit in (1, 7, *LIMITS):
        assert subset(every, limit, 0) == largest[:limit]
    assert {trial.id for trial in subset(every, 128, 1)} != {trial.id for trial in largest[:128]}
    assert subset(every, None, 0) == subset(every, 9999, 0) == list(every)
