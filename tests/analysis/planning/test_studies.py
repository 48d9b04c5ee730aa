"""What a planned study assumes: shares from logits, covariances, and plans that cannot be."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from deixis.analysis.planning.studies import Study, centre, response_covariance, share
from deixis.errors import AnalysisError

PLAN = Study(people=40, items=20, difference=0.1)


@pytest.mark.parametrize("sd", [0.3, 1, 4, 10])
def test_shares_are_those_of_numerical_integration(sd: float) -> None:
    want = quad(lambda z: expit(1.5 + sd * z) * norm.pdf(z), -10, 10, points=[-1.5 / sd], limit=400)[0]
    assert share(1.5, sd) == pytest.approx(want, abs=1e-8)


@pytest.mark.parametrize("wanted", [0.001, 0.3, 0.5, 0.999])
@pytest.mark.parametrize("sd", [0, 0.5, 5])
def test_centre_undoes_share(wanted: float, sd: float) -> None:
    assert share(centre(wanted, sd), sd) == pytest.approx(wanted, abs=1e-9)


def test_a_difference_is_of_shares_and_odds_are_for_one_person() -> None:
    plan = replace(PLAN, sd_people=1, sd_items=0.5, sd_people_effect=0.6, sd_items_effect=0.8)
    assert plan.sd == pytest.approx((1 + 0.25 + 0.25) ** 0.5)
    assert plan.shares == pytest.approx((0.8, 0.9))
    odds = replace(plan, difference=None, odds=2.0)
    assert odds.logits[1] - odds.logits[0] == pytest.approx(np.log(2))
    assert 0.8 < odds.shares[1] < 8 / 9
    assert odds.without_difference().shares == pytest.approx((0.8, 0.8))


def test_trials() -> None:
    assert PLAN.trials == 1600
    assert replace(PLAN, pairing="lists", repeats=3).trials == 2400


def test_covariance_by_simulation() -> None:
    plan = replace(PLAN, sd_people=1, sd_items=0.5, sd_people_effect=1.2)
    generator = np.random.default_rng(0)
    common, own = 1.25**0.5 * generator.normal(size=400_000), 1.2 * generator.normal(size=400_000)
    chances = [expit(m + common + sign * own / 2) for m, sign in zip(plan.logits, (-1, 1), strict=True)]
    drawn = [generator.random(400_000) < chance for chance in chances]
    assert response_covariance(plan) == pytest.approx(np.cov(np.array(drawn, float)), abs=0.002)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"people": 0}, "0 people answer nothing"),
        ({"repeats": 0}, "0 repeats"),
        ({"base": 1.0}, "a base of 1 leaves nothing"),
        ({"difference": 0.2}, "0.8 \\+0.2 is no share"),
        ({"odds": 2.0}, "either a difference of shares or odds"),
        ({"difference": None}, "either a difference of shares or odds"),
        ({"difference": None, "odds": -1.0}, "odds of -1"),
        ({"sd_items": float("nan")}, "sd items of nan"),
        ({"sd_people_effect": -1.0}, "sd people effect of -1"),
        ({"pairing": "none"}, "unknown pairing 'none'"),
        ({"test": "none"}, "unknown test 'none'"),
        ({"people": 1}, "1 people vary too little \\(crossed\\); give 2 or more \\(or hold it against items alone\\)"),
        ({"items": 1}, "1 items vary too little"),
        ({"items": 1, "test": "items"}, "give 2 or more$"),
        ({"people": 2, "pairing": "between"}, "give 4 or more"),
        ({"people": 5, "pairing": "between"}, "5 people make no two equal halves"),
        ({"items": 5, "pairing": "lists"}, "5 items make no two equal halves"),
        ({"people": 10**7}, "too many to simulate"),
    ],
)
def test_plans_that_cannot_be(changes: dict[str, object], why: str) -> None:
    with pytest.raises(AnalysisError, match=why):
        replace(PLAN, **changes)
