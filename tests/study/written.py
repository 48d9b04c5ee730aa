"""Folders of studies in which everything is written that a researcher has to write; each is made once, then copied."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from deixis.study.folder import new_study, write_study
from deixis.study.settings import FILE, read_plan
from deixis.study.texts import CONSENT


def new(folder: Path, design: str = "production-demonstrative", protocol: str = "corrected", **settings: str) -> Path:
    """Write a study as the command does."""
    return _copied(folder, _files(design, protocol, tuple(settings.items()), filled=False))


def ready(folder: Path, design: str = "production-demonstrative", protocol: str = "corrected", **settings: str) -> Path:
    """Write a study in which everything is filled in, and what is made from it."""
    return _copied(folder, _files(design, protocol, tuple(settings.items()), filled=True))


def edit(folder: Path, *changes: tuple[str, str], name: str = FILE) -> Path:
    """Replace texts in a file of a study, each of which has to be there."""
    text = (folder / name).read_text(encoding="utf-8")
    for old, fresh in changes:
        assert old in text, old
        text = text.replace(old, fresh)
    (folder / name).write_text(text, encoding="utf-8")
    return folder


@cache
def _files(design: str, protocol: str, settings: tuple[tuple[str, str], ...], *, filled: bool) -> Mapping[Path, bytes]:
    with TemporaryDirectory() as place:
        folder = Path(place)
        new_study(folder, design, name="pilot-1", seed=0, people=None, protocol=protocol, settings=dict(settings))
        if filled:
            edit(folder, ('"FILL IN"', '"Children at a table"'))
            edit(folder, ("FILL IN: ", ""), name=CONSENT)
            write_study(folder, read_plan(folder))
        return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _copied(folder: Path, files: Mapping[Path, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder
