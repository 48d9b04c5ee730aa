"""Correlation under a noise ceiling and distances of profiles, against cases known by hand."""

import numpy as np
import pytest

from deixis.analysis.people.likeness import correlation, item_correlation, jensen_shannon, profile_distance, split_half

NAN = float("nan")


def answers(count: int, hard: np.ndarray, seed: int) -> np.ndarray:
    return (np.random.default_rng(seed).random((count, len(hard))) < hard).astype(float)


def test_reliability_is_the_share_of_true_variance() -> None:
    """Item means of P people: var(p) / (var(p) + mean p(1 - p) / P); within 0.03 with 400 items."""
    hard = np.random.default_rng(1).uniform(0.3, 1, 400)
    found = split_half(answers(30, hard, 2), seed=3)
    true = hard.var() / (hard.var() + (hard * (1 - hard)).mean() / 30)
    assert found.reliability == pytest.approx(true, abs=0.03)
    assert found.reliability == pytest.approx(2 * found.halves / (1 + found.halves))
    assert found.correlation == pytest.approx(found.reliability**0.5)
    assert split_half(answers(30, hard, 2), seed=3) == found
    assert split_half(answers(30, hard, 2), seed=4).halves != found.halves


def test_lists_leave_gaps() -> None:
    """Each person saw half of the items; items seen by three people are left out and counted."""
    hard = np.linspace(0.2, 1, 60)
    people = answers(40, hard, 5)
    people[::2, :30] = NAN
    people[1::2, 30:] = NAN
    people[3:, 7] = NAN
    found = split_half(people, splits=20)
    assert found.left_out == 1
    assert 0.5 < found.reliability < 1
    assert found.items == 59


@pytest.mark.parametrize(
    ("people", "why"),
    [(np.ones((10, 20)), "do not vary"), (np.eye(3), "3 participants"), (np.full((9, 5), NAN), "vary")],
)
def test_no_ceiling_says_why(people: np.ndarray, why: str) -> None:
    found = split_half(people)
    assert np.isnan(found.reliability)
    assert why in found.note


def test_dividing_by_the_ceiling_gives_the_true_correlation() -> None:
    """A model whose chances on items correlate 0.8 with people's difficulty, without noise of its own."""
    generator = np.random.default_rng(6)
    base, other = generator.normal(size=(2, 900))
    hard, model = 0.6 + 0.1 * base, 0.8 * base + 0.6 * other
    people = answers(40, hard, 7)
    found, ceiling = item_correlation(people, model[None]), split_half(people, seed=1)
    assert found.low < found.value < found.high
    assert found.value < 0.75
    assert found.value / ceiling.correlation == pytest.approx(np.corrcoef(base, model)[0, 1], abs=0.04)
    assert found.n == 900


def test_repeats_are_averaged_and_unshared_items_left_out() -> None:
    people = np.array([[1, 0, 1, NAN], [1, 0, 0, NAN]])
    model = np.array([[1, 0, 0, 1], [1, 0, 1, 1]])
    assert item_correlation(people, model, resamples=10).value == pytest.approx(1)
    assert item_correlation(people, model, resamples=10).n == 3


def test_a_perfect_model_has_no_correlation() -> None:
    found = item_correlation(answers(8, np.linspace(0.2, 0.9, 20), 1), np.ones((1, 20)))
    assert np.isnan([found.value, found.low]).all()
    assert found.note == "the model scores the same on every item: no correlation"
    assert "too few items" in item_correlation(np.ones((4, 2)), np.array([[0.0, 1.0]])).note
    assert np.isnan(correlation(np.array([0.0, 1.0]), np.array([0.0, 1.0])))


def test_jensen_shannon_by_hand() -> None:
    """(1/2, 1/2) and (1, 0): H(3/4, 1/4) - 1/2 = 0.3113 bits."""
    assert jensen_shannon(np.array([1.0, 1]), np.array([7.0, 0])) == pytest.approx(0.311278**0.5, abs=1e-6)
    assert jensen_shannon(np.array([3.0, 0]), np.array([0, 2.0])) == 1
    assert jensen_shannon(np.array([[3.0, 1], [1, 1]]), np.array([[6.0, 2], [2, 2]])) == pytest.approx([0, 0])
    assert np.isnan(jensen_shannon(np.zeros(2), np.array([0, 2.0])))


def counts(shares: list[float], per_item: int, items: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).multinomial(per_item, shares, size=items).astype(float)


def test_profiles_of_one_kind_lie_at_the_floor_and_others_above() -> None:
    people = np.stack([counts([0.6, 0.3, 0.1], 1, 40, seed) for seed in range(20)])
    same = profile_distance(people, counts([0.6, 0.3, 0.1], 2, 40, 50), resamples=300)
    far = profile_distance(people, counts([0.1, 0.2, 0.7], 2, 40, 51), resamples=300)
    assert same.low <= same.floor <= same.high
    assert far.low > far.floor
    assert far.value == pytest.approx(
        float(jensen_shannon(np.array([0.6, 0.3, 0.1]), np.array([0.1, 0.2, 0.7]))), abs=0.08
    )
    assert (same.n, far.n) == (80, 80)


def test_no_errors_no_profile() -> None:
    some, none = np.ones((2, 3, 2)), np.zeros((3, 2))
    assert profile_distance(some, none).note == "the model made none of these errors: no profile"
    assert profile_distance(np.zeros((2, 3, 2)), np.ones((3, 2))).note.startswith("people made none")
    one = profile_distance(some[:, :, :1], np.ones((3, 1)), resamples=20)
    assert (one.value, one.note) == (0, "every resample is the same: no interval")
    assert np.isnan(one.low)
