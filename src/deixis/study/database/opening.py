"""A study's database: one thread writes, in groups; reading has a connection of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from deixis.study.database.connection import Connection, Sqlite
from deixis.study.database.postgres import Postgres
from deixis.study.database.writer import Writer

T = TypeVar("T")
Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def stamp(time: datetime) -> str:
    """Return a time as it is stored: milliseconds, and always as long."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"


class Database:
    """What a study stores."""

    def __init__(self, connect: Callable[[], Connection], where: str, clock: Clock = utc_now) -> None:
        self.where = where
        self.clock = clock
        self._reader = connect()
        self._reading = threading.Lock()
        self._writer = Writer(connect())

    @property
    def now(self) -> str:
        """The time as it is stored."""
        return stamp(self.clock())

    def read(self, ask: Callable[[Connection], T]) -> T:
        """Read with a connection that waits for no writer."""
        with self._reading:
            return ask(self._reader)

    def send(self, change: Callable[[Connection], T]) -> "Future[T]":
        """Have something written; the result comes when it is on the disk. A change that fails changes nothing."""
        return self._writer.send(change)

    def write(self, change: Callable[[Connection], T]) -> T:
        """Have something written, and wait for it."""
        return self.send(change).result()

    def close(self) -> None:
        """Write what waits, and let go."""
        self._writer.close()
        with self._reading:
            self._reader.close()


def is_url(where: str) -> bool:
    """Whether a database is a PostgreSQL by URL."""
    return where.startswith(("postgresql://", "postgres://"))


def open_database(where: str | Path, clock: Clock = utc_now) -> Database:
    """Open a database, making its tables where they are not there: the path of a SQLite file, or a PostgreSQL URL."""
    name = str(where)
    if is_url(name):
        first = Postgres(name)
        first.make()
        first.close()
        return Database(lambda: Postgres(name), name, clock)
    made = Sqlite(Path(name))
    made.make()
    made.close()
    return Database(lambda: Sqlite(Path(name)), name, clock)
