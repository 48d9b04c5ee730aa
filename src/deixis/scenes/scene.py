"""The scene: pure data. Who stands at which end, what lies where, who speaks and who looks at what."""

import re
from dataclasses import dataclass, replace
from typing import Self

from deixis.errors import SceneError
from deixis.scenes.objects import Catalogue, catalogue

TASKS = ("vocabulary", "possessive", "demonstrative")
CHILDREN = ("boy", "girl")
SIDES = ("left", "right")
BACKGROUNDS = ("room", "kitchen", "classroom", "park", "beach", "snow")
PLACES = 4
ARRANGEMENTS = {"blocks": ("aabb", "bbaa"), "alternating": ("abab", "baba")}
"""How two pairs lie: *blocks*, a pair of a kind at either end (AA|BB), or *alternating*, one of each at either end
(AB|AB). The paper's "two identical pairs at either end" reads either way."""

_PATTERNS = {
    "vocabulary": re.compile(r"(?!.*(.).*\1)[abcd]{4}"),
    "possessive": re.compile("|".join(pattern for patterns in ARRANGEMENTS.values() for pattern in patterns)),
    "demonstrative": re.compile("aaaa"),
}
_KIND = {letter: kind for kind, letter in enumerate("abcd")}
_DEFAULTS = {"background": "room", "boy": "left"}


@dataclass(frozen=True, slots=True)
class Scene:
    """One situation at the table."""

    task: str
    """``vocabulary``, ``possessive`` or ``demonstrative``."""
    kinds: tuple[str, ...]
    """The kinds of objects, by name, in alphabetical order: four, two or one of a group."""
    pattern: str
    """What lies where, from left to right: ``a`` is the first kind, ``b`` the second."""
    target: int
    """The place of the object that is liked, 0 to 3 from the left."""
    speaker: str
    """``boy`` or ``girl``: who speaks."""
    gazer: str
    """``boy`` or ``girl``: who looks at the target, and likes it."""
    background: str = "room"
    """Where they are."""
    boy: str = "left"
    """At which end the boy stands; the girl stands at the other."""

    @property
    def objects(self) -> tuple[str, ...]:
        """The name of the object at each place, from left to right."""
        kinds = self.kinds
        return tuple([kinds[_KIND[letter]] for letter in self.pattern])

    @property
    def listener(self) -> str:
        """Who does not speak."""
        return other(self.speaker)

    def side(self, child: str) -> str:
        """At which end of the table a child stands."""
        return self.boy if child == "boy" else SIDES[1 - SIDES.index(self.boy)]

    def id(self, things: Catalogue | None = None) -> str:
        """Return an id that says what it is, such as ``possessive/g03-broom-ring/aabb/t2/boy-speaks/girl-gazes``."""
        table = things or catalogue()
        group = table.thing(self.kinds[0]).group
        names = "" if self.task == "vocabulary" else "".join(f"-{table.thing(kind).slug}" for kind in self.kinds)
        parts = [self.task, f"g{group:02d}{names}", self.pattern, f"t{self.target}"]
        if self.task == "demonstrative":
            parts[2] = self.background
        elif self.background != _DEFAULTS["background"]:
            parts.append(self.background)
        parts += [f"{self.speaker}-speaks", f"{self.gazer}-gazes"]
        if self.boy != _DEFAULTS["boy"]:
            parts.append(f"boy-{self.boy}")
        return "/".join(parts)

    def swapped(self, role: str) -> Self:
        """Return the scene with the other child as ``speaker`` or ``gazer``."""
        if role == "speaker":
            return replace(self, speaker=other(self.speaker))
        return replace(self, gazer=other(self.gazer))

    def mirrored(self) -> Self:
        """Return the scene seen from behind: the row reversed, and the children at each other's ends."""
        return replace(
            self, pattern=self.pattern[::-1], target=PLACES - 1 - self.target, boy=SIDES[1 - SIDES.index(self.boy)]
        )


def other(child: str) -> str:
    """Return the other child."""
    return CHILDREN[1 - CHILDREN.index(child)]


def check(scene: Scene, things: Catalogue | None = None) -> None:
    """Raise :class:`SceneError` with one line where a scene is none."""
    table = things or catalogue()
    for name, value, known in (
        ("task", scene.task, TASKS),
        ("speaker", scene.speaker, CHILDREN),
        ("gazer", scene.gazer, CHILDREN),
        ("background", scene.background, BACKGROUNDS),
        ("boy", scene.boy, SIDES),
    ):
        if value not in known:
            raise SceneError(f"no {name} {value!r}; there is {', '.join(known)}")
    if not _PATTERNS[scene.task].fullmatch(scene.pattern):
        raise SceneError(f"{scene.pattern!r} is no arrangement of the {scene.task} task")
    if scene.target not in range(PLACES):
        raise SceneError(f"no place {scene.target!r}; give 0 to {PLACES - 1}")
    if scene.task == "demonstrative" and scene.target not in (0, PLACES - 1):
        raise SceneError(f"the demonstrative task has no target at place {scene.target}; it takes the ends, 0 or 3")
    wanted = len(set(scene.pattern))
    if len(scene.kinds) != wanted or tuple(sorted(set(scene.kinds))) != scene.kinds:
        raise SceneError(
            f"the {scene.task} task takes {wanted} kinds of objects in alphabetical order, not {scene.kinds}"
        )
    groups = {table.thing(kind).group for kind in scene.kinds}
    if len(groups) > 1:
        raise SceneError(f"{', '.join(scene.kinds)} are of several groups; take them from one")


_ID = re.compile(
    r"(?P<task>[a-z]+)/g(?P<group>[0-9]{2,4})(?P<kinds>(?:-[a-z0-9-]+)?)/(?P<middle>[a-z]+)/t(?P<target>[0-9])"
    r"(?:/(?P<background>[a-z]+))?/(?P<speaker>[a-z]+)-speaks/(?P<gazer>[a-z]+)-gazes(?:/boy-(?P<boy>[a-z]+))?"
)


def from_id(name: str, things: Catalogue | None = None) -> Scene:
    """Return the scene with an id; raises :class:`SceneError` for one that no scene has."""
    table = things or catalogue()
    match = _ID.fullmatch(name)
    if match is None or match["task"] not in TASKS or int(match["group"]) not in table.groups:
        raise SceneError(f"no scene {name!r}; an id is such as possessive/g03-broom-ring/aabb/t2/boy-speaks/girl-gazes")
    found = match.groupdict()
    members = table.groups[int(found["group"])]
    demonstrative = found["task"] == "demonstrative"
    scene = Scene(
        task=found["task"],
        kinds=tuple(t.name for t in members if not found["kinds"] or f"{t.slug}" in _slugs(found["kinds"], members)),
        pattern="aaaa" if demonstrative else found["middle"],
        target=int(found["target"]),
        speaker=found["speaker"],
        gazer=found["gazer"],
        background=found["middle"] if demonstrative else found["background"] or _DEFAULTS["background"],
        boy=found["boy"] or _DEFAULTS["boy"],
    )
    check(scene, table)
    if scene.id(table) != name:
        raise SceneError(f"no scene {name!r}; the nearest is {scene.id(table)!r}")
    return scene


def _slugs(text: str, members: tuple[object, ...]) -> list[str]:
    """Return the objects that a part of an id names, whole names only."""
    slugs = sorted((str(getattr(t, "slug", "")) for t in members), key=len, reverse=True)
    found = []
    rest = text
    while rest:
        slug = next((slug for slug in slugs if rest.startswith(f"-{slug}")), None)
        if slug is None:
            return []
        found.append(slug)
        rest = rest.removeprefix(f"-{slug}")
    return found
