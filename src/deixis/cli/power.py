"""The options of ``deixis plan --power``."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from deixis.cli.output import put
from deixis.errors import UsageError


class Pairing(StrEnum):
    """Who answers what under which condition."""

    CROSSED = "crossed"
    LISTS = "lists"
    BETWEEN = "between"


class Against(StrEnum):
    """What a difference is held against."""

    BOTH = "both"
    PEOPLE = "people"
    ITEMS = "items"


PowerOption = Annotated[
    bool,
    typer.Option(
        "--power",
        help="Instead: how many people, items and repeats find a difference between two conditions, by simulation. The "
        "options below belong to it.",
    ),
]
PeopleOption = Annotated[
    str | None, typer.Option(metavar="N", help="Participants: 40, or 20,40,80, or 40:200:40 (first, last, step).")
]
ItemsOption = Annotated[str | None, typer.Option("--items", metavar="N", help="Items, likewise; 32 by default.")]
RepeatsOption = Annotated[
    str | None, typer.Option(metavar="N", help="Times each question is put, likewise; 1 by default.")
]
BaseOption = Annotated[
    float | None, typer.Option(metavar="P", help="Share right under the first condition; 0.8 by default.")
]
DifferenceOption = Annotated[
    float | None, typer.Option(metavar="P", help="Share right under the second condition less the first, such as 0.05.")
]
OddsOption = Annotated[
    float | None,
    typer.Option(
        metavar="X", help="Instead: odds of the second over the first for the same person and item, such as 2."
    ),
]
SdPeopleOption = Annotated[
    float | None, typer.Option(metavar="X", help="Standard deviation of people, in logits; 1 by default.")
]
SdItemsOption = Annotated[float | None, typer.Option(metavar="X", help="Of items; 0.5 by default.")]
SdPeopleEffectOption = Annotated[
    float | None, typer.Option(metavar="X", help="Of the people's own effects of the condition; 0.5 by default.")
]
SdItemsEffectOption = Annotated[
    float | None, typer.Option(metavar="X", help="Of the items' own effects; 0.5 by default.")
]
PairingOption = Annotated[
    Pairing | None,
    typer.Option(
        help="crossed (by default): everyone answers every item under both conditions; lists: half of the items under "
        "each, turned by list; between: each person under one."
    ),
]
AgainstOption = Annotated[
    Against | None,
    typer.Option(help="Whose variation the difference is held against; both by default, with one item people alone."),
]
AlphaOption = Annotated[float | None, typer.Option(metavar="P", help="False alarms allowed; 0.05 by default.")]
SimulationsOption = Annotated[
    int | None, typer.Option(metavar="N", help="Studies simulated of each size; 1000 by default.")
]
PilotOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        readable=False,
        help="CSV with the columns participant, item, condition (the first that occurs is the first), correct; gives "
        "whatever of the shares and standard deviations is not said.",
    ),
]


def put_power(given: Mapping[str, Any], others: Mapping[str, Any], seed: int, *, csv: bool) -> None:
    """Print the power of what is ``given``; ``others`` are what plans a run and has no place here."""
    from deixis.report.power import Question, csv_lines, text_lines  # noqa: PLC0415

    stray = next((name for name, value in others.items() if value), None)
    if stray is not None:
        raise UsageError(f"--power plans a study by its own options; leave out {stray}")
    sds = tuple(given[name] for name in ("sd_people", "sd_items", "sd_people_effect", "sd_items_effect"))
    rest = {name: value for name, value in given.items() if value is not None and not name.startswith("sd_")}
    question = Question(**rest, sds=sds, seed=seed)
    put((csv_lines if csv else text_lines)(question))


def check_unused(given: Mapping[str, Any]) -> None:
    """Raise :class:`UsageError` for an option of ``--power`` without it."""
    stray = next((name for name, value in given.items() if value is not None), None)
    if stray is not None:
        raise UsageError(f"--{stray.replace('_', '-')} belongs to --power; add it, or leave this out")
