"""``deixis study``: people in the browser."""

import typer

from deixis.cli.study_check import check
from deixis.cli.study_close import close, forget
from deixis.cli.study_demo import demo
from deixis.cli.study_export import export
from deixis.cli.study_import import import_
from deixis.cli.study_join import join
from deixis.cli.study_new import new
from deixis.cli.study_serve import serve
from deixis.cli.study_simulate import simulate

app = typer.Typer(
    help="People in the browser: the same items, the same table.", rich_markup_mode=None, no_args_is_help=True
)
app.command("new", short_help="Write the folder of a new study.")(new)
app.command("check", short_help="Say what is missing, and how the design is balanced.")(check)
app.command("demo", short_help="Serve a throw-away study, to see what participants see.")(demo)
app.command("serve", short_help="Serve a study to participants.")(serve)
app.command("simulate", short_help="Send made-up people through a study.")(simulate)
app.command("export", short_help="Write the data, or a package for another host.")(export)
app.command("import", short_help="Take in results of another host.")(import_)
app.command("join", short_help="Match participants with Prolific's own export.")(join)
app.command("forget", short_help="Erase a participant, and show that nothing is left.")(forget)
app.command("close", short_help="End a study: delete who people are elsewhere.")(close)


@app.callback()
def study() -> None:
    """People in the browser: the same items, the same table."""
