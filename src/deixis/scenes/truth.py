"""What is true of a scene, from geometry and roles alone: who owns what, who is near, which sentence is right.

Source: Dong et al. (2026), sections 3.2 and Appendix E. Nothing here knows how a scene is drawn.
"""

from dataclasses import dataclass

from deixis.scenes.scene import CHILDREN, PLACES, Scene

_HALF = PLACES // 2
NEAREST, FURTHEST = 0, PLACES - 1


@dataclass(frozen=True, slots=True)
class Sentence:
    """What may be said: a pronoun, *prefer*, and what is preferred."""

    pronoun: str
    """``I`` or ``You``."""
    word: str
    """``mine``, ``yours``, ``this one``, ``that one``, or the name of an object."""

    def __str__(self) -> str:
        """Return it as the options show it; a name takes its article."""
        word = self.word if self.word in (*POSSESSIVES, *DEMONSTRATIVES) else f"the {self.word}"
        return f"{self.pronoun} prefer {word}"


POSSESSIVES = ("mine", "yours")
DEMONSTRATIVES = ("this one", "that one")


def distance(scene: Scene, child: str, place: int) -> int:
    """Return how many objects lie between a child and a place: 0 (nearest) to 3 (furthest)."""
    return place if scene.side(child) == "left" else PLACES - 1 - place


def near(scene: Scene, place: int) -> str:
    """Return the child at whose half of the table a place lies."""
    at_left = place < _HALF
    return CHILDREN[at_left != (scene.boy == "left")]


def owner(scene: Scene, place: int) -> str | None:
    """Return whose the object at a place is: in the possessive task the near child's, elsewhere nobody's."""
    return near(scene, place) if scene.task == "possessive" else None


def pronoun(scene: Scene) -> str:
    """Return *I* where the speaker looks at what the speaker likes, *You* where the other does."""
    return "I" if scene.gazer == scene.speaker else "You"


def word(scene: Scene) -> str:
    """Return what the target is called from where the speaker stands."""
    if scene.task == "possessive":
        return "mine" if owner(scene, scene.target) == scene.speaker else "yours"
    if scene.task == "demonstrative":
        return "this one" if near(scene, scene.target) == scene.speaker else "that one"
    return scene.objects[scene.target]


def right(scene: Scene) -> Sentence:
    """Return the sentence that the speaker should say."""
    return Sentence(pronoun(scene), word(scene))


def sentences(scene: Scene) -> tuple[Sentence, ...]:
    """Return every sentence of the task, pronouns crossed with words."""
    words = {"possessive": POSSESSIVES, "demonstrative": DEMONSTRATIVES}.get(scene.task, scene.objects)
    return tuple(Sentence(pronoun, word) for pronoun in ("I", "You") for word in words)
