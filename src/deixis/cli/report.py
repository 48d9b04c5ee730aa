"""``deixis report``: the page, the figures and all numbers of one run or several."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders that 'deixis run' wrote.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write; by default into the first RUN.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Write report.html, the figures (SVG, PNG, PDF) and numbers.csv."""
    from deixis.report.page import write_report  # noqa: PLC0415

    page, lines = write_report(runs, out or runs[0])
    put([*lines, str(page)])
    if open_page:
        typer.launch(page.resolve().as_uri())
