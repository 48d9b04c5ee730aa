"""``deixis analyse``: the statistics of runs, as tables."""

from os import environ
from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.options import SeedOption
from deixis.cli.output import put
from deixis.errors import UsageError


def analyse(
    runs: Annotated[
        list[Path] | None, typer.Argument(metavar="RUN...", help="Folders that 'deixis run' wrote.")
    ] = None,
    reader: Annotated[
        str, typer.Option(metavar="NAME", help="Read with strict or published; by default as the protocol says.")
    ] = "",
    participant: Annotated[
        list[str] | None,
        typer.Option("-p", "--participant", metavar="NAME", help="Only this participant; may be given several times."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write every table as CSV into this folder, with all its columns."),
    ] = None,
    published: Annotated[
        bool, typer.Option("--published", help="Instead: what follows from the numbers that the papers print.")
    ] = False,
    seed: SeedOption = 0,
) -> None:
    """Analyse runs: accuracy, planned comparisons, tasks, indexicals, object groups, mixed models, fingerprints.

    What the data do not allow is named with its reason. The tests: docs/statistics.md.
    """
    environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # many small matrices: threads only wait for each other
    from deixis.report.analysis_tables import (  # noqa: PLC0415
        analysed,
        check_folder,
        published_lines,
        text_lines,
        write_tables,
    )

    if published and not runs:
        put(published_lines())
        return
    if published or not runs:
        raise UsageError("name one run or more, or else --published alone")
    if out is not None:
        check_folder(out)
    found = analysed(runs, reader, participant or (), seed)
    put(text_lines(found))
    if out is not None:
        put(map(str, write_tables(found, out)))
