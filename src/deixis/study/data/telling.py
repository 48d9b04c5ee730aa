"""What export and join do with a study's folder, and what they say of it."""

from collections.abc import Sequence
from pathlib import Path

from deixis.store import RunFolder
from deixis.study.data.columns import TABLES
from deixis.study.data.dataset import Tables, tables_of
from deixis.study.data.exporting import write_data
from deixis.study.data.flow import flow_json
from deixis.study.data.gathering import Gathering
from deixis.study.data.join import NAME, Identified, join, read_export
from deixis.study.data.opening import gathered, joined_table, open_existing
from deixis.study.data.rows import rows_of_run
from deixis.study.data.runfolder import invitation, write_run
from deixis.study.data.tables import write_csv
from deixis.study.database import reading
from deixis.study.folder import open_study
from deixis.study.hosts.packing import pack


def data_written(place: Path, to: str, out: Path, database: str | None, mode: str) -> list[str]:
    """Write the data of a study, or of a run, and say what was written and whom it lacks."""
    run = RunFolder(place)
    if run.designs():
        answers, ratings = rows_of_run(run)
        tables: Tables = {
            "answers": (TABLES["answers"], answers),
            **({"ratings": (TABLES["ratings"], ratings)} if ratings else {}),
        }
        name = place.resolve().name
        about = f"Answers of the run {name}: {', '.join(run.designs())}, without reference participants."
        return _told(write_data(to, out, name, about, tables), tables)
    study = open_study(place)
    found = gathered(study, database, mode)
    tables = {**tables_of(found), **joined_table(study, found)}
    about = (
        f"The study {study.plan.id} ({study.plan.design.name}, {study.plan.protocol}): {study.plan.title}. "
        f"Answers of {found.mode} people to the design {study.manifest.design_sha256}."
    )
    files = write_data(to, out, study.plan.id, about, tables, {"flow.json": flow_json(found)})
    return [*_told(files, tables), *_aside(found)]


def run_written(place: Path, out: Path, database: str | None, mode: str, *, with_excluded: bool) -> list[str]:
    """Write a study's people into a run folder, and say who is not in it and how models come beside them."""
    found = gathered(open_study(place), database, mode)
    written = write_run(found, out, with_excluded=with_excluded)
    lines = [f"{out}: {written.people} people, {written.answers} answers ({', '.join(written.designs)})"]
    lines += [f"left out: {who}: {reason}" for who, reason in written.left_out]
    if found.excluded and with_excluded:
        lines.append(f"{len(found.excluded)} of them are left out by a declared rule (in their signature: excluded)")
    models = invitation(found, out)
    lines += [f"models beside them: {models}"] if models else []
    return [*lines, f"report: deixis report {out}", *_aside(found)]


def packed(place: Path, host: str, out: Path, experiment: str) -> list[str]:
    """Write the package of a study for another host, and say where it is and which design it holds."""
    study = open_study(place)
    written = pack(study, host, out, experiment)
    return [
        f"{written}: design {study.manifest.design_sha256}",
        f"answers come back by: deixis study import {place} FILES",
        "what you lose against 'deixis study serve' stands in its README",
    ]


def joined(place: Path, export: Path, columns: Sequence[str], database: str | None) -> list[str]:
    """Join a recruiter's export, keep the columns named, and say what does not match."""
    study = open_study(place)
    rows = read_export(export, columns)
    opened = open_existing(study, database)
    try:
        everybody = [person for person in opened.read(reading.people) if person.mode == "live"]
        identities = [Identified(code, pid, session) for code, _, pid, session in opened.read(reading.identities)]
    finally:
        opened.close()
    found = join(study.plan.id, everybody, identities, rows, columns)
    lines = [f"matched: {len(found.rows)} of {len(rows)} submissions, {len(everybody)} people here"]
    if not identities:
        lines.append("nobody here has an identity any more: the study was closed, or people came without Prolific")
    lines += [f"mismatch: {line}" for line in found.mismatches]
    if columns:
        write_csv(study.folder / f"{NAME}.csv", found.columns, found.rows)
        lines.append(f"kept in {study.folder / f'{NAME}.csv'}: {', '.join(columns)} ({found.expired} values expired)")
    return lines


def _told(files: Sequence[str], tables: Tables) -> list[str]:
    kept = [(name, rows) for name, (_, rows) in tables.items() if rows or name == "answers"]
    return [f"{file}: {len(rows)} rows" for file, (_, rows) in zip(files, kept, strict=False)]


def _aside(found: Gathering) -> list[str]:
    lines = [f"not counted: {many} {mode} people" for mode, many in found.aside.items()]
    if found.excluded:
        lines.insert(0, f"excluded by declared rules: {len(found.excluded)} of {len(found.people)} (excluded_reason)")
    return lines
