"""A table as a record: what is read in its cells, and the numbers behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Value = str | int | float | None
"""What stands behind a cell; ``None`` where there is nothing."""
Kind = Literal["head", "text", "number"]
"""What a column holds: ``head`` says what its row is about."""
Who = Literal["model", "people", "reference", "ceiling", "published"]
"""Whose numbers a row holds."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    title: str
    """Its heading; a column without one stands in the CSV file alone."""
    keys: tuple[str, ...]
    """What each value of its cells is called in the CSV file; the first is the name of the column."""
    kind: Kind = "number"
    """What it holds."""

    @property
    def alignment(self) -> Literal["left", "right"]:
        """Numbers stand on the right, all else on the left."""
        return "right" if self.kind == "number" else "left"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell."""

    text: str
    """What is read, not yet escaped."""
    values: tuple[Value, ...]
    """The numbers behind it in full precision, one for each key of its column."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row."""

    who: Who
    """Whose numbers they are."""
    block: str
    """Rows of different blocks are set apart: a protocol, or the paper."""
    cells: tuple[Cell, ...]
    """One for each column."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table."""

    id: str
    """Such as ``table4``; names its files and its label."""
    title: str
    """What it shows."""
    note: str
    """How to read it, and what is not there; what stands between two backticks is a command."""
    columns: tuple[Column, ...]
    """Its columns."""
    rows: tuple[Row, ...]
    """Its rows."""

    @property
    def shown(self) -> tuple[int, ...]:
        """The places of the columns that are read."""
        return tuple(place for place, column in enumerate(self.columns) if column.title)

    @property
    def header(self) -> tuple[str, ...]:
        """What every value of a row is called, CSV columns included."""
        return ("block", "who", *(key for column in self.columns for key in column.keys))

    def values(self, row: Row) -> tuple[Value, ...]:
        """Return every value of a row, in the order of :attr:`header`."""
        return (row.block, row.who, *(value for cell in row.cells for value in cell.values))


def row(columns: Sequence[Column], who: Who, block: str, cells: Mapping[str, Cell]) -> Row:
    """Return a row from cells by the names of their columns; a column that is not named stays empty.

    Raises :class:`KeyError` for a name that no column has, and :class:`ValueError` for a cell whose values do not fit.
    """
    left = dict(cells)
    found = [left.pop(column.keys[0], Cell("", (None,) * len(column.keys))) for column in columns]
    if left:
        raise KeyError(", ".join(left))
    for column, cell in zip(columns, found, strict=True):
        if len(cell.values) != len(column.keys):
            raise ValueError(f"{len(cell.values)} values in column {column.keys[0]}, which takes {len(column.keys)}")
    return Row(who, block, tuple(found))
