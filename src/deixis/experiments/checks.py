"""Do participants see what is in the picture at all? Which object, who looks, who speaks; and is it close?

Source: Dong et al. (2026), appendices A and E. The questions are not printed there; these are our own.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from deixis.experiments import staging
from deixis.experiments.choices import Choices, Order
from deixis.experiments.conditions import CHECKS
from deixis.experiments.experiment import Ceiling, Design, Experiment, Setup
from deixis.experiments.ground import Ground, Task
from deixis.experiments.settings import PROXIMITY, SQUARE, Setting
from deixis.records import Option
from deixis.scenes.scene import CHILDREN, Scene
from deixis.scenes.truth import distance, near

QUESTION = "Does a participant see which object is meant, who looks, who speaks, and whether it is close?"
PREDICTION = "1.00 on the models' pictures; lower on the people's, which models may read badly."
FACTORS = ("group", "target", "speaker", "gazer", "distance")
CELLS = ("speaker", "gazer")
READERS = {"published": "strict", "corrected": "strict"}


def objects(scene: Scene, _ground: Ground) -> Choices:
    """Return the four objects on the table."""
    return Choices(tuple(map(_object, scene.kinds)), scene.kinds.index(scene.objects[scene.target]))


def gazers(scene: Scene, _ground: Ground) -> Choices:
    """Return the two children, of whom one looks."""
    return Choices(_CHILDREN, CHILDREN.index(scene.gazer))


def speakers(scene: Scene, _ground: Ground) -> Choices:
    """Return the two children, of whom one speaks."""
    return Choices(_CHILDREN, CHILDREN.index(scene.speaker))


def close(scene: Scene, _ground: Ground) -> Choices:
    """Return yes and no: whether the target is near the speaker."""
    return Choices(_VERDICTS, int(near(scene, scene.target) != scene.speaker))


def order(scene: Scene, ground: Ground) -> Order:
    """Return the order of options: whatever the right one is, at every position equally often.

    It hangs on the group of objects alone, so it says nothing of what is asked.
    """
    group, _ = ground.places[scene.kinds[0]]
    return Order(group // 16, group // 4)


def factors(scene: Scene, ground: Ground) -> dict[str, str]:
    """Return the factors of a trial."""
    return {
        "group": str(ground.things.thing(scene.kinds[0]).group),
        "target": str(scene.target),
        "speaker": scene.speaker,
        "gazer": scene.gazer,
        "distance": str(distance(scene, scene.speaker, scene.target)),
    }


@lru_cache(maxsize=1024)
def _object(name: str) -> Option:
    return Option(name, {"noun": name})


_CHILDREN = tuple(Option(f"the {child}", {"child": child}) for child in CHILDREN)
_VERDICTS = tuple(Option(word, {"verdict": word}) for word in ("Yes", "No"))
_ASKED = {"object": objects, "gazer": gazers, "speaker": speakers, "control": close}


def _task(condition: str) -> Task:
    offered = _ASKED[condition.removesuffix("-people")]

    def every(scene: Scene, ground: Ground) -> Iterator[Choices]:
        yield offered(scene, ground)

    return Task("checks", "demonstrative" if condition == "control" else "vocabulary", offered, every, order, factors)


TASKS: Mapping[str, Task] = {condition: _task(condition) for condition in CHECKS}


def build(setup: Setup) -> Design:
    """Return the trial table of one check."""
    return staging.build(TASKS[setup.condition], CHECKS, setup)


def ceilings(setup: Setup) -> tuple[Ceiling, ...]:
    """Return what text, picture and both allow in one check."""
    return staging.ceilings(TASKS[setup.condition], CHECKS, setup)


def knows(condition: str, protocol: str) -> tuple[Setting, ...]:
    """Return the settings that have a say in one check."""
    own = {"control": (PROXIMITY,), "object-people": (SQUARE,), "gazer-people": (SQUARE,)}.get(condition, ())
    return staging.knows(TASKS[condition], CHECKS, own, condition, protocol)


EXPERIMENT = Experiment(
    "checks",
    QUESTION,
    PREDICTION,
    FACTORS,
    CELLS,
    tuple(CHECKS),
    READERS,
    build,
    ceilings,
    usual=tuple(CHECKS),
    knows=knows,
)
