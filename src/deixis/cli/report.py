"""``deixis report``: the page, the figures and all numbers of one run or several."""

import os
from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders that 'deixis run' wrote.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write; by default into the first RUN.")
    ] = None,
    reading: Annotated[
        str | None,
        typer.Option(metavar="WAY", help="How answers are read: strict, published, judge:NAME or judge-all:NAME."),
    ] = None,
    items: Annotated[
        Path | None,
        typer.Option(metavar="FILE", readable=False, help="Items on which the claim about items (I15) is decided."),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Write report.html, the figures (SVG, PNG, PDF), numbers.csv and errors.csv."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # many small matrices: threads only wait for each other
    from deixis.report.page import write_report  # noqa: PLC0415
    from deixis.scoring.results import PROTOCOL  # noqa: PLC0415
    from deixis.scoring.ways import read_way  # noqa: PLC0415

    way = PROTOCOL if reading is None else read_way(reading)
    page, lines = write_report(runs, out or runs[0], way=way, workers=os.cpu_count() or 1, items=_facts(items))
    put([*lines, str(page)])
    if open_page:
        typer.launch(page.resolve().as_uri())


def _facts(items: Path | None) -> dict[str, int] | None:
    from deixis.items.facts import facts  # noqa: PLC0415
    from deixis.items.reading import read_questions  # noqa: PLC0415

    return None if items is None else facts(read_questions(items)[0])
