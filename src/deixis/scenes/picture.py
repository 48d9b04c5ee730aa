"""What a picture shows: pure data. Two scenes that look the same have the same picture."""

from dataclasses import dataclass, replace

from deixis.errors import SceneError
from deixis.scenes.scene import PLACES, Scene

SQUARES = ("target", "all", "none")
"""Which objects wear a green square in a picture for models."""
EMPTY = "empty"
"""The background of the empty picture: nothing at all."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that can be seen."""

    background: str
    """One of the six backgrounds, ``empty``, or a picture of the unrelated pool."""
    objects: tuple[str, ...] = ()
    """What lies at each place from left to right; none where there is no table."""
    row: str = "even"
    """How the places are spaced: ``even``, or ``pairs`` with a gap in the middle."""
    boy: str = "left"
    """At which end the boy stands."""
    squares: tuple[int, ...] = ()
    """Places with a green square."""
    speaker: str = ""
    """Who has a speech bubble, if anybody."""
    says: str = ""
    """A sentence in the bubble; dots where there is none."""
    gazer: str = ""
    """From whose eyes the gaze line runs, if there is one."""
    target: int | None = None
    """Where the gaze line ends."""
    labels: bool = False
    """Whether the places are labelled A to D."""


def for_models(scene: Scene, squares: str = "target") -> Picture:
    """Return the picture for models: no bubble, no line, neutral eyes; a green square on the target, on all, or none.

    Source: Dong et al. (2026), section 3.2; ablations, Figures 11-14.
    """
    places = {"target": (scene.target,), "all": tuple(range(PLACES)), "none": ()}
    if squares not in places:
        raise SceneError(f"no squares {squares!r}; there is {', '.join(SQUARES)}")
    return Picture(scene.background, scene.objects, row_of(scene), scene.boy, places[squares])


def for_people(scene: Scene, *, line: bool = True) -> Picture:
    """Return the picture for people: a bubble at the speaker, a line from the gazer's eyes to the target.

    Without the line where a page draws and blinks it itself. Source: Figures 5-7.
    """
    seen = replace(_seen(scene), speaker=scene.speaker)
    return replace(seen, gazer=scene.gazer, target=scene.target) if line else seen


def for_comprehension(scene: Scene, sentence: str) -> Picture:
    """Return the picture for rating: the sentence in the bubble, no line, labels A to D. Source: Figures 15 and 16."""
    return replace(_seen(scene), speaker=scene.speaker, says=sentence, labels=True)


def _seen(scene: Scene) -> Picture:
    return Picture(scene.background, scene.objects, row_of(scene), scene.boy)


def empty() -> Picture:
    """Return the picture with nothing in it."""
    return Picture(EMPTY)


def row_of(scene: Scene) -> str:
    """Return how the places of a scene are spaced: pairs stand apart, so that it can be seen whose they are."""
    return "pairs" if scene.task == "possessive" else "even"
