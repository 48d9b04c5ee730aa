"""Options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Protocol(StrEnum):
    """Which design decisions hold."""

    PUBLISHED = "published"
    DESCRIBED = "described"
    CORRECTED = "corrected"


ProtocolOption = Annotated[
    Protocol,
    typer.Option(
        help="published: as the authors' runner does it; described: as their paper says; corrected: counterbalanced, "
        "repaired, read carefully."
    ),
]
ItemsOption = Annotated[
    Path | None,
    typer.Option("--items", metavar="FILE", readable=False, help="Items to use instead of the bank (CSV or JSONL)."),
]
SeedOption = Annotated[int, typer.Option(help="Seed of subsets, chance and sampling.")]
RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="A folder that 'deixis run' wrote.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A named setting of the design, such as naming=name; may be given several times. The settings and their "
        "defaults: docs/perspectives.md.",
    ),
]
