"""People and models in one table: limits that hold at 100 %, gaps, and what is not defined."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import confint_proportions_2indep

from deixis.analysis.people.alignment import alignment, clustered_share, gap
from deixis.errors import AnalysisError

CLASSES = ("PPE", "PoPE", "Double")


def answers(
    name: str, task: str, chances: np.ndarray, seed: int, shares: tuple[float, ...] = (0.6, 0.3, 0.1)
) -> pd.DataFrame:
    generator = np.random.default_rng(seed)
    right = generator.random(len(chances)) < chances
    wrong = generator.choice(CLASSES, len(chances), p=shares)
    items = [f"i{place}" for place in range(len(chances))]
    return pd.DataFrame(
        {
            "participant": name,
            "item": items,
            "task": task,
            "correct": right * 1.0,
            "error": np.where(right, "Correct", wrong),
        }
    )


@pytest.fixture(scope="module")
def tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    hard = np.linspace(0.5, 0.95, 60)
    people = [answers(f"p{k}", task, hard, k) for task in ("possessive", "demonstrative") for k in range(24)]
    models = [
        answers("like", "possessive", hard, 100),
        answers("unlike", "possessive", np.linspace(1, 0, 60), 101, (0.0, 0.1, 0.9)),
        answers("perfect", "demonstrative", np.ones(60), 102),
    ]
    return pd.concat(people), pd.concat(models)


def test_single_observations_give_newcombes_interval() -> None:
    """Every trial its own cluster: Wilson with n - 1 and t, so Newcombe's to 2e-4 at n = 2000."""
    sides = [(1700, 2000), (1500, 2000)]
    shares = [clustered_share(np.repeat([1.0, 0.0], [k, n - k]), [str(i) for i in range(n)]) for k, n in sides]
    found = gap(shares[0], shares[1])
    want = confint_proportions_2indep(*sides[0], *sides[1], method="newcomb", compare="diff")
    assert found == pytest.approx((0.1, *want), abs=2e-4)


def test_clusters_that_agree_within_widen_the_limits() -> None:
    """Ten answers a person, all alike: as if each person had answered once."""
    people = np.repeat([1.0] * 30 + [0.0] * 10, 10)
    once = clustered_share(np.array([1.0] * 30 + [0.0] * 10), [str(k) for k in range(40)])
    found = clustered_share(people, [str(k) for k in range(40) for _ in range(10)])
    assert (found.low, found.high) == pytest.approx((once.low, once.high))
    assert (found.n, found.clusters) == (400, 40)


def test_all_right_has_limits_and_a_note() -> None:
    """20 clusters: t² / (20 + t²) below 1."""
    found = clustered_share(np.ones(100), [str(k % 20) for k in range(100)])
    assert (found.high, found.low) == (1.0, pytest.approx(20 / (20 + 2.093024**2)))
    assert "each cluster counts as one" in found.note
    with pytest.raises(AnalysisError, match="1 item: limits across items"):
        clustered_share(np.ones(3), ["a"] * 3, "item")


def test_the_table(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    found = alignment(*tables, ["possessive", "demonstrative"], CLASSES, resamples=200, splits=40)
    assert found[["task", "model"]].to_numpy().tolist() == [
        ["possessive", "like"],
        ["possessive", "unlike"],
        ["demonstrative", "perfect"],
    ]
    like, unlike, perfect = (found.iloc[k] for k in range(3))
    assert like.gap_low < 0 < like.gap_high
    assert unlike.gap_high < 0
    assert (like.gap, like.participants, like["items"]) == (pytest.approx(like.accuracy - like.people), 24, 60)
    assert like.corrected == pytest.approx(like.correlation / like.reliability**0.5)
    assert unlike.correlation < 0 < like.correlation
    assert unlike.distance_low > unlike.distance_floor
    assert like.distance < unlike.distance
    assert np.isnan([perfect.correlation, perfect.corrected, perfect.distance]).all()
    assert perfect.accuracy_low < 1
    assert perfect.note.count(";") == 2
    again = alignment(*tables, ["possessive", "demonstrative"], CLASSES, resamples=200, splits=40)
    pd.testing.assert_frame_equal(found, again)
    other = alignment(*tables, ["possessive"], CLASSES, seed=1, resamples=200, splits=40)
    assert other.correlation_low[0] != like.correlation_low


def test_rows_without_credit_are_counted(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    people, models = (table.reset_index(drop=True) for table in tables)
    people.loc[:9, "correct"] = np.nan
    found = alignment(people, models, ["possessive"], resamples=20, splits=5)
    assert found.left_out_people.tolist() == [10, 10]
    assert "distance" not in found.columns


def test_what_is_missing_is_named(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    people, models = tables
    with pytest.raises(AnalysisError, match="people has no column 'error'"):
        alignment(people.drop(columns="error"), models, ["possessive"], CLASSES)
    with pytest.raises(AnalysisError, match="people to the task 'vocabulary'"):
        alignment(people, models, ["vocabulary"])
    with pytest.raises(AnalysisError, match="models to the task 'possessive'"):
        alignment(people, models[models.task != "possessive"], ["possessive"])
    with pytest.raises(AnalysisError, match="1 participant: limits"):
        alignment(people[people.participant == "p0"], models, ["possessive"])
    silent = models.assign(correct=np.where(models.participant == "like", np.nan, models.correct))
    with pytest.raises(AnalysisError, match="'like' has answered nothing"):
        alignment(people, silent, ["possessive"])
