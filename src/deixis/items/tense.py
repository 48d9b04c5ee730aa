"""Sequence of tenses: the finite verb that moves when a clause is reported about the past, and back."""

import re

_PAST = {
    "will": "would",
    "wants": "wanted",
    "is": "was",
    "has": "had",
    "can": "could",
    "plans": "planned",
    "hopes": "hoped",
    "intends": "intended",
}
_PRESENT = {past: present for present, past in _PAST.items()}


def backshifted(clause: str) -> str:
    """Put the first finite verb of a direct clause into the tense it has under a reporting verb in the past.

    A simple past (*thanked you*) stays, as English allows.
    """
    return _first(_PAST, clause)


def direct(clause: str) -> str:
    """Undo :func:`backshifted`: *would* → *will*, *wanted* → *wants*."""
    return _first(_PRESENT, clause)


def _first(forms: dict[str, str], clause: str) -> str:
    pattern = re.compile(rf"\b({'|'.join(forms)})\b")
    return pattern.sub(lambda match: forms[match[1]], clause, count=1)
