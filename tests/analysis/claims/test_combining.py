"""Intervals from sums are those of the modules that take trials."""

import numpy as np
import pandas as pd
import pytest

from deixis.analysis.claims.combining import combined, difference, less, share
from deixis.analysis.claims.source import Cell, sources
from deixis.analysis.intervals import wilson
from deixis.analysis.shares.clustered import clustered_difference, clustered_proportions
from deixis.analysis.shares.paired import tango
from deixis.analysis.shares.proportions import newcombe
from tests.analysis.claims.tables import rows


def cell(k: list[float], n: list[float], *, by: str = "item", exact: bool = False) -> Cell:
    units = np.array([f"{by}{place}" for place in range(len(k))], dtype=object)
    return Cell(np.array(k, dtype=float), np.array(n, dtype=float), units, by, exact)


@pytest.fixture
def trials() -> pd.DataFrame:
    """60 trials of 6 items under each of two conditions, ties and a trial that was not answered among them."""
    drawn = np.random.default_rng(3)
    parts = []
    for condition, p in (("main", 0.7), ("simple", 0.4)):
        one = rows(0, 60, experiment="possessive", condition=condition)
        credit = (drawn.random(60) < p + np.repeat([0.2, -0.2, 0.1, 0, -0.1, 0], 10)).astype(float)
        parts.append(one.assign(item=np.repeat(list("abcdef"), 10), correct=credit))
    table = pd.concat(parts, ignore_index=True)
    table.loc[[3, 70], "correct"] = 0.25
    table.loc[[8, 99], "correct"] = np.nan
    return table


def test_a_difference_is_the_clustered_one(trials: pd.DataFrame) -> None:
    (source,) = sources(trials)
    found = difference(*(source.cell("a/model", "possessive", c) for c in ("main", "simple")))
    want = clustered_difference(trials, "condition", ("main", "simple"), ["item"])
    assert (found.value, found.low, found.high) == pytest.approx((want.estimate, want.low, want.high), abs=1e-12)
    assert (found.n, found.std_error, found.df) == (want.n, pytest.approx(want.std_error), want.clusters - 1)


def test_a_share_is_the_clustered_mean(trials: pd.DataFrame) -> None:
    (source,) = sources(trials)
    found = share(source.cell("a/model", "possessive", "main"))
    table = clustered_proportions(trials[trials.condition == "main"], {"condition": ["main"]}, ["item"])
    want = table.iloc[0]
    assert (found.value, found.low, found.high, found.n) == pytest.approx((want.estimate, want.low, want.high, 59))


def test_a_share_of_one_trial_an_item_is_wilsons() -> None:
    found = share(cell([1, 1, 0, 1], [1, 1, 1, 1]))
    assert (found.low, found.high) == pytest.approx(wilson(3, 4))


def test_without_variation_between_items_a_difference_is_newcombes() -> None:
    found = difference(cell([4, 4, 4], [4, 4, 4]), cell([0, 0, 0], [4, 4, 4]))
    assert (found.low, found.high) == pytest.approx(newcombe(12, 12, 0, 12))


def test_where_every_item_agrees_a_difference_is_tangos() -> None:
    found = difference(cell([3, 1], [4, 4]), cell([3, 1], [4, 4]))
    assert (found.value, found.low, found.high) == pytest.approx((0, *tango(8, 0, 0)))


def test_people_and_items_are_clusters_of_their_own() -> None:
    people, model = cell([9, 7, 8], [10, 10, 10], by="person"), cell([5, 3, 4, 4], [10, 10, 10, 10])
    found = difference(people, model)
    # squares of deviations: people (1, 1, 0)/30 with 3/2, items (1, 1, 0, 0)/40 with 4/3
    assert found.std_error**2 == pytest.approx(3 / 2 * 2 / 900 + 4 / 3 * 2 / 1600)
    assert found.df == 2


def test_a_printed_number_is_a_constant() -> None:
    model = cell([5, 3, 4], [10, 10, 10])
    against = difference(cell([930], [1000], exact=True), model)
    assert against.value == pytest.approx(0.53)
    assert against.std_error == pytest.approx(share(model).std_error)
    assert not against.exact
    assert combined([(1, cell([930], [1000], exact=True))]).low == 0.93


def test_a_difference_of_differences_shows_both() -> None:
    one = [(1.0, cell([9, 8], [10, 10])), (-1.0, cell([4, 5], [10, 10]))]
    other = [(1.0, cell([7, 7], [10, 10])), (-1.0, cell([6, 5], [10, 10]))]
    found = less(one, other)
    assert found.value == pytest.approx(0.4 - 0.15)
    assert found.shares == pytest.approx((0.4, 0.15))
    assert found.told.startswith("0.400 against 0.150, difference 0.250 [")
