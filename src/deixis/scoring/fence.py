"""Putting somebody's answer before a judge as data: nothing in it can end the place where it stands.

Three things hold together. The marks carry a nonce that is derived from a hash of the text itself, so no text can hold
its own. What marks and engines' control tokens are written with (angle brackets, words in square brackets) is shown
by other letters. And every line, whatever ended the one before it, begins with a bar.
"""

import re
import unicodedata
from hashlib import sha256

from deixis.seeds import derived

_SHOWN = str.maketrans({"<": "‹", ">": "›"})
_CONTROL = re.compile(r"\[(/?[A-Z][A-Z_ ]*)\]")
"""Words that some engines take for the start or the end of a turn, such as ``[INST]``."""


def text_hash(text: str) -> str:
    """Return the hash by which an answer's text is known; any text has one, lone surrogates too."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def fenced(text: str, name: str, seed: int) -> str:
    """Return ``text`` between marks that are its own, every line behind a bar; ``name`` says whose question it is."""
    nonce = f"{derived(seed, f'judge/fence/{name}/{text_hash(text)}'):016x}"
    lines = [f"| {line}" for line in neutral(text).split("\n")]
    return "\n".join([f"<<<ANSWER {nonce}", *lines, f"ANSWER {nonce}>>>"])


def neutral(text: str) -> str:
    """Return ``text`` with nothing in it that could be taken for a mark, a control token or a line of another's."""
    lines = _CONTROL.sub(r"‹\1›", text.translate(_SHOWN)).splitlines()
    return "\n".join("".join(_harmless(letter) for letter in line) for line in lines)


def _harmless(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind == "Cs":
        return "\ufffd"
    return " " if kind == "Cc" else letter
