"""What an option says: its meaning without the names of things."""

from collections.abc import Mapping

_NAMES = frozenset(("noun", "child"))


def kind(features: Mapping[str, str]) -> str:
    """Return what an option says, names of things aside: ``I mine``, ``shifted``, ``You``."""
    return " ".join(value for name, value in features.items() if name not in _NAMES)


def says(saying: str, word: str) -> bool:
    """Return whether ``word`` (``I``, ``this one``, ``shifted``) is a part of what an option says."""
    return f" {word} " in f" {saying} "
