"""Reading and writing files of items: a CSV in the published format, or our own JSON Lines, one item a line."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from deixis.errors import ItemsError
from deixis.items.cells import INDEXICALS, MARKS, PRIMES, READINGS, SENTENCE_TYPES
from deixis.items.naming import same_answer
from deixis.items.notes import Note
from deixis.items.published import as_csv, read_published
from deixis.items.text import read_text
from deixis.records import Cell, Item

JSON_LINES = (".jsonl", ".ndjson")
"""Suffixes of our own format."""


def read_items(path: Path, *, mend: bool) -> tuple[list[Item], list[Note]]:
    """Return the items of ``path`` and what was found about them; the suffix tells our own format from CSV."""
    if path.suffix.lower() in JSON_LINES:
        return _read_jsonl(path)
    return read_published(path, mend=mend)


def item_lines(items: Iterable[Item]) -> Iterator[str]:
    """Yield each item as a line of JSON."""
    return (json.dumps(asdict(item), ensure_ascii=False) for item in items)


def write_items(path: Path, items: Iterable[Item], *, anew: bool = False) -> None:
    """Write items as JSON Lines, or as CSV with the published columns; the suffix decides.

    ``anew`` refuses to write over a file. Raises :class:`ItemsError` for another suffix, or where nothing can be
    written.
    """
    kind = path.suffix.lower()
    if kind not in (".jsonl", ".csv"):
        raise ItemsError(f"cannot write items to {str(path)!r}; the name must end in .jsonl or .csv")
    if anew and path.exists():
        raise ItemsError(f"{str(path)!r} is there already; name another file or take it away")
    text = as_csv(items) if kind == ".csv" else "".join(f"{line}\n" for line in item_lines(items))
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise ItemsError(f"cannot write {str(path)!r}: {error.strerror}; name another file") from None


def _read_jsonl(path: Path) -> tuple[list[Item], list[Note]]:
    text, notes = read_text(path)
    items: dict[str, Item] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{str(path)!r} line {number}"
        try:
            item = item_of(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise ItemsError(f"{where} is not an item ({_why(error)}); see docs/items.md") from None
        _check(where, item)
        if item.id in items:
            raise ItemsError(f"{where} repeats the item {item.id!r}; give each item its own id")
        items[item.id] = item
    if not items:
        raise ItemsError(f"{str(path)!r} is empty; give it items, one a line")
    return list(items.values()), notes


def _why(error: Exception) -> str:
    return f"no field {error}" if isinstance(error, KeyError) else str(error)


def item_of(entry: dict[str, Any]) -> Item:
    """Build an item from the fields of one line; raises what a missing or wrong field raises."""
    cells = tuple(
        Cell(
            _text(cell, "sentence_type"),
            _text(cell, "context_prime"),
            _text(cell, "passage"),
            _text(cell, "sentence"),
            _text({"marks": "plain", **cell}, "marks"),
        )
        for cell in entry["cells"]
    )
    return Item(
        id=_text(entry, "id"),
        indexical=_text(entry, "indexical"),
        number=int(entry["number"]),
        gender=_text(entry, "gender"),
        roles={role: _text(entry["roles"], role) for role in entry["roles"]},
        question=_text(entry, "question"),
        options={reading: _text(entry["options"], reading) for reading in READINGS},
        cells=cells,
    )


def _text(entry: Mapping[str, Any], field: str) -> str:
    found = entry[field]
    if not isinstance(found, str):
        raise TypeError(f"{field} is {found!r}, not text")
    found.encode()  # half a character, which no file can hold, is a ValueError
    return found


def _check(where: str, item: Item) -> None:
    levels: list[tuple[str, str, tuple[str, ...]]] = [("indexical", item.indexical, INDEXICALS)]
    for cell in item.cells:
        levels.append(("sentence_type", cell.sentence_type, SENTENCE_TYPES))
        levels.append(("context_prime", cell.context_prime, PRIMES))
        levels.append(("marks", cell.marks, MARKS))
    for column, value, known in levels:
        if value not in known:
            raise ItemsError(f"{where} has {column} {value!r}; it must be one of {', '.join(known)}")
    blank = [name for name, text in {"question": item.question, **item.options}.items() if not text.strip()]
    if blank:
        raise ItemsError(f"{where} has nothing in {', '.join(blank)}; fill it in or take the line out")
    if same_answer(item.options["shifted"], item.options["non-shifted"]):
        raise ItemsError(f"{where} offers {item.options['shifted']!r} twice; the two options must differ")
    crossed = {(cell.sentence_type, cell.context_prime, cell.marks) for cell in item.cells}
    if len(crossed) < len(item.cells) or not crossed:
        raise ItemsError(f"{where} has {len(item.cells)} cells of {len(crossed)} kinds; each kind stands once")
    for cell in item.cells:
        if not cell.sentence or not cell.passage.endswith(cell.sentence):
            raise ItemsError(f"{where} has a passage that does not end in its sentence {cell.sentence[:40]!r}")
