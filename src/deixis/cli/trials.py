"""``deixis trials``: the trial table."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.options import ItemsOption, Protocol, ProtocolOption, SeedOption, SetOption
from deixis.cli.output import put


def trials(
    experiment: Annotated[str, typer.Argument(metavar="EXPERIMENT", help="Such as indexicals.")],
    condition: Annotated[
        str | None, typer.Option(metavar="NAME", help="Such as main; by default the experiment's first.")
    ] = None,
    protocol: ProtocolOption = Protocol.CORRECTED,
    items: ItemsOption = None,
    settings: SetOption = None,
    seed: SeedOption = 0,
    csv: Annotated[bool, typer.Option("--csv", help="Write CSV to stdout.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write to a file: .csv, .jsonl or .parquet.")] = None,
) -> None:
    """Show the trial table of an experiment: one row a trial, with prompt, options and right answer."""
    from deixis.experiments import experiment as find  # noqa: PLC0415
    from deixis.experiments.settings import read_settings  # noqa: PLC0415
    from deixis.experiments.tables import counts, csv_lines, write_table  # noqa: PLC0415

    chosen = find(experiment)
    design = chosen.settled_design(
        items, condition or chosen.conditions[0], protocol.value, seed, read_settings(settings or ())
    )
    for note in design.notes:
        typer.echo(f"items {note}", err=True)
    if out is not None:
        typer.echo(f"{write_table(design, out)} trials in {out}", err=True)
    if csv:
        put(csv_lines(design), end="")
    elif out is None:
        put(counts(design))
