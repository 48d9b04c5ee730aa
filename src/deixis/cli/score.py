"""``deixis score``: a run's numbers, as a table or as CSV."""

from typing import Annotated

import typer

from deixis.cli.options import RunArgument
from deixis.cli.output import put


def score(
    run: RunArgument,
    csv: Annotated[bool, typer.Option("--csv", help="One row a participant and cell, to stdout.")] = False,
) -> None:
    """Score a run: accuracy by cell with both denominators, intervals, outcomes and effects."""
    from deixis.report.numbers import csv_rows, text_tables  # noqa: PLC0415
    from deixis.scoring.results import read_results  # noqa: PLC0415

    designs = list(read_results(run))
    lines = csv_rows(designs) if csv else text_tables(designs)
    put(lines)
