"""Joining a recruiter's export to a study, by account and submission: who is where, and what is worth keeping.

Prolific's export has a row a submission. A row belongs to a person by participant id and submission id, which is what
``SESSION_ID`` in the link is; a row with a known participant id and another submission is told, never guessed. Written
back are only the columns that are named, under the person's code, never an id. Expired values are empty cells.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from deixis.errors import UsageError
from deixis.study.data.column import Column, Kind, Origin
from deixis.study.data.tables import Row
from deixis.study.database.records import COMPLETE, Person

PID, SESSION, STATUS = "Participant id", "Submission id", "Status"
"""The columns of Prolific's export that are needed."""
EXPIRED = ("DATA_EXPIRED", "CONSENT_REVOKED")
"""What stands where Prolific has deleted a value."""
UNPAID = ("TIMED-OUT", "TIMED OUT", "RETURNED", "REJECTED", "SCREENED OUT")
"""Statuses of submissions that did not count there."""
PAID = ("APPROVED", "AWAITING REVIEW", "PARTIALLY APPROVED")
"""Statuses of submissions that came to the end there."""
NAME = "joined"


@dataclass(frozen=True, slots=True)
class Identified:
    """Who somebody of the study is at the recruiter; nowhere written."""

    code: str
    pid: str
    session: str


@dataclass(frozen=True, slots=True)
class Joined:
    """What came of it."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    """One row a matched person, by ``respondent_id``."""
    mismatches: tuple[str, ...]
    """One line each, with the code and the status there, never an id."""
    expired: int
    """Cells whose value had expired."""


def read_export(path: Path, columns: Sequence[str] = ()) -> list[dict[str, str]]:
    """Return the rows of a recruiter's export; raises :class:`UsageError` where a column is not there."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        rows = list(reader)
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror or error}; name Prolific's export") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{str(path)!r} is no CSV in UTF-8 ({error}); name Prolific's export as it came") from None
    names = list(reader.fieldnames or ())
    missing = next((name for name in (PID, SESSION, STATUS, *columns) if name not in names), None)
    if missing is not None:
        raise UsageError(f"{str(path)!r} has no column {missing!r}; there is {', '.join(names) or 'nothing'}")
    forbidden = next((name for name in columns if name in {PID, SESSION}), None)
    if forbidden is not None:
        raise UsageError(f"{forbidden!r} says who somebody is, and is never written; leave it out of --columns")
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise UsageError(f"{str(path)!r} row {number} has not as many cells as the header; name it as it came")
    return rows


def join(
    study: str,
    people: Iterable[Person],
    identities: Iterable[Identified],
    export: Sequence[dict[str, str]],
    columns: Sequence[str] = (),
) -> Joined:
    """Match a study's people with the rows of an export.

    ``people`` are those who count; somebody without an identity (forgotten, or the study closed) is in no mismatch.
    """
    known = {person.code: person for person in people}
    by_session = {(one.pid, one.session): one.code for one in identities if one.code in known}
    pids = {pid for pid, _ in by_session}
    rows: list[Row] = []
    told: list[str] = []
    expired = 0
    seen: set[str] = set()
    for number, line in enumerate(export, start=2):
        code = by_session.get((line[PID].strip(), line[SESSION].strip()))
        status = line[STATUS].strip().upper()
        if code is None:
            also = ", of somebody who is here with another submission" if line[PID].strip() in pids else ""
            told.append(f"row {number}: {status or 'no status'} there, nobody here{also}")
            continue
        if code in seen:
            told.append(f"row {number}: {code} a second time")
            continue
        seen.add(code)
        told += _differ(known[code], status)
        gone = [name for name in columns if line[name].strip() in EXPIRED]
        expired += len(gone)
        values = {name: line[name].strip() or None for name in columns if name not in gone}
        rows.append({"respondent_id": f"people:{study}/{code}", **{_named(k): v for k, v in values.items()}})
    for code in by_session.values():
        if code not in seen:
            told.append(f"{code}: {known[code].status} here, in no row there")
    return Joined(_columns(columns), tuple(rows), tuple(told), expired)


def _differ(person: Person, status: str) -> list[str]:
    """Say where here and there disagree about whether somebody came to the end."""
    if person.status == COMPLETE and status in UNPAID:
        return [f"{person.code}: complete here, {status} there; the answers are kept"]
    if person.status != COMPLETE and status in PAID:
        return [f"{person.code}: {person.status} here, {status} there; look before you pay"]
    return []


def _columns(names: Sequence[str]) -> tuple[Column, ...]:
    own = (Column("respondent_id", "people:STUDY/CODE"),)
    return (*own, *(Column(_named(name), f"{name!r} in the recruiter's export; empty where expired", Kind.TEXT,
                           Origin.RECORDED) for name in names))  # fmt: skip


def _named(column: str) -> str:
    """Return the name of a column of the export as one of ours."""
    return "prolific_" + "_".join("".join(c if c.isalnum() else " " for c in column.lower()).split())
