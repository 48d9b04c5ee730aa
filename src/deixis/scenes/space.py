"""Every legal scene of a task, in an order that never changes, and seeded samples of them.

Source: Dong et al. (2026), Appendix D: 6,144 scenes a task.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

from deixis.errors import SceneError, UsageError
from deixis.scenes.objects import Catalogue, catalogue
from deixis.scenes.scene import ARRANGEMENTS, BACKGROUNDS, CHILDREN, PLACES, SIDES, TASKS, Scene
from deixis.scenes.truth import FURTHEST, NEAREST
from deixis.seeds import generator

ROTATIONS = 3
"""How many of the six classes of orders a group gets: each class is four rotations, so 12 of the 24 orders, and every
object lies at every place equally often."""


def scenes(
    task: str, things: Catalogue | None = None, *, arrangement: str = "blocks", boy: str = "left", seed: int | None = 0
) -> Iterator[Scene]:
    """Yield every scene of a task.

    ``arrangement`` says how pairs lie, ``seed`` which 12 orders a group gets; without a seed it gets all 24.
    """
    if task not in TASKS:
        raise UsageError(f"no task {task!r}; there is {', '.join(TASKS)}")
    if arrangement not in ARRANGEMENTS:
        raise UsageError(f"no arrangement {arrangement!r}; there is {', '.join(ARRANGEMENTS)}")
    if boy not in SIDES:
        raise UsageError(f"no boy {boy!r}; there is {', '.join(SIDES)}")
    table = things or catalogue()
    for kinds, pattern, target, background in _displays(task, table, arrangement, seed):
        for speaker, gazer in product(CHILDREN, CHILDREN):
            yield Scene(task, kinds, pattern, target, speaker, gazer, background, boy)


Display = tuple[tuple[str, ...], str, int, str]
"""Kinds, pattern, target, background: what a picture for models depends on."""


def _displays(task: str, table: Catalogue, arrangement: str, seed: int | None) -> Iterator[Display]:
    for group, members in table.groups.items():
        names = tuple(member.name for member in members)
        if task == "vocabulary":
            for pattern, target in product(orders(group, seed), range(PLACES)):
                yield names, pattern, target, "room"
        elif task == "possessive":
            for pair in combinations(names, 2):
                for pattern, target in product(ARRANGEMENTS[arrangement], range(PLACES)):
                    yield pair, pattern, target, "room"
        else:
            for name, target, background in product(names, (NEAREST, FURTHEST), BACKGROUNDS):
                yield (name,), "aaaa", target, background


def orders(group: int, seed: int | None) -> list[str]:
    """Return half of the 24 orders of a group, drawn by seed: every object at every place three times.

    A group with an even number takes the half that the one before it left, so that every order occurs equally often.
    Without a seed, return all of them.
    """
    classes = ["a" + "".join(rest) for rest in permutations("bcd")]
    if seed is None:
        return [first[turn:] + first[:turn] for first in classes for turn in range(PLACES)]
    drawn = generator(seed, f"orders/{(group + 1) // 2}").sample(classes, ROTATIONS)
    taken = [first for first in classes if (first in drawn) == bool(group % 2)]
    return [first[turn:] + first[:turn] for first in taken for turn in range(PLACES)]


def sample(every: Sequence[Scene], task: str, number: int, seed: int) -> list[Scene]:
    """Draw scenes without replacement; a larger sample under the same seed contains the smaller one.

    Raises :class:`SceneError` where there are not so many.
    """
    if not 0 < number <= len(every):
        raise SceneError(f"cannot draw {number} of {len(every)} scenes of the {task} task")
    shuffled = list(every)
    generator(seed, f"scenes/{task}").shuffle(shuffled)
    return shuffled[:number]
