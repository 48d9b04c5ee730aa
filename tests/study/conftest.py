"""Databases of studies: SQLite, and a real PostgreSQL where its programs are."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from deixis.errors import UsageError
from deixis.study.database.opening import Database, open_database
from deixis.study.web import contents
from tests.study.studies import Clock


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server that runs for these tests alone."""
    pytest.importorskip("psycopg", reason="needs psycopg")
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    found = str(programs[-1]) if programs else os.path.dirname(shutil.which("initdb") or "")  # noqa: PTH120
    if not found:
        pytest.skip("needs the programs of PostgreSQL (initdb, postgres)")
    folder = Path(tempfile.mkdtemp(prefix="deixis-postgres-"))  # every pytest closes its own folders to other users
    as_user: list[str] = []
    if os.getuid() == 0:
        if subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = folder / "data"
    subprocess.run(
        [*as_user, f"{found}/initdb", "-D", str(data), "-A", "trust", "-U", "deixis", "--no-instructions"],
        check=True, capture_output=True, cwd="/",
    )  # fmt: skip
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    control = [*as_user, f"{found}/pg_ctl", "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options]
    subprocess.run([*control, "start"], check=True, capture_output=True, cwd="/")
    _reached(port)
    yield f"postgresql://deixis@127.0.0.1:{port}/postgres"
    subprocess.run([*control, "-m", "immediate", "stop"], check=False, capture_output=True, cwd="/")
    shutil.rmtree(folder, ignore_errors=True)


def _reached(port: int) -> None:
    """Wait until somebody listens: on a busy machine that can be a while after the server says it has started."""
    limit = time.monotonic() + 30
    while time.monotonic() < limit:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)


@pytest.fixture(scope="session")
def library() -> None:
    """The page's library, which is fetched when the package is built."""
    try:
        contents()
    except UsageError as error:
        pytest.skip(str(error))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Database]:
    """An empty database, of either kind."""
    where: Path | str = tmp_path / "study.db"
    if request.param == "postgresql":
        where = request.getfixturevalue("postgres")
        empty = open_database(where)
        empty.write(
            lambda c: [
                c.run(f"drop table if exists {name}")
                for name in ("event", "response", "identity", "participant", "study")
            ]
        )
        empty.close()
    opened = open_database(where, clock)
    yield opened
    opened.close()
