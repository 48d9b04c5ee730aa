"""Reading a judge's reply: strictly, as one verdict or as a reason why there is none.

A verdict is a line of its own, ``VERDICT: B``, or JSON with the key ``verdict``, inside a code fence or not. It is
never looked for within other words ("not correct" holds no verdict), and two that differ are none.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

NONE, SEVERAL, REFUSED = "NONE", "SEVERAL", "REFUSED"
WORDS = (SEVERAL, REFUSED, NONE)
"""What a verdict may be besides the letter of an option."""
_SAME = {"BOTH": SEVERAL}
_REASONING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_BLOCK = re.compile(r"^[ \t]*```[ \t]*[A-Za-z]*[ \t]*$", re.MULTILINE)
_BEGUN = re.compile(r"[\s*_`>#\-]*verdict\b", re.IGNORECASE)
_LINE = re.compile(r"[\s*_`>#\-]*verdict[\s*_`]*[:：=][\s*_`\"'(\[]*([A-Za-z]+)[\s*_`\"')\].]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge's reply says."""

    word: str = ""
    """A letter, ``SEVERAL``, ``REFUSED`` or ``NONE``; nothing where there is a fault."""
    place: int | None = None
    """Where the option stood that the letter names, from 0, in the order shown to the judge."""
    fault: str = ""
    """Why there is no verdict, if there is none."""


def letters(options: int) -> str:
    """Return the letters of so many options."""
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:options]


def read_verdict(reply: str | None, options: int, finish: str = "") -> Verdict:
    """Read a reply to a question with so many ``options``; ``finish`` is why the reply ended."""
    if not (reply or "").strip():
        return Verdict(fault="empty verdict")
    if finish in {"length", "max_tokens"}:
        return Verdict(fault=f"verdict cut short: {_shown(reply)}")
    said = list(_said(_REASONING.sub("", reply or "")))
    found = {_SAME.get(word, word) for word in said}
    if not found:
        return Verdict(fault=f"malformed verdict: {_shown(reply)}")
    if len(found) > 1:
        return Verdict(fault=f"contradictory verdict, for a person to look at: {_shown(reply)}")
    (word,) = found
    if word in WORDS:
        return Verdict(word)
    if len(word) == 1 and word in letters(options):
        return Verdict(word, letters(options).index(word))
    return Verdict(fault=f"malformed verdict: {_shown(reply)}")


def _said(reply: str) -> Iterator[str]:
    """Yield every verdict in a reply; what begins as one and is none comes as it stands."""
    for piece in _BLOCK.split(reply):
        entry = _json(piece)
        if entry is not None:
            yield from _of_json(entry)
            continue
        for line in piece.splitlines():
            entry = _json(line)
            if entry is not None:
                yield from _of_json(entry)
                continue
            match = _LINE.fullmatch(line)
            if match is not None:
                yield match[1].upper()
            elif _BEGUN.match(line):
                yield line.strip()


def _json(text: str) -> list[tuple[str, Any]] | None:
    """Return the entries of a JSON object, keys that come twice included; ``None`` where the text is none."""
    if not text.strip().startswith("{"):
        return None
    try:
        found = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def _of_json(entries: list[tuple[str, Any]]) -> Iterator[str]:
    """Yield what JSON gives as its verdict, and any bare verdict that stands beside it under another key."""
    for key, value in entries:
        named = key.lower() == "verdict"
        word = value.strip().upper() if isinstance(value, str) else ""
        if named:
            yield word or f"{value}"
        elif len(word) == 1 or word in WORDS or word in _SAME:
            yield word


def _shown(reply: str | None) -> str:
    """Return a reply as one short line."""
    told = " ".join((reply or "").split())
    return repr(told if len(told) <= 160 else f"{told[:160]}…")
