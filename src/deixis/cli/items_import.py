"""``deixis items import``: read a file of items, repaired."""

from pathlib import Path
from typing import Annotated

import typer


def import_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", readable=False, help="A CSV in the published format, or JSONL.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the items: .jsonl, one an item, or .csv.")
    ] = None,
    keep: Annotated[
        bool,
        typer.Option("--keep-damage", help="Repair nothing and leave nothing out, only say what is damaged."),
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="One line a finding, with the text.")] = False,
) -> None:
    """Read a file of items, repair what is certain, leave out what is not, and say which."""
    from deixis.items.files import read_items, write_items  # noqa: PLC0415
    from deixis.items.notes import full, summary  # noqa: PLC0415

    found, notes = read_items(file, mend=not keep)
    cells = sum(len(item.cells) for item in found)
    typer.echo(f"{len(found)} items, {cells} questions from {file}", err=True)
    for line in full(notes) if verbose else summary(notes):
        typer.echo(line, err=True)
    if out is not None:
        write_items(out, found, anew=True)
        typer.echo(f"wrote {out}", err=True)
