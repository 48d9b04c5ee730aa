"""``deixis study new``: a folder with everything a study needs."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.options import Protocol, ProtocolOption, SetOption


def new(
    design: Annotated[
        str,
        typer.Argument(
            metavar="DESIGN",
            help="production-vocabulary, production-possessive, production-demonstrative, follow-up, comprehension or "
            "indexicals.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write it; by default a folder called like the study.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="What the study is called; by default as its folder.")
    ] = None,
    people: Annotated[
        int | None, typer.Option(metavar="N", help="How many are to answer everything; by default as in the paper.")
    ] = None,
    protocol: ProtocolOption = Protocol.CORRECTED,
    settings: SetOption = None,
    seed: Annotated[int, typer.Option(help="Seed of objects, lists and practice.", min=0)] = 0,
) -> None:
    """Write a study: settings, consent, instructions, debriefing, lists and pictures, ready to fill in."""
    from deixis.experiments.settings import read_settings  # noqa: PLC0415
    from deixis.study.folder import new_study  # noqa: PLC0415
    from deixis.study.starting import id_from  # noqa: PLC0415

    folder = out or Path(name or design)
    plan = new_study(
        folder,
        design,
        name=id_from(folder) if name is None else name,
        seed=seed,
        people=people,
        protocol=protocol.value,
        settings=read_settings(settings or ()),
    )
    blocks = ", ".join(f"instructions/{block.id}.md" for block in plan.design.blocks)
    typer.echo(f"{folder}: study.toml, consent.md, {blocks}, debriefing.md")
    typer.echo(f"fill in what FILL IN asks for, then type 'deixis study check {folder} --write'")
