"""Which trials the page holds where a run has more than a browser should be given."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from deixis.experiments.subsets import subset
from deixis.records import Trial

MOST = 20_000
"""How many trials a page holds at most, over all designs."""


def quotas(asked: Sequence[int], every: Sequence[int], most: int = MOST) -> list[int]:
    """Return how many trials of each design the page holds: small designs whole, the others alike.

    ``asked`` says how many trials of each design any model or person was asked, ``every`` how many it has. What was
    asked comes first; the rest is shared out where there is room.
    """
    first = _spread(asked, most)
    rest = _spread([have - drawn for have, drawn in zip(every, asked, strict=True)], most - sum(first))
    return [a + b for a, b in zip(first, rest, strict=True)]


def _spread(sizes: Sequence[int], most: int) -> list[int]:
    """Share ``most`` out alike, never more to one than its size; what small ones leave goes to the larger."""
    found = [0] * len(sizes)
    left = max(0, most)
    for turn, place in enumerate(sorted(range(len(sizes)), key=sizes.__getitem__)):
        found[place] = min(sizes[place], left // (len(sizes) - turn))
        left -= found[place]
    return found


def choose(trials: Sequence[Trial], asked: Collection[str], most: int, seed: int) -> list[str]:
    """Return the ids of at most ``most`` trials of one design, in its order.

    Those that were ``asked`` of models or people come first; of more than there is room for, a balanced subset under
    ``seed`` is drawn (:func:`~deixis.experiments.subsets.subset`), so that conditions that ask the same trials show
    the same ones.
    """
    wanted = frozenset(asked)
    first = _drawn(_pool([trial for trial in trials if trial.id in wanted]), most, seed)
    rest = _drawn(_pool([trial for trial in trials if trial.id not in wanted]), most - len(first), seed)
    return [trial.id for trial in trials if trial.id in first or trial.id in rest]


@dataclass(frozen=True, slots=True)
class _Pool:
    """Trials to draw from; two conditions with the same ids and places of the right option are drawn from alike."""

    key: tuple[tuple[str, int], ...]
    trials: tuple[Trial, ...] = field(compare=False)


def _pool(trials: Sequence[Trial]) -> _Pool:
    return _Pool(tuple((trial.id, trial.answer) for trial in trials), tuple(trials))


@lru_cache(maxsize=16)
def _drawn(pool: _Pool, most: int, seed: int) -> frozenset[str]:
    if most <= 0:
        return frozenset()
    return frozenset(trial.id for trial in subset(pool.trials, most, seed))
