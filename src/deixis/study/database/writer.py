"""One thread that writes: whatever has queued up is written in one transaction, and told of once it is on the disk."""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from deixis.study.database.connection import Connection

T = TypeVar("T")
MOST = 256
"""Changes in one transaction."""


class Writer:
    """Writes in groups: a sync takes milliseconds whether for one answer or for many."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._queue: queue.SimpleQueue[tuple[Callable[[Connection], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="deixis-writer", daemon=True)
        self._thread.start()

    def send(self, change: Callable[[Connection], T]) -> "Future[T]":
        """Queue a change."""
        told: Future[T] = Future()
        self._queue.put((change, told))
        return told

    def close(self) -> None:
        """Write what waits, then end."""
        self._queue.put(None)
        self._thread.join()
        self._connection.close()

    def _work(self) -> None:
        going = True
        while going:
            group = []
            first = self._queue.get()
            while first is not None:
                group.append(first)
                if len(group) >= MOST:
                    break
                try:
                    first = self._queue.get_nowait()
                except queue.Empty:
                    break
            going = first is not None
            if group:
                self._write(group)

    def _write(self, group: list[tuple[Callable[[Connection], Any], "Future[Any]"]]) -> None:
        """Write a group together; where one of it fails, each by itself, so that it fails alone."""
        try:
            self._connection.begin()
            found = [change(self._connection) for change, _ in group]
            self._connection.commit()
        except Exception as error:  # noqa: BLE001  (whatever it is, it is told to whoever asked for the change)
            self._undo()
            if len(group) == 1:
                group[0][1].set_exception(error)
                return
            for one in group:
                self._write([one])
            return
        for (_, told), result in zip(group, found, strict=True):
            told.set_result(result)

    def _undo(self) -> None:
        try:
            self._connection.rollback()
        except Exception:  # noqa: BLE001  (a connection that is gone has nothing to undo; the next change says so)
            return
