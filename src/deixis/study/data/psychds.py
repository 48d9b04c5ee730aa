"""A data set in the form of Psych-DS: ``dataset_description.json``, ``data/``, a README, the codebook.

``dataset_description.json`` (JSON-LD, schema.org) names every column of every file in ``variableMeasured``, with its
meaning and units from the codebook; names of data files say what is in them. Our own check of the rules:
:mod:`deixis.study.data.psychds_check`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deixis import __version__
from deixis.study.data.codebook import codebook_csv, codebook_json, distinct
from deixis.study.data.column import Column, Kind
from deixis.study.data.tables import Row, write_csv, write_text

VERSION = "1.5.0"
"""The version of Psych-DS that is followed."""
_CONTEXT = "https://schema.org/"


def write_psychds(
    out: Path,
    name: str,
    tables: Mapping[str, tuple[Sequence[Column], Sequence[Row]]],
    about: str,
    readme: str,
    more: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write a Psych-DS folder, and return its data files.

    ``name`` is what study or run are called, ``tables`` columns and rows by the name of the table, ``about`` the
    description, ``more`` further properties of schema.org, such as ``author``. Tables without a row are left out.
    """
    kept = {table: found for table, found in tables.items() if found[1]} or dict(list(tables.items())[:1])
    columns = {table: found[0] for table, found in kept.items()}
    description = {
        "@context": _CONTEXT,
        "@type": "Dataset",
        "name": name,
        "description": about,
        "schemaVersion": f"Psych-DS {VERSION}",
        **(more or {}),
        "variableMeasured": [_variable(column) for column in distinct(columns.values())],
    }
    files = [out / "data" / file_name(name, table) for table in kept]
    for path, (found, rows) in zip(files, kept.values(), strict=True):
        write_csv(path, found, rows)
    write_text(out / "dataset_description.json", json.dumps(description, indent=1, ensure_ascii=False) + "\n")
    write_text(out / "README.md", readme)
    write_text(out / "CHANGES.md", f"# Changes\n\n* Written by deixis {__version__}.\n")
    write_text(out / "documentation" / "codebook.csv", codebook_csv(columns))
    write_text(out / "documentation" / "codebook.json", codebook_json(columns))
    return files


def file_name(name: str, table: str) -> str:
    """Return the name of a data file; hyphens and whatever else a value cannot have are left out."""
    plain = re.sub(r"[^a-zA-Z0-9]", "", name) or "study"
    return f"study-{plain}_description-{re.sub(r'[^a-zA-Z0-9]', '', table)}_data.csv"


def _variable(column: Column) -> dict[str, Any]:
    entry: dict[str, Any] = {"@type": "PropertyValue", "name": column.name, "description": column.meaning}
    if column.units:
        entry["unitText"] = column.units
    if column.levels and column.kind is Kind.TEXT:
        entry["valueReference"] = list(column.levels)
    entry["measurementTechnique"] = column.origin.value
    return entry
