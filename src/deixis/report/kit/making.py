"""Making a replication kit: the data are copied, and the report is made from the copies."""

import json
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from deixis import __version__
from deixis.errors import DeixisError, StoreError, UsageError
from deixis.report.kit.layout import KIT, REPORT, RUNS, write_manifest
from deixis.report.kit.versions import requirements
from deixis.report.page import write_report
from deixis.scoring.results import PROTOCOL
from deixis.scoring.ways import read_way
from deixis.store import RunFolder

_FLOW = "*-flow.json"
"""How many people of a study came, finished and were left out; who was left out is not told."""
_DATA = ("design.json", "trials.jsonl", "answers/*.jsonl", "answers/*.json", "verdicts/*.jsonl", "verdicts/*.json")
"""What belongs to a design; reports and pictures in a run folder are made from it."""


def bundle(
    runs: Sequence[Path],
    folder: Path,
    reading: str = "",
    items: Mapping[str, int] | None = None,
    workers: int = 1,
) -> list[str]:
    """Write a replication kit of some runs into ``folder``, which must not be there yet; return its telling lines.

    ``reading`` is a way of reading as on the command line, empty for the protocol's; ``items`` are facts of a set of
    items. The kit appears whole or not at all. Raises :class:`UsageError` for a place that is taken or within a run,
    and :class:`StoreError` for what cannot be read or written.
    """
    once = list({run.resolve(): run for run in runs}.values())
    for run in once:
        RunFolder.existing(run)
    _check_place(folder, once)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as place:
            kit = Path(place) / "kit"
            try:
                lines = _made(kit, once, reading, items, workers)
            except DeixisError as error:  # about a copy that is gone by the time it is read
                told = _named({kit / RUNS / name: run for name, run in _names(once).items()}, str(error))
                raise type(error)(_named({kit: folder}, told)) from None
            if folder.exists():
                folder.rmdir()  # empty, as was checked
            kit.rename(folder)
    except OSError as error:
        raise StoreError(
            f"cannot write the kit {str(folder)!r}: {error.strerror or error}; name another folder with --bundle"
        ) from None
    return lines


def _check_place(folder: Path, runs: Sequence[Path]) -> None:
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise UsageError(f"--bundle {str(folder)!r} is there already; name a new folder or take it away")
    inside = next((run for run in runs if folder.resolve().is_relative_to(run.resolve())), None)
    if inside is not None:
        raise UsageError(f"--bundle {str(folder)!r} lies within the run {str(inside)!r}; name a folder outside of it")


def _made(kit: Path, runs: Sequence[Path], reading: str, items: Mapping[str, int] | None, workers: int) -> list[str]:
    names = _names(runs)
    for name, run in names.items():
        _copy(run, kit / RUNS / name)
    copies = [kit / RUNS / name for name in names]
    _, lines = write_report(
        copies, kit / REPORT, way=read_way(reading) if reading else PROTOCOL, workers=workers, items=items
    )
    about = {"deixis": __version__, "python": _python(), "runs": [*names], "reading": reading, "items": items}
    texts = {
        KIT: _json(about),
        "signatures.json": _json({name: _signatures(kit / RUNS / name) for name in names}),
        "requirements.txt": requirements(),
        "README.md": files("deixis.report.kit").joinpath("README.md").read_text(encoding="utf-8"),
    }
    for name, text in texts.items():
        (kit / name).write_text(text, encoding="utf-8")
    write_manifest(kit)
    return lines


def _names(runs: Sequence[Path]) -> dict[str, Path]:
    """Return the runs by name: that of the folder, numbered where another has it too, on any file system."""
    found: dict[str, Path] = {}
    for run in runs:
        own = run.resolve().name
        name, number = own, 2
        while name.casefold() in map(str.casefold, found):
            name, number = f"{own}-{number}", number + 1
        found[name] = run
    return found


def _named(places: Mapping[Path, Path], words: str) -> str:
    """Return words in which paths are called as the user knows them; the longer first, since one may begin another."""
    for path in sorted(places, key=lambda path: -len(str(path))):
        words = words.replace(str(path), str(places[path]))
    return words


def _copy(run: Path, to: Path) -> None:
    designs = [run / name for name in RunFolder.existing(run).designs()]
    for file in [*run.glob(_FLOW), *(file for part in designs for pattern in _DATA for file in part.glob(pattern))]:
        there = to / file.relative_to(run)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, there)


def _signatures(run: Path) -> dict[str, object]:
    """Return what was asked and what every answer was made with, by design."""
    folder = RunFolder.existing(run)
    return {
        name: {
            "design": folder.design(name).signature(),
            "participants": {
                answers.participant: answers.signature() for answers in folder.design(name).participants()
            },
        }
        for name in folder.designs()
    }


def _python() -> str:
    return ".".join(map(str, sys.version_info[:3]))


def _json(entry: object) -> str:
    return json.dumps(entry, indent=1, ensure_ascii=False) + "\n"
