"""A study's folder and database, opened to be read: what export and join begin with."""

import csv
from pathlib import Path

from deixis.errors import UsageError
from deixis.study.data.column import Column
from deixis.study.data.dataset import Tables
from deixis.study.data.gathering import Gathering, gather
from deixis.study.data.join import NAME
from deixis.study.data.tables import Row
from deixis.study.database import reading
from deixis.study.database.connection import Connection
from deixis.study.database.opening import Database, is_url, open_database
from deixis.study.database.records import WITHDRAWN, Person, StoredAnswer
from deixis.study.folder import Study


def open_existing(study: Study, where: str | None) -> Database:
    """Open a study's database; raises :class:`UsageError` where there is none, or that of another study or design."""
    name = where or str(study.folder / "study.db")
    if not is_url(name) and not Path(name).is_file():
        raise UsageError(
            f"no database {name!r}; 'deixis study serve' makes it; --database names another, such as STUDY/simulated.db"
        )
    database = open_database(name)
    launched = database.read(reading.launched)
    own = (study.plan.id, study.manifest.design_sha256)
    if launched is not None and (launched.id, launched.design_sha256) != own:
        database.close()
        raise UsageError(
            f"the database {name!r} holds {launched.id!r}, design {launched.design_sha256[:12]}, and the folder is "
            f"{own[0]!r}, design {own[1][:12]}; restore the folder as it was at launch"
        )
    return database


def gathered(study: Study, where: str | None, mode: str = "") -> Gathering:
    """Return everything that a study's database holds, at one moment."""
    database = open_existing(study, where)

    def everything(connection: Connection) -> tuple[list[Person], list[StoredAnswer]]:
        return reading.people(connection), reading.answers(connection)

    try:
        people, answers = database.read(everything)
    finally:
        database.close()
    known = {person.code for person in people}
    return gather(study.plan, study.manifest, people, [one for one in answers if one.person in known], mode)


def joined_table(study: Study, found: Gathering) -> Tables:
    """Return what ``deixis study join`` kept, of people who are still there and did not withdraw; empty without it."""
    path = study.folder / f"{NAME}.csv"
    if not path.is_file():
        return {}
    there = {f"people:{found.plan.id}/{one.person.code}" for one in found.people if one.person.status != WITHDRAWN}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            names = list(reader.fieldnames or ())
            rows: list[Row] = [
                {name: row[name] or None for name in names} for row in reader if row.get("respondent_id") in there
            ]
    except (OSError, UnicodeDecodeError, csv.Error, KeyError) as error:
        raise UsageError(f"cannot read {str(path)!r} ({error}); join again, or take it away") from None
    about = {"respondent_id": "people:STUDY/CODE"}
    columns = tuple(
        Column(name, about.get(name, f"{name.removeprefix('prolific_')} in Prolific's export; empty where expired"))
        for name in names
    )
    return {NAME: (columns, rows)}
