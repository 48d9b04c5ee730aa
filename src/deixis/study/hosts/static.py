"""A study as a folder that a browser opens from the disk, without any server: for teaching, labs without network."""

from collections.abc import Mapping
from typing import Any

from deixis.study.hosts.package import Files, page_files
from deixis.study.hosts.telling import readme
from deixis.study.manifest import Manifest

LOSSES = ("browser", "lists", "full", "resume", "time", "prolific")


def static(manifest: Manifest, pictures: Files, settings: Mapping[str, Any] | None = None) -> dict[str, bytes]:
    """Return the files of the folder."""
    steps = (
        "Copy the folder to the computers of the lab, or to any web server (it needs no program there).",
        "Open `index.html`. Each person begins anew with the button on the last page.",
        "On the last page, save the file: one person's, or everybody's on this computer.",
    )
    results = "The files that were saved (`.jsonl`):"
    return {
        **page_files("static", manifest, pictures, settings or {}, closed=True),
        "README.md": readme(manifest, "a folder", steps, LOSSES, results),
    }
