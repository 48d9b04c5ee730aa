"""``deixis show``: one trial as a participant meets it, and its right answer."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.options import ItemsOption, Protocol, ProtocolOption, SeedOption
from deixis.cli.output import put
from deixis.cli.scenes import ArtOption, SquaresOption, WhomOption


def show(
    trial_id: Annotated[str, typer.Argument(metavar="TRIAL_ID", help="Such as here/007/quoted/shifted.")],
    condition: Annotated[str, typer.Option(metavar="NAME", help="Such as main.")] = "main",
    protocol: ProtocolOption = Protocol.CORRECTED,
    items: ItemsOption = None,
    seed: SeedOption = 0,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where a scene's picture is written; by default named by its id."),
    ] = None,
    version: WhomOption = "models",
    squares: SquaresOption = "target",
    art: ArtOption = "twemoji",
) -> None:
    """Show the prompt, the options in their order, and which of them is right, for one trial.

    Of a scene, such as possessive/g03-broom-ring/aabb/t2/boy-speaks/girl-gazes, show what is the case and the right
    sentence, and write its picture.
    """
    from deixis.errors import UsageError  # noqa: PLC0415
    from deixis.experiments.tables import described, find_trial  # noqa: PLC0415
    from deixis.scenes.album import Wanted  # noqa: PLC0415
    from deixis.scenes.scene import TASKS  # noqa: PLC0415
    from deixis.scenes.showing import show_scene  # noqa: PLC0415

    task = trial_id.partition("/")[0]
    ofitem = {"--condition": condition != "main", "--protocol": protocol is not Protocol.CORRECTED}
    ofitem |= {"--items": items is not None, "--seed": seed != 0}
    ofscene = {"--picture": picture is not None, "--for": version != "models", "--squares": squares != "target"}
    ofscene |= {"--art": art != "twemoji"}
    for option, given in (ofitem if task in TASKS else ofscene).items():
        if given:
            raise UsageError(f"{option} says nothing about {trial_id!r}; leave it out")
    if task in TASKS:
        put(show_scene(trial_id, Wanted(task, version, squares), art, picture))
        return
    trial, prompt = find_trial(trial_id, items, condition, protocol.value, seed)
    put(described(trial, prompt))
