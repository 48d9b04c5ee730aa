"""``deixis show``: one trial as a participant meets it, and its right answer."""

from typing import Annotated

import typer

from deixis.cli.options import ItemsOption, Protocol, ProtocolOption, SeedOption
from deixis.cli.output import put


def show(
    trial_id: Annotated[str, typer.Argument(metavar="TRIAL_ID", help="Such as here/007/quoted/shifted.")],
    condition: Annotated[str, typer.Option(metavar="NAME", help="Such as main.")] = "main",
    protocol: ProtocolOption = Protocol.CORRECTED,
    items: ItemsOption = None,
    seed: SeedOption = 0,
) -> None:
    """Show the prompt, the options in their order, and which of them is right, for one trial."""
    from deixis.experiments.tables import described, find_trial  # noqa: PLC0415

    trial, prompt = find_trial(trial_id, items, condition, protocol.value, seed)
    put(described(trial, prompt))
