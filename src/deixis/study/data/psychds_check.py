"""A check of the rules of Psych-DS 1.5.0 (psych-ds.github.io), as far as they can be broken in a folder of CSV files.

The rules were read in the schema of the standard; :data:`RULES` has them under the standard's own codes. What its
validator says of single properties of schema.org is not checked.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

NAME = re.compile(r"([a-z]+-[a-zA-Z0-9]+)(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv")
"""What the name of a data file looks like."""
_REQUIRED = ("name", "description", "variableMeasured")
_KEYWORDS = ("study", "site", "subject", "session", "task", "condition", "trial", "stimulus", "description")
RULES: Mapping[str, str] = {
    "MISSING_DATASET_DESCRIPTION": "there is dataset_description.json",
    "JSON_INVALID": "it is JSON in UTF-8",
    "UNKNOWN_NAMESPACE": "its @context is schema.org",
    "INCORRECT_DATASET_TYPE": "its @type is Dataset",
    "JSON_KEY_REQUIRED": "it has name, description and variableMeasured",
    "MISSING_DATAFILE": "there is a data file in data/",
    "FILENAME_KEYWORD_FORMATTING_ERROR": "names of data files are keyword-value pairs that end with _data.csv",
    "FILENAME_UNOFFICIAL_KEYWORD_WARNING": "keywords are those of the standard",
    "CSV_FORMATTING_ERROR": "data files are CSV in UTF-8",
    "CSV_HEADER_MISSING": "data files have a header, no name twice or empty",
    "CSV_HEADER_LENGTH_MISMATCH": "each row has as many cells as the header",
    "CSV_COLUMN_MISSING_FROM_METADATA": "every column is in variableMeasured",
    "VARIABLE_MISSING_FROM_CSV_COLUMNS": "every variable is a column of some file",
    "ROWID_VALUES_NOT_UNIQUE": "a column row_id has no value twice",
    "MISSING_README_DOC": "there is a README",
    "MISSING_CHANGES_DOC": "there is CHANGES",
}
"""Code of a rule, as the standard names it, to what it asks."""


def check_psychds(folder: Path) -> list[str]:
    """Return what breaks a rule, one line each that begins with its code; what is a warning says so."""
    found = list(_description_faults(folder))
    variables = _variables(folder)
    files = sorted(path for path in (folder / "data").rglob("*") if path.is_file())
    if not any(NAME.fullmatch(path.name) for path in files):
        found.append(_fault("MISSING_DATAFILE", folder / "data"))
    seen: set[str] = set()
    for path in files:
        if not NAME.fullmatch(path.name):
            found.append(_fault("FILENAME_KEYWORD_FORMATTING_ERROR", path))
            continue
        strange = [pair.partition("-")[0] for pair in path.name.removesuffix("_data.csv").split("_")]
        found += [
            _fault("FILENAME_UNOFFICIAL_KEYWORD_WARNING", path, f"{one!r} (warning)")
            for one in strange
            if one not in _KEYWORDS
        ]
        found += _file_faults(path, variables, seen)
    found += [_fault("VARIABLE_MISSING_FROM_CSV_COLUMNS", folder, repr(name)) for name in variables if name not in seen]
    for stem, code in (("README", "MISSING_README_DOC"), ("CHANGES", "MISSING_CHANGES_DOC")):
        if not any((folder / f"{stem}{end}").is_file() for end in (".md", ".txt")):
            found.append(_fault(code, folder, "(warning)"))
    return found


def _description(folder: Path) -> Any:
    return json.loads((folder / "dataset_description.json").read_text(encoding="utf-8"))


def _variables(folder: Path) -> list[str]:
    try:
        measured = _description(folder)["variableMeasured"]
        return [one["name"] if isinstance(one, dict) else str(one) for one in measured]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _description_faults(folder: Path) -> Iterator[str]:
    path = folder / "dataset_description.json"
    try:
        found = _description(folder)
    except OSError:
        yield _fault("MISSING_DATASET_DESCRIPTION", path)
        return
    except ValueError as error:
        yield _fault("JSON_INVALID", path, str(error))
        return
    if not isinstance(found, dict):
        yield _fault("JSON_INVALID", path, "no object")
        return
    if str(found.get("@context", "")).rstrip("/") not in {"https://schema.org", "http://schema.org"}:
        yield _fault("UNKNOWN_NAMESPACE", path)
    if found.get("@type") not in {"Dataset", "https://schema.org/Dataset", "http://schema.org/Dataset"}:
        yield _fault("INCORRECT_DATASET_TYPE", path)
    for key in _REQUIRED:
        if not found.get(key):
            yield _fault("JSON_KEY_REQUIRED", path, repr(key))


def _file_faults(path: Path, variables: Sequence[str], seen: set[str]) -> Iterator[str]:
    """Yield the faults of one data file; its columns are added to ``seen``."""
    try:
        lines = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline=""), strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        yield _fault("CSV_FORMATTING_ERROR", path, str(error))
        return
    names = lines[0] if lines else []
    if not names or not all(names) or len(set(names)) != len(names):
        yield _fault("CSV_HEADER_MISSING", path)
    seen.update(names)
    yield from (_fault("CSV_COLUMN_MISSING_FROM_METADATA", path, repr(one)) for one in names if one not in variables)
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(names):
            yield _fault("CSV_HEADER_LENGTH_MISMATCH", path, f"row {number}")
    if "row_id" in names:
        ids = [line[names.index("row_id")] for line in lines[1:] if len(line) == len(names)]
        if len(set(ids)) != len(ids):
            yield _fault("ROWID_VALUES_NOT_UNIQUE", path)


def _fault(code: str, path: Path, detail: str = "") -> str:
    return f"{code}: {str(path)!r}{f' {detail}' if detail else ''}; the rule: {RULES[code]}"
