"""What a robot would answer: made-up people know the trial behind a key, which a page does not tell."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from deixis.participants.simulated import Simulated, person
from deixis.records import AnswerMode, Prompt, Trial
from deixis.seeds import generator
from deixis.study.practice import check_trials, checks_right, practice_trials
from deixis.study.settings import Plan
from deixis.study.trials import trials_of

_POINTS = 7


class Knowing:
    """Answers to every key of a study, by number of the robot."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self._plan, self._seed = plan, seed

    @cached_property
    def _trials(self) -> Mapping[str, Trial]:
        return {**trials_of(self._plan), **practice_trials(self._plan), **check_trials(self._plan)}

    @cached_property
    def right(self) -> Mapping[str, int]:
        """The place of the option that each check asks for."""
        return checks_right(self._plan)

    def answer(self, number: int, key: str) -> dict[str, Any]:
        """Return choice or ratings, and how long it takes (``rt_ms``).

        People as :mod:`deixis.participants.simulated` makes them up; who is careless fails half of the checks.
        """
        who = person(f"people:simulated/{number:03d}", self._seed)
        trial = self._trials[key]
        if key in self.right:
            return self._checked(number, key, trial, careless=who.careless)
        prompt = Prompt(trial.id, "", "", tuple(option.text for option in trial.options))
        (said,) = Simulated(who, [trial], self._seed).respond([prompt], AnswerMode.CHOOSE)
        told: dict[str, Any] = {"rt_ms": max(300.0, 1000 * said.seconds)}
        return told | ({"ratings": list(said.ratings)} if said.ratings else {"choice": said.choice})

    def _checked(self, number: int, key: str, trial: Trial, *, careless: bool) -> dict[str, Any]:
        chance = generator(self._seed, f"robot/{number}/{key}")
        right, many = self.right[key], len(trial.options)
        chosen = (right + chance.randrange(1, many)) % many if careless and chance.random() < 0.5 else right
        rated = trial.experiment == "comprehension"
        said = (
            {"ratings": [_POINTS if place == chosen else 1 for place in range(many)]} if rated else {"choice": chosen}
        )
        return {"rt_ms": 4000.0, **said}
