"""``deixis study simulate``: a whole study with made-up people, before anybody is asked."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deixis.cli.output import put
from deixis.cli.study_serve import StudyArgument, check_server
from deixis.errors import UsageError

if TYPE_CHECKING:
    from deixis.study.robots.outcome import Outcome


def simulate(
    study: StudyArgument,
    people: Annotated[
        int | None, typer.Option(metavar="N", help="How many are to finish; by default as many as the study wants.")
    ] = None,
    dropout: Annotated[float, typer.Option(metavar="SHARE", help="Share that leaves in the middle.")] = 0.2,
    faults: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="What goes wrong: all, none, or some of slow,fast,double-click,offline,two-tabs,reload,reopened,late,"
            "clock,replay,malformed.",
        ),
    ] = "all",
    seed: Annotated[int, typer.Option(help="Seed of who they are and what goes wrong.")] = 0,
    speed: Annotated[
        float,
        typer.Option(
            metavar="FACTOR",
            help="How many times as fast as people, to look on at the researcher's page; 0 waits for nothing.",
        ),
    ] = 0.0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The database; by default STUDY/simulated.db, made anew.")
    ] = None,
) -> None:
    """Send robots with faults through the real server. Exits with 1 where anything was lost, doubled or wrong."""
    check_server()
    from deixis.study.database.opening import open_database  # noqa: PLC0415
    from deixis.study.folder import open_study  # noqa: PLC0415
    from deixis.study.robots.clock import VirtualClock  # noqa: PLC0415
    from deixis.study.robots.crowd import simulate as run  # noqa: PLC0415
    from deixis.study.robots.faults import faults_of  # noqa: PLC0415

    if not 0 <= dropout < 1:
        raise UsageError(f"--dropout {dropout:g} is no share below 1; give 0 to 0.95")
    if people is not None and people < 1:
        raise UsageError(f"--people {people} asks nobody; give 1 or more")
    if not 0 <= speed < float("inf"):
        raise UsageError(f"--speed {speed:g} is no factor; give 60 for a minute in a second, or 0")
    ready, wanted = open_study(study), faults_of(faults)
    where = out or study / "simulated.db"
    if out is not None and out.exists():
        raise UsageError(f"--out {str(out)!r} is there already; name a new file or take it away")
    for file in (where, where.with_name(where.name + "-wal"), where.with_name(where.name + "-shm")):
        file.unlink(missing_ok=True)
    clock = VirtualClock(speed)
    database = open_database(where, clock)
    many = people or ready.plan.people
    try:
        with typer.progressbar(length=many, label="finished", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
            found = run(
                ready, database, clock, people=many, dropout=dropout, faults=wanted, seed=seed,
                told=lambda _: bar.update(1),
                opened=lambda page: typer.echo(f"researcher  {page}", err=True) if speed else None,
            )  # fmt: skip
    finally:
        database.close()
    put([*_told(found), f"go on with 'deixis study export {study} --to run --database {where} --out RUN'"])
    if not found.sound:
        raise typer.Exit(1)


def _told(found: "Outcome") -> list[str]:
    people = [f"{stage} {number}" for stage, number in found.funnel.items()]
    others = dict.fromkeys(one.status for one in found.people if one.status != "complete")
    people += [f"{status} {sum(one.status == status for one in found.people)}" for status in sorted(others)]
    return [
        f"people   {', '.join(people)}",
        *(
            f"list {line.arm:3} started {line.started}, finished {line.complete}, left {line.gone + line.live}"
            for line in found.lists
        ),
        f"spread   {found.spread} between the lists",
        f"robots   {', '.join(f'{name} {number}' for name, number in found.faults)}",
        (
            f"answers  sent {found.sent}, acknowledged {found.acknowledged}, stored {found.stored}; "
            f"lost {found.lost}, altered {found.altered}, doubled {found.doubled}, not deleted {found.undeleted}"
        ),
        f"time     {found.minutes:.0f} minutes of the study in {found.seconds:.1f} s",
        *(f"wrong    {line}" for line in found.wrong[:10]),
    ]
