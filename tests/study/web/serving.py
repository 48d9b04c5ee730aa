"""The real server as a process of its own, so that it can be killed, and what it has stored."""

import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.error import URLError
from urllib.request import urlopen

from tests.study.web import served
from tests.study.web.driving import Person

TRIALS = served.TRIALS + 1
"""With the attention check."""


class Server:
    """A short study, served from a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "study"
        self.database = folder / "study.db"
        served.study(self.folder)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.kill()

    def start(self) -> None:
        """Start, or start again."""
        place = [str(self.folder), str(self.database), str(self.port)]
        root = Path(__file__).parents[3]
        self.process = subprocess.Popen([sys.executable, "-m", "tests.study.web.served", *place], cwd=root)
        limit = time.time() + 60
        while True:
            try:
                with urlopen(f"http://127.0.0.1:{self.port}/web/run.js"):
                    return
            except URLError:
                if time.time() > limit or self.process.poll() is not None:
                    raise
                time.sleep(0.1)

    def kill(self) -> None:
        """Kill it, as a machine that fails does."""
        self.process.kill()
        self.process.wait()

    def arrival(self, name: str) -> str:
        """The link by which somebody comes from Prolific."""
        return f"http://127.0.0.1:{self.port}/?PROLIFIC_PID=p-{name}&STUDY_ID=s&SESSION_ID={name}"

    def rows(self, person: Person) -> list[dict[str, Any]]:
        """What is stored of somebody, without practice."""
        token = person.driver.current_url.rsplit("/", 1)[-1]
        sql = (
            "select response.* from response join participant on participant.code = response.participant "
            "where token = ? and part <> 'practice' order by server_at"
        )
        with closing(sqlite3.connect(self.database)) as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(sql, (token,))]

    def stored(self, person: Person) -> list[str]:
        """The keys of it."""
        return [row["trial_key"] for row in self.rows(person)]
