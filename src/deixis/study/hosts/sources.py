"""Result files as objects, whatever they came in: lines of JSON, one JSON list, CSV, or a ZIP of such files.

Every object comes with its place (file and line), so that what is damaged can be named.
"""

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis.errors import UsageError

_ZIPPED = (".zip", ".jrzip", ".jzip")
_INSIDE = (".txt", ".json", ".jsonl", ".csv")
_TEXTS = ("key", "input", "motion", "code", "arm", "study", "design_sha256", "started", "type", "server_at", "phase")
"""What stays a text, even where it looks like a number."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One object of a result file, or what is there instead."""

    where: str
    """File and line."""
    value: Mapping[str, Any] | None
    """Nothing where the line is damaged."""
    text: str = ""
    """How the damaged line begins."""


def entries(path: Path) -> Iterator[list[Entry]]:
    """Yield the entries of each text in a file: of itself, or of each file in a ZIP.

    Raises :class:`UsageError` where it cannot be read, or holds neither lines of JSON nor CSV.
    """
    try:
        if path.suffix.lower() in _ZIPPED:
            with zipfile.ZipFile(path) as archive:
                for name in sorted(archive.namelist()):
                    if Path(name).suffix.lower() in _INSIDE and Path(name).name != "metadata.json":
                        yield _read(f"{path}/{name}", archive.read(name))
        else:
            yield _read(str(path), path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror or error}; name a file of results") from None
    except zipfile.BadZipFile:
        raise UsageError(f"{str(path)!r} is no ZIP, or a damaged one; download it again") from None


def _read(name: str, data: bytes) -> list[Entry]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError(f"{name!r} line {line} is no UTF-8 text; give the file as the host wrote it") from None
    start = text.lstrip()[:1]
    if start == "[":
        return _list(name, text)
    if start in {"{", ""}:
        return list(_lines(name, text))
    return list(_table(name, text))


def _list(name: str, text: str) -> list[Entry]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{name!r} is damaged ({error}); download it again") from None
    return [
        Entry(f"{name} entry {number}", one if isinstance(one, dict) else None, str(one)[:40])
        for number, one in enumerate(found, start=1)
    ]


def _lines(name: str, text: str) -> Iterator[Entry]:
    """Yield the objects of each line; two that stand on one line, as where results were put together, are two."""
    decoder = json.JSONDecoder()
    for number, line in enumerate(text.split("\n"), start=1):
        rest = line.strip()
        while rest:
            try:
                value, end = decoder.raw_decode(rest)
            except (ValueError, RecursionError):
                value, end = None, len(rest)
            yield Entry(f"{name} line {number}", value if isinstance(value, dict) else None, rest[:40])
            rest = rest[end:].strip()


def _table(name: str, text: str) -> Iterator[Entry]:
    reader = csv.reader(io.StringIO(text, newline=""))
    names: list[str] = []
    try:
        for cells in reader:
            where = f"{name} line {reader.line_num}"
            if not names:
                names = cells
                if not {"key", "type", "code"} <= set(names):
                    raise UsageError(f"{name!r} has no columns key, type and code; it is no file of results")
            elif cells and len(cells) != len(names):
                yield Entry(where, None, ",".join(cells)[:40])
            elif cells:
                yield Entry(where, {column: _cell(column, cell) for column, cell in zip(names, cells, strict=True)})
    except csv.Error as error:
        raise UsageError(f"{name!r} line {reader.line_num} is no CSV ({error}); download it again") from None


def _cell(column: str, text: str) -> Any:
    """Return a cell of CSV as the value that it was."""
    if text in {"", "null"}:
        return None
    if column in _TEXTS:
        return text.strip('"')
    try:
        return json.loads(text)
    except ValueError:
        return text
