"""Result files of another host into a study's database, in one change: all of them, or nothing."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deixis.study.database.connection import Connection
from deixis.study.database.opening import Database
from deixis.study.database.people import launch
from deixis.study.database.records import Launched
from deixis.study.folder import Study
from deixis.study.hosts.reading import read_results
from deixis.study.hosts.taking import Taken, take_in
from deixis.study.practice import checks_right
from deixis.study.server.timeline import Course


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import."""

    taken: Taken
    damaged: tuple[str, ...]
    """What could not be taken, each with its place; everything else was."""


def import_results(study: Study, database: Database, paths: Sequence[Path]) -> Imported:
    """Take result files into the database; a study that was never served is launched by it.

    Raises :class:`~deixis.errors.UsageError`, with nothing changed, where a file cannot be read or belongs to another
    study or design, or the database does.
    """
    found = read_results(paths, study.manifest)
    course = Course(study.plan, study.manifest, checks_right(study.plan))
    now = database.now
    declared = Launched(
        study.plan.id,
        study.manifest.design_sha256,
        json.dumps(study.plan.record, ensure_ascii=False, sort_keys=True),
        now,
        preview=secrets.token_urlsafe(12),
        researcher=secrets.token_urlsafe(24),
    )

    def change(connection: Connection) -> Taken:
        launch(connection, now, declared)
        return take_in(connection, now, course, found.sessions.values())

    taken = database.write(change)
    return Imported(taken, (*found.damaged, *taken.refused))
