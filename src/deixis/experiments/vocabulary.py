"""Which *object* is it? Four different objects on the table, one of them liked.

Source: Dong et al. (2026), sections 3.1-3.2 and appendix D.
"""

from collections.abc import Iterator
from functools import lru_cache, partial

from deixis.experiments.choices import Choices, Order
from deixis.experiments.conditions import NOUNS
from deixis.experiments.experiment import Experiment
from deixis.experiments.ground import Ground, Task
from deixis.experiments.settings import ANSWERS
from deixis.experiments.staging import build, ceilings, knows
from deixis.records import Option
from deixis.scenes.scene import CHILDREN, PLACES, Scene
from deixis.scenes.space import orders
from deixis.scenes.truth import Sentence, distance, pronoun

QUESTION = "Does the speaker name the object that is liked, and say whose liking it is?"
PREDICTION = (
    "1.00: the noun and the pronoun follow from what is shown and told; the easiest of the three tasks, for people and "
    "models."
)
FACTORS = ("group", "target", "speaker", "gazer", "perspective", "order", "distance")
CELLS = ("speaker", "perspective", "distance")
READERS = {"published": "strict", "corrected": "strict"}


def choices(scene: Scene, ground: Ground) -> Choices:
    """Return what is offered: both pronouns with the target and one other noun, or one pronoun with all four nouns.

    The other noun comes from a pairing of the group's nouns, each noun's partner in turn, so that neither of the two
    nouns is right more often than the other.
    """
    if ground.settings.get("answers") == "four":
        return _four(scene)
    group, member = ground.places[scene.objects[scene.target]]
    pairing = 1 + (_drawn(scene, ground) // PLACES + group) % 3
    return _crossed(scene, scene.kinds[member ^ pairing])


def every(scene: Scene, ground: Ground) -> Iterator[Choices]:
    """Yield all that could be offered: every other noun of the group beside the target."""
    if ground.settings.get("answers") == "four":
        yield _four(scene)
        return
    for name in scene.kinds:
        if name != scene.objects[scene.target]:
            yield _crossed(scene, name)


def order(scene: Scene, ground: Ground) -> Order:
    """Return the order of options: within a group, a noun and a pronoun, each of the 24 once.

    It hangs on the order of objects and on the speaker, so it says nothing of the target or of who looks.
    """
    group, _ = ground.places[scene.kinds[0]]
    drawn, turn = divmod(_drawn(scene, ground), PLACES)
    speaker = CHILDREN.index(scene.speaker)
    return Order(3 * speaker + drawn + group, turn + 2 * speaker + drawn + group)


def factors(scene: Scene, ground: Ground) -> dict[str, str]:
    """Return the factors of a trial."""
    group = ground.things.thing(scene.kinds[0]).group
    return {
        "group": str(group),
        "target": str(scene.target),
        "speaker": scene.speaker,
        "gazer": scene.gazer,
        "perspective": pronoun(scene),
        "order": scene.pattern,
        "distance": str(distance(scene, scene.speaker, scene.target)),
    }


def _four(scene: Scene) -> Choices:
    options = tuple(option(pronoun(scene), name) for name in scene.kinds)
    return Choices(options, scene.kinds.index(scene.objects[scene.target]))


def _crossed(scene: Scene, other: str) -> Choices:
    noun = scene.objects[scene.target]
    nouns = sorted((noun, other))
    options = tuple(option(who, name) for who in ("I", "You") for name in nouns)
    return Choices(options, 2 * (pronoun(scene) == "You") + nouns.index(noun))


def _drawn(scene: Scene, ground: Ground) -> int:
    """Return which of the twelve orders of its group a scene shows; one that is not drawn counts by its letters."""
    drawn = orders(ground.things.thing(scene.kinds[0]).group, ground.seed)
    if scene.pattern in drawn:
        return drawn.index(scene.pattern)
    return "abcd".index(scene.pattern[0]) + PLACES * (scene.pattern.index("b") % 3)


@lru_cache(maxsize=4096)
def option(who: str, noun: str) -> Option:
    """Return a sentence with its features."""
    return Option(str(Sentence(who, noun)), {"pronoun": who, "noun": noun})


TASK = Task("vocabulary", "vocabulary", choices, every, order, factors)
EXPERIMENT = Experiment(
    "vocabulary",
    QUESTION,
    PREDICTION,
    FACTORS,
    CELLS,
    tuple(NOUNS),
    READERS,
    partial(build, TASK, NOUNS),
    partial(ceilings, TASK, NOUNS),
    knows=partial(knows, TASK, NOUNS, (ANSWERS,)),
)
