"""Everything a report is made from, read out of run folders: a table a design and what stands beside it.

Each design is read, counted and let go of by itself, on several cores where there is much to read.
"""

import gc
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Any

import pandas as pd

from deixis.analysis.people.ratings import ratings
from deixis.analysis.strategies.fingerprint import fingerprint_of
from deixis.analysis.telling import telling
from deixis.analysis.tidy import frame_of, together
from deixis.analysis.who import Kind, kind_of
from deixis.errors import AnalysisError, StoreError, UsageError
from deixis.experiments import EXPERIMENTS
from deixis.report.browser.choosing import choose, quotas
from deixis.report.browser.entries import Entries, entries
from deixis.report.numbers import forced_words
from deixis.report.sections import section
from deixis.scoring.results import DesignResults, Rows, designs_of, read_design
from deixis.scoring.ways import Way
from deixis.store import DesignFolder, RunFolder

_MUCH = 20_000_000
"""Bytes of answers from which on several processes are quicker than one."""
_RESAMPLES, _SIMULATIONS = 100, 59
"""Of a fingerprint's limits and of its fit: enough for a line; 'deixis analyse' takes more."""


@dataclass(frozen=True, eq=False, slots=True)
class GatheredDesign:
    """One design of one run, counted."""

    run: Path
    """The run folder."""
    name: str
    """Experiment and condition, as the folder is called."""
    signature: dict[str, str | int]
    """What was asked."""
    notes: tuple[str, ...]
    """What was found about the items, and what is odd about its readings."""
    signatures: tuple[tuple[str, dict[str, str | int]], ...]
    """Participant and what its answers were made with and read by: models, people, oracle, chance, shortcuts."""
    table: pd.DataFrame
    """Its rows, reference participants too, as :func:`~deixis.analysis.tidy.frame_of` gives them."""
    telling: tuple[str, ...]
    """The lines that tell most."""
    forced: tuple[tuple[str, str], ...]
    """What there is to say of forced choices, by participant."""
    fingerprints: tuple[str, ...]
    """What explains the answers of each participant, in words; only where it was asked for."""
    ratings: pd.DataFrame | None
    """Ratings of objects, where these are what was asked for."""
    entries: Entries
    """What the trial browser shows of it."""
    section: dict[str, Any]
    """The tables that the page has of it."""
    leading: bool
    """Whether it is the first of its experiment and protocol."""


@dataclass(frozen=True, slots=True)
class _Order:
    """What is to be read of one design, and how much of it the trial browser shows."""

    run: Path
    name: str
    way: Way
    about: str
    leading: bool
    most: int


@contextmanager
def at_work(runs: Sequence[Path], workers: int) -> Iterator[Executor | None]:
    """Give processes to work in, where there is so much to read that they are worth their start; else nothing."""
    files = [file for run in runs for file in RunFolder.existing(run).path.rglob("*.jsonl")]
    if workers < 2 or sum(file.stat().st_size for file in files) < _MUCH:
        yield None
        return
    kind = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
    context = get_context(kind)
    if kind == "forkserver":
        context.set_forkserver_preload([__name__])
    with ProcessPoolExecutor(workers, context, gc.disable) as pool:  # records are many, and none of them in circles
        yield pool


def gather(runs: Sequence[Path], way: Way, about: str = "", pool: Executor | None = None) -> list[GatheredDesign]:
    """Read every design of some run folders, in the order of experiments and conditions within each.

    ``about`` is the participant that the telling lines are about. Two versions of a design are refused, and so is a
    participant that answered a design in two of the runs (:class:`UsageError`): such numbers do not belong together.
    Reference participants, who say the same in every run, count once.
    """
    once = {run.resolve(): run for run in reversed(runs)}
    named = [(run, name) for run in reversed(once.values()) for name in designs_of(run, way)]
    parts = [RunFolder.existing(run).design(name) for run, name in named]
    _refuse_versions([(run, name, part.signature()) for (run, name), part in zip(named, parts, strict=True)])
    _refuse_doubles([(run, name, part) for (run, name), part in zip(named, parts, strict=True)])
    sizes = [_sizes(part) for part in parts]
    room = quotas([asked for asked, _ in sizes], [every for _, every in sizes])
    orders = [
        _Order(run, name, way, about, leading, most)
        for (run, name), leading, most in zip(named, _leading(parts), room, strict=True)
    ]
    return list((map if pool is None else pool.map)(_gathered, orders))


def whole(designs: Sequence[GatheredDesign]) -> pd.DataFrame:
    """Return the tables of all designs as one, reference participants of a design once."""
    seen: set[tuple[str, str, str]] = set()
    frames = []
    for design in designs:
        kept = design.table
        if kept.empty:
            continue
        about = design.name, str(design.signature["protocol"])
        names = kept["participant"].cat.categories
        again = [name for name in names if (*about, str(name)) in seen]
        seen |= {(*about, str(name)) for name in names}
        frames.append(kept[~kept["participant"].isin(again)] if again else kept)
    return together(frames) if frames else pd.DataFrame()


def _refuse_doubles(found: Sequence[tuple[Path, str, DesignFolder]]) -> None:
    """Refuse a participant who answered one design in two runs."""
    first: dict[tuple[str, str, str], Path] = {}
    for run, name, part in found:
        protocol = str(part.signature()["protocol"])
        for answers in part.participants():
            if kind_of(answers.participant) is Kind.REFERENCE:
                continue
            before = first.setdefault((name, protocol, answers.participant), run)
            if before is not run:
                raise UsageError(
                    f"{answers.participant} answered {name} in {str(before)!r} and in {str(run)!r}; report the runs "
                    "one by one, or set them side by side with 'deixis compare'"
                )


def _refuse_versions(found: Sequence[tuple[Path, str, dict[str, str | int]]]) -> None:
    """Refuse two versions of one design: other items, settings or wordings under the same name and protocol."""
    first: dict[tuple[str, str], tuple[Path, dict[str, str | int]]] = {}
    for run, name, signature in found:
        run_before, before = first.setdefault((name, str(signature["protocol"])), (run, signature))
        changed = [key for key in {**before, **signature} if before.get(key) != signature.get(key) and key != "seed"]
        if changed:
            told = "; ".join(f"{key} {before.get(key)!r} and {signature.get(key)!r}" for key in changed)
            raise UsageError(
                f"{str(run_before)!r} and {str(run)!r} ask {name} in two versions ({told}), whose numbers do not "
                "belong together; report them one by one, or compare them with 'deixis compare'"
            )


def _sizes(part: DesignFolder) -> tuple[int, int]:
    """Return how many trials anybody but the references was asked, and how many there are."""
    try:
        every = (part.path / "trials.jsonl").read_bytes().count(b"\n")
    except OSError as error:
        raise StoreError(f"cannot read {str(part.path / 'trials.jsonl')!r} ({error.strerror}); restore it") from None
    answered = [one for one in part.participants() if not one.participant.startswith("strategy:")]
    named = {trial for one in answered for trial in one.trials()}
    return min(every, max([len(named), *(one.planned() for one in answered)])), every


def _leading(parts: Sequence[DesignFolder]) -> list[bool]:
    """Say of each design whether it leads its experiment and protocol, and is looked at more closely.

    That is the first in the order of the experiment's conditions, whichever run is named first.
    """
    first: dict[tuple[str, str], tuple[int, int]] = {}
    for place, part in enumerate(parts):
        signature = part.signature()
        name, condition = str(signature["experiment"]), str(signature["condition"])
        known = EXPERIMENTS[name].conditions if name in EXPERIMENTS else ()
        turn = known.index(condition) if condition in known else len(known)
        key = name, str(signature["protocol"])
        first[key] = min(first.get(key, (turn, place)), (turn, place))
    leading = {place for _, place in first.values()}
    return [place in leading for place in range(len(parts))]


def _gathered(order: _Order) -> GatheredDesign:
    design = read_design(order.run, order.name, order.way)
    table = frame_of(design, references=True)
    return GatheredDesign(
        run=order.run,
        name=design.name,
        signature=design.signature,
        notes=(*design.notes, *_kin(design)),
        signatures=tuple((result.participant, result.signature) for result in design.results),
        table=table,
        telling=tuple(telling(design, order.about, table)),
        forced=tuple(forced_words(design.results)),
        fingerprints=tuple(_fingerprints(design)) if order.leading else (),
        ratings=ratings([design]) if design.signature["experiment"] == "comprehension" else None,
        entries=entries(design, _browsed(design, order.most)),
        section=section(design, table, leading=order.leading),
        leading=order.leading,
    )


def _kin(design: DesignResults) -> list[str]:
    """Warn where a judge read the answers of its own model family."""
    return [
        f"warning: {result.participant} was judged by its own family ({result.signature['judge_of_own_family']})"
        for result in design.results
        if "judge_of_own_family" in result.signature
    ]


def _fingerprints(design: DesignResults) -> Iterator[str]:
    seed = int(design.signature["seed"])
    for subject in design.models:
        if subject.participant.startswith("people:"):
            continue
        about = f"{subject.participant} on {design.name}"
        try:
            found = fingerprint_of(design, subject, seed=seed, resamples=_RESAMPLES, simulations=_SIMULATIONS)
        except AnalysisError as error:
            yield f"{about}: {error}"
        else:
            yield f"{about}: {found.lines()[0]}"


def _browsed(design: DesignResults, most: int) -> list[str]:
    rows = [result.rows for result in design.results if isinstance(result.rows, Rows)]
    if not rows:
        return []
    trials = rows[0].table.trials
    asked = {trial.id for result in design.models for trial in result.trials}
    return choose(trials, asked, most, int(design.signature["seed"]))
