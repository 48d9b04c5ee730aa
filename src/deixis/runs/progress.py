"""Telling how far a run is: a bar with the time left on a terminal, a line every tenth part elsewhere."""

import sys
import time

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Bars:
    """Shows models at work; reference participants and made-up people are too quick to need it."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._bar: Progress | None = None
        self._lines: Lines | None = None
        self._fetch: Progress | None = None
        self._fetch_told = False

    def start(self, participant: str, done: int, total: int) -> None:
        """Begin a participant's bar."""
        self._fetched()
        if participant.startswith(("strategy:", "people:")) or done == total:
            return
        if not self._console.is_terminal:
            self._lines = Lines(participant, done, total)
            return
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=self._console)
        self._bar.add_task(participant, completed=done, total=total)
        self._bar.start()

    def step(self) -> None:
        """Move on by one answer."""
        if self._bar is not None:
            self._bar.advance(self._bar.tasks[0].id)
        if self._lines is not None:
            self._lines.step()

    def end(self) -> None:
        """Close the participant's bar."""
        self._fetched()
        self._lines = None
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def fetch(self, had: int, total: int) -> None:
        """Show how far a download is."""
        if not self._console.is_terminal:
            if not self._fetch_told:
                sys.stderr.write(f"fetching the embedded model, once ({round(total / 1e6)} MB)\n")
            self._fetch_told = True
            return
        if self._fetch is None:
            columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
            self._fetch = Progress(*columns, console=self._console)
            self._fetch.add_task("fetching the embedded model", total=total)
            self._fetch.start()
        self._fetch.update(self._fetch.tasks[0].id, completed=had)

    def _fetched(self) -> None:
        if self._fetch is not None:
            self._fetch.stop()
            self._fetch = None


class Lines:
    """Says how far a participant is in plain lines, for logs."""

    def __init__(self, participant: str, done: int, total: int) -> None:
        self._participant = participant
        self._first = self._done = done
        self._total = total
        self._start = time.monotonic()
        sys.stderr.write(f"{participant}: {done} of {total} answered, asking the rest\n")

    def step(self) -> None:
        """Count one answer; every tenth part of the whole is told, with the time left."""
        self._done += 1
        if self._done * 10 // self._total > (self._done - 1) * 10 // self._total:
            each = (time.monotonic() - self._start) / (self._done - self._first)
            left = round(each * (self._total - self._done))
            told = f"about {left} s left" if left else "done"
            sys.stderr.write(f"{self._participant}: {self._done} of {self._total} answered, {told}\n")
