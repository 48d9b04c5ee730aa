"""A connection to either database: statements with ``?`` for values, and transactions."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from deixis.errors import StoreError
from deixis.study.database.schema import TABLES

Row = tuple[Any, ...]


class Connection(Protocol):
    """What both databases can do."""

    def all(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Run a statement and return its rows."""

    def run(self, sql: str, values: Sequence[object] = ()) -> int:
        """Run a statement and return how many rows it changed."""

    def begin(self) -> None:
        """Begin a transaction that writes."""

    def commit(self) -> None:
        """End it; what was written is on the disk when this returns."""

    def rollback(self) -> None:
        """End it as though it had never been."""

    def alone(self) -> None:
        """Within a transaction: wait until no other assigns, here or on another machine."""

    def close(self) -> None:
        """Let go of it."""


class Sqlite:
    """SQLite in one file: write-ahead log, every commit synced, what is deleted overwritten."""

    def __init__(self, path: Path) -> None:
        try:
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            for setting in (
                "busy_timeout = 15000",
                "journal_mode = wal",
                "synchronous = full",
                "secure_delete = on",
                "foreign_keys = on",
            ):
                self._connection.execute(f"pragma {setting}")
        except sqlite3.Error as error:
            raise StoreError(
                f"cannot open the database {str(path)!r} ({error}); name another with --database"
            ) from None

    def make(self) -> None:
        """Make the tables that are not there."""
        for table in TABLES:
            self._connection.execute(table.format(serial="integer primary key autoincrement"))

    def all(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Run a statement and return its rows."""
        return self._connection.execute(sql, tuple(values)).fetchall()

    def run(self, sql: str, values: Sequence[object] = ()) -> int:
        """Run a statement and return how many rows it changed."""
        return self._connection.execute(sql, tuple(values)).rowcount

    def begin(self) -> None:
        """Begin a transaction that writes; others wait."""
        self._connection.execute("begin immediate")

    def commit(self) -> None:
        """End it."""
        self._connection.execute("commit")

    def rollback(self) -> None:
        """Undo it."""
        if self._connection.in_transaction:
            self._connection.execute("rollback")

    def alone(self) -> None:
        """A transaction that writes is alone already."""

    def settle(self) -> None:
        """Bring everything from the log into the file, and empty the log."""
        self._connection.execute("pragma busy_timeout = 1000")  # a reader that stays is said, not waited for
        self._connection.execute("pragma wal_checkpoint(truncate)")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
