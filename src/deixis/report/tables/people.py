"""Table 3: people who did a task between participants, and those of the follow-up, who did all three.

Source: Dong et al. (2026), appendix B.3.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from deixis.analysis.people.alignment import gap
from deixis.analysis.published_tests import table3
from deixis.analysis.shares.proportions import welch
from deixis.analysis.shares.runs_compared import two_proportions
from deixis.analysis.who import Kind, kind_of
from deixis.published.printed import printed
from deixis.report.tables import cells
from deixis.report.tables.accuracy import PAPER
from deixis.report.tables.counts import Counts, Key, participants, protocols, wilson_share
from deixis.report.tables.table import Cell, Column, Row, Table, row

FOLLOW_UP = "follow-up"
"""What the name of a study holds whose people did all tasks."""
_NOTE = (
    "Intervals of shares are 95 %: of people at hand with the trials of a person together, of the paper Wilson's on "
    "pooled trials, since nothing else is printed. p (Yates) is the paper's test, χ² on pooled trials with Yates' "
    "correction, which takes trials of one person as independent; p (Welch) compares people by their accuracies, and "
    "difference and interval go with it; in the paper's rows the interval is Newcombe's. Ours − published is of the "
    "production run."
)
_COLUMNS = (
    Column("Protocol", ("protocol",), "head"),
    Column("Task", ("task",), "head"),
    Column("Run", ("run",), "head"),
    Column("Production", ("production",)),
    Column("95 % interval", ("production_low", "production_high")),
    Column("People × trials", ("production_people", "production_n")),
    Column("Follow-up", ("follow_up",)),
    Column("95 % interval", ("follow_up_low", "follow_up_high")),
    Column("People × trials", ("follow_up_people", "follow_up_n")),
    Column("Difference [95 %]", ("difference", "low", "high")),
    Column("p printed", ("p_printed",)),
    Column("p (Yates)", ("p_yates",)),
    Column("p (Welch)", ("p_welch",)),
    Column("Ours − published [95 %]", ("apart", "apart_low", "apart_high")),
    Column("", ("note",), "text"),
)


def people_table(counts: Mapping[Key, Counts]) -> Table:
    """Return Table 3: a row a task and study that is no follow-up, with each follow-up there is; then the paper's."""
    tasks = [line["task"] for line in printed("table3")]
    mine = {
        key: found
        for key, found in counts.items()
        if key[1] in tasks and key[2] == "people" and kind_of(key[3]) == Kind.PEOPLE and found.n
    }
    rows = [one for protocol in protocols(mine) for task in tasks for one in _at_hand(protocol, task, mine)]
    recomputed = list(_published())
    absent = [task for task in tasks if not any(key[1] == task for key in mine)]
    notes = [_NOTE]
    if absent:
        notes.append(f"No people at hand: {', '.join(absent)}.")
    if mine and not any(FOLLOW_UP in key[3] for key in mine):
        notes.append(f"No study at hand has {FOLLOW_UP} in its name, so there is nothing to test against.")
    notes += [
        f"{one.cells[1].text.capitalize()}: {one.cells[-1].values[0]}." for one in recomputed if one.cells[-1].values[0]
    ]
    title = "Accuracy of people in the production and follow-up runs (Table 3)"
    return Table("table3", title, " ".join(notes), _COLUMNS, (*rows, *recomputed))


def _at_hand(protocol: str, task: str, mine: Mapping[Key, Counts]) -> Iterator[Row]:
    found = {name: mine[key] for name in participants(mine) if (key := (protocol, task, "people", name)) in mine}
    second: Sequence[str | None] = [name for name in found if FOLLOW_UP in name]
    first: Sequence[str | None] = [name for name in found if FOLLOW_UP not in name]
    for one in first or [None]:
        for other in second or [None]:
            if one or other:
                names = " / ".join(name for name in (one, other) if name)
                told = {**_side("production", found.get(one or "")), **_side("follow_up", found.get(other or ""))}
                told |= _tests(found[one], found[other]) if one and other else {}
                told |= _apart(task, found[one]) if one else {}
                yield row(_COLUMNS, "people", protocol, {**_head(protocol, task, names), **told})


def _side(name: str, found: Counts | None) -> dict[str, Cell]:
    """Return the cells of one run; without it, none."""
    if found is None or (share := found.share) is None:
        return {}
    return {
        name: cells.share(share.value),
        f"{name}_low": cells.interval(share.low, share.high),
        f"{name}_people": _people([n for n, _ in found.persons.values() if n]),
    }


def _tests(first: Counts, second: Counts) -> dict[str, Cell]:
    """Return the tests of two runs; that on pooled trials needs whole counts."""
    means = [np.array([correct / n for n, correct in side.persons.values() if n]) for side in (first, second)]
    by_person = welch(*means)
    told = {
        "difference": _with_limits(by_person.difference, by_person.low, by_person.high),
        "p_welch": cells.p_value(by_person.p),
    }
    if first.correct == int(first.correct) and second.correct == int(second.correct):
        pooled = two_proportions(int(first.correct), first.n, int(second.correct), second.n)
        told["p_yates"] = cells.p_value(pooled.p_yates)
    return told


def _apart(task: str, found: Counts) -> dict[str, Cell]:
    ours = found.share
    line = next(line for line in printed("table3") if line["task"] == task)
    n = int(line["people1"]) * int(line["trials1"])
    if ours is None:
        return {}
    value, low, high = gap(ours, wilson_share(round(float(line["production"]) * n), n))
    return {"apart": _with_limits(value, low, high)}


def _published() -> Iterator[Row]:
    """Yield the paper's rows as printed, with what follows from the counts nearest to them."""
    for line, found in zip(printed("table3"), table3().to_dict("records"), strict=True):
        told: dict[str, Cell] = {}
        for name, side in (("production", "1"), ("follow_up", "2")):
            share = wilson_share(int(found[f"k{side}"]), int(found[f"n{side}"]))
            told |= {
                name: cells.printed(line[name]),
                f"{name}_low": cells.interval(share.low, share.high),
                f"{name}_people": _people([int(line[f"trials{side}"])] * int(line[f"people{side}"])),
            }
        told |= {
            "difference": _with_limits(
                *(float(found[name]) for name in ("difference", "newcombe_low", "newcombe_high"))
            ),
            "p_printed": cells.printed(line["printed_p"]),
            "p_yates": cells.p_value(float(found["p_yates"])),
            "note": Cell("", (str(found["note"]),)),
        }
        yield row(_COLUMNS, "published", PAPER, {**_head(PAPER, line["task"], "as printed"), **told})


def _people(trials: Sequence[int]) -> Cell:
    """Return how many people did how many trials each, or, where that differs, in all."""
    people, whole = len(trials), sum(trials)
    text = f"{people} × {trials[0]}" if len(set(trials)) == 1 else f"{people}, {whole} in all"
    return Cell(text, (people, whole))


def _with_limits(value: float, low: float, high: float) -> Cell:
    """Return a difference with its interval, cut at what is possible, in one cell."""
    apart, ends = cells.difference(value), cells.interval_of_difference(max(-1.0, low), min(1.0, high))
    return Cell(apart.text if ends.text == cells.DASH else f"{apart.text} {ends.text}", (*apart.values, *ends.values))


def _head(protocol: str, task: str, run: str) -> dict[str, Cell]:
    return {name: cells.text(said) for name, said in {"protocol": protocol, "task": task, "run": run}.items()}
