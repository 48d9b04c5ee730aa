"""``deixis items review``: a second reading of a sample."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put


def review(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Items to review (CSV, JSONL or TOML); by default the bank."),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where sheet.csv, review.html and the key are written.")
    ] = Path("review"),
    share: Annotated[float, typer.Option(metavar="X", help="Share of each indexical's items.")] = 0.25,
    seed: Annotated[int, typer.Option(help="Seed of the sample and of its order.")] = 0,
    read: Annotated[
        list[Path] | None,
        typer.Option(metavar="SHEET", help="Read a filled sheet back instead; two or more are compared."),
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
        if file is not None:
            raise UsageError(
                f"--read needs no items ({str(file)!r}): the key beside the sheets knows them; leave it out"
            )
        put(report(read_sheets(read)))
        return
    questions, notes = (bank_questions(), []) if file is None else read_questions(file)
    for line in summary(notes):
        typer.echo(f"items {line}", err=True)
    cases = draw(questions, share, seed)
    written = write_sheet(cases, out, "bank" if file is None else file.name)
    typer.echo(f"{len(cases)} questions of {len({case.question.item for case in cases})} items to read", err=True)
    put(str(path) for path in written)
