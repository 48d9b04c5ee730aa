"""The ``deixis`` command: its subcommands, and how errors reach the user."""

import sys
from typing import Any

import typer

from deixis import __version__
from deixis.cli import (
    analyse,
    ceiling,
    compare,
    items,
    participants,
    plan,
    report,
    run,
    scenes,
    score,
    show,
    study,
    trials,
)
from deixis.errors import DeixisError, Unfinished

_INTERRUPTED = 130
_USAGE: Any = typer.BadParameter.__mro__[1]
"""What the command line raises for words it does not know."""

app = typer.Typer(
    name="deixis",
    help="Do language models, and people, know whose I, here, tomorrow, mine and this one it is?",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run", short_help="Run experiments, or go on with a run.")(run.run)
app.command("score", short_help="Show a run's numbers, or print them as CSV.")(score.score)
app.command("analyse", short_help="Test what was predicted, and what explains the answers.")(analyse.analyse)
app.command("compare", short_help="Compare two runs, trial by trial; a gate for changes.")(compare.compare)
app.command("report", short_help="Write the page, the figures and all numbers.")(report.report)
app.command("trials", short_help="Show or write the trial table.")(trials.trials)
app.command("show", short_help="Show one trial: prompt, options, which is right.")(show.show)
app.command("ceiling", short_help="Show what text, picture and both allow at best.")(ceiling.ceiling)
app.command("plan", short_help="Say what a run would take: trials, tokens, cost, hours.")(plan.plan)
app.command("participants", short_help="List who can be asked here.")(participants.participants)
app.add_typer(items.app, name="items")
app.add_typer(scenes.app, name="scenes")
app.add_typer(study.app, name="study")


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    """Do language models, and people, know whose I, here, tomorrow, mine and this one it is?"""
    if version:
        typer.echo(__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(f"deixis {__version__}")
        typer.echo("type 'deixis run' for a tour on a small model (2 minutes), 'deixis --help' for everything")


def main() -> None:
    """Run the command line; every fault the user can mend becomes one line and an exit code."""
    try:
        code = app(standalone_mode=False)
    except DeixisError as error:
        sys.stderr.write(f"deixis: {error}\n")
        code = error.exit_code
    except typer.Abort:
        code = _INTERRUPTED
    except _USAGE as error:
        error.show()
        code = error.exit_code
    if code == _INTERRUPTED:
        sys.stderr.write("deixis: stopped; every answer that came is kept: the same command goes on\n")
        code = Unfinished.exit_code
        # An interrupt that passed through evaluated text (libraries build classes so) marks the process to end by the
        # signal, whatever it exits with, although it was caught; evaluating text once more takes the mark away.
        eval("None")  # noqa: S307
    sys.exit(code if isinstance(code, int) else 0)
