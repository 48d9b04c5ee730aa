"""``deixis compare``: two runs, or two versions of a model, trial by trial; a gate for every change."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put


def compare(
    run_a: Annotated[Path, typer.Argument(metavar="RUN_A", help="A folder that 'deixis run' wrote.")],
    run_b: Annotated[
        Path | None, typer.Argument(metavar="RUN_B", help="Another, or the same for two participants of one run.")
    ] = None,
    participant: Annotated[
        list[str] | None,
        typer.Option(
            "-p",
            "--participant",
            metavar="NAME",
            help="Who is compared: once for both runs or once for each; by default the one model of each.",
        ),
    ] = None,
    experiment: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this experiment; may be given several times.")
    ] = None,
    condition: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this condition; may be given several times.")
    ] = None,
    reader: Annotated[
        str, typer.Option(metavar="NAME", help="Read with strict or published; by default as the protocol says.")
    ] = "",
    fail_under: Annotated[
        float | None, typer.Option(metavar="X", help="Exit with 1 where B's accuracy in a design is less than X.")
    ] = None,
    max_drop: Annotated[
        float | None, typer.Option(metavar="X", help="Exit with 1 where B falls under A by more than X in a design.")
    ] = None,
    examples: Annotated[
        int | None, typer.Option(metavar="N", help="Show N trials a design that got worse, with both answers.")
    ] = None,
    csv: Annotated[
        bool, typer.Option("--csv", help="One row a design and one a level of each factor, to stdout.")
    ] = False,
) -> None:
    """Compare two runs, A and B, on the trials that both have answered: what got better, what got worse, and where.

    With --fail-under or --max-drop the last line on stderr says whether B passes: 0 passed, 1 failed, 3 not decided,
    since answers of B are missing. Trials that differ are never set against each other.
    """
    from deixis.report.compare_csv import csv_lines  # noqa: PLC0415
    from deixis.report.compare_lines import check_examples, compared, front_lines, table_lines  # noqa: PLC0415

    shown = check_examples(examples, csv=csv)
    runs = (run_a, run_b or run_a)
    found, verdict = compared(
        runs, participant or (), experiment or (), condition or (), reader, (fail_under, max_drop)
    )
    front = front_lines(found)
    for line in front if csv else ():
        typer.echo(line, err=True)
    with suppress(typer.Exit):  # a reader of stdout who has seen enough decides nothing
        put(csv_lines(found) if csv else [*front, "", *table_lines(found, shown)])
    if verdict is not None:
        typer.echo(verdict.line, err=True)
        if verdict.code:
            raise typer.Exit(verdict.code)
