"""Write tables into a folder: CSV for programs, LaTeX for a paper, Markdown for reading."""

from collections.abc import Iterable
from pathlib import Path

from deixis.errors import StoreError
from deixis.report.tables.latex import latex
from deixis.report.tables.table import Table
from deixis.report.tables.writing import csv_text, markdown

_WRITERS = {"csv": csv_text, "tex": latex, "md": markdown}


def write_tables(tables: Iterable[Table], folder: Path) -> list[Path]:
    """Write each table as CSV, LaTeX and Markdown under ``folder/tables``; return the paths.

    Raises :class:`StoreError` where the folder cannot be written.
    """
    written = []
    try:
        (folder / "tables").mkdir(parents=True, exist_ok=True)
        for table in tables:
            for ending, text in _WRITERS.items():
                path = folder / "tables" / f"{table.id}.{ending}"
                path.write_text(text(table), encoding="utf-8")
                written.append(path)
    except OSError as error:
        raise StoreError(f"cannot write into {str(folder)!r}: {error.strerror or error}; name another folder") from None
    return written
