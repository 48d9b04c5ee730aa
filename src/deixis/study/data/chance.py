"""How probable a right answer is for who answers at random, by enumeration."""

import math

from deixis.records import Trial

POINTS = 7
"""Of the rating scale."""


def chance_of(trial: Trial, *, rated: bool) -> float:
    """Return how probable a right answer is at random.

    A choice takes each option equally often. Ratings take each point equally often, each object by itself; they
    are right where no object is rated highest that is not meant (.41 with two right of four, .18 with one).
    """
    right, options = len(trial.meant), len(trial.options)
    return rated_right(right, options) if rated else right / options


def rated_right(right: int, options: int, points: int = POINTS) -> float:
    """Return how probable it is that all objects with the highest rating are among ``right`` of ``options``.

    For each rating that can be the highest: it is reached by a right object and by no other.
    """
    return math.fsum(
        ((top / points) ** right - ((top - 1) / points) ** right) * ((top - 1) / points) ** (options - right)
        for top in range(1, points + 1)
    )
