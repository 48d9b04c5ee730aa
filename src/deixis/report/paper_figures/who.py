"""Short names for who stands in a figure, which stay different."""

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

LONGEST = 32
"""Characters of the longest short name."""


def short_names(groups: Sequence[str]) -> dict[str, str]:
    """Return a short name for each of some groups (see :func:`group_of`); no two are equal.

    A model goes by what follows the last slash, cut in the middle where it is long. Those that would then be called
    the same go by all that follows the slash, and those that still would by the whole id.
    """
    known = dict.fromkeys(groups)
    names = {group: _names(group) for group in known}
    at = dict.fromkeys(known, 0)
    while True:
        found = {group: names[group][at[group]] for group in known}
        often = Counter(found.values())
        alike = [group for group in known if often[found[group]] > 1 and at[group] < len(names[group]) - 1]
        if not alike:
            return found
        at |= {group: at[group] + 1 for group in alike}


def _names(group: str) -> tuple[str, str, str]:
    """Return what it could be called, the shortest first, the whole id last."""
    kind, _, study = group.partition(":")
    if kind == "people":
        name = f"people ({study})" if study else "people"
    else:
        name = study if kind == "strategy" else group.rpartition("/")[2] or group
    ending = LONGEST // 3
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - ending - 1]}…{name[-ending:]}"
    return short, name, group


def broken(name: str, width: int) -> str:
    """Return a name over several lines of at most ``width`` characters, broken behind a mark where there is one."""
    pieces = "".join(f"{mark}\0" if mark in "-/:_… " else mark for mark in name).split("\0")
    lines = [""]
    for piece in (part for whole in pieces for part in (wrap(whole, width, drop_whitespace=False) or [""])):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.strip() for line in lines if line.strip())
