"""Writing pictures out: loose files named by their pixels, or one stored zip, with a table and a data-set card."""

import csv
import io
import os
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from deixis import __version__
from deixis.errors import SceneError
from deixis.scenes.album import BASELINES, Entry, Wanted, entries
from deixis.scenes.drawing.artwork import Artwork
from deixis.scenes.drawing.layout import HEIGHT, WIDTH
from deixis.scenes.picture import Picture
from deixis.scenes.scene import PLACES
from deixis.scenes.studio import Studio
from deixis.scenes.truth import distance, near, owner, right

Put = Callable[[str, bytes], None]
COLUMNS = (
    *("trial_id", "file", "picture", "task", *(f"object_{place + 1}" for place in range(PLACES))),
    *("target", "speaker", "gazer", "background", "boy", "owner", "near", "distance", "sentence"),
)
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The date in a zip, so that the same pictures make the same file."""


def render(wanted: Wanted, art: Artwork, out: Path, step: Callable[[], None] | None = None) -> tuple[int, int]:
    """Write the pictures asked for into a folder, or into a new file that ends in ``.zip``.

    Returns how many trials and how many distinct pictures there are. Raises :class:`SceneError` where it cannot.
    """
    found = list(entries(wanted, art.things))
    studio = Studio(art)
    keys: dict[Picture, str] = {}
    with _writing(out) as put:
        studio.prepare(dict.fromkeys(entry.picture for entry in found))
        for entry in found:
            if entry.picture not in keys:
                keys[entry.picture], content = studio.both(entry.picture)
                put(f"{keys[entry.picture]}.png", content)
            if step is not None:
                step()
        put("trials.csv", _table(found, keys).encode())
        put("CARD.md", card(wanted, art, len(found), len(set(keys.values()))).encode())
    return len(found), len(set(keys.values()))


def card(wanted: Wanted, art: Artwork, trials: int, pictures: int) -> str:
    """Return the data-set card: what the pictures are, how they were made, whose drawings they hold."""
    default = Wanted(wanted.task)
    given = {name: getattr(wanted, name) for name in wanted.__slots__ if name != "task"}
    settings = ", ".join(f"{name} {value}" for name, value in given.items() if value != getattr(default, name))
    made = f"""\
# Pictures: {wanted.task}

Trials: {trials}. Distinct pictures: {pictures}, {WIDTH} x {HEIGHT} pixels, PNG in RGB. Made by deixis {__version__},
for {wanted.version}, settings: {settings or "all by default"}.

A picture is named by the SHA-256 of its width, height (four bytes each, high byte first) and RGB pixels; `trials.csv`
says which trial shows which.
"""
    if wanted.task in BASELINES:
        return made + "\nA baseline: nothing of a scene is in these pictures. Drawn by deixis (Apache-2.0).\n"
    return f"""\
{made}
A boy and a girl stand at the ends of a table with four objects. Task and design: Dong et al. (2026), "Using
Perspectival Words Is Harder Than Vocabulary Words", arXiv 2506.00065. Children, table and backgrounds are drawn by
deixis (Apache-2.0).

Pictures of objects: {art.name} ({art.version}), licence {art.licence}.

{art.attribution}
"""


def _table(found: Sequence[Entry], keys: dict[Picture, str]) -> str:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for entry in found:
        key = keys[entry.picture]
        writer.writerow({"trial_id": entry.id, "file": f"{key}.png", "picture": key, **_facts(entry)})
    return buffer.getvalue()


def _facts(entry: Entry) -> dict[str, Any]:
    scene = entry.scene
    if scene is None:
        return {}
    return {
        "task": scene.task,
        **{f"object_{place}": name for place, name in enumerate(scene.objects, start=1)},
        "target": scene.target,
        "speaker": scene.speaker,
        "gazer": scene.gazer,
        "background": scene.background,
        "boy": scene.boy,
        "owner": owner(scene, scene.target) or "",
        "near": near(scene, scene.target),
        "distance": distance(scene, scene.speaker, scene.target),
        "sentence": str(right(scene)),
    }


@contextmanager
def _writing(out: Path) -> Iterator[Put]:
    try:
        if out.suffix.lower() == ".zip":
            if os.path.lexists(out):
                raise SceneError(f"{str(out)!r} is there already; name another file or take it away")
            out.parent.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=out.parent, prefix=f".{out.stem}-") as folder:
                part = Path(folder) / out.name
                with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as packed:
                    yield lambda name, content: packed.writestr(zipfile.ZipInfo(name, _LONG_AGO), content)
                part.replace(out)
        else:
            out.mkdir(parents=True, exist_ok=True)
            if (out / "trials.csv").exists():
                raise SceneError(f"{str(out)!r} holds pictures already; name another folder or take them away")
            yield lambda name, content: _keep(out / name, content)
    except OSError as error:
        raise SceneError(
            f"cannot write {str(out)!r}: {error.strerror or error}; name another place with --out"
        ) from None


def _keep(path: Path, content: bytes) -> None:
    path.write_bytes(content)
