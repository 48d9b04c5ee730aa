"""The folder of a study: how it is written, read back, and known to be what it was.

``study.toml``, ``consent.md``, ``instructions/BLOCK.md`` and ``debriefing.md`` are the researcher's. ``manifest.json``,
``pictures/`` and ``lists.csv`` are made from them (``deixis study check --write``) and never written by hand.
"""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deixis.errors import StoreError, UsageError
from deixis.records import Trial
from deixis.study.making import Pictures, manifest_of
from deixis.study.manifest import Manifest
from deixis.study.practice import check_trials, practice_trials
from deixis.study.settings import Plan, read_plan
from deixis.study.starting import begin
from deixis.study.trials import key_of, lists_of

MANIFEST, PICTURES, LISTS = "manifest.json", "pictures", "lists.csv"
_WRITE = "deixis study check {folder} --write"


@dataclass(frozen=True)
class Study:
    """A study that is ready: its plan, and the manifest that belongs to it."""

    folder: Path
    """Where it lies."""
    plan: Plan
    """What was decided."""
    manifest: Manifest
    """What pages show."""

    def picture(self, name: str) -> bytes:
        """Return the file of a picture; raises :class:`KeyError` for a name that no stimulus of the study has."""
        if name not in {stimulus.picture for stimulus in self.manifest.stimuli.values()}:
            raise KeyError(name)
        return (self.folder / PICTURES / name).read_bytes()


def open_study(folder: Path) -> Study:
    """Return the study in a folder; raises :class:`UsageError` where its manifest is not the one of its settings."""
    plan = read_plan(folder)
    made, pictures = manifest_of(plan, folder)
    stale = differences(folder, made, pictures)
    if stale:
        raise UsageError(f"{str(folder)!r}: {stale[0]}; type '{_WRITE.format(folder=folder)}'")
    return Study(folder, plan, made)


def differences(folder: Path, made: Manifest, pictures: Pictures) -> list[str]:
    """Return what in a folder is not as its settings and texts make it."""
    try:
        written = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return [f"there is no {MANIFEST}"]
    except (OSError, ValueError):
        return [f"{MANIFEST} cannot be read"]
    if not isinstance(written, dict):
        return [f"{MANIFEST} cannot be read"]
    wanted = made.to_json()
    found = [name for name in wanted if name != "design_sha256" and written.get(name) != wanted[name]]
    found += [name for name in written if name not in wanted]
    if not found and written.get("design_sha256") != wanted["design_sha256"]:
        found = ["the settings"]
    stale = (
        [f"{MANIFEST} is not the one of these settings and texts (it differs in {', '.join(found)})"] if found else []
    )
    missing = [name for name, data in pictures.items() if _bytes(folder / PICTURES / name) != data]
    return [*stale, *([f"{len(missing)} pictures are missing or changed"] if missing else [])]


def write_study(folder: Path, plan: Plan) -> Manifest:
    """Write what is made from settings and texts into the folder, and return the manifest."""
    made, pictures = manifest_of(plan, folder)
    try:
        (folder / PICTURES).mkdir(exist_ok=True)
        for old in (folder / PICTURES).glob("*.svg"):
            if old.name not in pictures:
                old.unlink()
        for name, data in pictures.items():
            (folder / PICTURES / name).write_bytes(data)
        text = json.dumps(made.to_json(), indent=1, ensure_ascii=False)
        (folder / MANIFEST).write_text(f"{text}\n", encoding="utf-8")
        (folder / LISTS).write_text(lists_csv(plan), encoding="utf-8", newline="")
    except OSError as error:
        raise StoreError(f"cannot write to {str(folder)!r}: {error.strerror}; give another folder") from None
    return made


def new_study(
    folder: Path, design: str, *, name: str, seed: int, people: int | None, protocol: str, settings: Mapping[str, str]
) -> Plan:
    """Write a new study into a folder that is not there yet, or is empty, and return its plan.

    Raises :class:`UsageError` for a design, protocol or setting there is not, or a folder with something in it.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"there is something in {str(folder)!r} already; give another folder with --out")
    begin(folder, design, id=name, seed=seed, people=people, protocol=protocol, settings=settings)
    plan = read_plan(folder)
    write_study(folder, plan)
    return plan


def lists_csv(plan: Plan) -> str:
    """Return every list with its trials, factors and right answers: for the researcher, and for nobody else."""
    rows: list[dict[str, str]] = []
    for name, parts in lists_of(plan).items():
        for block, trials in parts.items():
            for trial in trials:
                head = {"list": name, "block": block, "part": "trial", "key": key_of(plan, trial.id)}
                rows.append({**head, **_told(trial)})
    for part, extra in (("practice", practice_trials(plan)), ("check", check_trials(plan))):
        rows += [
            {"list": "", "block": key.split("/")[1], "part": part, "key": key, **_told(t)} for key, t in extra.items()
        ]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _told(trial: Trial) -> dict[str, str]:
    return {
        "trial_id": trial.id,
        "position": str(trial.answer + 1),
        "right": " | ".join(trial.options[place].text for place in trial.meant),
        "options": " | ".join(option.text for option in trial.options),
        **trial.factors,
    }


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
