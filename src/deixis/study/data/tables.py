"""Tables as files: CSV and Parquet, the same cells in both."""

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from deixis.errors import StoreError
from deixis.study.data.column import Column, Kind, Value

Row = Mapping[str, Value]
"""Name of a column to what stands in its cell; what is not named is empty."""


def header(columns: Iterable[Column]) -> list[str]:
    """Return the names of columns."""
    return [column.name for column in columns]


def cell(value: Value) -> str:
    """Return a cell as CSV has it: nothing for ``None``, ``true`` and ``false``, numbers without needless digits."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)


def write_csv(path: Path, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """Write a table as CSV: UTF-8, a header, a comma between cells, one line feed after each row."""
    names = header(columns)
    part = _part(path)
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(names)
            writer.writerows([cell(row.get(name)) for name in names] for row in rows)
        part.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from None


def write_parquet(path: Path, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """Write a table as Parquet, each column with the type that its definition says."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    types: Mapping[Kind, Any] = {Kind.WHOLE: pa.int64(), Kind.NUMBER: pa.float64(), Kind.FLAG: pa.bool_()}
    kept = list(rows)
    schema = pa.schema([pa.field(column.name, types.get(column.kind, pa.string())) for column in columns])
    table = pa.table({column.name: [row.get(column.name) for row in kept] for column in columns}, schema=schema)
    part = _part(path)
    try:
        pq.write_table(table, part)
        part.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from None


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = _part(path)
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path, error: OSError) -> StoreError:
    """Return what to say where a file cannot be written."""
    return StoreError(f"cannot write {str(path)!r}: {error.strerror or error}; name another place with --out")


def _part(path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None
    return path.with_name(path.name + ".part")
