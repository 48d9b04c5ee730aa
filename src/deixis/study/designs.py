"""The named designs of a study: its blocks of trials, in which orders they come, how many people it takes.

Source: Dong et al. (2026), section 3.2 and appendices B and I. Paper 1 asked no people, so *indexicals* is ours: a
Latin square in which each of 400 items is on a person's list in one of its four versions at most.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from deixis.errors import UsageError

KINDS = ("scene-choice", "text-choice", "scene-rating")
"""How a trial is answered: a picture and messages to choose from, a passage and options, or a picture to rate."""


@dataclass(frozen=True, slots=True)
class Block:
    """Trials of one experiment that come one after the other, with their own instructions."""

    id: str
    """Its id, such as ``vocabulary``."""
    experiment: str
    """The experiment whose trials they are, under the condition ``people``."""
    kind: str
    """One of :data:`KINDS`."""
    trials: int
    """How many of them one person answers."""


@dataclass(frozen=True, slots=True)
class StudyDesign:
    """What every study with this name has in common."""

    name: str
    """Its name on the command line."""
    about: str
    """What it is, in one line."""
    blocks: tuple[Block, ...]
    """Its blocks."""
    orders: tuple[tuple[str, ...], ...]
    """The orders in which the blocks come, as ids; each person gets one."""
    people: int
    """How many people answered all of it in the paper, or, of indexicals, how many we advise."""
    minutes: float
    """How long it takes a person."""

    def block(self, name: str) -> Block:
        """Return the block with an id."""
        return next(block for block in self.blocks if block.id == name)

    @property
    def order_ids(self) -> tuple[str, ...]:
        """The id of each order, such as ``V-P-D``: the first letters of its blocks."""
        return tuple(map(order_id, self.orders))


def order_id(order: tuple[str, ...]) -> str:
    """Return the id of an order of blocks: their first letters."""
    return "-".join(block[0].upper() for block in order)


def _produced(task: str, trials: int) -> Block:
    return Block(task, task, "scene-choice", trials)


def _alone(name: str, about: str, block: Block, people: int, minutes: float) -> StudyDesign:
    return StudyDesign(name, about, (block,), ((block.id,),), people, minutes)


_V, _P, _D = (_produced(task, 16) for task in ("vocabulary", "possessive", "demonstrative"))
DESIGNS: Mapping[str, StudyDesign] = {
    design.name: design
    for design in (
        _alone("production-vocabulary", "I and You before nouns, between participants", _V, 120, 6.0),
        _alone("production-possessive", "mine and yours, between participants", _produced("possessive", 32), 120, 6.0),
        _alone(
            "production-demonstrative",
            "this one and that one, between participants",
            _produced("demonstrative", 32),
            120,
            6.0,
        ),
        StudyDesign(
            "follow-up",
            "all three production tasks within participants, in two orders of blocks",
            (_V, _P, _D),
            ((_V.id, _P.id, _D.id), (_V.id, _D.id, _P.id)),
            100,
            8.0,
        ),
        _alone(
            "comprehension",
            "what mine, yours, this one and that one are taken to mean: four objects rated from 1 to 7",
            Block("comprehension", "comprehension", "scene-rating", 16),
            100,
            6.0,
        ),
        _alone(
            "indexicals",
            "whose I, you, here and tomorrow it is: 40 items a person, 400 items in four versions on 40 lists",
            Block("indexicals", "indexicals", "text-choice", 40),
            200,
            20.0,
        ),
    )
}
"""Every design by name."""


def study_design(name: str) -> StudyDesign:
    """Return the design called ``name``; raises :class:`UsageError` naming the nearest."""
    if name not in DESIGNS:
        near = get_close_matches(name, DESIGNS, n=1, cutoff=0.4)
        hint = f"; nearest: {near[0]}" if near else ""
        raise UsageError(f"no study {name!r}{hint}; there is {', '.join(DESIGNS)}")
    return DESIGNS[name]
