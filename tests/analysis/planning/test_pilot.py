"""A pilot's parameters are recovered from simulated answers, crossed or in lists."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from deixis.analysis.planning.pilot import pilot
from deixis.analysis.planning.studies import Study
from deixis.errors import AnalysisError

TRUE = Study(250, 80, base=0.75, difference=0.1, sd_people=1, sd_items=0.6, sd_people_effect=0.8, sd_items_effect=0.4)


@pytest.fixture(scope="module")
def crossed() -> pd.DataFrame:
    generator = np.random.default_rng(0)
    people = generator.normal(size=(2, TRUE.people)) * [[TRUE.sd_people], [TRUE.sd_people_effect]]
    items = generator.normal(size=(2, TRUE.items)) * [[TRUE.sd_items], [TRUE.sd_items_effect]]
    person, item = (index.ravel() for index in np.indices((TRUE.people, TRUE.items)))
    parts = []
    for name, middle, sign in zip(("old", "new"), TRUE.logits, (-1, 1), strict=True):
        chance = expit(middle + people[0][person] + items[0][item] + sign * (people[1][person] + items[1][item]) / 2)
        right = (generator.random(len(chance)) < chance).astype(float)
        parts.append(pd.DataFrame({"participant": person, "item": item, "condition": name, "correct": right}))
    return pd.concat(parts, ignore_index=True)


def test_crossed(crossed: pd.DataFrame) -> None:
    found = pilot(crossed, ("old", "new"))
    assert (found.base, found.difference) == (pytest.approx(0.75, abs=0.03), pytest.approx(0.1, abs=0.03))
    assert (found.sd_people, found.sd_items) == (pytest.approx(1, abs=0.15), pytest.approx(0.6, abs=0.15))
    assert (found.sd_people_effect, found.sd_items_effect) == (pytest.approx(0.8, abs=0.2), pytest.approx(0.4, abs=0.2))
    assert (found.people, found.items, found.n, found.left_out) == (250, 80, 40_000, 0)


def test_the_other_way_round(crossed: pd.DataFrame) -> None:
    one, other = pilot(crossed, ("old", "new")), pilot(crossed, ("new", "old"))
    assert other.difference == pytest.approx(-one.difference)
    assert other.sd_people == pytest.approx(one.sd_people, rel=1e-3)


def test_lists_and_rows_without_credit(crossed: pd.DataFrame) -> None:
    half = crossed[((crossed.participant + crossed["item"]) % 2 == 0) == (crossed.condition == "old")].copy()
    half.iloc[:50, half.columns.get_loc("correct")] = np.nan
    found = pilot(half, ("old", "new"))
    assert found.sd_people == pytest.approx(1, abs=0.15)
    assert found.sd_people_effect == pytest.approx(0.8, abs=0.3)
    assert (found.n, found.left_out) == (19_950, 50)


def test_people_of_one_condition_have_no_effect_of_their_own(crossed: pd.DataFrame) -> None:
    found = pilot(crossed[(crossed.participant < 125) == (crossed.condition == "old")], ("old", "new"))
    assert found.sd_people_effect == 0
    assert found.sd_people == pytest.approx((1 + 0.64 / 4) ** 0.5, abs=0.2)
    assert found.sd_items_effect == pytest.approx(0.4, abs=0.3)


def test_answers_by_chance_have_no_spread() -> None:
    right = np.random.default_rng(1).random(40_000) < 0.8
    person, item = (index.ravel() for index in np.indices((200, 200)))
    table = pd.DataFrame(
        {"participant": person, "item": item, "condition": np.where(item % 2, "a", "b"), "correct": right * 1.0}
    )
    found = pilot(table, ("a", "b"))
    assert max(found.sd_people, found.sd_items, found.sd_people_effect) < 0.2


def test_what_says_nothing_is_refused(crossed: pd.DataFrame) -> None:
    with pytest.raises(AnalysisError, match="no column 'item'"):
        pilot(crossed.drop(columns="item"), ("old", "new"))
    with pytest.raises(AnalysisError, match="no answers under 'third'"):
        pilot(crossed, ("old", "third"))
    with pytest.raises(AnalysisError, match="all right under 'old'"):
        pilot(crossed.assign(correct=np.where(crossed.condition == "old", 1.0, crossed.correct)), ("old", "new"))
