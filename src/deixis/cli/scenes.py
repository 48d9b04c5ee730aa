"""``deixis scenes``: pictures of scenes."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put

app = typer.Typer(help="Render pictures of scenes.", rich_markup_mode=None, no_args_is_help=True)
ArtOption = Annotated[
    str,
    typer.Option(
        "--art", metavar="NAME", help="Pictures of objects: twemoji, openmoji, or a folder with a manifest.csv."
    ),
]
WhomOption = Annotated[
    str, typer.Option("--for", metavar="WHOM", help="Whose picture: models, people, or comprehension (rating).")
]
SquaresOption = Annotated[
    str,
    typer.Option("--squares", metavar="WHICH", help="Green squares, for models: on the target, on all, or on none."),
]


@app.callback()
def scenes() -> None:
    """Render pictures of scenes."""


@app.command("render")
def render(
    task: Annotated[
        str,
        typer.Argument(metavar="TASK", help="vocabulary, possessive, demonstrative; or a baseline: empty, unrelated."),
    ],
    out: Annotated[
        Path, typer.Option(metavar="PLACE", help="A folder for loose files, or a new file that ends in .zip.")
    ],
    version: WhomOption = "models",
    squares: SquaresOption = "target",
    arrangement: Annotated[
        str, typer.Option(metavar="HOW", help="How two pairs lie: blocks (AA|BB) or alternating (AB|AB).")
    ] = "blocks",
    boy: Annotated[str, typer.Option(metavar="SIDE", help="At which end the boy stands: left or right.")] = "left",
    limit: Annotated[int | None, typer.Option(metavar="N", help="Draw N scenes by seed; by default all.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the orders of objects and of what is drawn.")] = 0,
    art: ArtOption = "twemoji",
) -> None:
    """Render every picture of a task once, with a table of trials (trials.csv) and a data-set card (CARD.md)."""
    from deixis.scenes.album import Wanted  # noqa: PLC0415
    from deixis.scenes.drawing.artwork import artwork  # noqa: PLC0415
    from deixis.scenes.render import render as write  # noqa: PLC0415

    wanted = Wanted(task, version, squares, arrangement, boy, limit, seed)
    trials, pictures = write(wanted, artwork(art), out)
    typer.echo(f"{trials} trials, {pictures} distinct pictures", err=True)
    put([str(out)])


@app.command("gallery")
def gallery(
    out: Annotated[Path, typer.Option(metavar="PLACE", help="A folder, or a file that ends in .html.")] = Path(
        "gallery.html"
    ),
    art: ArtOption = "twemoji",
) -> None:
    """Write one page with sample trials like the paper's figures, every background and every object."""
    from deixis.scenes.drawing.artwork import artwork  # noqa: PLC0415
    from deixis.scenes.gallery import write_gallery  # noqa: PLC0415

    put([str(write_gallery(artwork(art), out))])
