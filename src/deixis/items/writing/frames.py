"""What the writer's texts must hold, by indexical: base names and the frame of the question."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

BASE_NAMES = ("Andrew", "Chris", "Donald", "John", "Travis", "Los Angeles", "New York")
"""The names that a model writes with; they are replaced afterwards."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The fixed parts of an item in base names."""

    sentence: tuple[str, ...]
    """Names that the last sentence holds."""
    contexts: tuple[str, ...]
    """Names that both contexts hold."""
    begins: str
    """How the question begins."""
    ends: str
    """How it ends."""
    options: str
    """Its two answers, in words."""


_FUTURE = "or is he going to do so in the future?"
FRAMES: Mapping[str, Frame] = {
    "I": Frame(("Chris",), ("Andrew",), "According to the last sentence, who", "?", "Andrew or Chris"),
    "you": Frame(
        ("John", "Travis", "Chris"),
        ("Andrew", "Donald"),
        "According to the last sentence, who did John say that Chris",
        "?",
        "Donald or Travis",
    ),
    "here": Frame(
        ("New York", "John", "Chris"),
        ("Andrew", "Los Angeles"),
        "According to the last sentence, where does Chris want to",
        "?",
        "Los Angeles or New York",
    ),
    "tomorrow": Frame(
        ("John", "Chris"), ("Andrew",), "According to the last sentence, did Chris already", _FUTURE, "past or future"
    ),
}
"""Source: Oğuz, Bakman and Yaldiz (2025), Tables 1-8."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What is asked for one indexical under one protocol."""

    stimulus: str
    """Asks for a sentence and two contexts; ``{previous_generations}`` is filled."""
    question: str
    """Asks for the question; ``{sentences}`` is filled."""
    fields: tuple[str, ...]
    """The labels of the three parts of a reply: sentence, non-shifted context, shifted context."""
    begins: str
    """The words every context begins with, or nothing."""
    example: str
    """What stands for earlier items before there is one."""
    temperature: float | None
    """Sampling temperature; ``None`` leaves the participant's own."""

    @property
    def hash(self) -> str:
        """What makes it this very wording."""
        return sha256(repr(self).encode()).hexdigest()[:16]


@lru_cache(maxsize=8)
def wording(indexical: str, protocol: str) -> Wording:
    """Return what is asked for an indexical under ``published`` or ``corrected``."""
    text = files("deixis.items.writing").joinpath("wordings", f"{protocol}.toml").read_text(encoding="utf-8")
    table: dict[str, Any] = tomllib.loads(text)
    own: dict[str, Any] = table[indexical]
    frame = FRAMES[indexical]
    temperature = table["temperature"]
    ends = f' and ends with "{frame.ends}"' if len(frame.ends) > 1 else ""
    parts = {**own, "begins": frame.begins, "ends": ends, "options": frame.options}
    return Wording(
        stimulus=_filled(own.get("stimulus") or table["stimulus"], parts).strip("\n"),
        question=_filled(own.get("question") or table["question"], parts).strip("\n"),
        fields=tuple(table["fields"]),
        begins=own.get("begins", ""),
        example=own.get("example", "").strip("\n"),
        temperature=None if temperature == "default" else float(temperature),
    )


def _filled(text: str, parts: Mapping[str, str]) -> str:
    for name, value in parts.items():
        if name not in ("stimulus", "question"):
            text = text.replace("{" + name + "}", value)
    return text
