"""CSV tables: read whole, with their columns checked, before anything is made of them."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deixis.errors import ItemsError
from deixis.items.notes import Note
from deixis.items.text import read_text

Row = Mapping[str, str]
_LONGEST_FIELD = 10_000_000


@dataclass(frozen=True, slots=True)
class Table:
    """A CSV as rows, each a mapping from column to text."""

    rows: tuple[Row, ...]
    """The rows in order; row 1 is the first below the header."""
    notes: tuple[Note, ...]
    """What was repaired to read it, and which columns nobody reads."""


def read_table(path: Path, required: Sequence[str], used: Sequence[str] = ()) -> Table:
    """Read a CSV that has the columns ``required``, and perhaps those ``used`` as well.

    A column whose name differs in case, spaces or hyphens only is taken for it and noted; columns that nobody reads
    are noted. Raises :class:`ItemsError` with one line for a file that cannot be used.
    """
    text, notes = read_text(path)
    separator = _separator(text, required)
    if separator != ",":
        notes.append(Note("repaired", f"read with {separator!r} between the fields", path.name))
    reader = _reader(path, text, separator)
    header = reader.fieldnames
    if not header or not text.strip():
        raise ItemsError(f"{str(path)!r} is empty; give a CSV with the columns {', '.join(required)}")
    names = _names(path, header, [*required, *used])
    _check_header(path, header, list(names.values()), required)
    changed = [f"{old.strip()!r} read as {new!r}" for old, new in names.items() if old != new]
    if changed:
        notes.append(Note("repaired", f"columns {', '.join(changed)}", path.name))
    ignored = [repr(name) for name in names.values() if name not in (*required, *used)]
    if ignored:
        notes.append(Note("ignored", f"columns that are not read: {', '.join(ignored)}", path.name))
    rows = tuple({names[column]: value for column, value in row.items()} for row in _rows(path, reader, len(header)))
    if not rows:
        raise ItemsError(f"{str(path)!r} has a header and no rows; give it items")
    return Table(rows, tuple(notes))


def _separator(text: str, required: Sequence[str]) -> str:
    """Return what stands between the fields: a comma, or what spreadsheets write in its place."""
    header = text.partition("\n")[0]
    found = {mark: {_plain(name.strip('"\r')) for name in header.split(mark)} for mark in (",", ";", "\t")}
    wanted = {_plain(name) for name in required}
    return max(found, key=lambda mark: len(found[mark] & wanted))


def _reader(path: Path, text: str, separator: str) -> "csv.DictReader[str]":
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True, delimiter=separator)
    try:
        _ = reader.fieldnames
    except csv.Error as error:
        raise ItemsError(f"{str(path)!r} is not CSV ({error}); save it as CSV in UTF-8") from None
    return reader


def _rows(path: Path, reader: "csv.DictReader[str]", width: int) -> Iterator[Row]:
    try:
        for number, row in enumerate(reader, start=1):
            if None in row or None in row.values():
                raise ItemsError(
                    f"{str(path)!r} row {number} (line {reader.line_num}) has another number of fields "
                    f"than the header's {width}; mend the row"
                )
            yield row
    except csv.Error as error:
        raise ItemsError(f"{str(path)!r} is not CSV ({error}); save it as CSV in UTF-8") from None


def _names(path: Path, header: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Return the column of the file to the column it is read as."""
    plain = {_plain(name): name for name in known}
    taken = {name for name in header if name in known}
    names = {}
    for name in header:
        meant = plain.get(_plain(name), name)
        names[name] = name if name in known or meant in taken else meant
        if names[name] != name:
            taken.add(meant)
    if len(names) < len(header):
        twice = next(name for name in header if list(header).count(name) > 1)
        raise ItemsError(f"{str(path)!r} has the column {twice!r} twice; take one out")
    return names


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).casefold()


def _check_header(path: Path, header: Sequence[str], names: Sequence[str], required: Sequence[str]) -> None:
    missing = [column for column in required if column not in names]
    if missing:
        shown = ", ".join(repr(name[:30]) for name in header[:15]) + (" …" if len(header) > 15 else "")
        raise ItemsError(f"{str(path)!r} lacks the columns {', '.join(missing)}; it has {shown}")
