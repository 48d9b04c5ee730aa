"""Seeded, nested, stratified subsets of a trial table.

Whole items are drawn, so that an item's cells stay together and every factor stays balanced; a larger subset
under the same seed contains the smaller one.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from deixis.records import Trial
from deixis.seeds import generator


def subset(trials: Sequence[Trial], limit: int | None, seed: int) -> list[Trial]:
    """Return the first ``limit`` trials of a seeded order by item, strata (indexical, gender) taken in turn."""
    if limit is None or limit >= len(trials):
        return list(trials)
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
