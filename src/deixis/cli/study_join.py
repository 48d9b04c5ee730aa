"""``deixis study join``: a study beside the recruiter's export."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put
from deixis.cli.study_serve import DatabaseOption, StudyArgument


def join(
    study: StudyArgument,
    export: Annotated[Path, typer.Argument(metavar="CSV", help="Prolific's export of the study's submissions.")],
    columns: Annotated[
        str,
        typer.Option(metavar="NAMES", help="Columns of it to keep, with commas between, such as 'Age,First language'."),
    ] = "",
    database: DatabaseOption = None,
) -> None:
    """Match people with Prolific's submissions, and say where the two disagree about who came to the end.

    Kept, in STUDY/joined.csv, are only the columns named, under the study's own codes; exports take them along.
    """
    from deixis.study.data.telling import joined  # noqa: PLC0415

    put(joined(study, export, [name.strip() for name in columns.split(",") if name.strip()], database))
