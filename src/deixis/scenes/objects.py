"""The objects on the table: 128 of them in 32 groups of four, or a set of one's own."""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

from deixis.errors import SceneError

GROUP_SIZE = 4
_NAME = re.compile(r"[a-z]+(?: [a-z]+)*")
"""What ids and bubbles can spell."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One kind of object."""

    name: str
    """Its name, a singular noun in lower case."""
    plural: str
    """Its plural."""
    article: str
    """``a`` or ``an``."""
    code: str
    """Which picture shows it: a Unicode code point in hexadecimal, or a file name in a set of one's own."""
    group: int
    """The group of four in which it is compared with others, from 1."""
    category: str = ""
    """What kind of thing it is."""

    @property
    def slug(self) -> str:
        """Its name as ids have it."""
        return self.name.replace(" ", "-")


class Catalogue:
    """A set of objects in groups of four whose names a reader of answers can tell apart.

    Raises :class:`SceneError` for a name that stands twice, a group that has not four members, or a name inside
    another of its group.
    """

    def __init__(self, things: Iterable[Thing], name: str) -> None:
        self.name = name
        self.things = tuple(things)
        self._check()

    @cached_property
    def by_name(self) -> Mapping[str, Thing]:
        """Name to object."""
        return {thing.name: thing for thing in self.things}

    @cached_property
    def by_slug(self) -> Mapping[str, Thing]:
        """Name as ids have it, to object."""
        return {thing.slug: thing for thing in self.things}

    @cached_property
    def groups(self) -> Mapping[int, tuple[Thing, ...]]:
        """Group to its four objects, by name."""
        found: dict[int, list[Thing]] = {}
        for thing in self.things:
            found.setdefault(thing.group, []).append(thing)
        return {group: tuple(sorted(members, key=lambda t: t.name)) for group, members in sorted(found.items())}

    def thing(self, name: str) -> Thing:
        """Return the object called ``name``; raises :class:`SceneError` where there is none."""
        found = self.by_name.get(name)
        if found is None:
            raise SceneError(f"no object {name!r} in {self.name}; it has {len(self.things)}, such as {self._some()}")
        return found

    def _some(self) -> str:
        return ", ".join(repr(thing.name) for thing in self.things[:3])

    def _check(self) -> None:
        if not self.things:
            raise SceneError(f"{self.name} has no objects; give it groups of {GROUP_SIZE}")
        seen: dict[str, Thing] = {}
        for thing in self.things:
            if not _NAME.fullmatch(thing.name):
                raise SceneError(
                    f"{self.name} has the object {thing.name[:40]!r}; write names in letters a to z and single spaces"
                )
            other = seen.setdefault(thing.slug.casefold(), thing)
            if other is not thing:
                raise SceneError(f"{self.name} has the object {thing.name!r} twice; rename one")
        for group, members in self.groups.items():
            if len(members) != GROUP_SIZE:
                raise SceneError(f"{self.name} has {len(members)} objects in group {group}; a group has {GROUP_SIZE}")
            _check_apart(self.name, group, members)


def _check_apart(name: str, group: int, members: Sequence[Thing]) -> None:
    for one in members:
        for other in members:
            if one is not other and one.name.casefold() in other.name.casefold():
                raise SceneError(
                    f"{name} has {one.name!r} inside {other.name!r} in group {group}; an answer could not be told "
                    "from the other: move one to another group"
                )


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """Return the 128 objects of this project."""
    text = files("deixis.scenes").joinpath("objects.csv").read_text(encoding="utf-8")
    return Catalogue((thing_of(row) for row in csv.DictReader(text.splitlines())), "the catalogue")


def thing_of(row: Mapping[str, str]) -> Thing:
    """Build an object from a row of a table; raises :class:`ValueError` or :class:`KeyError` for a row that is none."""
    return Thing(
        name=row["name"].strip(),
        plural=row["plural"].strip(),
        article=row["article"].strip(),
        code=row["code"].strip(),
        group=int(row["group"]),
        category=row.get("category", "").strip(),
    )
