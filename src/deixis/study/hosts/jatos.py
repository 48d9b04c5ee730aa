"""A study as a JATOS archive (``.jzip``): one ``.jas`` with the properties, one folder with the page and its files.

JATOS knows studies and components by their UUID, and refuses a component that another study owns: all are made from
the study's id, so importing a newer archive of the same study replaces the older one. The component can be reloaded,
since a reload of one that cannot ends the run. ``jatos.js`` is the server's own.
"""

import json
import re
import zipfile
from io import BytesIO
from uuid import NAMESPACE_OID, UUID, uuid5

from deixis.study.hosts.package import MANIFEST, Files, completion, page_files
from deixis.study.hosts.telling import readme
from deixis.study.manifest import Manifest
from deixis.study.settings import Plan

LOSSES = ("code", "counted", "full", "resume", "delete", "time", "prolific", "untried")
WORKERS = ("Jatos", "GeneralSingle", "GeneralMultiple", "PersonalSingle", "PersonalMultiple")
"""The kinds of links that the batch allows."""
_NOON_1980 = (1980, 1, 1, 12, 0, 0)
"""The time of every file, so that the same study makes the same archive."""


def uuid_of(study: str, part: str = "study") -> UUID:
    """Return the UUID of a study, or of a part of it."""
    return uuid5(NAMESPACE_OID, f"deixis/{study}/{part}")


def folder_of(study: str) -> str:
    """Return the name of a study's folder of assets."""
    return "deixis_" + re.sub(r"[^a-z0-9]", "_", study)


def properties(manifest: Manifest) -> dict[str, object]:
    """Return what stands in the ``.jas``."""
    study = manifest.study
    component = {
        "uuid": str(uuid_of(study, "component")),
        "title": "Study",
        "htmlFilePath": "index.html",
        "reloadable": True,
        "active": True,
        "comments": "",
        "jsonData": None,
    }
    batch = {
        "uuid": str(uuid_of(study, "batch")),
        "title": "Default",
        "active": True,
        "maxActiveMembers": None,
        "maxTotalMembers": None,
        "maxTotalWorkers": None,
        "allowedWorkerTypes": list(WORKERS),
        "comments": None,
        "jsonData": None,
    }
    data = {
        "uuid": str(uuid_of(study)),
        "title": manifest.title,
        "description": f"{study}: {manifest.design}, {manifest.protocol}",
        "groupStudy": False,
        "linearStudy": False,
        "allowPreview": False,
        "dirName": folder_of(study),
        "comments": f"design {manifest.design_sha256}; results come back by: deixis study import {study} FILES",
        "jsonData": None,
        "endRedirectUrl": "",
        "studyEntryMsg": None,
        "componentList": [component],
        "batchList": [batch],
    }
    return {"version": "3", "data": data}


def jatos(plan: Plan, manifest: Manifest, pictures: Files) -> bytes:
    """Return the archive."""
    steps = (
        "In JATOS, *Import study* and choose the `.jzip`.",
        "Under *Study links*, make a link: *General single* for Prolific, where everybody takes part once.",
        "Change nothing in the component: it has to stay reloadable.",
    )
    results = "From *Results*, export *data only*, as plain text or as a ZIP, or a *JATOS results archive*:"
    files = {
        **page_files("jatos", manifest, pictures, completion(plan), ("jatos.js", MANIFEST)),
        "README.md": readme(manifest, "JATOS", steps, LOSSES, results),
    }
    written = json.dumps(properties(manifest), indent=1, ensure_ascii=False).encode()
    folder = folder_of(manifest.study)
    return zipped({f"{manifest.study}.jas": written, **{f"{folder}/{name}": data for name, data in files.items()}})


def zipped(files: Files) -> bytes:
    """Return files as a ZIP, the same bytes for the same files."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _NOON_1980)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()
