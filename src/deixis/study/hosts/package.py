"""What every package holds: the page, its files, the pictures, the manifest as a script, a README.

The page is the one that ``deixis study serve`` shows, with the host's own script instead of the server's. Nothing in a
package says which answer is right. What it does say is the completion code, where there is one: only a server can hold
that back, and the README says so.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deixis.errors import UsageError
from deixis.study.data.tables import cannot_write
from deixis.study.manifest import Manifest
from deixis.study.settings import Plan
from deixis.study.web import contents, page

Files = Mapping[str, bytes]
"""Path within a package to its bytes."""
MANIFEST = "manifest.js"
PROLIFIC = "https://app.prolific.com/submissions/complete?cc="
"""Where people from Prolific go in the end, with their code."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


def manifest_script(manifest: Manifest, host: Mapping[str, Any]) -> bytes:
    """Return the manifest as a script that any browser takes, whatever it thinks the encoding is."""
    written = {**manifest.to_json(), "host": dict(host)}
    return f"window.deixisManifest = {json.dumps(written, separators=(',', ':'))};\n".encode("ascii")


def completion(plan: Plan) -> dict[str, str]:
    """Return the address and the code of completion, where people come from Prolific."""
    code = plan.codes.get("complete", "") if plan.prolific else ""
    return {"complete": PROLIFIC + code, "completion_code": code} if code else {}


def page_files(
    host: str,
    manifest: Manifest,
    pictures: Files,
    settings: Mapping[str, Any],
    before: Sequence[str] = (MANIFEST,),
    *,
    closed: bool = False,
) -> dict[str, bytes]:
    """Return the files of a study that a browser can open: ``index.html`` and what it asks for.

    ``settings`` are those of the host; ``before`` are scripts that come first; with ``closed`` the page forbids itself
    to ask anybody else for anything.
    """
    return {
        "index.html": page(host, "web/", tuple(before), _POLICY if closed else "").encode(),
        MANIFEST: manifest_script(manifest, settings),
        **{f"web/{name}": data for name, data in contents(host).items()},
        **{f"pictures/{name}": data for name, data in sorted(pictures.items())},
    }


def write_folder(out: Path, files: Files, study: str) -> None:
    """Write a package as a folder; an older package of the same study there is written over.

    Raises :class:`UsageError` where the folder holds anything else.
    """
    found = sorted(out.iterdir()) if out.is_dir() else []
    if found and not _is_package(out, study):
        raise UsageError(f"{str(out)!r} is no package of {study!r} and not empty; name a new folder with --out")
    try:
        for name, data in files.items():
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    except OSError as error:
        raise cannot_write(out, error) from None


def _is_package(out: Path, study: str) -> bool:
    script = next(iter(sorted(out.rglob(MANIFEST))), None)
    return script is not None and f'"study":{json.dumps(study)}' in script.read_text(encoding="utf-8")
