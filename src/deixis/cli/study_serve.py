"""``deixis study serve``: a study for participants."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.output import put
from deixis.errors import UsageError

StudyArgument = Annotated[Path, typer.Argument(metavar="STUDY", help="A folder that 'deixis study new' wrote.")]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|URL", help="Where answers are: a SQLite file (by default STUDY/study.db), or postgresql://…"
    ),
]
PortOption = Annotated[int, typer.Option(help="The port to listen at.")]


def serve(
    study: StudyArgument,
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 is every one.")] = "127.0.0.1",
    port: PortOption = 8000,
    database: DatabaseOption = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="How people reach it, where a proxy stands before it.")
    ] = None,
    anywhere: Annotated[
        bool,
        typer.Option("--researcher-anywhere", help="Open the researcher's page to other machines, with its token."),
    ] = False,
) -> None:
    """Serve a study until Ctrl-C. Every answer is on the disk before the page is told so."""
    check_server()
    from deixis.study.check import check  # noqa: PLC0415
    from deixis.study.folder import open_study  # noqa: PLC0415

    missing = [finding for finding in check(study).findings if finding.missing]
    if missing:
        raise UsageError(
            f"{study} cannot start yet: {missing[0].where}: {missing[0].text} "
            f"({len(missing)} missing in all; 'deixis study check {study}' lists them, 'deixis study demo' needs none)"
        )
    start(open_study(study), host, port, database or str(study / "study.db"), base_url, anywhere=anywhere)


def check_server() -> None:
    """Raise :class:`UsageError` where the packages that serve are not there."""
    try:
        import starlette  # noqa: F401, PLC0415
        import uvicorn  # noqa: F401, PLC0415
    except ImportError:
        raise UsageError(
            "serving a study needs starlette and uvicorn; install them: pip install 'deixis[study]'"
        ) from None


def start(ready: object, host: str, port: int, where: str, base_url: str | None, *, anywhere: bool = False) -> None:
    """Launch a study, say its links, and serve it."""
    from deixis.study.database.opening import open_database  # noqa: PLC0415
    from deixis.study.folder import Study  # noqa: PLC0415
    from deixis.study.server.serving import check_place, launch, links, listening, run, serving  # noqa: PLC0415

    assert isinstance(ready, Study)  # noqa: S101
    if not 1 <= port <= 65535:
        raise UsageError(f"--port {port} is none; give 1 to 65535")
    check_place(where)
    place = listening(host, port)
    database = open_database(where)
    try:
        launched = launch(ready, database)
        if launched.closed_at:
            raise UsageError(f"the study was closed on {launched.closed_at[:10]}; its data stay: 'deixis study export'")
        found = links(ready, launched, base_url or f"http://{host}:{port}")
        put([f"people      {found.people}", f"try it      {found.preview}", f"researcher  {found.researcher}"])
        run(serving(ready, database, launched, anywhere=anywhere), place)
    finally:
        place.close()
        database.close()
