"""The codebook: what each column of each table means, made from the definition that makes the table."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from deixis.study.data.column import Column
from deixis.study.data.columns import ABOUT

ENTRIES = ("table", "name", "meaning", "type", "units", "origin", "levels")
"""What is said of a column."""
BETWEEN = " | "
"""Stands between levels in the CSV."""
_ORIGINS = {
    "asked": "it belongs to the design, and was so before anybody answered",
    "recorded": "it was given or measured",
    "derived": "it is worked out from the two others",
}


def codebook_csv(tables: Mapping[str, Sequence[Column]]) -> str:
    """Return the codebook as CSV, one line a column of a table."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(ENTRIES)
    for table, columns in tables.items():
        for column in columns:
            entry = _entry(column)
            writer.writerow([table, *(entry[name] for name in ENTRIES[1:-1]), BETWEEN.join(column.levels)])
    return buffer.getvalue()


def codebook_json(tables: Mapping[str, Sequence[Column]]) -> str:
    """Return the codebook as JSON: tables with their columns, and what the origins mean."""
    written = {
        "origins": _ORIGINS,
        "tables": {
            name: {"about": ABOUT.get(name, ""), "columns": [_entry(column) for column in columns]}
            for name, columns in tables.items()
        },
    }
    return json.dumps(written, indent=1, ensure_ascii=False) + "\n"


def distinct(tables: Iterable[Sequence[Column]]) -> list[Column]:
    """Return every column once, by name, the first that has it."""
    found: dict[str, Column] = {}
    for columns in tables:
        for column in columns:
            found.setdefault(column.name, column)
    return list(found.values())


def _entry(column: Column) -> dict[str, Any]:
    return {
        "name": column.name,
        "meaning": column.meaning,
        "type": column.kind.value,
        "units": column.units,
        "origin": column.origin.value,
        "levels": list(column.levels),
    }
