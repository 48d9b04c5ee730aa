"""How people are simulated to answer: as often right as published, and wrong in the ways that are described.

Accuracies: Dong et al. (2026), Table 3, production. What is wrong where people err: Figure 18 has it as a drawing only;
its text says that in demonstratives the demonstrative is wrong most often, then the personal pronoun or both. The
shares here are ours, and so is everything about how people differ.
"""

import math
import random
from collections.abc import Mapping
from functools import lru_cache
from statistics import NormalDist

from deixis.records import Trial
from deixis.seeds import generator

ACCURACY: Mapping[str, float] = {"vocabulary": 0.9984, "possessive": 0.9344, "demonstrative": 0.8300}
"""Task to the mean accuracy of people."""
FOLLOWING: Mapping[str, float] = {"indexicals": 0.95}
"""Experiment without published people to how often its grammar is followed; ours."""
ERRORS: Mapping[frozenset[str], float] = {
    frozenset({"word"}): 0.6,
    frozenset({"pronoun"}): 0.25,
    frozenset({"pronoun", "word"}): 0.15,
    frozenset({"noun"}): 0.8,
    frozenset({"pronoun", "noun"}): 0.05,
}
"""What is wrong with an answer to how often it is taken, beside the other wrong ones that are offered."""
SPREAD = 0.8
"""Standard deviation of people's skill, in log odds of a right answer."""
_QUANTILES = [NormalDist().inv_cdf((step + 0.5) / 400) for step in range(400)]


def human_like(trial: Trial, seed: int) -> int:
    """Errs as often, and in the same ways, as people on average."""
    return produced(trial, ACCURACY[trial.experiment], generator(seed, f"human-like/{trial.id}"))


def produced(trial: Trial, accuracy: float, chance: random.Random) -> int:
    """Return the option taken: the right one with a probability, else a wrong one by :data:`ERRORS`."""
    if chance.random() < accuracy:
        return trial.answer
    right = trial.options[trial.answer].features
    wrong = [place for place in range(len(trial.options)) if place != trial.answer]
    weights = []
    for place in wrong:
        features = trial.options[place].features
        weights.append(ERRORS.get(frozenset(name for name in right if features.get(name) != right[name]), 0.1))
    return chance.choices(wrong, weights)[0]


def skilled(task: str, skill: float) -> float:
    """Return the accuracy of somebody whose skill is so many standard deviations above the middle.

    Accuracy is logit-normal over people, with the published mean, or ours where none is published.
    """
    mean = ACCURACY[task] if task in ACCURACY else FOLLOWING[task]
    return _logistic(_middle(mean) + SPREAD * skill)


@lru_cache(maxsize=8)
def _middle(mean: float) -> float:
    """Return the log odds of the median person, by bisection."""
    low, high = -10.0, 20.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        reached = sum(_logistic(middle + SPREAD * skill) for skill in _QUANTILES) / len(_QUANTILES)
        low, high = (middle, high) if reached < mean else (low, middle)
    return low


def _logistic(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
