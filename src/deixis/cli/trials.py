"""``deixis trials``: the trial table."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.options import ItemsOption, Protocol, ProtocolOption, SeedOption
from deixis.cli.output import put


def trials(
    experiment: Annotated[str, typer.Argument(metavar="EXPERIMENT", help="Such as indexicals.")],
    condition: Annotated[str, typer.Option(metavar="NAME", help="Such as main.")] = "main",
    protocol: ProtocolOption = Protocol.CORRECTED,
    items: ItemsOption = None,
    seed: SeedOption = 0,
    csv: Annotated[bool, typer.Option("--csv", help="Write CSV to stdout.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write to a file: .csv, .jsonl or .parquet.")] = None,
) -> None:
    """Show the trial table of an experiment: one row a trial, with prompt, options and right answer."""
    from deixis.experiments import experiment as find  # noqa: PLC0415
    from deixis.experiments.tables import counts, csv_lines, write_table  # noqa: PLC0415

    design = find(experiment).design(items, condition, protocol.value, seed)
    for note in design.notes:
        typer.echo(f"items {note}", err=True)
    if out is not None:
        write_table(design, out)
        typer.echo(f"{len(design.trials)} trials in {out}", err=True)
    if csv:
        put(csv_lines(design), end="")
    elif out is None:
        put(counts(design))
