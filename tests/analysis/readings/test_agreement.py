"""κ and corrected accuracies, against statsmodels, closed forms and simulation."""

import math
import random
from collections import Counter

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from deixis.analysis.readings.agreement import agreement, told
from deixis.analysis.readings.correction import Counted, Errors, corrected, errors

Answer = tuple[int, bool, bool]
"""Participant, whether it is right, whether the reading finds it right."""


@pytest.mark.parametrize("seed", range(12))
def test_kappa_and_its_interval_are_those_of_statsmodels(seed: int) -> None:
    chance = random.Random(seed)
    words = ["option 1", "option 2", "unreadable", "refused", "empty"][: 2 + seed % 4]
    pairs = [
        (word, word if chance.random() < seed / 12 else chance.choice(words)) for word in chance.choices(words, k=60)
    ]
    table = np.array([[Counter(pairs)[a, b] for b in words] for a in words])
    reference = cohens_kappa(table)
    found = agreement(pairs)
    assert found.kappa == pytest.approx(reference.kappa, abs=1e-12)
    assert (found.low, found.high) == pytest.approx(
        (max(-1, reference.kappa_low), min(1, reference.kappa_upp)), abs=1e-9
    )
    assert (found.n, found.same) == (60, sum(a == b for a, b in pairs))


def test_kappa_without_an_interval_or_at_all() -> None:
    assert told(agreement([])) == "no answer read by both"
    assert told(agreement([("a", "a")] * 5)) == "the same in 5 of 5 (1.000), κ not defined: no word varies"
    assert (
        told(agreement([("a", "a"), ("b", "b")])) == "the same in 2 of 2 (1.000), κ 1.00 (all the same, so no interval)"
    )
    assert agreement([("a", "b"), ("b", "a")]).kappa == -1
    mixed = [("a", "a"), ("b", "b"), ("a", "b"), ("b", "a")]
    assert told(agreement([*mixed, *mixed[:2]] * 10)).startswith("the same in 40 of 60 (0.667), κ 0.33 [0.0")


def test_words_that_only_one_uses_count() -> None:
    assert agreement([("a", "a"), ("b", "c")]).kappa == pytest.approx((0.5 - 0.25) / 0.75)


def test_a_perfect_reading_is_left_as_it_is() -> None:
    perfect = Errors(100, 100, 100, 100)
    found = corrected(Counted(120, 200), perfect, [Counted(120, 200)])
    assert found.value == pytest.approx(0.6)
    assert 0.52 < found.low < 0.57
    assert 0.63 < found.high < 0.68


def test_the_estimate_is_that_of_rogan_and_gladen() -> None:
    known = Errors(50, 45, 50, 40)
    found = corrected(Counted(120, 200), known, [Counted(120, 200)])
    assert found.value == pytest.approx((0.6 + 0.8 - 1) / (0.9 + 0.8 - 1))
    assert corrected(Counted(0, 200), known, [Counted(0, 200)]).value == 0


@pytest.mark.parametrize(
    ("known", "note"),
    [
        (Errors(0, 0, 5, 5), "read no right answers"),
        (Errors(5, 5, 0, 0), "read no other answers"),
        (Errors(10, 5, 10, 5), "no better than a coin"),
    ],
)
def test_what_cannot_be_said_is_not(known: Errors, note: str) -> None:
    found = corrected(Counted(5, 10), known, [Counted(5, 10)])
    assert (found.value, found.low, found.high) == (None, 0.0, 1.0)
    assert note in found.note
    assert corrected(Counted(0, 0), Errors(5, 5, 5, 5), [Counted(0, 0)]).value is None


def test_of_one_participant_it_is_two_phase_sampling() -> None:
    """With many answers the interval is Tenenbein's (1970), computed from how often what is found right is right."""
    hits, misses, n, drawn = 5700, 400, 40_000, 10_000
    found_right = hits + misses
    known = Errors(6000, hits, 4000, 4000 - misses)
    share, true, false = found_right / drawn, hits / found_right, (6000 - hits) / (drawn - found_right)
    variance = (
        share**2 * true * (1 - true) / found_right
        + (1 - share) ** 2 * false * (1 - false) / (drawn - found_right)
        + (true - false) ** 2 * share * (1 - share) / n
    )
    own = Counted(share * n, n)
    result = corrected(own, known, [own])
    assert result.value == pytest.approx(0.6)
    assert (result.high - result.low) / 2 == pytest.approx(1.959964 * math.sqrt(variance), rel=2e-3)


def answers(accuracies: list[float], sure: float, quiet: float, n: int, chance: random.Random) -> list[Answer]:
    truths = [(who, chance.random() < p) for who, p in enumerate(accuracies) for _ in range(n)]
    return [(who, true, chance.random() < (sure if true else 1 - quiet)) for who, true in truths]


def drawn(found: list[Answer], number: int, chance: random.Random) -> list[Answer]:
    """Draw as a sheet is drawn: each participant's answers found right and not in their shares."""
    strata: dict[tuple[int, bool], list[Answer]] = {}
    for answer in found:
        strata.setdefault((answer[0], answer[2]), []).append(answer)
    return [a for some in strata.values() for a in chance.sample(some, round(number * len(some) / len(found)))]


@pytest.mark.parametrize(
    ("accuracies", "sure", "quiet", "n", "number"),
    [
        ([0.6], 0.95, 0.9, 400, 100),
        ([0.25], 0.9, 0.95, 400, 100),
        ([0.5], 0.8, 0.8, 400, 100),
        ([0.3, 0.6, 0.85], 0.95, 0.9, 200, 120),
    ],
)
def test_intervals_cover_the_truth_in_about_95_of_100(
    accuracies: list[float], sure: float, quiet: float, n: int, number: int
) -> None:
    chance = random.Random(20)
    covered = total = 0
    for _ in range(800):
        found = answers(accuracies, sure, quiet, n, chance)
        known = errors([(true, seen) for _, true, seen in drawn(found, number, chance)])
        counted = [Counted(sum(a[2] for a in found if a[0] == who), n) for who in range(len(accuracies))]
        for truth, own in zip(accuracies, counted, strict=True):
            interval = corrected(own, known, counted)
            covered += interval.low <= truth <= interval.high
            total += 1
    assert 0.93 <= covered / total <= 0.985, covered / total


def test_uncorrected_intervals_do_not() -> None:
    """What the correction is for: a reader that errs by 5 and 10 in 100 moves an accuracy out of its own interval."""
    from deixis.analysis.intervals import wilson

    chance = random.Random(20)
    covered = 0
    for _ in range(200):
        found = answers([0.25], 0.95, 0.9, 400, chance)
        low, high = wilson(sum(a[2] for a in found), 400)
        covered += low <= 0.25 <= high
    assert covered / 200 < 0.6
