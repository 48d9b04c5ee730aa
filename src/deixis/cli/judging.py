"""What ``deixis score`` does around a judge: checking options, putting answers before it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import typer

from deixis.errors import UsageError
from deixis.runs.judging import Docket, Session, judge
from deixis.runs.run import Asked
from deixis.scoring.results import DesignResults
from deixis.scoring.validation import Seen
from deixis.scoring.ways import Way

Given = Mapping[str, object | None]
"""Options to their values; ``None`` where an option was not given."""


def check_together(*, modes: Given, needs: Mapping[str, Given], shuns: Mapping[str, Given], given: Given) -> None:
    """Raise :class:`UsageError` for options that do not go together, or would be ignored."""
    chosen = [name for name, value in modes.items() if value is not None]
    if len(chosen) > 1:
        raise UsageError(f"{chosen[0]} and {chosen[1]} are two things to do; give one of the two")
    for main, options in needs.items():
        alone = next((name for name, value in options.items() if value is not None and given[main] is None), None)
        if alone is not None:
            raise UsageError(f"{alone} says nothing without {main}; leave it out or give {main}")
    for name in chosen:
        other = next((option for option, value in shuns[name].items() if value is not None), None)
        if other is not None:
            raise UsageError(f"{name} takes no {other}; leave {other} out")


def session(
    run: Path,
    name: str,
    limit: int | None,
    max_trials: int | None,
    max_cost: float | None,
    price: str | None,
    connections: int | None,
    threads: int | None,
) -> Session:
    """Return who judges and with what, checked before anything is read or asked."""
    from deixis.participants.api import Client  # noqa: PLC0415
    from deixis.participants.registry import Setting  # noqa: PLC0415
    from deixis.runs.budget import Budget  # noqa: PLC0415
    from deixis.runs.costs import read_price  # noqa: PLC0415
    from deixis.runs.progress import Bars  # noqa: PLC0415
    from deixis.scoring.judge import fault  # noqa: PLC0415

    if limit is not None and limit < 1:
        raise UsageError(f"--limit {limit} judges nothing; give 1 or more")
    client = Client() if connections is None else Client(connections)
    budget = Budget(max_trials, max_cost, None if price is None else read_price(price))
    asked = Session(run, name, Setting(threads, Bars().fetch, client=client), fault, budget)
    asked.check()
    return asked


def have_judged(
    asked: Session,
    plain: Sequence[DesignResults],
    reader: str,
    *,
    every: bool,
    limit: int | None,
    seen: Sequence[Seen],
) -> tuple[Way, list[Asked]]:
    """Put before the judge what it has not judged yet, and return the way to read the run with its verdicts."""
    from deixis.participants.registry import participant_id  # noqa: PLC0415
    from deixis.runs.progress import Bars  # noqa: PLC0415
    from deixis.scoring.docket import docket, judge_signature  # noqa: PLC0415
    from deixis.scoring.kinship import kin_warning  # noqa: PLC0415

    name = participant_id(asked.judge)
    dockets = []
    for design in plain:
        for result in design.models:
            also = {
                s.case.row.trial.id
                for s in seen
                if (s.case.design, s.case.participant) == (design.name, result.participant)
            }
            prompts = docket(design, result, every=every, limit=limit, also=also)
            if prompts:
                dockets.append(Docket(design.name, result.participant, judge_signature(design, result, name), prompts))
    for warning in dict.fromkeys(kin_warning(d.participant, name) for d in dockets):
        if warning:
            typer.echo(f"warning: {warning}", err=True)
    if not dockets:
        return Way(reader), []
    return Way(reader, name, every), judge(asked, dockets, Bars())
