"""Serving a study: it is launched once, then runs in one process until it is stopped."""

import json
import secrets
import socket
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from starlette.applications import Starlette

from deixis.errors import UsageError
from deixis.study.database import people
from deixis.study.database.opening import Database, is_url
from deixis.study.database.records import Launched
from deixis.study.folder import Study
from deixis.study.practice import checks_right
from deixis.study.server.app import application
from deixis.study.server.timeline import Course
from deixis.study.web import contents

DATABASE = "study.db"
"""The file within the study's folder, where no other database is named."""
_REMOTE = ("nfs", "cifs", "smb", "fuse.sshfs", "9p")
_PLACEHOLDERS = (
    "PROLIFIC_PID={{%PROLIFIC_PID%}}",
    "STUDY_ID={{%STUDY_ID%}}",
    "SESSION_ID={{%SESSION_ID%}}",
)


@dataclass(frozen=True, slots=True)
class Links:
    """Where people, whoever tries it out, and the researcher go."""

    people: str
    preview: str
    researcher: str


def launch(study: Study, database: Database) -> Launched:
    """Keep what is declared, at the first start; raises :class:`UsageError` where it is another design by now.

    The page's library has to be there, and is looked for first.
    """
    contents()
    record = json.dumps(study.plan.record, ensure_ascii=False, sort_keys=True)
    declared = Launched(
        study.plan.id,
        study.manifest.design_sha256,
        record,
        database.now,
        preview=secrets.token_urlsafe(12),
        researcher=secrets.token_urlsafe(24),
    )
    return database.write(lambda connection: people.launch(connection, database.now, declared))


def serving(
    study: Study, database: Database, launched: Launched, *, anywhere: bool = False, simulated: bool = False
) -> Starlette:
    """Return the application of a study that is launched."""
    course = Course(study.plan, study.manifest, checks_right(study.plan))
    return application(
        course,
        database,
        lru_cache(maxsize=4096)(study.picture),
        preview=launched.preview,
        researcher=launched.researcher,
        consent_sha256=sha256(study.manifest.consent.encode()).hexdigest(),
        anywhere=anywhere,
        simulated=simulated,
    )


def links(study: Study, launched: Launched, base: str) -> Links:
    """Return the links of a study that is reached at ``base``."""
    root = base.rstrip("/")
    query = f"?{'&'.join(_PLACEHOLDERS)}" if study.plan.prolific else ""
    return Links(f"{root}/{query}", f"{root}/?preview={launched.preview}", f"{root}/researcher/{launched.researcher}")


def check_place(where: str) -> None:
    """Raise :class:`UsageError` for a SQLite file on a disk of another machine, on which locks do not hold."""
    if is_url(where):
        return
    path = Path(where).resolve()
    if not path.parent.is_dir():
        raise UsageError(f"no folder {str(path.parent)!r} for the database; make it, or name another with --database")
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    found = [line.split()[1:3] for line in mounts if len(line.split()) > 2]
    _, kind = max(
        ((place, kind) for place, kind in found if path.is_relative_to(place)),
        key=lambda one: len(one[0]),
        default=("/", ""),
    )
    if kind.startswith(_REMOTE):
        raise UsageError(
            f"the database {where!r} would lie on another machine's disk ({kind}), where SQLite loses data; "
            "name a local file with --database, or a PostgreSQL"
        )


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raises :class:`UsageError` for an address or port that cannot be had."""
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise UsageError(
            f"cannot listen at {host} port {port}: {error.strerror or error}; name another with --port or --host"
        ) from None
    return found


def run(app: Starlette, place: socket.socket) -> None:
    """Serve until stopped. Nothing is logged of any request: addresses hold ids."""
    import uvicorn  # noqa: PLC0415

    # Answers come every ten seconds or so: closed after uvicorn's five, each would meet a connection just gone.
    config = uvicorn.Config(app, access_log=False, log_level="warning", timeout_keep_alive=75, server_header=False)
    uvicorn.Server(config).run(sockets=[place])
