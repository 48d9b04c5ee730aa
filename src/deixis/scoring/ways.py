"""The ways to read a run: by a reader, or by a reader and a judge."""

from dataclasses import dataclass

from deixis.errors import UsageError
from deixis.scoring.reading import VERSIONS


@dataclass(frozen=True, slots=True)
class Way:
    """How answers are read."""

    reader: str = ""
    """The reader; by default that of the protocol."""
    judge: str = ""
    """The id of the judge whose kept verdicts count, if any."""
    every: bool = False
    """Whether the judge reads every text, not only what the reader could not decide."""


def reader_way(reader: str) -> Way:
    """Return the way of a reader; an empty name is the protocol's. Raises :class:`UsageError` for one there is not."""
    if reader and reader not in VERSIONS:
        raise UsageError(f"unknown reader {reader!r}; there is {', '.join(VERSIONS)}")
    return Way(reader)


def read_way(name: str, reader: str = "") -> Way:
    """Return the way called ``name``: a reader; ``judge:ID`` or ``judge-all:ID`` for kept verdicts beside ``reader``.

    Raises :class:`UsageError` for any other name.
    """
    kind, _, judge = name.partition(":")
    if kind in {"judge", "judge-all"} and judge:
        return Way(reader_way(reader).reader, judge, kind == "judge-all")
    if name in VERSIONS:
        return Way(name)
    raise UsageError(f"no reading {name!r}; there is {', '.join(VERSIONS)}, judge:NAME and judge-all:NAME")
