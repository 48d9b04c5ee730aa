"""Made-up people, so that a study, its analysis and its report can be rehearsed before anybody is asked.

Each differs from the others in skill and pace, drawn from the seed of the run and the person's name; one in forty is
careless, and answers at random and fast. How people rate in comprehension follows what Dong et al. (2026) say of their
Figure 17: possessives are binary, demonstratives graded, *this one* more sharply than *that one*. The numbers behind
that are ours, and so are all times.
"""

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from deixis.participants.human_like import produced, skilled
from deixis.participants.participant import Abilities
from deixis.records import AnswerMode, Prompt, Response, Trial
from deixis.seeds import generator

VERSION = "human-like-1"
"""Name and version of the rules by which people are made up."""
CARELESS = 40
"""One person of so many is careless."""
SECONDS: Mapping[str, float] = {
    "vocabulary": 5.0,
    "possessive": 6.0,
    "demonstrative": 6.5,
    "comprehension": 14.0,
    "indexicals": 25.0,
}
"""Experiment to the median time of an answer."""
RATINGS: Mapping[str, Mapping[str, float]] = {
    "mine": {"target pair": 6.7, "other pair": 1.3},
    "yours": {"target pair": 6.7, "other pair": 1.3},
    "this one": {"0": 6.6, "1": 4.0, "2": 2.3, "3": 1.5},
    "that one": {"0": 1.8, "1": 3.8, "2": 5.1, "3": 6.0},
}
"""Word and role of an object to the rating it gets in the middle."""
_PACE, _TIME, _NOISE = 0.25, 0.35, 0.7
"""Standard deviations: of people's pace and of single times (log seconds), and of single ratings."""
_HASTE = 0.2
"""How long the careless take, as a share of everybody's time."""


@dataclass(frozen=True, slots=True)
class Person:
    """One made-up person."""

    id: str
    """Its name, such as ``people:simulated/017``."""
    number: int
    """Its number, from 1."""
    skill: float
    """Standard deviations above the middle of people, in every task."""
    pace: float
    """Logarithm of how much longer it takes than people in the middle."""
    careless: bool
    """Whether it answers at random."""


def person(name: str, seed: int) -> Person:
    """Return the person with an id; the same under the same seed, whoever else is made up."""
    number = int(name.rpartition("/")[2])
    drawn = generator(seed, name)
    block, place = divmod(number - 1, CARELESS)
    careless = place == generator(seed, f"people:simulated/careless/{block}").randrange(CARELESS)
    return Person(name, number, drawn.gauss(0, 1), drawn.gauss(0, _PACE), careless)


class Simulated:
    """A made-up person as a participant, built from the trial table as strategies are."""

    abilities = Abilities(pictures=True, choose=True, constrained=True)
    """What a picture shows stands in the trial."""
    identity: Mapping[str, str] = {"simulated_by": VERSION}

    def __init__(self, who: Person, trials: Iterable[Trial], seed: int) -> None:
        self.id = who.id
        self._who = who
        self._trials = {trial.id: trial for trial in trials}
        self._seed = seed

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:  # noqa: ARG002
        """Yield a choice or ratings for every prompt, with the time it took, whichever way it is asked."""
        for prompt in prompts:
            trial = self._trials[prompt.trial_id]
            chance = generator(self._seed, f"{self.id}/{trial.id}")
            seconds = self._seconds(trial, chance)
            if trial.experiment == "comprehension":
                yield Response(trial.id, ratings=_ratings(trial, self._who, chance), seconds=seconds)
            else:
                yield Response(trial.id, choice=_choice(trial, self._who, chance), seconds=seconds)

    def close(self) -> None:
        """Nothing is held."""

    def _seconds(self, trial: Trial, chance: random.Random) -> float:
        haste = _HASTE if self._who.careless else 1.0
        return round(haste * SECONDS[trial.experiment] * math.exp(self._who.pace + chance.gauss(0, _TIME)), 3)


def _choice(trial: Trial, who: Person, chance: random.Random) -> int:
    if who.careless:
        return chance.randrange(len(trial.options))
    return produced(trial, skilled(trial.experiment, who.skill), chance)


def _ratings(trial: Trial, who: Person, chance: random.Random) -> tuple[int, ...]:
    """Rate every object. Who misses whose pair it is, as often as in production, rates the other pair as meant."""
    if who.careless:
        return tuple(chance.randint(1, 7) for _ in trial.options)
    by_role = RATINGS[trial.factors["word"]]
    roles = [option.features["role"] for option in trial.options]
    if trial.factors["task"] == "possessive":
        missed = chance.random() > skilled("possessive", who.skill)
        rated = {role: _rating(8 - middle if missed else middle, chance) for role, middle in by_role.items()}
        return tuple(rated[role] for role in roles)
    return tuple(_rating(by_role[role], chance) for role in roles)


def _rating(middle: float, chance: random.Random) -> int:
    return min(7, max(1, round(chance.gauss(middle, _NOISE))))
