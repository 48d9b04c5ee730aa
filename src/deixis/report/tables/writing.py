"""Tables as CSV and Markdown, and as plain rows for a page."""

import csv
import io
import re
from typing import TypedDict

from deixis.report.tables.table import Row, Table

_MARKS = re.compile(r"[\\`*_|~$<>#]")


class Head(TypedDict):
    """The head of a column, for a page."""

    title: str
    alignment: str


class Entry(TypedDict):
    """A cell, for a page."""

    text: str
    alignment: str
    head: bool


class Line(TypedDict):
    """A row, for a page."""

    who: str
    block: str
    first: bool
    cells: list[Entry]


class Plain(TypedDict):
    """A table, for a page: see ``table.html.j2``."""

    id: str
    title: str
    note: list[tuple[str, bool]]
    columns: list[Head]
    rows: list[Line]


def csv_text(table: Table) -> str:
    """Return every value in full precision, one line a row; what is not there is empty."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table.header)
    for row in table.rows:
        writer.writerow(["" if value is None else value for value in table.values(row)])
    return buffer.getvalue()


def note_parts(table: Table) -> list[tuple[str, bool]]:
    """Return the note in pieces, each with whether it is a command."""
    return [(piece, place % 2 == 1) for place, piece in enumerate(table.note.split("`")) if piece]


def markdown(table: Table) -> str:
    """Return a table as GitHub reads it, with its title before and its note behind it."""
    columns = [table.columns[place] for place in table.shown]
    lines = [_line([escaped(column.title) for column in columns])]
    lines.append(_line(["---:" if column.alignment == "right" else ":---" for column in columns]))
    lines += [_line([escaped(text) for text in shown_texts(table, row)]) for row in table.rows]
    note = "".join(f"`{piece}`" if code else escaped(piece) for piece, code in note_parts(table))
    return "\n".join((f"### {escaped(table.title)}", "", *lines, "", note, ""))


def escaped(text: str) -> str:
    """Return a text in which no character means anything to Markdown."""
    found = _MARKS.sub(lambda mark: "\\" + mark[0], re.sub(r"\s+", " ", text).replace("&", "&amp;"))
    return re.sub(r"(?<=\])(?=[(\[:])|(?<=\[)(?=\^)", r"\\", found)


def shown_texts(table: Table, row: Row) -> list[str]:
    """Return the texts of a row that are read."""
    return [row.cells[place].text for place in table.shown]


def plain(table: Table) -> Plain:
    """Return a table for a page, unescaped; ``first`` marks the first row of a block."""
    columns = [table.columns[place] for place in table.shown]
    before = [None, *(row.block for row in table.rows)]
    return {
        "id": table.id,
        "title": table.title,
        "note": note_parts(table),
        "columns": [{"title": column.title, "alignment": column.alignment} for column in columns],
        "rows": [
            {
                "who": row.who,
                "block": row.block,
                "first": row.block != last,
                "cells": [
                    {"text": text, "alignment": column.alignment, "head": column.kind == "head"}
                    for text, column in zip(shown_texts(table, row), columns, strict=True)
                ],
            }
            for row, last in zip(table.rows, before, strict=False)
        ],
    }


def html(table: Table) -> str:
    """Return a table as HTML, everything escaped; the same macro serves any page."""
    from jinja2 import Environment, PackageLoader  # noqa: PLC0415  (takes a while to load)

    environment = Environment(loader=PackageLoader("deixis.report", "tables"), autoescape=True, trim_blocks=True)
    return str(environment.get_template("table.html.j2").module.table(plain(table)))  # type: ignore[attr-defined]


def _line(texts: list[str]) -> str:
    return f"| {' | '.join(texts)} |"
