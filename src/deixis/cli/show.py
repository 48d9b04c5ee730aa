"""``deixis show``: one trial as a participant meets it, and its right answer."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.options import ItemsOption, Protocol, ProtocolOption, SeedOption, SetOption
from deixis.cli.output import put


def show(
    trial_id: Annotated[
        str,
        typer.Argument(
            metavar="TRIAL_ID",
            help="Such as here/007/quoted/shifted or possessive/g03-broom-ring/aabb/t2/boy-speaks/girl-gazes.",
        ),
    ],
    condition: Annotated[
        str | None, typer.Option(metavar="NAME", help="Such as spatial-visual; by default the experiment's first.")
    ] = None,
    protocol: ProtocolOption = Protocol.CORRECTED,
    items: ItemsOption = None,
    settings: SetOption = None,
    seed: SeedOption = 0,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the picture is written, if there is one; by default named by the id."),
    ] = None,
) -> None:
    """Show the prompt, the options in their order, and which of them is right, for one trial; write its picture."""
    from deixis.experiments.experiment import Setup  # noqa: PLC0415
    from deixis.experiments.settings import read_settings  # noqa: PLC0415
    from deixis.experiments.tables import described, find_trial, write_picture  # noqa: PLC0415

    setup = Setup(condition or "", protocol.value, seed, items, read_settings(settings or ()))
    trial, prompt, design = find_trial(trial_id, setup)
    put([*described(trial, prompt), *write_picture(prompt, design, picture)])
