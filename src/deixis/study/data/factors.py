"""What varies between trials, as columns: every factor of every experiment, with its levels."""

from deixis.experiments import EXPERIMENTS
from deixis.study.data.column import Column, Kind, Origin

_CHILDREN = ("boy", "girl")
_PLACES = ("0", "1", "2", "3")
_MEANINGS: dict[str, tuple[str, tuple[str, ...]]] = {
    "indexical": ("The word that the passage turns on", ("I", "you", "here", "tomorrow")),
    "sentence_type": ("Whether what was said is told in direct speech", ("non-quoted", "quoted")),
    "context_prime": ("The reading that the context makes tempting", ("non-shifted", "shifted")),
    "marks": ("Whether quotation marks stand where direct speech does, or just elsewhere", ("plain", "distractor")),
    "group": ("Number of the group that the objects are taken from", ()),
    "task": ("Which pronouns a rated sentence has (comprehension)", ("possessive", "demonstrative")),
    "target": ("Place of the target in the row, counted from the left", _PLACES),
    "speaker": ("Which child speaks", _CHILDREN),
    "gazer": ("Which child prefers the target: of production, the one whose gaze line leads to it", _CHILDREN),
    "perspective": ("The pronoun of who prefers the target, from the speaker: I where speaker and gazer are one",
                    ("I", "You")),
    "word": ("What a rated sentence says of the object", ("mine", "yours", "this one", "that one")),
    "order": ("The order of the four objects of a group, from the left", ()),
    "arrangement": ("How two kinds of two objects lie, from the left", ("aabb", "bbaa", "abab", "baba")),
    "background": ("Where the scene is", ()),
    "distance": ("How many objects lie between the speaker and the target", _PLACES),
}  # fmt: skip
"""Factor to its meaning and its levels, where they are few and fixed."""

NAMES = tuple(
    dict.fromkeys(name for found in EXPERIMENTS.values() for name in found.factors if name not in {"item", "task"})
)
"""Every factor in the order of the experiments; the item and the task have columns of their own."""


def factor_columns() -> tuple[Column, ...]:
    """Return one column a factor; empty where an experiment does not have it."""
    return tuple(Column(name, *_about(name)) for name in NAMES)


def _about(name: str) -> tuple[str, Kind, Origin, tuple[str, ...]]:
    meaning, levels = _MEANINGS[name]
    return meaning, Kind.WHOLE if levels == _PLACES or name == "group" else Kind.TEXT, Origin.ASKED, levels
