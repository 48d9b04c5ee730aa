"""``deixis ceiling``: what text, picture and both determine."""

from typing import Annotated

import typer

from deixis.cli.options import Protocol, SetOption
from deixis.cli.output import put


def ceiling(
    experiments: Annotated[
        list[str] | None, typer.Argument(metavar="EXPERIMENT", help="Such as possessive; by default all of them.")
    ] = None,
    condition: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Such as spatial-both; by default all of them.")
    ] = None,
    protocol: Annotated[
        list[Protocol] | None, typer.Option(help="May be given several times; by default every protocol.")
    ] = None,
    settings: SetOption = None,
    csv: Annotated[bool, typer.Option("--csv", help="Write CSV to stdout, one row a channel.")] = False,
) -> None:
    """Show the best accuracy that text alone, picture alone and both allow, for every condition.

    By exact enumeration of all situations: a participant knows the options and what the text tells or the picture
    shows. A condition without a picture has no ceiling for it.
    """
    from deixis.experiments.ceilings import ceilings, csv_lines, text_lines  # noqa: PLC0415
    from deixis.experiments.settings import read_settings  # noqa: PLC0415

    protocols = [one.value for one in protocol or ()]
    rows = ceilings(experiments or (), condition or (), protocols, read_settings(settings or ()))
    put(csv_lines(rows) if csv else text_lines(rows))
