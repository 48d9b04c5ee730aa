"""``deixis study import``: result files of another host into a study's database."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put
from deixis.cli.study_serve import DatabaseOption, StudyArgument
from deixis.errors import Unfinished


def import_(
    study: StudyArgument,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILES", help="Result files: .jsonl, .txt, .json, .csv, or a ZIP of such files."),
    ],
    database: DatabaseOption = None,
) -> None:
    """Take in what people answered elsewhere: JATOS, the static folder, DataPipe, Pavlovia, cognition.run.

    Taking the same file twice changes nothing. Answers to another design are refused. What is damaged is named, and
    everything else taken.
    """
    from deixis.study.database.opening import open_database  # noqa: PLC0415
    from deixis.study.folder import open_study  # noqa: PLC0415
    from deixis.study.hosts.importing import import_results  # noqa: PLC0415

    ready = open_study(study)
    opened = open_database(database or str(study / "study.db"))
    try:
        found = import_results(ready, opened, files)
    finally:
        opened.close()
    taken = found.taken
    gone = f", {taken.withdrawn} withdrawn" if taken.withdrawn else ""
    put([f"imported: {taken.people} new people{gone}, {taken.answers} new answers, {taken.there} there before"])
    for line in found.damaged:
        typer.echo(line, err=True)
    if found.damaged:
        many = len(found.damaged)
        raise Unfinished(
            f"{many} {'entry' if many == 1 else 'entries'} could not be taken (named above); the rest is in"
        )
