"""What an import found: one note a finding, and the counts a user reads."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """One finding about one row or item."""

    kind: str
    """``repaired``, ``left out`` or ``kept``: what was done about it."""
    fault: str
    """What was found, in a few words, the same words for the same fault."""
    where: str
    """The item or row it is about."""
    detail: str = ""
    """The text concerned."""


def summary(notes: Iterable[Note]) -> list[str]:
    """Return one line for each kind and fault: how many, and where first."""
    groups: dict[tuple[str, str], list[str]] = {}
    for note in notes:
        groups.setdefault((note.kind, note.fault), []).append(note.where)
    lines = []
    for (kind, fault), places in groups.items():
        items = list(Counter(places))
        shown = ", ".join(items[:6]) + (" …" if len(items) > 6 else "")
        lines.append(f"{kind}: {fault}: {len(places)} in {len(items)} items ({shown})")
    return lines


def full(notes: Iterable[Note]) -> list[str]:
    """Return one line a finding, with the text it is about."""
    return [f"{note.kind}: {note.where}: {note.fault}: {note.detail}".removesuffix(": ") for note in notes]
