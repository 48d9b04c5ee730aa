"""PostgreSQL through psycopg, for hosts without a lasting disk or with several processes."""

from collections.abc import Callable, Sequence
from typing import Any

from deixis.errors import StoreError, UsageError
from deixis.study.database.connection import Row
from deixis.study.database.schema import TABLES

_LOCK = 0x6465_6978  # any number that nothing else takes: "deix"


class Postgres:
    """A connection by URL, with the same guarantees: a commit is on the disk when it returns."""

    def __init__(self, url: str) -> None:
        try:
            import psycopg  # noqa: PLC0415  (an extra)
        except ImportError:
            raise UsageError(
                "a study in PostgreSQL needs psycopg; install it: pip install 'deixis[study-postgres]'"
            ) from None
        self._gone = psycopg.OperationalError
        self._connect: Callable[[], Any] = lambda: psycopg.connect(url, autocommit=True)
        self._within = False
        try:
            self._connection: Any = self._connect()
        except psycopg.Error as error:
            first = str(error).strip().splitlines()[0] if str(error).strip() else "no reason given"
            raise StoreError(f"cannot reach the database ({first}); check the URL given with --database") from None
        self._connection.execute("set synchronous_commit = on")

    def make(self) -> None:
        """Make the tables that are not there."""
        self.begin()
        self.alone()
        for table in TABLES:
            self._connection.execute(table.format(serial="bigserial primary key"))
        self.commit()

    def all(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Run a statement and return its rows."""
        found: list[Row] = self._execute(sql, values).fetchall()
        return found

    def run(self, sql: str, values: Sequence[object] = ()) -> int:
        """Run a statement and return how many rows it changed."""
        return int(self._execute(sql, values).rowcount)

    def begin(self) -> None:
        """Begin a transaction."""
        self._execute("begin")
        self._within = True

    def commit(self) -> None:
        """End it."""
        self._within = False
        self._connection.execute("commit")

    def rollback(self) -> None:
        """Undo it."""
        self._within = False
        self._connection.execute("rollback")

    def alone(self) -> None:
        """Wait until no other process assigns, until the end of the transaction."""
        self._connection.execute(f"select pg_advisory_xact_lock({_LOCK})")

    def _execute(self, sql: str, values: Sequence[object] = ()) -> Any:
        """Run a statement; where the server has gone and come back since, on a new connection.

        Never in the middle of a transaction: what stood in it before is gone, so whoever began it begins again.
        """
        told = sql.replace("?", "%s")
        try:
            return self._connection.execute(told, tuple(values))
        except self._gone:
            if self._within or not self._connection.closed:
                raise
            self._connection = self._connect()
            self._connection.execute("set synchronous_commit = on")
            return self._connection.execute(told, tuple(values))

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()
