"""What stands where in a replication kit, and how its files are known.

KIT/kit.json           which runs in which order, read in which way, made by which deixis
    runs/NAME/…        trial tables, answers, signatures, verdicts, as ``deixis run`` wrote them; of a study, its flow
    report/…           the report made from them
    signatures.json    what every answer was made with
    requirements.txt   the versions it was made with
    README.md          how to look, check and rebuild
    MANIFEST.sha256    every other file with its hash, as ``sha256sum -c`` reads it
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from deixis.errors import StoreError

KIT, MANIFEST, RUNS, REPORT = "kit.json", "MANIFEST.sha256", "runs", "report"
NUMBERS = (".csv", ".md", ".tex")
"""Files that hold numbers, and have to come out the same to the last byte."""


def files_of(folder: Path) -> Iterator[Path]:
    """Yield every file under a folder, in an order that is the same everywhere."""
    found = (path for path in folder.rglob("*") if path.is_file())
    yield from sorted(found, key=lambda path: path.relative_to(folder).as_posix())


def hashed(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file of a kit but the manifest, by its path within."""
    return {name: _hash(path) for path in files_of(folder) if (name := path.relative_to(folder).as_posix()) != MANIFEST}


def write_manifest(folder: Path) -> None:
    """Write the hashes of all files, one a line."""
    lines = (f"{digest}  {name}\n" for name, digest in hashed(folder).items())
    (folder / MANIFEST).write_text("".join(lines), encoding="utf-8")


def read_manifest(folder: Path) -> dict[str, str]:
    """Return what the manifest says; raises :class:`StoreError` where there is none or a line is none of it."""
    path = folder / MANIFEST
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        raise StoreError(
            f"no replication kit in {str(folder)!r} ({MANIFEST} is missing or not a text); "
            "give a folder that 'deixis report --bundle' wrote"
        ) from None
    found = {}
    for number, line in enumerate(lines, start=1):
        digest, between, name = line.partition("  ")
        if not between or len(digest) != 64:
            raise StoreError(f"{str(path)!r} line {number} is damaged ({line[:40]!r}); restore the kit")
        found[name] = digest
    return found


def changes(folder: Path) -> list[str]:
    """Return in words every file that is not as the manifest says: changed, missing, or added to runs or report.

    What else lies in the folder, such as ``.git`` or an environment, was never part of the kit.
    """
    said = read_manifest(folder)
    found = {path.relative_to(folder).as_posix(): path for path in files_of(folder)}
    told = {name: "missing" for name in said if name not in found}
    told |= {name: "changed" for name in said if name in found and _hash(found[name]) != said[name]}
    told |= {name: "added" for name in found if name not in said and name.startswith((f"{RUNS}/", f"{REPORT}/"))}
    return [f"{name} is {told[name]}" for name in sorted(told)]


def _hash(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
