"""A new study: its settings with a comment on each, and texts to fill in."""

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment

from deixis.errors import StoreError, UsageError
from deixis.experiments.settings import SETTINGS
from deixis.study.designs import Block, StudyDesign, study_design
from deixis.study.settings import FILE, PLACEHOLDER, known_settings, most_minutes, protocols
from deixis.study.texts import CONSENT, DEBRIEFING, instructions

_FAST = {"scene-choice": 800, "scene-rating": 3000, "text-choice": 3000}
"""Kind of a block to the median time in milliseconds below which nobody can have looked; ours."""
_ABOUT = {
    "scene-choice": (
        "pictures of two children",
        "which of four messages fits",
        (
            "Words such as *I* and *you*, *mine* and *yours*, *this* and *that* mean something else whenever somebody "
            "else says them. We want to know how readily people take the view of the one who speaks."
        ),
    ),
    "scene-rating": (
        "pictures of two children",
        "which object you think one of them means",
        (
            "Words such as *mine* and *yours*, *this* and *that* mean something else whenever somebody else says them. "
            "We want to know which objects people take them for, and how sure they are."
        ),
    ),
    "text-choice": (
        "texts",
        "who or what their last sentence is about",
        (
            "Words such as *I*, *you*, *here* and *tomorrow* mean something else whenever somebody else says them. "
            "In a quotation they are the words of the person quoted, elsewhere those of the one who tells. We want to "
            "know whether people always read them so, also where the story suggests otherwise."
        ),
    ),
}


def begin(
    folder: Path,
    name: str,
    *,
    id: str,  # noqa: A002
    seed: int,
    people: int | None,
    protocol: str,
    settings: Mapping[str, str],
) -> None:
    """Write settings and texts of a new study into a folder.

    Raises :class:`UsageError` for a design, a protocol or a setting there is not.
    """
    design = study_design(name)
    if protocol not in protocols(design):
        raise UsageError(f"{name} has no protocol {protocol!r}; there is {', '.join(protocols(design))}")
    idle = set(settings) - set(known_settings(design, protocol))
    if idle:
        raise UsageError(f"the setting {min(idle)!r} changes nothing of {name}, {protocol}; leave it out")
    if people is not None and people < 1:
        raise UsageError(f"--people {people} asks nobody; give 1 or more")
    written = {FILE: _settings(design, id, seed, people, protocol, settings), **_texts(design)}
    try:
        for place, text in written.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"cannot write to {str(folder)!r}: {error.strerror}; give another folder") from None


def id_from(folder: Path) -> str:
    """Return an id made of the name of a folder; a placeholder where nothing of it can be kept."""
    kept = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower())[:48].strip("-")
    return kept or PLACEHOLDER


def template(name: str) -> str:
    """Return a template as it stands."""
    return files("deixis.study").joinpath("templates", *name.split("/")).read_text(encoding="utf-8")


def _texts(design: StudyDesign) -> dict[str, str]:
    trials, what, about = _ABOUT[design.blocks[0].kind]
    consent = template("consent.md").replace("{trials}", trials).replace("{what}", what)
    found = {
        CONSENT: consent.replace("{minutes}", f"{design.minutes:g}"),
        DEBRIEFING: template("debriefing.md").replace("{about}", about),
    }
    return found | {instructions(block.id): template(instructions(block.id)) for block in design.blocks}


def _settings(
    design: StudyDesign, name: str, seed: int, people: int | None, protocol: str, settings: Mapping[str, str]
) -> str:
    known = [one for one in known_settings(design, protocol) if one != "art"]
    scenes = any(block.kind != "text-choice" for block in design.blocks)
    whole = {one: settings.get(one, SETTINGS[one].default(protocol)) for one in known}
    made = Environment(autoescape=False, keep_trailing_newline=True).from_string(template("study.toml.j2"))  # noqa: S701
    return made.render(
        design=design,
        id=name,
        protocol=protocol,
        seed=seed,
        people=people or design.people,
        advice=f", {design.people} in the paper" if design.name != "indexicals" else ": 5 on each of 1,600 questions",
        settings=", ".join(f'{one} = "{value}"' for one, value in whole.items()),
        known="; ".join(f"{one}: {' or '.join(SETTINGS[one].values)}" for one in known),
        scenes=scenes,
        art=settings.get("art", "twemoji").replace("\\", "/"),
        minutes=design.minutes,
        longest=most_minutes(design.minutes),
        amount=f"{design.minutes / 60 * 9:.2f}",
        fast=_FAST[design.blocks[0].kind],
        block_key=lambda block: _block(design, block),
    )


def _block(design: StudyDesign, block: Block) -> str:
    return f', block = "{block.id}"' if len(design.blocks) > 1 else ""
