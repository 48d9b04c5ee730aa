"""``deixis items lint``: check a file of items."""

import json
from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put


def lint(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            readable=False,
            help="CSV in the published format, JSONL, or templates in TOML; by default the bank.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A list of objects with row, code, severity and message.")
    ] = False,
    checks: Annotated[bool, typer.Option("--checks", help="List the checks and stop.")] = False,
) -> None:
    """Check items, and say what is wrong in which row. Exits with 1 where anything is more than cosmetic."""
    from deixis.errors import UsageError  # noqa: PLC0415
    from deixis.items.lint.checks import CHECKS  # noqa: PLC0415
    from deixis.items.lint.run import as_table, by_code  # noqa: PLC0415
    from deixis.items.lint.run import lint as check  # noqa: PLC0415
    from deixis.items.notes import summary  # noqa: PLC0415
    from deixis.items.reading import bank_questions, read_questions  # noqa: PLC0415

    if checks:
        if file is not None or as_json:
            raise UsageError("--checks lists the checks and reads no file; leave out what stands beside it")
        put(f"{check.code:<22}{check.severity.value:<20}{check.message}" for check in CHECKS.values())
        return
    questions, notes = (bank_questions(), []) if file is None else read_questions(file)
    for line in summary(notes):
        typer.echo(f"items {line}", err=True)
    found = check(questions)
    if as_json:
        put([json.dumps([finding.entry for finding in found], indent=1, ensure_ascii=False)])
    else:
        put(as_table(found))
    items = len({question.item for question in questions})
    errors = sum(finding.is_error for finding in found)
    typer.echo(f"{items} items, {len(questions)} questions: {errors} errors, {len(found) - errors} cosmetic", err=True)
    for code, severity, count, rows in by_code(found):
        typer.echo(f"{count:>6} in {rows:>5} rows  {code:<22}{severity}", err=True)
    if errors:
        raise typer.Exit(1)
