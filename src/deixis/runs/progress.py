"""Telling how far a run is: a bar with the time left on a terminal, single lines elsewhere."""

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)


class Bars:
    """A progress bar for models on a terminal; reference participants are too quick to need one."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._bar: Progress | None = None
        self._fetch: Progress | None = None

    def start(self, participant: str, done: int, total: int) -> None:
        """Begin a participant's bar."""
        self.fetched()
        if participant.startswith("strategy:") or done == total:
            return
        if not self._console.is_terminal:
            sys.stderr.write(f"{participant}: {done} of {total} answered, asking the rest\n")
            return
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=self._console)
        self._bar.add_task(participant, completed=done, total=total)
        self._bar.start()

    def step(self) -> None:
        """Move on by one answer."""
        if self._bar is not None:
            self._bar.advance(self._bar.tasks[0].id)

    def end(self) -> None:
        """Close the participant's bar."""
        self.fetched()
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def fetch(self, had: int, total: int) -> None:
        """Show how far a download is."""
        if not self._console.is_terminal:
            return
        if self._fetch is None:
            columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
            self._fetch = Progress(*columns, console=self._console)
            self._fetch.add_task("fetching the embedded model", total=total)
            self._fetch.start()
        self._fetch.update(self._fetch.tasks[0].id, completed=had)

    def fetched(self) -> None:
        """Close the download's bar."""
        if self._fetch is not None:
            self._fetch.stop()
            self._fetch = None
