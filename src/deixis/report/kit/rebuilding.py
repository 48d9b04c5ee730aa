"""Rebuilding a replication kit: its data are checked, its report is made anew, and both reports are compared."""

import json
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
            yield f"not rebuilt: {len(self.changed)} files are not as MANIFEST.sha256 says"
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
    changed = tuple(changes(folder))
    if changed:
        return Rebuilt(changed, 0, (), (), ())
    about = _about(folder)
    runs = [folder / RUNS / name for name in about["runs"]]
    versions = differing((folder / "requirements.txt").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as place:
        made = Path(place) if out is None else out
        write_report(
            runs,
            made,
            way=read_way(about["reading"]) if about["reading"] else PROTOCOL,
            workers=workers,
            items=about["items"],
        )
        then, now = _read(folder / REPORT), _read(made)
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


def _read(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files_of(folder)}
