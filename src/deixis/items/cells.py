"""The design every text item follows: indexicals, sentence types, primes, readings, and which reading is right."""

INDEXICALS = ("I", "you", "here", "tomorrow")
SENTENCE_TYPES = ("non-quoted", "quoted")
PRIMES = ("non-shifted", "shifted")
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
