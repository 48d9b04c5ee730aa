"""Whose is it, *mine* or *yours*? Two identical pairs, one of each near either child, who owns it.

Source: Dong et al. (2026), sections 3.1-3.2 and appendix D.
"""

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from deixis.experiments.choices import Choices, Order
from deixis.experiments.conditions import WORDS
from deixis.experiments.experiment import Experiment
from deixis.experiments.ground import Ground, Task
from deixis.experiments.settings import ARRANGEMENT
from deixis.experiments.staging import build, ceilings, knows, only
from deixis.records import Option
from deixis.scenes.scene import Scene
from deixis.scenes.truth import distance, pronoun, right, sentences

QUESTION = "Does the speaker say mine and yours, I and You from where the speaker stands?"
PREDICTION = (
    "1.00: I if the speaker is the one who looks, mine if the speaker owns what is looked at; no effect of who speaks, "
    "of objects, places or positions."
)
FACTORS = ("group", "target", "speaker", "gazer", "perspective", "arrangement", "distance")
CELLS = ("speaker", "perspective", "distance")
READERS = {"published": "strict", "corrected": "strict"}
_PAIRS = list(combinations(range(4), 2))


def choices(scene: Scene, _ground: Ground) -> Choices:
    """Return what is offered: both pronouns with both words."""
    return Choices(_OPTIONS, _TEXTS.index(str(right(scene))))


def every(scene: Scene, ground: Ground) -> Iterator[Choices]:
    """Yield all that could be offered: always the same."""
    yield choices(scene, ground)


def order(scene: Scene, ground: Ground) -> Order:
    """Return the order of options: within a right answer, each of the 24 equally often.

    It hangs on the two kinds of objects alone, so it says nothing of who speaks, who looks, or where the target is.
    """
    group, first = ground.places[scene.kinds[0]]
    _, second = ground.places[scene.kinds[1]]
    pair = _PAIRS.index((first, second))
    return Order(pair, group + pair)


def factors(scene: Scene, ground: Ground) -> dict[str, str]:
    """Return the factors of a trial."""
    return {
        "group": str(ground.things.thing(scene.kinds[0]).group),
        "target": str(scene.target),
        "speaker": scene.speaker,
        "gazer": scene.gazer,
        "perspective": pronoun(scene),
        "arrangement": scene.pattern,
        "distance": str(distance(scene, scene.speaker, scene.target)),
    }


_OPTIONS = tuple(
    Option(str(sentence), {"pronoun": sentence.pronoun, "word": sentence.word})
    for sentence in sentences(Scene("possessive", ("a", "b"), "aabb", 0, "boy", "boy"))
)
_TEXTS = [option.text for option in _OPTIONS]
TASK = Task("possessive", "possessive", choices, every, order, factors)
EXPERIMENT = Experiment(
    "possessive",
    QUESTION,
    PREDICTION,
    FACTORS,
    CELLS,
    tuple(WORDS),
    READERS,
    partial(build, TASK, WORDS),
    partial(ceilings, TASK, WORDS),
    only=only(WORDS),
    knows=partial(knows, TASK, WORDS, (ARRANGEMENT,)),
)
