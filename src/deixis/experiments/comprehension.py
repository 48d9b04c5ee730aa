"""Which object do they mean, *mine*, *this one*? One child says a sentence, and people rate each of four objects.

People rate, from 1 to 7, how likely each object is meant. No object is named, so *mine* can mean either object of a
pair: the option that is right and the other of its pair say the same, and are equally right. Of *this one* the nearest
object is right, of *that one* the furthest, as in production. Source: Dong et al. (2026), appendix I; the text is ours.
"""

from collections.abc import Iterator
from itertools import chain

from deixis.experiments.choices import Choices, Order
from deixis.experiments.conditions import RATED
from deixis.experiments.experiment import Ceiling, Design, Experiment, Pair, Setup
from deixis.experiments.ground import Ground, Task
from deixis.experiments.settings import ARRANGEMENT, ART, BOY, Setting
from deixis.experiments.staging import Stage, stage
from deixis.records import Option, Trial
from deixis.scenes.picture import Picture
from deixis.scenes.scene import PLACES, Scene
from deixis.scenes.truth import distance, owner, pronoun, word

QUESTION = "Which object does a listener take mine, yours, this one or that one for?"
PREDICTION = (
    "Possessives are binary: high for both objects of the pair meant, low for the others. Demonstratives fall with "
    "distance, this one more sharply than that one. No effect of who speaks or of whose liking it is."
)
FACTORS = ("group", "task", "target", "speaker", "gazer", "perspective", "word", "distance")
CELLS = ("task", "word", "speaker")
READERS = {"published": "strict", "corrected": "strict"}
LABELS = "ABCD"
"""What the objects are called, from left to right."""
PAIRS = ("target pair", "other pair")
"""The roles of objects in the possessive task; in the demonstrative task a role is a distance from the speaker."""


def choices(scene: Scene, _ground: Ground) -> Choices:
    """Return the four objects, each with its role: of which pair it is, or how far from the speaker."""
    return Choices(tuple(Option(LABELS[place], {"role": _role(scene, place)}) for place in range(PLACES)), scene.target)


def every(scene: Scene, ground: Ground) -> Iterator[Choices]:
    """Yield all that could be offered: always the same."""
    yield choices(scene, ground)


def order(_scene: Scene, _ground: Ground) -> Order:
    """Return the order of options, which is that of the objects on the table."""
    return Order(0, 0)


def factors(scene: Scene, ground: Ground) -> dict[str, str]:
    """Return the factors of a trial."""
    return {
        "group": str(ground.things.thing(scene.kinds[0]).group),
        "task": scene.task,
        "target": str(scene.target),
        "speaker": scene.speaker,
        "gazer": scene.gazer,
        "perspective": pronoun(scene),
        "word": word(scene),
        "distance": str(distance(scene, scene.speaker, scene.target)),
    }


def _role(scene: Scene, place: int) -> str:
    if scene.task == "possessive":
        return PAIRS[owner(scene, place) != owner(scene, scene.target)]
    return str(distance(scene, scene.speaker, place))


TASKS = tuple(Task("comprehension", shown, choices, every, order, factors) for shown in ("possessive", "demonstrative"))


def _stages(setup: Setup) -> list[Stage]:
    return [stage(task, RATED, setup) for task in TASKS]


def build(setup: Setup) -> Design:
    """Return the trial table: eight trials of either task."""
    stages = _stages(setup)
    art = stages[0].pictures.art

    def find(trial_id: str) -> Pair | None:
        return next((pair for one in stages if (pair := one.find(trial_id)) is not None), None)

    def trial(trial_id: str) -> Trial | None:
        return next((found for one in stages if (found := one.trial(trial_id)) is not None), None)

    def seen(trial_id: str) -> Picture | None:
        return next((picture for one in stages if (picture := one.seen(trial_id)) is not None), None)

    return Design(
        experiment="comprehension",
        setup=setup,
        source=f"{art.name} ({art.version})",
        pairs=lambda: chain.from_iterable(one.pairs() for one in stages),
        draw=stages[0].pictures.png,
        find=find,
        seen=seen,
        art=art,
        trial=trial,
        alone=lambda: chain.from_iterable(one.trials() for one in stages),
    )


def ceilings(setup: Setup) -> tuple[Ceiling, ...]:
    """Return what text, picture and both allow, the mean of both tasks."""
    found = zip(*(one.ceilings() for one in _stages(setup)), strict=True)
    return tuple(
        Ceiling(same[0].channel, sum(one.ceiling for one in same) / len(same), same[0].facts) for same in found
    )


def knows(_condition: str, _protocol: str) -> tuple[Setting, ...]:
    """Return the settings that have a say."""
    return ARRANGEMENT, BOY, ART


EXPERIMENT = Experiment(
    "comprehension",
    QUESTION,
    PREDICTION,
    FACTORS,
    CELLS,
    tuple(RATED),
    READERS,
    build,
    ceilings,
    knows=knows,
    rated=True,
)
