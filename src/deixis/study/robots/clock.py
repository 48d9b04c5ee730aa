"""A clock that a simulation sets: robots wait in its time, and places are held by it."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


class VirtualClock:
    """The time of a database whose people are robots; it starts now, and goes on only when it is told to.

    ``speed`` is how many of its seconds pass in one real one; 0 is as fast as it goes.
    """

    def __init__(
        self, speed: float = 0.0, start: datetime | None = None, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._start = start or datetime.now(UTC)
        self._seconds, self._speed, self._wait = 0.0, speed, wait
        self._lock = threading.Lock()

    def __call__(self) -> datetime:
        """Return the time."""
        with self._lock:
            return self._start + timedelta(seconds=self._seconds)

    def reach(self, seconds: float) -> None:
        """Go on to so many seconds after the start; a time that is past changes nothing."""
        ahead = seconds - self._seconds
        if ahead <= 0:
            return
        if self._speed:
            self._wait(ahead / self._speed)
        with self._lock:
            self._seconds = seconds
