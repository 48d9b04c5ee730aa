"""``deixis study export``: the data of a study or a run, or the study itself for another host."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put
from deixis.cli.study_serve import DatabaseOption
from deixis.errors import UsageError

DATA = ("csv", "parquet", "psych-ds")
HOSTS = ("static", "jatos", "cognition", "pavlovia", "datapipe")
FORMATS = (*DATA, "run", *HOSTS)


def export(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="The folder of a study; for data also of a run.")],
    to: Annotated[
        str,
        typer.Option(
            metavar="FORMAT",
            help="The data: csv, parquet, psych-ds, run (a run folder). The study for another host: static, jatos, "
            "cognition, pavlovia, datapipe.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where it goes; by default STUDY-FORMAT in this folder.")
    ] = None,
    database: DatabaseOption = None,
    mode: Annotated[
        str, typer.Option(metavar="MODE", help="Whose data: live, simulated or test; by default live, else simulated.")
    ] = "",
    with_excluded: Annotated[
        bool, typer.Option("--with-excluded", help="With run: write people whom a declared rule leaves out as well.")
    ] = False,
    experiment: Annotated[str, typer.Option(metavar="ID", help="With datapipe: the id of your experiment there.")] = "",
) -> None:
    """Export data, the same table as models have, or the study for another host.

    Whom a declared rule leaves out is in every table, with the reason; a run folder is without, unless asked for.
    """
    if to not in FORMATS:
        raise UsageError(f"no format {to!r}; there is {', '.join(FORMATS)}")
    for option, given, fits in (
        ("--with-excluded", with_excluded, to == "run"),
        ("--experiment", experiment, to == "datapipe"),
        ("--mode", mode, to not in HOSTS),
        ("--database", database, to not in HOSTS),
    ):
        if given and not fits:
            raise UsageError(f"{option} says nothing to {to}; leave it out")
    place = out or Path(f"{study.resolve().name}-{to}")
    from deixis.study.data import telling  # noqa: PLC0415

    if to in HOSTS:
        put(telling.packed(study, to, place, experiment))
    elif to == "run":
        put(telling.run_written(study, place, database, mode, with_excluded=with_excluded))
    else:
        put(telling.data_written(study, to, place, database, mode))
