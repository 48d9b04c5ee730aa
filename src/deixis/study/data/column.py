"""What a column is: its name, what it means, what stands in it, where that comes from."""

from dataclasses import dataclass
from enum import StrEnum

Value = str | int | float | bool | None
"""What a cell holds; ``None`` is an empty cell."""


class Kind(StrEnum):
    """What stands in the cells of a column."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    FLAG = "true or false"
    JSON = "JSON"
    TIME = "time (UTC, ISO 8601)"


class Origin(StrEnum):
    """Where a value comes from."""

    ASKED = "asked"
    """It belongs to the design: it was so before anybody answered."""
    RECORDED = "recorded"
    """It was given or measured."""
    DERIVED = "derived"
    """It is worked out from the two others."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table; the table and its codebook are made from the same ones."""

    name: str
    """Its name in the header."""
    meaning: str
    """What it means, in one sentence; what an empty cell means, where that is not plain."""
    kind: Kind = Kind.TEXT
    origin: Origin = Origin.RECORDED
    levels: tuple[str, ...] = ()
    """Its values, where they are few and fixed."""
    units: str = ""
    """The unit of a number."""
