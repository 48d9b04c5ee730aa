"""A study that is planned: who answers what, how hard it is, and what differs between its two conditions.

Model: ``logit P(right) = m_c + person + item ± (person's own effect + item's own effect) / 2``, all four normal.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

from deixis.analysis.strategies.predictions import Array
from deixis.errors import AnalysisError

PAIRINGS = ("crossed", "lists", "between")
"""``crossed``: everyone answers every item under both conditions; ``lists``: every item under one of them, half of the
items under each, turned by list; ``between``: half of the people answer every item under one condition, half under the
other."""
TESTS = ("both", "people", "items")
"""What a difference is held against: variation across people and items, across people alone, across items alone."""
_MOST = 10_000_000
NODES: Array = np.linspace(-8, 8, 161)
"""Points of a standard normal at which means are taken: the trapezoid rule, here exact to 1e-8 up to 10 logits."""
WEIGHTS: Array = np.exp(-(NODES**2) / 2) / np.exp(-(NODES**2) / 2).sum()
"""Their weights."""


@dataclass(frozen=True, slots=True)
class Study:
    """One plan, and what is assumed of those who will answer."""

    people: int
    """Participants, in all."""
    items: int
    """Items, in all."""
    repeats: int = 1
    """How often each question is put to the same participant."""
    base: float = 0.8
    """Share right under the first condition, over people and items."""
    difference: float | None = None
    """Share right under the second condition less ``base``."""
    odds: float | None = None
    """Instead: odds of the second over those of the first condition, for one and the same person and item."""
    sd_people: float = 0.0
    """Standard deviation of people, in logits."""
    sd_items: float = 0.0
    """Standard deviation of items, in logits."""
    sd_people_effect: float = 0.0
    """Standard deviation of the people's own effects of the condition, in logits."""
    sd_items_effect: float = 0.0
    """Standard deviation of the items' own effects of the condition, in logits."""
    pairing: str = "crossed"
    """One of :data:`PAIRINGS`."""
    test: str = "both"
    """One of :data:`TESTS`."""

    def __post_init__(self) -> None:
        _check(self)

    @property
    def trials(self) -> int:
        """Questions put in all."""
        return self.people * self.items * self.repeats * (2 if self.pairing == "crossed" else 1)

    @property
    def sd(self) -> float:
        """Standard deviation of one answer's logit over people and items under a condition."""
        effects = (self.sd_people_effect**2 + self.sd_items_effect**2) / 4
        return math.sqrt(self.sd_people**2 + self.sd_items**2 + effects)

    @property
    def logits(self) -> tuple[float, float]:
        """``m`` of both conditions, so that the shares right come out as assumed."""
        first = centre(self.base, self.sd)
        if self.odds is not None:
            return first, first + math.log(self.odds)
        return first, centre(self.base + (self.difference or 0.0), self.sd)

    @property
    def shares(self) -> tuple[float, float]:
        """Share right under both conditions, over people and items."""
        first, second = self.logits
        return share(first, self.sd), share(second, self.sd)

    def without_difference(self) -> "Study":
        """Return the same study where both conditions are alike on average."""
        return replace(self, difference=0.0, odds=None)


def share(middle: float, sd: float) -> float:
    """Return the mean of ``1 / (1 + exp(-x))`` for a normal x."""
    return float(WEIGHTS @ expit(middle + sd * NODES))


def centre(wanted: float, sd: float) -> float:
    """Return the mean of a normal logit with standard deviation ``sd`` whose mean probability is ``wanted``."""
    middle = float(logit(wanted))
    if sd == 0:
        return middle
    # a mean over logits lies nearer to 1/2 than the probability at their mean
    ends = sorted((middle, middle * (1 + sd)))
    return float(brentq(lambda m: share(m, sd) - wanted, ends[0] - 1e-6, ends[1] + 1e-6, xtol=1e-12))


def response_covariance(study: Study) -> Array:
    """Return the covariance of one person's answers to one item under both conditions (2 × 2).

    Over people and items drawn anew; its diagonal is p (1 - p).
    """
    first, second = study.logits
    common = math.hypot(study.sd_people, study.sd_items)
    own = math.hypot(study.sd_people_effect, study.sd_items_effect) / 2
    low = expit(first + common * NODES[:, None] - own * NODES)
    high = expit(second + common * NODES[:, None] + own * NODES)
    together = float(WEIGHTS @ (low * high) @ WEIGHTS)
    p, q = study.shares
    return np.array([[p * (1 - p), together - p * q], [together - p * q, q * (1 - q)]])


def _check(study: Study) -> None:
    if study.pairing not in PAIRINGS:
        raise AnalysisError(f"unknown pairing {study.pairing!r}; there is {', '.join(PAIRINGS)}")
    if study.test not in TESTS:
        raise AnalysisError(f"unknown test {study.test!r}; there is {', '.join(TESTS)}")
    for name, least in (("people", 1), ("items", 1), ("repeats", 1)):
        if getattr(study, name) < least:
            raise AnalysisError(f"{getattr(study, name)} {name} answer nothing; give {least} or more")
    if study.trials > _MOST:
        raise AnalysisError(f"{study.trials:,} trials are too many to simulate; plan for {_MOST:,} at most")
    if not 0 < study.base < 1:
        raise AnalysisError(f"a base of {study.base:g} leaves nothing to chance; give a share between 0 and 1")
    if (study.difference is None) == (study.odds is None):
        raise AnalysisError("give either a difference of shares or odds, one of the two")
    if study.difference is not None and not 0 < study.base + study.difference < 1:
        raise AnalysisError(f"{study.base:g} {study.difference:+g} is no share; it must lie between 0 and 1")
    if study.odds is not None and not 0 < study.odds < math.inf:
        raise AnalysisError(f"odds of {study.odds:g} cannot be; give a number above 0, such as 2")
    for name in ("sd_people", "sd_items", "sd_people_effect", "sd_items_effect"):
        if not 0 <= getattr(study, name) <= 10:
            raise AnalysisError(f"{name.replace('_', ' ')} of {getattr(study, name):g} logits; give 0 to 10")
    _check_test(study)


def _check_test(study: Study) -> None:
    """Raise :class:`AnalysisError` where the test has too few people or items to vary over."""
    people = {"crossed": 2, "lists": 4, "between": 4}[study.pairing]
    items = {"crossed": 2, "lists": 4, "between": 2}[study.pairing]
    if study.test != "items" and study.people < people:
        way = " (or hold it against items alone)" if study.test == "both" else ""
        raise AnalysisError(f"{study.people} people vary too little ({study.pairing}); give {people} or more{way}")
    if study.test != "people" and study.items < items:
        way = " (or hold it against people alone)" if study.test == "both" else ""
        raise AnalysisError(f"{study.items} items vary too little ({study.pairing}); give {items} or more{way}")
    if study.pairing != "crossed" and study.people % 2:
        raise AnalysisError(f"{study.people} people make no two equal halves ({study.pairing}); give an even number")
    if study.pairing == "lists" and study.items % 2:
        raise AnalysisError(f"{study.items} items make no two equal halves (lists); give an even number")
