"""Which pictures there are to be made: for a task and a version, every scene with its picture."""

from collections.abc import Iterator
from dataclasses import dataclass

from deixis.errors import UsageError
from deixis.scenes.drawing.unrelated import POOL
from deixis.scenes.objects import Catalogue
from deixis.scenes.picture import SQUARES, Picture, empty, for_comprehension, for_models, for_people
from deixis.scenes.scene import TASKS, Scene
from deixis.scenes.space import sample, scenes
from deixis.scenes.truth import right

BASELINES = ("empty", "unrelated")
VERSIONS = ("models", "people", "comprehension")


@dataclass(frozen=True, slots=True)
class Entry:
    """One trial and the picture it shows."""

    id: str
    """The trial's id; a baseline's picture has its own name."""
    picture: Picture
    """What is seen."""
    scene: Scene | None = None
    """What is the case; nothing for a baseline."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which pictures are asked for."""

    task: str
    """A task, or a baseline: ``empty``, ``unrelated``."""
    version: str = "models"
    """For whom: ``models``, ``people``, or ``comprehension``."""
    squares: str = "target"
    """Which objects wear a green square, for models."""
    arrangement: str = "blocks"
    """How two pairs lie: ``blocks`` or ``alternating``."""
    boy: str = "left"
    """At which end the boy stands."""
    limit: int | None = None
    """How many scenes, drawn by seed; all of them by default."""
    seed: int = 0
    """Seed of orders and of what is drawn."""


def entries(wanted: Wanted, things: Catalogue) -> Iterator[Entry]:
    """Yield what is asked for, scene by scene; raises :class:`UsageError` for what there is not."""
    _check(wanted)
    if wanted.task == "empty":
        yield Entry("empty", empty())
    elif wanted.task == "unrelated":
        yield from (Entry(name, Picture(name)) for name in POOL)
    else:
        for scene in _scenes(wanted, things):
            yield Entry(scene.id(things), picture_of(scene, wanted), scene)


def _scenes(wanted: Wanted, things: Catalogue) -> Iterator[Scene]:
    every = list(scenes(wanted.task, things, arrangement=wanted.arrangement, boy=wanted.boy, seed=wanted.seed))
    yield from every if wanted.limit is None else sample(every, wanted.task, wanted.limit, wanted.seed)


def picture_of(scene: Scene, wanted: Wanted) -> Picture:
    """Return the picture of a scene in the version asked for; raises :class:`UsageError` for what there is not."""
    _check(wanted)
    if wanted.version == "people":
        return for_people(scene)
    if wanted.version == "comprehension":
        return for_comprehension(scene, str(right(scene)))
    return for_models(scene, wanted.squares)


def _check(wanted: Wanted) -> None:
    for name, value, known in (
        ("task", wanted.task, (*TASKS, *BASELINES)),
        ("version", wanted.version, VERSIONS),
        ("squares", wanted.squares, SQUARES),
    ):
        if value not in known:
            raise UsageError(f"no {name} {value!r}; there is {', '.join(known)}")
    ignored = []
    if wanted.task in BASELINES:
        ignored = ["version", "squares", "arrangement", "boy", "limit", "seed"]
    else:
        ignored += ["squares"] if wanted.version != "models" else []
        ignored += ["arrangement"] if wanted.task != "possessive" else []
    for name in ignored:
        if getattr(wanted, name) != getattr(Wanted(wanted.task), name):
            raise UsageError(f"{name} {getattr(wanted, name)!r} changes nothing of these pictures; leave it out")
    if wanted.limit is not None and wanted.limit < 1:
        raise UsageError(f"--limit {wanted.limit} draws nothing; give 1 or more")
