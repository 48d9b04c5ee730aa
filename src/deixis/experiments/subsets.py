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
    strata: dict[tuple[str, ...], list[str]] = {}
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


def _in_turn(strata: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Order strata so that every indexical comes once before any comes twice, genders in turn."""
    rounds: dict[str, list[tuple[str, ...]]] = {}
    for place, stratum in enumerate(sorted(strata, key=lambda stratum: stratum[::-1])):
        rounds.setdefault(stratum[-1], []).append(stratum)
        if len(rounds[stratum[-1]]) == 2 and place // 2 % 2:
            rounds[stratum[-1]].reverse()
    return [stratum for turn in zip_longest(*rounds.values()) for stratum in turn if stratum is not None]


def _stratum(trial: Trial) -> tuple[str, ...]:
    return (trial.stimulus.get("gender", ""), trial.factors.get("indexical", ""))
