"""What stands in one report although it was not made alike: said, since numbers side by side seem comparable."""

from collections.abc import Iterator, Sequence

from deixis.analysis.who import Kind, group_of, kind_of
from deixis.report.gather import GatheredDesign

_OWN = frozenset(("experiment", "condition", "protocol", "items", "data", "participant"))
"""What may differ from design to design: it says which design it is."""


def mixed(designs: Sequence[GatheredDesign]) -> list[str]:
    """Return a line for each participant who was not asked or read alike everywhere, and for protocols side by side."""
    return [*_protocols(designs), *_participants(designs)]


def _protocols(designs: Sequence[GatheredDesign]) -> Iterator[str]:
    names = list(dict.fromkeys(str(design.signature["protocol"]) for design in designs))
    if len(names) > 1:
        yield f"several protocols stand side by side and are never put together: {', '.join(names)}"


def _participants(designs: Sequence[GatheredDesign]) -> Iterator[str]:
    """Compare within a protocol what a participant's answers were made with.

    Settings of designs do not count, nor how people answer, which the experiment decides.
    """
    seen: dict[tuple[str, str], dict[str, dict[str, list[str]]]] = {}
    for design in designs:
        settings = _OWN | set(design.signature)
        for participant, signature in design.signatures:
            if kind_of(participant) is Kind.REFERENCE:
                continue
            by = seen.setdefault((group_of(participant), str(design.signature["protocol"])), {})
            own = settings | {"answer"} if kind_of(participant) is Kind.PEOPLE else settings
            for key, value in signature.items():
                if key not in own:
                    names = by.setdefault(key, {}).setdefault(str(value), [])
                    names += [] if design.name in names else [design.name]
    for (who, protocol), by in seen.items():
        for key, values in by.items():
            if len(values) > 1:
                told = "; ".join(f"{value} on {_few(names)}" for value, names in values.items())
                yield f"{who} ({protocol}) was not asked or read alike everywhere: {key} is {told}"


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
