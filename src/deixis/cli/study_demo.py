"""``deixis study demo``: one command to a running study."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.study_serve import PortOption, check_server, start


def demo(
    design: Annotated[
        str, typer.Argument(metavar="[DESIGN]", help="Which design, such as comprehension or indexicals.")
    ] = "production-demonstrative",
    port: PortOption = 8000,
    open_page: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """Serve a throw-away study at this machine until Ctrl-C; nothing of it is kept."""
    check_server()
    from deixis.study.folder import new_study, open_study  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "demo"
        new_study(folder, design, name="demo", seed=0, people=None, protocol="corrected", settings={})
        if open_page:
            typer.launch(f"http://127.0.0.1:{port}/")
        try:
            start(open_study(folder), "127.0.0.1", port, str(folder / "study.db"), None)
        except KeyboardInterrupt:
            typer.echo("stopped; nothing of the demo is kept", err=True)
