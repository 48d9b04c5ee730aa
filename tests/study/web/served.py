"""Serves a short study until it is killed: ``python -m tests.study.web.served FOLDER DATABASE PORT``."""

import sys
from dataclasses import replace
from pathlib import Path

import uvicorn

from deixis.study.database.opening import open_database
from deixis.study.folder import new_study, open_study
from deixis.study.practice import checks_right
from deixis.study.server.app import application
from deixis.study.server.timeline import Course

BLOCK = "vocabulary"
TRIALS = 6
"""Of the sixteen of a list; one check comes to them, and one trial of practice before."""


def study(folder: Path) -> None:
    """Write the study's folder."""
    settings: dict[str, str] = {}
    new_study(folder, f"production-{BLOCK}", name="short", seed=1, people=40, protocol="corrected", settings=settings)


def course(folder: Path) -> tuple[Course, Path]:
    """Return the study cut short, with a way back to Prolific, and where its pictures are."""
    whole = open_study(folder)
    page = whole.manifest.blocks[BLOCK]
    made = replace(
        whole.manifest,
        lists={"1": {BLOCK: whole.manifest.lists["1"][BLOCK][:TRIALS]}},
        blocks={BLOCK: replace(page, practice=page.practice[:1], checks=page.checks[:1])},
    )
    plan = replace(whole.plan, prolific=True, codes={"complete": "DONE1"})
    return Course(plan, made, checks_right(whole.plan)), folder / "pictures"


def main(folder: str, database: str, port: str) -> None:
    """Serve."""
    short, pictures = course(Path(folder))
    app = application(
        short,
        open_database(Path(database)),
        lambda name: (pictures / name).read_bytes(),
        preview="preview",
        researcher="researcher",
        consent_sha256="0" * 64,
    )
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning", access_log=False, timeout_keep_alive=75)


if __name__ == "__main__":
    main(*sys.argv[1:])
