"""Planned comparisons, against small tables worked out by hand."""

import math

import pandas as pd
import pytest

from deixis.analysis.planned import planned


def cells(counts: dict[str, tuple[int, int]], by: str, participant: str = "m", **same: str) -> pd.DataFrame:
    """One trial an item and level: the first ``k`` of ``n`` are right; items are shared by the levels."""
    rows = [
        {
            "participant": participant, "experiment": "possessive", "condition": "main", "speaker": "boy",
            "item": f"g{place % 10:02}", "correct": float(place < k), "shifted": float(place < k), **same, by: level,
        }
        for level, (k, n) in counts.items()
        for place in range(n)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def one(table: pd.DataFrame, contrast: str) -> pd.Series:
    (row,) = [row for _, row in table.iterrows() if row.contrast == contrast]
    return row


def test_shares_difference_and_error_by_hand() -> None:
    """Two trials an item, one a level: right at main in 8 of 10, in 2 at the ablation, the same items."""
    found = one(planned(cells({"main": (8, 10), "perspective": (2, 10)}, "condition")), "ablation: perspective")
    assert (found.level_1, found.level_2, found.share_1, found.share_2) == ("main", "perspective", 0.8, 0.2)
    assert found.estimate == pytest.approx(0.6)
    # by item: differences 1 in 6 of 10, 0 in 4; variance of their mean is 10/9 · Σ(d - .6)²/100
    error = math.sqrt(10 / 9 * (6 * 0.4**2 + 4 * 0.6**2) / 100)
    assert found.std_error == pytest.approx(error)
    assert (found.low, found.high) == pytest.approx((0.6 - 2.262157 * error, 0.6 + 2.262157 * error), abs=1e-6)
    assert (found.n, found.clusters, found.left_out) == (20, 10, 0)
    assert found.odds_ratio == pytest.approx(16)
    assert found.cohens_h == pytest.approx(2 * math.asin(math.sqrt(0.8)) - 2 * math.asin(math.sqrt(0.2)))


def test_holds_yes_no_open_and_differ() -> None:
    predicted = {"main": (8, 10), "perspective": (2, 10), "spatial-both": (7, 10), "in-context": (2, 10)}
    told = planned(cells(predicted | {"simple": (2, 10), "condensed": (9, 10)}, "condition"))
    holds = dict(zip(told.contrast, told.holds, strict=True))
    assert holds == {
        "ablation: perspective": "yes",
        "ablation: spatial-both": "open",
        "prompting: in-context": "no",
        "wording: simple": "differ",
        "wording: condensed": "open",
    }


def test_only_what_was_asked_is_there_and_all_of_it_was_planned() -> None:
    found = planned(cells({"boy": (6, 10), "girl": (5, 10)}, "speaker"))
    assert list(found.contrast) == ["speaker"]
    assert found.planned.all()
    assert found.planned.dtype == bool
    assert planned(cells({"boy": (6, 10)}, "speaker")).empty


def test_a_factor_is_compared_in_the_main_condition_alone() -> None:
    main = cells({"boy": (6, 10), "girl": (5, 10)}, "speaker")
    other = cells({"boy": (0, 10), "girl": (10, 10)}, "speaker", condition="simple")
    assert one(planned(pd.concat([other, main])), "speaker").estimate == pytest.approx(0.1)


def test_an_indexical_is_compared_by_itself_and_the_prime_by_shifted_answers() -> None:
    same = {"experiment": "indexicals", "condition": "classic", "sentence_type": "quoted"}
    here = cells({"shifted": (7, 10), "non-shifted": (3, 10)}, "context_prime", indexical="here", **same)
    you = cells({"shifted": (2, 10), "non-shifted": (2, 10)}, "context_prime", indexical="you", **same)
    table = pd.concat([here, you]).assign(correct=0.0)
    found = planned(table)
    assert list(found.contrast) == ["you: prime", "here: prime"]
    assert one(found, "here: prime").estimate == pytest.approx(0.4)
    assert one(found, "you: prime").share_1 == pytest.approx(0.2)
    assert set(found.of) == {"shifted"}


def test_tasks_are_compared_between_experiments_with_items_kept_apart() -> None:
    table = cells({"vocabulary": (9, 10), "possessive": (4, 10)}, "experiment")
    found = one(planned(table), "task: vocabulary, possessive")
    assert (found.experiment, found.estimate, found.clusters) == ("between", pytest.approx(0.5), 20)
    assert "task: possessive, demonstrative" not in set(planned(table).contrast)


def test_trials_without_an_answer_are_counted_as_left_out() -> None:
    table = cells({"boy": (6, 10), "girl": (5, 10)}, "speaker")
    table.loc[[0, 9], "correct"] = float("nan")
    found = one(planned(table), "speaker")
    assert (found.n, found.left_out, found.share_1) == (18, 2, 0.625)


def test_holm_is_within_a_participant() -> None:
    """By hand: with three tests the smallest p times 3, the next times 2, the largest as it is, never falling."""
    counts = {"main": (8, 10), "perspective": (2, 10), "spatial-both": (5, 10), "in-context": (7, 10)}
    a, b = (cells(counts if name == "a" else dict(list(counts.items())[:2]), "condition", name) for name in "ab")
    found = planned(pd.concat([a, b]))
    first, alone = found[found.participant == "a"], found[found.participant == "b"]
    assert len(first) == 3
    smallest, middle, largest = sorted(first.p)
    two = max(3 * smallest, 2 * middle)
    assert sorted(first.p_adjusted) == pytest.approx([3 * smallest, two, max(two, largest)])
    assert list(alone.p_adjusted) == pytest.approx(list(alone.p))


def test_no_variation_leaves_p_open_and_out_of_the_family() -> None:
    counts = {"main": (8, 10), "perspective": (2, 10), "simple": (8, 10)}
    found = planned(cells(counts, "condition"))
    flat = one(found, "wording: simple")
    assert (flat.holds, flat.p_text) == ("open", "–")
    assert math.isnan(flat.p_adjusted)
    assert "no interval" in flat.note
    assert one(found, "ablation: perspective").p_adjusted == pytest.approx(one(found, "ablation: perspective").p)
