"""The design every text item follows: indexicals, sentence types, primes, marks, and which reading is right."""

from deixis.records import Cell, Item

INDEXICALS = ("I", "you", "here", "tomorrow")
SENTENCE_TYPES = ("non-quoted", "quoted")
PRIMES = ("non-shifted", "shifted")
MARKS = ("plain", "distractor")
"""*plain*: quotation marks stand around direct speech and nowhere else. *distractor*: a non-quoted passage has
marks around something else, and direct speech stands behind a colon, without marks."""
READINGS = ("non-shifted", "shifted")

_RIGHT = {"non-quoted": "non-shifted", "quoted": "shifted"}

REFERENTS = {
    "I": ("narrator", "reporter"),
    "you": ("addressee", "listener"),
    "here": ("here", "there"),
}
"""Indexical to the roles that its non-shifted and its shifted reading pick out."""

TIME_OPTIONS = {"non-shifted": "will do it in the future", "shifted": "did it in the past"}
"""The two answers about *tomorrow*: after today, or after the day that was talked about."""


def right_reading(sentence_type: str) -> str:
    """Return the reading that English grammar fixes: direct quotation shifts an indexical, nothing else does."""
    return _RIGHT[sentence_type]


def cell_id(item: Item, cell: Cell) -> str:
    """Return the id of one question: item, sentence type, prime, and the marks where they are not plain."""
    levels = [item.id, cell.sentence_type, cell.context_prime]
    return "/".join(levels if cell.marks == "plain" else [*levels, cell.marks])
