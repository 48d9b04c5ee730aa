"""Which one is it, *this one* or *that one*? Four identical objects along the table, the nearest or the furthest liked.

Source: Dong et al. (2026), sections 3.1-3.2 and appendix D.
"""

from collections.abc import Iterator
from functools import partial

from deixis.experiments.choices import Choices, Order
from deixis.experiments.conditions import WORDS
from deixis.experiments.experiment import Experiment
from deixis.experiments.ground import Ground, Task
from deixis.experiments.staging import build, ceilings, knows, only
from deixis.records import Option
from deixis.scenes.scene import BACKGROUNDS, Scene
from deixis.scenes.truth import distance, pronoun, right, sentences

QUESTION = "Does the speaker say this one and that one, I and You from where the speaker stands?"
PREDICTION = (
    "1.00: I if the speaker is the one who looks, this one if the target is at the speaker's end; no effect of who "
    "speaks, of objects, backgrounds or positions. Harder than possessives, for people and models."
)
FACTORS = ("group", "target", "speaker", "gazer", "perspective", "background", "distance")
CELLS = ("speaker", "perspective", "distance")
READERS = {"published": "strict", "corrected": "strict"}


def choices(scene: Scene, _ground: Ground) -> Choices:
    """Return what is offered: both pronouns with both words."""
    return Choices(_OPTIONS, _TEXTS.index(str(right(scene))))


def every(scene: Scene, ground: Ground) -> Iterator[Choices]:
    """Yield all that could be offered: always the same."""
    yield choices(scene, ground)


def order(scene: Scene, ground: Ground) -> Order:
    """Return the order of options: within a group and a right answer, each of the 24 twice.

    It hangs on object and background alone, so it says nothing of who speaks, who looks, or where the target is.
    """
    group, member = ground.places[scene.kinds[0]]
    background = BACKGROUNDS.index(scene.background)
    return Order(background, group + member + background)


def factors(scene: Scene, ground: Ground) -> dict[str, str]:
    """Return the factors of a trial."""
    return {
        "group": str(ground.things.thing(scene.kinds[0]).group),
        "target": str(scene.target),
        "speaker": scene.speaker,
        "gazer": scene.gazer,
        "perspective": pronoun(scene),
        "background": scene.background,
        "distance": str(distance(scene, scene.speaker, scene.target)),
    }


_OPTIONS = tuple(
    Option(str(sentence), {"pronoun": sentence.pronoun, "word": sentence.word})
    for sentence in sentences(Scene("demonstrative", ("a",), "aaaa", 0, "boy", "boy"))
)
_TEXTS = [option.text for option in _OPTIONS]
TASK = Task("demonstrative", "demonstrative", choices, every, order, factors)
EXPERIMENT = Experiment(
    "demonstrative",
    QUESTION,
    PREDICTION,
    FACTORS,
    CELLS,
    tuple(WORDS),
    READERS,
    partial(build, TASK, WORDS),
    partial(ceilings, TASK, WORDS),
    only=only(WORDS),
    knows=partial(knows, TASK, WORDS, ()),
)
