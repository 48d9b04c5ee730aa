"""``deixis items review``: a second reading of a sample."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put


def review(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", readable=False, help="Items to review (CSV, JSONL or TOML); by default the bank."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where sheet.csv, review.html and the key are written; by default review."),
    ] = None,
    share: Annotated[
        float | None, typer.Option(metavar="X", help="Share of each indexical's items; by default 0.25.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the sample and of its order; by default 0.")] = None,
    read: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="SHEET", readable=False, help="Read a filled sheet back instead; two or more are compared."
        ),
    ] = None,
) -> None:
    """Draw a sample for reviewers, as a sheet and as a page for the browser; or read filled sheets back.

    Reviewers see no cell names: which answer does the context alone suggest, is the passage grammatical, do the two
    versions of the last sentence differ in quotation, that and tense only?
    """
    from deixis.errors import UsageError  # noqa: PLC0415
    from deixis.items.notes import summary  # noqa: PLC0415
    from deixis.items.reading import bank_questions, read_questions  # noqa: PLC0415
    from deixis.items.review.agreement import report  # noqa: PLC0415
    from deixis.items.review.sample import draw  # noqa: PLC0415
    from deixis.items.review.sheet import read_sheets, write_sheet  # noqa: PLC0415

    if read:
        given = {"the items": file, "--out": out, "--share": share, "--seed": seed}
        for option, value in given.items():
            if value is not None:
                raise UsageError(f"--read takes everything from the key beside the sheets; leave out {option} {value}")
        put(report(read_sheets(read)))
        return
    questions, notes = (bank_questions(), []) if file is None else read_questions(file)
    for line in summary(notes):
        typer.echo(f"items {line}", err=True)
    cases = draw(questions, 0.25 if share is None else share, seed or 0)
    written = write_sheet(cases, out or Path("review"), "bank" if file is None else file.name)
    typer.echo(f"{len(cases)} questions of {len({case.question.item for case in cases})} items to read", err=True)
    put(str(path) for path in written)
