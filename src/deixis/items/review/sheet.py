"""Sheets: a CSV that a reviewer fills in, the key that says which question each row is, and reading both back."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from deixis.errors import ItemsError
from deixis.items.notes import Note
from deixis.items.review.sample import Case
from deixis.items.table import Row, read_table

SHOWN = ("review_id", "context", "question", "option_1", "option_2", "last_sentence", "other_version")
JUDGED = ("leaning", "grammatical", "pair_minimal")
COLUMNS = (*SHOWN, *JUDGED, "comment")
KEY = "key.json"
_YES = {"yes": "yes", "y": "yes", "true": "yes", "no": "no", "n": "no", "false": "no"}
_LEANING = {"1": "1", "2": "2", "0": "0", "neither": "0", "none": "0"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one reviewer says about one question."""

    question_id: str
    """The question, by its id in its file."""
    indexical: str
    """Its indexical."""
    prime: str
    """The reading that its context is meant to make tempting."""
    leaning: str
    """The reading that the reviewer leans to from the context alone, ``neither``, or nothing if left open."""
    grammatical: str
    """``yes``, ``no``, or nothing."""
    pair_minimal: str
    """Whether the pair differs in quotation, *that* and tense only: ``yes``, ``no``, or nothing."""
    comment: str
    """In the reviewer's words."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet read back."""

    reviewer: str
    """The name of its file."""
    judgements: tuple[Judgement, ...]
    """One a row, in the order of the key."""
    notes: tuple[str, ...]
    """What was repaired, and what is still open."""


def write_sheet(cases: Sequence[Case], folder: Path, source: str) -> list[Path]:
    """Write ``sheet.csv``, ``review.html`` and the key into ``folder``; refuses to write over a sheet that is there."""
    sheet, page, key = folder / "sheet.csv", folder / "review.html", folder / KEY
    if key.exists() or sheet.exists():
        raise ItemsError(f"{str(folder)!r} holds a review already; name another folder with --out")
    rows = [_row(case) for case in cases]
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    entries = {
        case.id: {
            "question": case.question.row,
            "indexical": case.question.indexical,
            "prime": case.question.context_prime,
            "options": list(case.order),
        }
        for case in cases
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        key.write_text(json.dumps({"source": source, "rows": entries}, indent=1) + "\n", encoding="utf-8")
        sheet.write_text(buffer.getvalue(), encoding="utf-8")
        page.write_text(_page(rows), encoding="utf-8")
    except OSError as error:
        raise ItemsError(f"cannot write into {str(folder)!r}: {error.strerror}; name another with --out") from None
    return [sheet, page, key]


def read_sheet(path: Path) -> Sheet:
    """Read a filled sheet; its key lies beside it.

    What is left open is counted and said. Raises :class:`ItemsError` for a value, an id or a column that the sheet
    cannot have.
    """
    table = read_table(path, ("review_id", *JUDGED), (*SHOWN, "comment"))
    key = _key(path.parent / KEY)
    rows: dict[str, Row] = {}
    for number, row in enumerate(table.rows, start=1):
        if not any(value.strip() for value in row.values()):
            continue
        where = f"{str(path)!r} row {number}"
        name = row["review_id"].strip()
        if name not in key:
            raise ItemsError(
                f"{where} has the review_id {name!r}, which its key does not know; it is a sheet of another "
                "review, or the column was changed"
            )
        if name in rows:
            raise ItemsError(f"{where} repeats the review_id {name!r}; take one out")
        rows[name] = row
    judgements = tuple(_judgement(path, name, entry, rows.get(name, {})) for name, entry in key.items())
    return Sheet(path.stem, judgements, (*_told(table.notes), *_open(judgements, len(key) - len(rows))))


def read_sheets(paths: Sequence[Path]) -> list[Sheet]:
    """Read several sheets; raises :class:`ItemsError` where they are not of one review, or one is given twice."""
    places = [path.resolve() for path in paths]
    twice = next((path for path in paths if places.count(path.resolve()) > 1), None)
    if twice is not None:
        raise ItemsError(f"{str(twice)!r} is given twice; two readings need two sheets")
    sheets = [read_sheet(path) for path in paths]
    first, *others = [[judgement.question_id for judgement in sheet.judgements] for sheet in sheets]
    for path, ids in zip(paths[1:], others, strict=True):
        if ids != first:
            raise ItemsError(f"{str(path)!r} is of another review than {str(paths[0])!r}; read them apart")
    return sheets


def _row(case: Case) -> dict[str, str]:
    question = case.question
    return {
        "review_id": case.id,
        "context": question.context,
        "question": question.question,
        "option_1": question.options[case.order[0]],
        "option_2": question.options[case.order[1]],
        "last_sentence": question.sentence,
        "other_version": case.partner,
    }


def _page(rows: Sequence[Mapping[str, str]]) -> str:
    import jinja2  # noqa: PLC0415  (heavy)

    text = files("deixis.items.review").joinpath("page.html.j2").read_text(encoding="utf-8")
    review = sha256(json.dumps(rows).encode()).hexdigest()[:16]
    data = json.dumps({"review": review, "columns": COLUMNS, "rows": rows}, ensure_ascii=True)
    data = data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return jinja2.Environment(autoescape=True).from_string(text).render(data=data)


def _key(path: Path) -> dict[str, dict[str, Any]]:
    try:
        found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["rows"]
        whole = all({"question", "indexical", "prime"} <= set(e) and len(e["options"]) == 2 for e in found.values())
    except FileNotFoundError:
        raise ItemsError(f"no {str(path)!r}; put the sheet into the folder that 'deixis items review' wrote") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ItemsError(f"cannot read {str(path)!r} ({error}); write the review anew with --out") from None
    if not whole:
        raise ItemsError(f"{str(path)!r} lacks parts of an entry; write the review anew with --out")
    return found


def _judgement(path: Path, name: str, entry: Mapping[str, Any], row: Row) -> Judgement:
    def value(column: str, known: Mapping[str, str]) -> str:
        given = row.get(column, "").strip().casefold().removesuffix(".0")
        if given and given not in known:
            raise ItemsError(
                f"{str(path)!r} has {row[column]!r} in {column} of {name}; write one of {', '.join(known)}, or nothing"
            )
        return known.get(given, "")

    leaning = value("leaning", _LEANING)
    readings = {"": "", "0": "neither", "1": entry["options"][0], "2": entry["options"][1]}
    return Judgement(
        question_id=entry["question"],
        indexical=entry["indexical"],
        prime=entry["prime"],
        leaning=readings[leaning],
        grammatical=value("grammatical", _YES),
        pair_minimal=value("pair_minimal", _YES),
        comment=row.get("comment", "").strip(),
    )


def _told(notes: Sequence[Note]) -> list[str]:
    return [f"{note.kind}: {note.fault}" for note in notes]


def _open(judgements: Sequence[Judgement], missing: int) -> list[str]:
    told = [f"{missing} rows of the key are not in the sheet; they count as not read"] if missing else []
    for column in JUDGED:
        blank = sum(not getattr(judgement, column) for judgement in judgements) - missing
        if blank:
            told.append(f"{column} is left open in {blank} of {len(judgements)} rows; they count as not read")
    return told
