"""What can be known: from the facts that a text tells and a picture shows to the answers they leave possible.

Exact enumeration: every situation of a task, each with everything that could be offered, is sorted by what a
participant would know of it; within what looks the same, the answer that is right most often is the best there is.
The order of options is left out: it hangs on nothing that would tell more (each experiment's ``order`` says why).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from deixis.experiments.choices import Choices
from deixis.scenes.picture import Picture
from deixis.scenes.scene import Scene
from deixis.scenes.truth import near, owner, right

VALUES: Mapping[str, Callable[[Scene], Any]] = {
    "speaker": lambda scene: scene.speaker,
    "gazer": lambda scene: scene.gazer,
    "object": lambda scene: scene.objects[scene.target],
    "owner": lambda scene: owner(scene, scene.target),
    "near": lambda scene: near(scene, scene.target),
    "objects": lambda scene: scene.objects,
    "target": lambda scene: scene.target,
    "sides": lambda scene: scene.boy,
    "says": lambda scene: str(right(scene)),
}
"""Every fact that a text can tell or a picture can show, read from the scene."""

Situations = Iterable[tuple[Scene, Iterable[Choices]]]
"""Every scene of a task with all that could be offered in it."""


def shown(picture: Picture) -> frozenset[str]:
    """Return the facts that a picture shows, read from the picture itself."""
    facts = set()
    if picture.objects:
        facts |= {"objects", "sides"}
    if len(picture.squares) == 1:
        facts.add("target")
    if picture.gazer and picture.target is not None:
        facts |= {"gazer", "target"}
    if picture.speaker:
        facts.add("speaker")
    if picture.says:
        facts.add("says")
    return frozenset(facts)


class Beliefs:
    """What each state of knowledge leaves possible, over all situations of one task."""

    def __init__(self, situations: Situations) -> None:
        self._situations = [
            (scene, choices.offered, choices.answers) for scene, several in situations for choices in several
        ]
        self._known: dict[frozenset[str], dict[Any, Counter[str]]] = {}
        self._best: dict[Any, tuple[str, ...]] = {}

    def ceiling(self, facts: frozenset[str]) -> float:
        """Return the best accuracy that the facts allow, the options being known."""
        counts = self._counts(facts).values()
        return sum(max(answers.values()) for answers in counts) / len(self._situations)

    def best(self, facts: frozenset[str], scene: Scene, offered: frozenset[str]) -> tuple[str, ...]:
        """Return the answers that are right most often where the facts are as in ``scene``, all equally often."""
        seen = _seen(facts, scene, offered)
        key = facts, seen
        if key not in self._best:
            answers = self._counts(facts)[seen]
            most = max(answers.values())
            self._best[key] = tuple(sorted(answer for answer, count in answers.items() if count == most))
        return self._best[key]

    def _counts(self, facts: frozenset[str]) -> dict[Any, Counter[str]]:
        if facts not in self._known:
            counts = self._known[facts] = {}
            for scene, offered, answers in self._situations:
                found = counts.setdefault(_seen(facts, scene, offered), Counter())
                for answer in answers:
                    found[answer] += 1
        return self._known[facts]


def _seen(facts: frozenset[str], scene: Scene, offered: frozenset[str]) -> Any:
    return offered, tuple(VALUES[fact](scene) for fact in sorted(facts))
