"""Parts of a design with a purpose: every object once, what one person sees, and what one person rates.

All are balanced by construction. Source: Dong et al. (2026), appendices A, D, I and K.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from deixis.experiments.choices import Order
from deixis.experiments.ground import Ground, Task
from deixis.experiments.settings import LISTS
from deixis.scenes.scene import ARRANGEMENTS, BACKGROUNDS, CHILDREN, PLACES, Scene
from deixis.scenes.space import orders
from deixis.scenes.truth import FURTHEST, NEAREST, right
from deixis.seeds import generator

Core = tuple[int, str, str]
"""Place of the target, speaker, gazer: what the right answer hangs on."""
VERSIONS = (("boy", "boy"), ("boy", "girl"), ("girl", "girl"), ("girl", "boy"))
"""The four versions of a display: speaker and gazer."""
_LISTED = 4
"""How many groups of objects a published list takes."""
_PASSES = 4
"""How often the choice of what stands beside an object is gone over; after that nothing gets better."""


def cores(task: str) -> list[Core]:
    """Return every core of a task, each four in a row with four different right answers."""
    halves = ((NEAREST,), (FURTHEST,)) if task == "demonstrative" else ((0, 1), (2, 3))
    return [
        (half[step], speaker, gazer)
        for step in range(len(halves[0]))
        for speaker in CHILDREN
        for gazer in CHILDREN
        for half in halves
    ]


Shown = tuple[Scene, Order]
"""A scene and the order of its options."""


def once(task: Task, ground: Ground) -> Iterator[Shown]:
    """Yield one scene an object, in which it is the target; answers, speakers, gazers and places equally often.

    Which other objects, background or arrangement stand beside it is chosen so that every position of the right answer
    comes as often as the others, as far as it can. The order of options is that of the whole design.
    """
    every = cores(task.scenes)
    found: dict[tuple[str, Core], list[Scene]] = {}
    for scene in ground.scenes(task.scenes):
        core = scene.target, scene.speaker, scene.gazer
        found.setdefault((scene.objects[scene.target], core), []).append(scene)
    used: Counter[object] = Counter()
    chosen: dict[str, Scene] = {}
    options = {}
    for name, (group, member) in sorted(ground.places.items(), key=lambda entry: entry[1]):
        core = every[(4 * group + (member + group // 4) % 4) % len(every)]
        options[name] = {scene: _uses(scene, task, ground) for scene in found[name, core]}
    for name in [name for _ in range(_PASSES) for name in options]:
        if name in chosen:
            used.subtract(options[name][chosen[name]])
        chosen[name] = min(options[name], key=lambda scene: [used[use] for use in options[name][scene]])
        used.update(options[name][chosen[name]])
    for scene in chosen.values():
        yield scene, task.order(scene, ground)


def _uses(scene: Scene, task: Task, ground: Ground) -> list[object]:
    choices = task.choices(scene, ground)
    _, position = choices.ordered(task.order(scene, ground))
    kind = right(scene).pronoun if task.scenes == "vocabulary" else choices.answer
    return [("position", kind, position), ("position", position), ("where", scene.background, scene.pattern)]


def listed(task: Task, ground: Ground, protocol: str) -> Iterator[Shown]:
    """Yield the scenes that one person sees: 16, or 32 where two objects or pairs are taken of a group.

    Every position of the right answer occurs equally often, within each kind of answer too.

    Published: each display in all four versions. Corrected: four times as many displays, each in one version, so that
    nobody sees a display twice; the setting ``list`` says which of the four lists (a Latin square), or that all of them
    are to be yielded, one after the other. Between them they hold every display in all four versions, each once.
    """
    asked = ground.settings.get("list", LISTS[0])
    for name in LISTS if asked == "all" else (asked,):
        yield from _list(task, ground, protocol, LISTS.index(name))


def lists(task: Task, ground: Ground, protocol: str) -> dict[Scene, str]:
    """Return on which list each scene is, where the setting ``list`` asks for all of them; else nothing."""
    if ground.settings.get("list") != "all":
        return {}
    return {scene: name for turn, name in enumerate(LISTS) for scene, _ in _list(task, ground, protocol, turn)}


def _list(task: Task, ground: Ground, protocol: str, turn: int) -> Iterator[Shown]:
    square = protocol != "published"
    names = sorted(ground.things.groups)
    wanted = min(_LISTED * len(VERSIONS) if square else _LISTED, len(names))
    drawn = generator(ground.seed, "people").sample(names, wanted)
    displays = [display for group in drawn for display in _displays(task.scenes, ground, group)]
    for number, display in enumerate(displays):
        step = number // len(VERSIONS) if square else number
        for version in [(number + turn) % len(VERSIONS)] if square else range(len(VERSIONS)):
            scene = _scene(task.scenes, ground, display, step, VERSIONS[version])
            if task.scenes == "vocabulary":
                yield scene, task.choices(scene, ground).placing(step + version, step)
            else:
                yield scene, Order(step // 4, step)


def rated(task: Task, ground: Ground) -> Iterator[Shown]:
    """Yield the eight scenes of which one person rates the objects: each sentence from each speaker.

    Each shows other objects, from groups drawn by seed. They are offered in their order from left to right, as they are
    labelled in the picture, whatever is meant.
    """
    names = sorted(ground.things.groups)
    drawn = generator(ground.seed, f"rated/{task.scenes}").sample(names, min(_RATED, len(names)))
    for number, (speaker, gazer, half) in enumerate(product(CHILDREN, CHILDREN, range(2))):
        group = drawn[number % len(drawn)]
        kinds = tuple(thing.name for thing in ground.things.groups[group])
        other = int(speaker != gazer)
        boy = ground.settings["boy"]
        if task.scenes == "possessive":
            patterns = ARRANGEMENTS[ground.settings.get("arrangement", "blocks")]
            pairs = list(combinations(kinds, 2))
            pattern, target = patterns[(CHILDREN.index(gazer) + half) % 2], 2 * half + other
            yield Scene("possessive", pairs[number % len(pairs)], pattern, target, speaker, gazer, boy=boy), Order(0, 0)
        else:
            end, background = (NEAREST, FURTHEST)[half], BACKGROUNDS[number % len(BACKGROUNDS)]
            kind = (kinds[number % len(kinds)],)
            yield Scene("demonstrative", kind, "aaaa", end, speaker, gazer, background, boy), Order(0, 0)


_RATED = 8
"""How many scenes of a task one person rates."""
Display = tuple[int, tuple[str, ...]]
"""Group and kinds of objects."""


def _displays(task: str, ground: Ground, group: int) -> list[Display]:
    names = tuple(thing.name for thing in ground.things.groups[group])
    if task == "vocabulary":
        return [(group, names)]
    if task == "possessive":
        pairs = list(combinations(names, 2))
        return [(group, pairs[0]), (group, pairs[-1])]
    return [(group, (names[0],)), (group, (names[2],))]


def _scene(task: str, ground: Ground, display: Display, turn: int, version: Sequence[str]) -> Scene:
    group, kinds = display
    speaker, gazer = version
    boy = ground.settings["boy"]
    if task == "vocabulary":
        pattern = orders(group, ground.seed)[turn % PLACES]
        return Scene(task, kinds, pattern, turn % PLACES, speaker, gazer, boy=boy)
    if task == "possessive":
        pattern = ARRANGEMENTS[ground.settings.get("arrangement", "blocks")][(turn // PLACES) % 2]
        return Scene(task, kinds, pattern, turn % PLACES, speaker, gazer, boy=boy)
    end = (NEAREST, FURTHEST)[(turn + turn // 2) % 2]
    return Scene(task, kinds, "aaaa", end, speaker, gazer, BACKGROUNDS[turn % len(BACKGROUNDS)], boy)
