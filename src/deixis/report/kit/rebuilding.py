"""Rebuilding a replication kit: its data are checked, its report is made anew, and both reports are compared."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis.errors import StoreError, UsageError
from deixis.report.kit.layout import KIT, NUMBERS, REPORT, RUNS, changes, files_of
from deixis.report.kit.versions import differing
from deixis.report.page import write_report
from deixis.scoring.results import PROTOCOL
from deixis.scoring.ways import read_way


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How a rebuilt report compares with the one in the kit."""

    changed: tuple[str, ...]
    """Files that are not as the manifest says, in words; then nothing is rebuilt."""
    numbers: int
    """How many files of numbers were made anew."""
    differ: tuple[str, ...]
    """Those of them that came out otherwise, or are on one side only."""
    drawn: tuple[str, ...]
    """Pictures and pages that have other bytes, which says nothing of the numbers."""
    versions: tuple[str, ...]
    """What was another version when the kit was made, in words."""

    @property
    def same(self) -> bool:
        """Whether the data are untouched and every number came out the same."""
        return not self.changed and not self.differ

    def lines(self) -> Iterator[str]:
        """Yield what there is to say, the verdict last."""
        yield from self.changed
        if self.versions:
            yield f"other versions than then: {', '.join(self.versions)}"
        if self.drawn:
            yield f"other bytes, not numbers: {', '.join(self.drawn)}"
        yield from (f"{name} differs" for name in self.differ)
        if self.changed:
            many = "1 file is" if len(self.changed) == 1 else f"{len(self.changed)} files are"
            yield f"not rebuilt: {many} not as MANIFEST.sha256 says"
        elif self.differ:
            yield f"rebuilt: {len(self.differ)} of {self.numbers} files of numbers differ"
        else:
            yield f"rebuilt: all {self.numbers} files of numbers are the same to the last byte"


def rebuild(folder: Path, out: Path | None = None, workers: int = 1) -> Rebuilt:
    """Make the report of a kit anew, into ``out`` or nowhere that lasts, and compare.

    Raises :class:`StoreError` where there is no kit, or one that cannot be read, and :class:`UsageError` for an ``out``
    within it.
    """
    if out is not None and out.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"--out {str(out)!r} lies within the kit, which stays as it is; name a folder outside of it")
    try:
        changed = tuple(changes(folder))
        if changed:
            return Rebuilt(changed, 0, (), (), ())
        about = _about(folder)
        versions = differing((folder / "requirements.txt").read_text(encoding="utf-8"))
        then = _read(folder / REPORT)
    except (OSError, ValueError) as error:
        raise StoreError(f"cannot read the kit {str(folder)!r} ({error}); restore it") from None
    with tempfile.TemporaryDirectory() as place:
        made = Path(place) / REPORT
        write_report(
            [folder / RUNS / name for name in about["runs"]],
            made,
            way=read_way(about["reading"]) if about["reading"] else PROTOCOL,
            workers=workers,
            items=about["items"],
        )
        now = _read(made)
        if out is not None:
            _keep(made, out)
    other = [name for name in sorted({*then, *now}) if then.get(name) != now.get(name)]
    numbers = sum(name.endswith(NUMBERS) for name in now)
    return Rebuilt(
        changed=(),
        numbers=numbers,
        differ=tuple(name for name in other if name.endswith(NUMBERS)),
        drawn=tuple(name for name in other if not name.endswith(NUMBERS)),
        versions=tuple(versions),
    )


def _about(folder: Path) -> dict[str, Any]:
    path = folder / KIT
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {name: found[name] for name in ("runs", "reading", "items")}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreError(f"cannot read {str(path)!r} ({error}); restore the kit") from None


def _keep(made: Path, out: Path) -> None:
    """Copy a report to where it was asked for; what else is there stays, and is not compared."""
    try:
        shutil.copytree(made, out, dirs_exist_ok=True)
    except OSError as error:  # of copytree, many in one
        raise StoreError(
            f"cannot write the report into {str(out)!r} ({error}); name another folder with --out"
        ) from None


def _read(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files_of(folder)}
