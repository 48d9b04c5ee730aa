"""Erasing somebody, and showing that nothing is left: deleting alone leaves an id readable in a file of SQLite."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deixis.errors import StoreError, UsageError
from deixis.study.database.connection import Connection, Sqlite
from deixis.study.database.opening import Database, is_url
from deixis.study.database.people import close, erase
from deixis.study.database.reading import identities, person_by_code


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was erased, and what was looked for afterwards."""

    answers: int
    """How many answers were deleted."""
    searched: tuple[str, ...]
    """The files that were searched for what should be gone; none for a server's database, which cannot be searched."""


def forget(database: Database, code: str) -> Forgotten:
    """Erase answers, events and identity of the person with a code.

    Raises :class:`UsageError` for a code that nobody has, and :class:`StoreError` where a trace was found afterwards.
    """
    if database.read(lambda c: person_by_code(c, code)) is None:
        raise UsageError(f"nobody has the code {code!r}; the researcher's page and the export list the codes")

    def change(connection: Connection) -> tuple[int, list[str]]:
        who = person_by_code(connection, code)
        secrets = [] if who is None else [who.token]
        for person, _, external, session in identities(connection):
            if person == code:
                secrets += [external, session]
        ((number,),) = connection.all("select count(*) from response where participant = ?", (code,))
        erase(connection, code)
        return int(number), secrets

    number, secrets = database.write(change)
    return Forgotten(number, _proved(database.where, secrets))


def end(database: Database) -> tuple[int, Forgotten]:
    """Close a study: nobody comes any more, and all identities are deleted. Returns how many there were."""

    def change(connection: Connection) -> tuple[int, list[str]]:
        secrets = [word for _, _, external, session in identities(connection) for word in (external, session)]
        return close(connection, database.now), secrets

    number, secrets = database.write(change)
    return number, Forgotten(0, _proved(database.where, secrets))


def settle(where: str) -> None:
    """Bring everything into a file of SQLite and empty its log, in which what was deleted can still be read."""
    if is_url(where):
        return
    settling = Sqlite(Path(where))
    try:
        settling.settle()
    finally:
        settling.close()


def _proved(where: str, secrets: Sequence[str]) -> tuple[str, ...]:
    """Bring everything into the file, then search every file of the database for what should be gone."""
    if is_url(where):
        return ()
    path = Path(where)
    settle(where)
    files = [
        file for file in (path, *(path.with_name(path.name + end) for end in ("-wal", "-journal"))) if file.exists()
    ]
    left = [file for file in files if any(secret and secret.encode() in file.read_bytes() for secret in secrets)]
    if left:
        raise StoreError(
            f"a trace is left in {str(left[0])!r}: somebody else has the database open; stop the server and do it again"
        )
    return tuple(map(str, files))
