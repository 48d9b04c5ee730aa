"""Studies for DataPipe, Pavlovia and cognition.run: the same page, with what each of them asks for.

None of the three was tried on its own server; the interfaces are those that they document. Pavlovia's jsPsych plugin
and jQuery are not shipped: the README says where they go. cognition.run takes scripts and style sheets instead of a
page, so everything, pictures included, becomes scripts.
"""

import base64
import json
import re
from importlib.resources import files

from deixis.errors import UsageError
from deixis.study.hosts.package import MANIFEST, Files, completion, manifest_script, page_files
from deixis.study.hosts.telling import readme
from deixis.study.manifest import Manifest
from deixis.study.settings import Plan
from deixis.study.web import LIBRARY, STYLE, content, names

PAVLOVIA = ("lib/jquery.min.js", "lib/jspsych-pavlovia.js")
"""Where jQuery and Pavlovia's jsPsych plugin are put by whoever uploads the study."""
_EXPERIMENT = re.compile(r"[A-Za-z0-9_-]{4,64}")
_TASK = "run.js"


def datapipe(plan: Plan, manifest: Manifest, pictures: Files, experiment: str) -> dict[str, bytes]:
    """Return a folder for any web server whose answers go to a DataPipe experiment.

    Raises :class:`UsageError` where ``experiment`` is no id of one.
    """
    if not _EXPERIMENT.fullmatch(experiment):
        raise UsageError(
            f"DataPipe needs the id of your experiment, not {experiment!r}; "
            "make one on pipe.jspsych.org and give --experiment ID"
        )
    steps = (
        f"In DataPipe, turn on data collection for the experiment `{experiment}`, without validation.",
        "Put the folder on any web server (GitHub Pages does); it needs no program there.",
        "Give people the address of `index.html`.",
    )
    losses = ("code", "lists", "full", "resume", "parts", "delete", "time", "prolific", "untried")
    results = "All files in the component of the Open Science Framework (one person has several):"
    settings = {**completion(plan), "experiment": experiment}
    return {
        **page_files("datapipe", manifest, pictures, settings),
        "README.md": readme(manifest, "DataPipe", steps, losses, results),
    }


def pavlovia(plan: Plan, manifest: Manifest, pictures: Files) -> dict[str, bytes]:
    """Return a folder for a Pavlovia project, without Pavlovia's own two scripts."""
    steps = (
        f"Put jQuery into the folder as `{PAVLOVIA[0]}`.",
        f"Put Pavlovia's jsPsych plugin (`jspsych-7-pavlovia-….js`, from its demos) there as `{PAVLOVIA[1]}`.",
        "Push the folder to a project on gitlab.pavlovia.org, and set it to *running* with results as CSV.",
        "Give people the address that Pavlovia shows.",
    )
    losses = ("code", "lists", "full", "resume", "restart", "end", "delete", "time", "prolific", "untried")
    results = "The CSV files in `data/` of the project:"
    made = page_files("pavlovia", manifest, pictures, completion(plan))
    own = '<script defer src="web/host-pavlovia.js"></script>\n'
    theirs = "".join(f'<script defer src="{name}"></script>\n' for name in PAVLOVIA)
    made["index.html"] = made["index.html"].decode().replace(own, theirs + own).encode()
    return {**made, "README.md": readme(manifest, "Pavlovia", steps, losses, results)}


def cognition(plan: Plan, manifest: Manifest, pictures: Files) -> dict[str, bytes]:
    """Return what cognition.run takes: a task code, three external scripts, a style sheet."""
    scripts = [name for name in names("cognition") if name not in {LIBRARY, STYLE, _TASK}]
    own = b"\n".join(content(name) for name in scripts if not name.startswith("host-"))
    host = next(content(name) for name in scripts if name.startswith("host-"))
    held = files("deixis.study.hosts").joinpath("held.js").read_bytes()
    steps = (
        "Make a task, with jsPsych 8.",
        "Upload under *External JS/CSS*, in this order: `1-manifest.js`, `2-pictures.js`, `3-deixis.js`, `study.css`.",
        "Paste `task-code.js` into *Task code*.",
    )
    losses = ("code", "lists", "full", "resume", "restart", "end", "delete", "time", "prolific", "untried")
    results = "The CSV that the task's *Data* page gives:"
    return {
        f"1-{MANIFEST}": manifest_script(manifest, completion(plan)),
        "2-pictures.js": _embedded(pictures),
        "3-deixis.js": b"\n".join([own, held, host]),
        STYLE: content(STYLE),
        "task-code.js": content(_TASK),
        "README.md": readme(manifest, "cognition.run", steps, losses, results),
    }


def _embedded(pictures: Files) -> bytes:
    """Return pictures as a script, by the address under which the page asks for them."""
    held = {
        f"pictures/{name}": f"data:image/svg+xml;base64,{base64.b64encode(data).decode()}"
        for name, data in sorted(pictures.items())
    }
    return f"window.deixisPictures = {json.dumps(held)};\n".encode("ascii")
