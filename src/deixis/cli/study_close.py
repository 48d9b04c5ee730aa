"""``deixis study forget`` and ``deixis study close``: what must not stay does not."""

from typing import Annotated

import typer

from deixis.cli.output import put
from deixis.cli.study_serve import DatabaseOption, StudyArgument
from deixis.errors import UsageError


def forget(
    study: StudyArgument,
    code: Annotated[str, typer.Argument(metavar="CODE", help="The participant's withdrawal code.")],
    database: DatabaseOption = None,
) -> None:
    """Erase answers and identity of a participant, and search the database for traces. Backups are yours to see to."""
    from deixis.study.database.forgetting import forget as erase  # noqa: PLC0415
    from deixis.study.database.opening import open_database  # noqa: PLC0415

    opened = open_database(_there(database or str(study / "study.db")))
    try:
        found = erase(opened, code)
    finally:
        opened.close()
    searched = f"no trace in {', '.join(found.searched)}" if found.searched else "a server's files cannot be searched"
    put([f"forgotten: {code}, {found.answers} answers deleted; {searched}; remember your backups"])


def close(study: StudyArgument, database: DatabaseOption = None) -> None:
    """End a study: nobody can come any more, and who people are elsewhere is deleted. Do it once all are paid."""
    from deixis.study.database.forgetting import end  # noqa: PLC0415
    from deixis.study.database.opening import open_database  # noqa: PLC0415

    opened = open_database(_there(database or str(study / "study.db")))
    try:
        number, found = end(opened)
    finally:
        opened.close()
    searched = f"no trace in {', '.join(found.searched)}" if found.searched else "a server's files cannot be searched"
    put([f"closed: {number} identities deleted; {searched}; the answers stay"])


def _there(where: str) -> str:
    from pathlib import Path  # noqa: PLC0415

    from deixis.study.database.opening import is_url  # noqa: PLC0415

    if not is_url(where) and not Path(where).is_file():
        raise UsageError(f"no database {where!r}; 'deixis study serve' makes it, --database names another")
    return where
