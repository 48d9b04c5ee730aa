"""``deixis score``: a run's numbers; its answers read otherwise, judged, compared, checked by a person."""

from pathlib import Path
from typing import Annotated

import typer

from deixis.cli.options import RunArgument
from deixis.cli.output import put


def score(
    run: RunArgument,
    csv: Annotated[bool, typer.Option("--csv", help="One row a participant and cell, to stdout.")] = False,
    reader: Annotated[
        str | None, typer.Option(metavar="NAME", help="Read with strict or published; by default as the protocol says.")
    ] = None,
    participant: Annotated[
        list[str] | None,
        typer.Option("-p", "--participant", metavar="NAME", help="Only this participant; may be given several times."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="PARTICIPANT", help="Let it judge what the reader could not decide. Verdicts are kept in the run."
        ),
    ] = None,
    judge_all: Annotated[
        bool, typer.Option("--judge-all", help="Let the judge read every answer, as the scene paper did.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(metavar="N", help="Judge at most N answers a participant and design, drawn by seed.")
    ] = None,
    max_trials: Annotated[
        int | None, typer.Option(metavar="N", help="Stop after N questions to the judge; the same command goes on.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(metavar="USD", help="Stop when the verdicts have cost so much, about.")
    ] = None,
    price: Annotated[
        str | None,
        typer.Option(metavar="IN,OUT", help="US dollars per million tokens of the judge, if not in the table."),
    ] = None,
    connections: Annotated[
        int | None, typer.Option(metavar="N", help="Questions asked at once of a judge behind an API; by default 16.")
    ] = None,
    threads: Annotated[int | None, typer.Option(metavar="N", help="Threads of the judge's engine.")] = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="A B",
            help="Say what changes between two readings: strict, published, or judge:NAME and judge-all:NAME for the "
            "verdicts kept of a judge.",
        ),
    ] = None,
    examples: Annotated[
        int | None, typer.Option(metavar="N", help="Examples a participant of what changes; by default 10.")
    ] = None,
    validate: Annotated[
        int | None, typer.Option(metavar="N", help="Draw a sheet of N answers for a person to read, blind.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the sheet goes; by default RUN/validation.csv.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed of the sheet; by default 0.")] = None,
    validated: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            readable=False,
            help="Read a filled sheet back: agreement of person, reader and judge, and accuracies corrected for what "
            "reader and judge get wrong.",
        ),
    ] = None,
) -> None:
    """Score a run: accuracy by cell with both denominators, intervals, outcomes and effects.

    Answers are kept as they came, so that they can be read anew at any time; only a judge is asked anything, and never
    twice.
    """
    from deixis.cli.judging import check_together, have_judged, session  # noqa: PLC0415
    from deixis.report.numbers import csv_rows, text_tables  # noqa: PLC0415
    from deixis.report.readings import calibration_lines, compare_lines, judge_lines, read_by_lines  # noqa: PLC0415
    from deixis.runs.judging import end  # noqa: PLC0415
    from deixis.runs.run import Asked  # noqa: PLC0415
    from deixis.scoring.results import only, read_results  # noqa: PLC0415
    from deixis.scoring.validation import cases, draw, read_sheet, strata_told, write_sheet  # noqa: PLC0415
    from deixis.scoring.ways import Way, read_way, reader_way  # noqa: PLC0415

    check_together(
        modes={"--compare": compare, "--validate": validate, "--validated": validated},
        needs={
            "--judge": {
                "--judge-all": judge_all or None,
                "--limit": limit,
                "--max-trials": max_trials,
                "--max-cost": max_cost,
                "--price": price,
                "--connections": connections,
                "--threads": threads,
            },
            "--compare": {"--examples": examples},
            "--validate": {"--out": out, "--seed": seed},
        },
        shuns={
            "--compare": {"--judge": judge, "--csv": csv or None},
            "--validate": {"--judge": judge, "--csv": csv or None},
            "--validated": {"--csv": csv or None},
        },
        given={"--judge": judge, "--compare": compare, "--validate": validate},
    )
    way = reader_way(reader or "")
    who = participant or ()
    if compare is not None:
        ways = [read_way(name, reader or "") for name in compare]
        put(compare_lines(run, ways, who, 10 if examples is None else examples))
        return
    asked = None
    if judge is not None:
        asked = session(run, judge, limit, max_trials, max_cost, price, connections, threads)
    plain = only(read_results(run, way), who)
    if validate is not None:
        drawn = draw(cases(plain), validate, seed or 0)
        write_sheet(drawn, out or run / "validation.csv")
        typer.echo(f"{len(drawn)} answers to read ({strata_told(drawn)}, as the reader has them)", err=True)
        put([str(out or run / "validation.csv")])
        return
    seen, left = read_sheet(validated, cases(plain)) if validated is not None else ([], 0)
    turns: list[Asked] = []
    if asked is not None:
        way, turns = have_judged(asked, plain, way.reader, every=judge_all, limit=limit, seen=seen)
    if validated is not None:
        put(calibration_lines(run, seen, left, way, who))
        end(turns)
        return
    designs = only(read_results(run, way), who) if way.judge else plain
    about = read_by_lines(designs)
    if asked is not None:
        about += judge_lines(designs, way.judge) if way != Way(way.reader) else ["nothing was left for a judge"]
    for line in about if csv else ():
        typer.echo(line, err=True)
    put(csv_rows(designs) if csv else [*text_tables(designs), "", *about])
    end(turns)
