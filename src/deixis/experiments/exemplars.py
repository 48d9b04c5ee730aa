"""Worked examples for in-context learning: four, one an answer type, from objects that the tested trial has not.

Source: Dong et al. (2026), appendix H.1. The paper does not say which examples were shown; here they are the scenes of
the next group of objects, their speakers and places balanced, their order turned from group to group.
"""

from itertools import combinations

from deixis.experiments.choices import Order, arrangement
from deixis.experiments.ground import Ground
from deixis.scenes.scene import ARRANGEMENTS, CHILDREN, PLACES, Scene

_TYPES = 4


def exemplars(scene: Scene, ground: Ground) -> list[Scene]:
    """Return the four examples of a scene, in their order."""
    groups = list(ground.things.groups.values())
    group, _ = ground.places[scene.objects[scene.target]]
    names = [thing.name for thing in groups[(group + 1) % len(groups)]]
    turned = arrangement(_TYPES, Order(group // _TYPES, group))
    return [_example(scene.task, names, number, group // 2, ground) for number in turned]


def _example(task: str, names: list[str], number: int, turn: int, ground: Ground) -> Scene:
    """Build the example of one answer type: 0 and 1 are *I*, 0 and 2 *mine* or *this one*."""
    own, near = number < 2, number % 2 == 0
    speaker = CHILDREN[(number // 2 + number + turn) % 2]
    gazer = speaker if own else CHILDREN[1 - CHILDREN.index(speaker)]
    boy = ground.settings["boy"]
    at_left = (speaker == "boy") == (boy == "left")
    half = 0 if at_left == near else 1
    if task == "demonstrative":
        return Scene(task, (names[number],), "aaaa", half * (PLACES - 1), speaker, gazer, boy=boy)
    pattern = ARRANGEMENTS[ground.settings.get("arrangement", "blocks")][number % 2]
    kinds = list(combinations(names, 2))[number]
    return Scene(task, kinds, pattern, 2 * half + (number + turn) % 2, speaker, gazer, boy=boy)
