"""Participants in pairs: paired by trial, whatever the order of the rows."""

import math

import pandas as pd
import pytest

from deixis.analysis.pairs import pairs
from deixis.errors import AnalysisError


def table(answers: dict[str, list[float]], condition: str = "main") -> pd.DataFrame:
    rows = [
        {"participant": name, "experiment": "possessive", "condition": condition, "trial_id": f"t{n}", "correct": right}
        for name, given in answers.items()
        for n, right in enumerate(given)
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def known() -> pd.DataFrame:
    """220 trials: A alone right in 20, B alone in 5, both in 120, neither in 75."""
    return table({"A": [1.0] * 20 + [0.0] * 5 + [1.0] * 120 + [0.0] * 75, "B": [0.0] * 20 + [1.0] * 125 + [0.0] * 75})


def test_the_exact_p_is_that_of_the_trials_that_differ(known: pd.DataFrame) -> None:
    (row,) = pairs(known).itertuples()
    assert (row.first, row.second, row.pairs, row.only_first, row.only_second) == ("A", "B", 220, 20, 5)
    assert row.difference == pytest.approx(15 / 220)
    assert row.statistic == pytest.approx(15**2 / 25)
    assert row.p_exact == pytest.approx(2 * sum(math.comb(25, k) for k in range(6)) / 2**25)
    assert round(row.p_exact, 4) == 0.0041
    assert row.low > 0


def test_a_single_test_needs_no_adjustment(known: pd.DataFrame) -> None:
    (row,) = pairs(known).itertuples()
    assert row.p_adjusted == pytest.approx(row.p_exact)


def test_shuffled_rows_give_the_same(known: pd.DataFrame) -> None:
    shuffled = known.sample(frac=1, random_state=4)
    a_first = pd.concat([shuffled[shuffled.participant == name] for name in "AB"])
    pd.testing.assert_frame_equal(pairs(a_first), pairs(known))


def test_every_two_and_every_condition_by_itself() -> None:
    first = table({"A": [1, 1, 0], "B": [0, 1, 1], "C": [0, 0, 0]})
    second = table({"A": [1, 1, 1, 1], "C": [0, 0, 1, 1]}, "simple")
    found = pairs(pd.concat([first, second]))
    told = list(found[["condition", "first", "second", "only_first", "only_second"]].itertuples(index=False, name=None))
    assert told == [
        ("main", "A", "B", 1, 1), ("main", "A", "C", 2, 0), ("main", "B", "C", 2, 0), ("simple", "A", "C", 2, 0),
    ]  # fmt: skip


def test_holm_is_within_a_condition() -> None:
    """By hand: A against C 10 : 0 is p = 2/2¹⁰, A against B and B against C 5 : 0 are p = 2/2⁵."""
    whole = table({"A": [1] * 10, "B": [1] * 5 + [0] * 5, "C": [0] * 10})
    found = pairs(pd.concat([whole, table({"A": [1] * 5, "B": [0] * 5}, "simple")]))
    assert list(found.p_exact) == pytest.approx([1 / 16, 1 / 512, 1 / 16, 1 / 16])
    assert list(found.p_adjusted) == pytest.approx([2 / 16, 3 / 512, 2 / 16, 1 / 16])


def test_ties_and_gaps_are_no_pair() -> None:
    (row,) = pairs(table({"A": [1, 1, 0.5, 1, 0], "B": [0, 1, 1, float("nan"), 1]})).itertuples()
    assert (row.pairs, row.only_first, row.only_second) == (3, 1, 1)


def test_trials_that_never_differ_have_no_test() -> None:
    (row,) = pairs(table({"A": [1, 0], "B": [1, 0]})).itertuples()
    assert "no trial differs" in row.note
    assert math.isnan(row.p_exact)
    assert math.isnan(row.p_adjusted)


def test_no_trial_in_common_is_said() -> None:
    one, other = table({"A": [1, 0]}), table({"B": [1, 0]}).assign(trial_id=["x", "y"])
    (row,) = pairs(pd.concat([one, other])).itertuples()
    assert row.pairs == 0
    assert "no trial is in both" in row.note


def test_a_single_participant_is_refused() -> None:
    with pytest.raises(AnalysisError, match="participant has a single level"):
        pairs(table({"A": [1, 0]}))
