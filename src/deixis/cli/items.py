"""``deixis items``: files of items, checked, imported, written, reviewed."""

import typer

from deixis.cli import items_import, items_lint, items_review, items_write

app = typer.Typer(help="Check, import, write and review items.", rich_markup_mode=None, no_args_is_help=True)
app.command("lint", short_help="Check a file of items.")(items_lint.lint)
app.command("import", short_help="Read a file of items, repaired.")(items_import.import_)
app.command("write", short_help="Draw a fresh set, or have a model write new items.")(items_write.write)
app.command("review", short_help="Have a sample read again, and compare the readings.")(items_review.review)


@app.callback()
def items() -> None:
    """Check, import, write and review items."""
