"""Packages by the name of their host."""

from pathlib import Path

from deixis.errors import UsageError
from deixis.study.data.tables import cannot_write
from deixis.study.folder import Study
from deixis.study.hosts.jatos import jatos
from deixis.study.hosts.others import cognition, datapipe, pavlovia
from deixis.study.hosts.package import write_folder
from deixis.study.hosts.static import static

HOSTS = ("static", "jatos", "cognition", "pavlovia", "datapipe")


def pack(study: Study, host: str, out: Path, experiment: str = "") -> Path:
    """Write the package of a study for a host, and return where: a folder, or for JATOS an archive.

    ``experiment`` is the id of a DataPipe experiment. Raises :class:`UsageError` where it is missing, where the folder
    holds something else, or where the library of the page was not fetched.
    """
    plan, manifest = study.plan, study.manifest
    shown = {stimulus.picture for stimulus in manifest.stimuli.values() if stimulus.picture}
    pictures = {name: study.picture(name) for name in shown}
    if experiment and host != "datapipe":
        raise UsageError(f"--experiment {experiment!r} says nothing to {host}; leave it out")
    if host == "jatos":
        return _archive(out, jatos(plan, manifest, pictures))
    files = {
        "static": lambda: static(manifest, pictures),
        "cognition": lambda: cognition(plan, manifest, pictures),
        "pavlovia": lambda: pavlovia(plan, manifest, pictures),
        "datapipe": lambda: datapipe(plan, manifest, pictures, experiment),
    }[host]()
    write_folder(out, files, manifest.study)
    return out


def _archive(out: Path, data: bytes) -> Path:
    path = out if out.suffix == ".jzip" else out.with_name(f"{out.name}.jzip")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from None
    return path
