"""``deixis study check``: what is missing before people are asked."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put


def check(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A folder that 'deixis study new' wrote.")],
    write: Annotated[
        bool, typer.Option("--write", help="First write manifest, pictures and lists anew from settings and texts.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--every-arm", help="Print the balance of every arm on lines of its own.")
    ] = False,
) -> None:
    """Say everything that is missing or wrong, with balance, time and pay. Exits with 1 where something is missing."""
    from deixis.study.check import check as look  # noqa: PLC0415
    from deixis.study.folder import write_study  # noqa: PLC0415
    from deixis.study.settings import read_plan  # noqa: PLC0415

    if write:
        write_study(study, read_plan(study))
    found = look(study, every_arm=every)
    put(found.facts)
    put(["", *found.balance] if found.balance else [])
    put(["", *map(str, found.findings)] if found.findings else [])
    if not found.ready:
        missing = sum(finding.missing for finding in found.findings)
        typer.echo(f"{missing} missing or wrong; the study cannot start yet", err=True)
        raise typer.Exit(1)
    typer.echo(f"ready: type 'deixis study serve {study}'", err=True)
