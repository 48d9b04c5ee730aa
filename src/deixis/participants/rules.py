"""Rules that answer from a trial, and the ones that fit every experiment."""

from collections.abc import Callable, Mapping

from deixis.records import Trial
from deixis.seeds import generator

Rule = Callable[[Trial, int], int | tuple[int, ...] | None]
"""From a trial and a seed to the index of an option, to several between which the rule does not decide, or to
``None`` where it says nothing. Its docstring is what a user reads of it."""


def _oracle(trial: Trial, _seed: int) -> int:
    """Follows the grammar: always right."""
    return trial.answer


def _chance(trial: Trial, seed: int) -> int:
    """Throws a seeded die for every question."""
    return generator(seed, f"chance/{trial.id}").randrange(len(trial.options))


def _first_option(_trial: Trial, _seed: int) -> int:
    """Takes whatever is offered first."""
    return 0


def _second_option(trial: Trial, _seed: int) -> int:
    """Takes whatever is offered second."""
    return min(1, len(trial.options) - 1)


def _third_option(trial: Trial, _seed: int) -> int | None:
    """Takes whatever is offered third; says nothing where only two are offered."""
    return 2 if len(trial.options) > 2 else None


def _last_option(trial: Trial, _seed: int) -> int:
    """Takes whatever is offered last."""
    return len(trial.options) - 1


ALWAYS: Mapping[str, Rule] = {
    "oracle": _oracle,
    "chance": _chance,
    "first-option": _first_option,
    "last-option": _last_option,
}
"""The rules that fit every experiment, by name."""
BETWEEN: Mapping[str, Rule] = {"second-option": _second_option, "third-option": _third_option}
"""The positions that only more than two options have."""
