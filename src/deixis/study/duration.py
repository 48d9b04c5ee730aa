"""How long a person takes, and what that is paid an hour: estimated from the median times of made-up people."""

from dataclasses import dataclass

from deixis.participants.simulated import SECONDS
from deixis.study.settings import Plan

READING = {"consent": 60.0, "instructions": 30.0, "debriefing": 20.0}
"""Seconds for each page of text; ours."""
BETWEEN = 0.6
"""Seconds between two trials; ours."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Time and pay of a study."""

    minutes: float
    """How long a person is expected to take."""
    per_hour: float
    """What an hour is paid, by the time that participants are told."""
    whole: float
    """What all people together are paid, before any fee."""


def cost(plan: Plan) -> Cost:
    """Return what a study takes a person, and what it costs."""
    seconds = READING["consent"] + READING["debriefing"]
    for block in plan.design.blocks:
        shown = block.trials + plan.practice + plan.checks_of(block.id)
        seconds += READING["instructions"] + shown * (SECONDS[block.experiment] + BETWEEN)
    return Cost(seconds / 60, plan.amount / plan.minutes * 60, plan.amount * plan.people)
