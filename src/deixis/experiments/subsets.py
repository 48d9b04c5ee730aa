"""Seeded, nested, stratified subsets of a trial table: a larger one under the same seed contains the smaller one.

Of items, whole ones are drawn, so that an item's cells stay together. Of scenes, trials are drawn one by one so that
every factor, every right answer and every position of it stay as balanced as the number allows.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from deixis.records import Trial
from deixis.seeds import generator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def subset(trials: Sequence[Trial], limit: int | None, seed: int) -> list[Trial]:
    """Return the first ``limit`` trials of a seeded order."""
    if limit is None or limit >= len(trials):
        return list(trials)
    return (_of_items if "item" in trials[0].factors else _of_scenes)(trials, limit, seed)


def _of_scenes(trials: Sequence[Trial], limit: int, seed: int) -> list[Trial]:
    """Draw one trial after another, each time the one whose levels have come least often, ties broken by seed.

    What a level has cost already counts by how many levels its factor has, so that all factors weigh alike.
    """
    import numpy as np  # noqa: PLC0415

    columns = [_numbered(column) for column in zip(*map(_balanced, trials), strict=True)]
    random = generator(seed, "subset/scenes")
    cost = np.array([random.random() / 2 for _ in trials])
    taken: list[int] = []

    def count(trial: int, sign: int) -> None:
        for levels, weight in columns:
            cost[levels == levels[trial]] += sign * weight

    def take(place: int) -> bool:
        """Put the best trial there is at a place; say whether it is another than before."""
        before = taken[place] if place < len(taken) else None
        if before is not None:
            count(before, -1)
        free = cost.copy()
        free[[trial for at, trial in enumerate(taken) if at != place]] = np.inf
        best = int(np.argmin(free))
        if before is not None and free[before] - free[best] < 1:
            best = before
        taken[place:] = [best, *taken[place + 1 :]]
        count(best, 1)
        return best != before

    for start in range(0, limit, _BLOCK):
        block = range(start, min(start + _BLOCK, len(trials)))
        for place in block:
            take(place)
        for _ in range(_PASSES):
            if sum(map(take, block)) == 0:
                break
    return [trials[trial] for trial in taken[:limit]]


_BLOCK = 32
"""So many trials are gone over again once they are drawn, each exchanged where another fits better."""
_PASSES = 4


def _balanced(trial: Trial) -> list[object]:
    """Return everything about a trial that a subset balances."""
    answer = trial.options[trial.answer].features
    kind = tuple(value for name, value in answer.items() if name != "noun")
    situation = tuple(trial.factors[factor] for factor in ("target", "speaker", "gazer"))
    return [*trial.factors.values(), kind, trial.answer, (kind, trial.answer), situation]


def _numbered(values: Sequence[object]) -> "tuple[NDArray[np.int64], int]":
    import numpy as np  # noqa: PLC0415

    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.array([numbers[value] for value in values]), len(numbers)


def _of_items(trials: Sequence[Trial], limit: int, seed: int) -> list[Trial]:
    items: dict[str, list[Trial]] = {}
    for trial in trials:
        items.setdefault(trial.factors["item"], []).append(trial)
    strata: dict[tuple[str, str], list[str]] = {}
    for item, members in items.items():
        strata.setdefault(_stratum(members[0]), []).append(item)
    for stratum, members_of in strata.items():
        generator(seed, f"subset/{'/'.join(stratum)}").shuffle(members_of)
    drawn: list[Trial] = []
    for turn in zip_longest(*(strata[stratum] for stratum in _in_turn(strata))):
        for item in turn:
            if item is not None:
                drawn += items[item]
    return drawn[:limit]


def _in_turn(strata: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Order strata so that every indexical comes once before any comes twice, genders in turn."""
    by_indexical: dict[str, list[tuple[str, str]]] = {}
    for stratum in sorted(strata):
        by_indexical.setdefault(stratum[0], []).append(stratum)
    turned = [
        genders[place % len(genders) :] + genders[: place % len(genders)]
        for place, genders in enumerate(by_indexical.values())
    ]
    return [stratum for turn in zip_longest(*turned) for stratum in turn if stratum is not None]


def _stratum(trial: Trial) -> tuple[str, str]:
    return trial.factors.get("indexical", ""), trial.stimulus.get("gender", "")
