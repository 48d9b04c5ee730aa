"""``deixis report``: the page, the figures and all numbers of one run or several; and a kit that rebuilds them."""

import os
from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put
from deixis.errors import UsageError


def report(
    runs: Annotated[
        list[Path] | None, typer.Argument(metavar="RUN...", help="Folders that 'deixis run' wrote.")
    ] = None,
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
    bundle: Annotated[
        Path | None,
        typer.Option(metavar="KIT", help="Write a replication kit instead: data, signatures, report, how to rebuild."),
    ] = None,
    rebuild: Annotated[
        Path | None,
        typer.Option(metavar="KIT", help="Check a replication kit and make its report anew; 1 where a number differs."),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Write report.html, the figures (SVG, PNG, PDF), the tables, numbers.csv and errors.csv."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # many small matrices: threads only wait for each other
    workers = os.cpu_count() or 1
    if rebuild is not None:
        if runs or reading is not None or items is not None or bundle is not None:
            raise UsageError(f"--rebuild {str(rebuild)!r} takes everything from the kit; give it alone, or with --out")
        _rebuild(rebuild, out, workers, open_page=open_page)
        return
    if not runs:
        raise UsageError("no RUN to report; give folders that 'deixis run' wrote, or --rebuild KIT")
    if bundle is not None:
        from deixis.report.kit.making import bundle as make  # noqa: PLC0415

        if out is not None:
            raise UsageError(f"--bundle {str(bundle)!r} holds its report; leave out --out {str(out)!r}")
        lines = make(runs, bundle, reading or "", _facts(items), workers)
        page = bundle / "report" / "report.html"
        put([*lines, str(bundle)])
    else:
        from deixis.report.page import write_report  # noqa: PLC0415
        from deixis.scoring.results import PROTOCOL  # noqa: PLC0415
        from deixis.scoring.ways import read_way  # noqa: PLC0415

        way = PROTOCOL if reading is None else read_way(reading)
        page, lines = write_report(runs, out or runs[0], way=way, workers=workers, items=_facts(items))
        put([*lines, str(page)])
    if open_page:
        typer.launch(page.resolve().as_uri())


def _rebuild(kit: Path, out: Path | None, workers: int, *, open_page: bool) -> None:
    from deixis.report.kit.rebuilding import rebuild  # noqa: PLC0415

    found = rebuild(kit, out, workers)
    put(found.lines())
    if open_page:
        typer.launch(((out or kit / "report") / "report.html").resolve().as_uri())
    if not found.same:
        raise typer.Exit(1)


def _facts(items: Path | None) -> dict[str, int] | None:
    from deixis.items.facts import facts  # noqa: PLC0415
    from deixis.items.reading import read_questions  # noqa: PLC0415

    return None if items is None else facts(read_questions(items)[0])
