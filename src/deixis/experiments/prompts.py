"""Prompt texts: read from the data files of each protocol, filled from a scene, and what they tell of it."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from deixis.errors import UsageError
from deixis.experiments.settings import Settings
from deixis.scenes.scene import CHILDREN, Scene
from deixis.scenes.truth import near, owner

FACTS = ("speaker", "gazer", "object", "owner", "near")
"""What a text can tell: who speaks, who looks, what the target is called, whose it is, who is near it."""
_POSSESSOR = "[his or the girl’s / her or the boy’s]"
_POSSESSORS = dict(zip(CHILDREN, ("his or the girl’s", "her or the boy’s"), strict=True))
_ROLE = " as the [speaker]"


@dataclass(frozen=True, slots=True)
class Wording:
    """One text with slots, and the facts it tells."""

    text: str
    """The text; slots stand in square brackets."""
    facts: frozenset[str]
    """Which of :data:`FACTS` it tells once it is filled."""
    then: str = ""
    """The text of the second turn, if there is one."""
    source: str = ""
    """Section of the paper, where it is printed there."""
    change: str = ""
    """What differs from the printed text, and why."""

    @property
    def names(self) -> bool:
        """Whether it has a place for the object's name."""
        return "[object]" in self.text


def wording(task: str, name: str, protocol: str, settings: Settings) -> Wording:
    """Return a text under a protocol and settings; raises :class:`UsageError` where the protocol has none."""
    source = protocol
    if settings.get("clauses") == "printed":
        source = "published"
    if settings.get("square") == "named":
        name += "-square"
    if settings.get("proximity") == "told":
        name += "-told"
    found = next(
        (
            _texts(file)[part][name]
            for file in (source, "ours")
            for part in (task, "every")
            if name in _texts(file).get(part, {})
        ),
        None,
    )
    if found is None:
        raise UsageError(f"the {protocol} protocol has no prompt for {name!r} of {task}; take --protocol corrected")
    if settings.get("role") == "struck":
        found = replace(found, text=found.text.replace(_ROLE, ""))
    if found.names and settings.get("naming") == "word":
        found = replace(found, text=found.text.replace("[object]", "object"), facts=frozenset(found.facts - {"object"}))
    return found


@lru_cache(maxsize=3)
def _texts(file: str) -> Mapping[str, Mapping[str, Wording]]:
    text = files("deixis.experiments").joinpath("wordings", f"{file}.toml").read_text(encoding="utf-8")
    return {
        part: {name: _wording(entry) for name, entry in entries.items()}
        for part, entries in tomllib.loads(text).items()
    }


def _wording(entry: Mapping[str, Any]) -> Wording:
    return Wording(
        entry["text"],
        frozenset(entry["facts"]),
        entry.get("then", ""),
        entry.get("source", ""),
        entry.get("change", ""),
    )


def fill(text: str, scene: Scene, options: Sequence[str] = (), sentence: str = "") -> str:
    """Fill the slots of a text. Options are listed in their order, each in quotation marks."""
    beside = near(scene, scene.target)
    slots = {
        "[speaker]": scene.speaker,
        _POSSESSOR: _POSSESSORS[scene.speaker],
        "[gazer]": scene.gazer,
        "[object]": scene.objects[scene.target],
        "[owner]": owner(scene, scene.target) or beside,
        "[person near target]": beside,
        "[options]": ", ".join(f'"{option}"' for option in options),
        "[correct reference]": sentence,
    }
    for slot, value in slots.items():
        text = text.replace(slot, value)
    return text
