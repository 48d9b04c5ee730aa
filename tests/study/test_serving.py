"""``deixis study`` from the command line: served, stopped, refused in one line."""

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

DEIXIS = [sys.executable, "-m", "deixis", "study"]


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def refused(*words: str) -> str:
    done = subprocess.run([*DEIXIS, *words], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    return line


def test_the_demo_is_served_until_it_is_stopped(port: int, library: None) -> None:
    process = subprocess.Popen(
        [*DEIXIS, "demo", "--port", str(port)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    links = [process.stdout.readline() for _ in range(3)]
    assert links[0] == f"people      http://127.0.0.1:{port}/\n"
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            with urlopen(f"http://127.0.0.1:{port}/") as page:
                assert page.url.startswith(f"http://127.0.0.1:{port}/run/")
                break
        except OSError:
            time.sleep(0.1)
    assert f"cannot listen at 127.0.0.1 port {port}" in refused("demo", "--port", str(port))
    process.send_signal(signal.SIGINT)
    _, talk = process.communicate(timeout=20)
    assert talk.splitlines()[-1] == "stopped; nothing of the demo is kept"


def test_a_study_with_placeholders_is_not_served(tmp_path: Path) -> None:
    folder = str(tmp_path / "pilot")
    subprocess.run([*DEIXIS, "new", "comprehension", "--out", folder], check=True, capture_output=True)
    told = refused("serve", folder)
    assert "title is to be written ('FILL IN')" in told
    assert "deixis study demo" in told
