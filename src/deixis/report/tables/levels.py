"""Accuracy by the levels of a factor that must not matter: how far apart, and more than chance makes it or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deixis.analysis.adjustment import over_family
from deixis.analysis.people.alignment import gap
from deixis.analysis.pvalues import from_log, log_chi_squared
from deixis.analysis.shares.groups import monte_carlo_p
from deixis.analysis.who import Kind, kind_of
from deixis.report.tables import cells
from deixis.report.tables.accuracy import who
from deixis.report.tables.counts import Counts, Key
from deixis.report.tables.table import Cell, Column, Table, row
from deixis.seeds import derived

_DRAWN = 2000
_NOTE = (
    "Spread is the largest accuracy minus the smallest, which chance alone keeps above 0; p says whether accuracy "
    "depends on the level at all: χ², or where fewer than 5 are expected anywhere a Monte Carlo p "
    f"({_DRAWN:,} tables with the same margins). p (Holm) is adjusted over the rows. Trials are taken as independent; "
    "there is no p of people, whose trials are not, nor where ties earned a share."
)


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a factor."""

    id: str
    """As the tidy table has it."""
    label: str
    """As the table shows it."""


def level_table(
    name: str,
    title: str,
    note: str,
    levels: Sequence[Level],
    counts: Mapping[Key, Counts],
    *,
    halves: tuple[Sequence[str], Sequence[str]] | None,
    seed: int,
) -> Table:
    """Return a row a participant and condition, from counts by one factor; conditions with a single level are left out.

    Where there are ``halves``, they are held against each other with a 95 % interval (Newcombe's; MOVER of people).
    """
    known = {level.id for level in levels}
    grouped: dict[Key, dict[str, Counts]] = {}
    for key, one in counts.items():
        if kind_of(key[3]) != Kind.REFERENCE and key[4] in known and one.n:
            grouped.setdefault(key[:4], {})[key[4]] = one
    grouped = {key: grouped[key] for key in sorted(grouped, key=_place) if len(grouped[key]) > 1}
    tests = [_p("/".join((name, *key)), key[3], list(found.values()), seed) for key, found in grouped.items()]
    family = over_family(np.log(np.array([p for p, _ in tests], dtype=float)))
    columns = _columns(levels, between=halves is not None)
    rows = []
    for (key, found), (p, how), adjusted in zip(grouped.items(), tests, family, strict=True):
        told = {
            name: cells.text(said) for name, said in zip(("protocol", "experiment", "condition"), key, strict=False)
        }
        told["participant"] = who(key[3], next(iter(found.values())))
        for level in levels:
            told |= _level(level.id, found.get(level.id))
        shares = [one.correct / one.n for one in found.values()]
        told |= {"spread": cells.share(max(shares) - min(shares)), "p": cells.p_value(p), "test": Cell("", (how,))}
        told["p_adjusted"] = cells.p_value(float(adjusted))
        told |= _halves(found, halves) if halves else {}
        rows.append(row(columns, kind_of(key[3]).value, key[0], told))
    absent = "" if rows else "Nobody here was asked at two levels of it."
    return Table(name, title, " ".join(filter(None, (_NOTE, note, absent))), columns, tuple(rows))


def _place(key: Key) -> Key:
    return key[:3]


def _columns(levels: Sequence[Level], *, between: bool) -> tuple[Column, ...]:
    heads = [
        Column(name.capitalize(), (name,), "head") for name in ("protocol", "experiment", "condition", "participant")
    ]
    halves = (Column("Difference", ("difference",)), Column("95 % of difference", ("low", "high"))) if between else ()
    return (
        *heads,
        *(Column(level.label, (f"accuracy_{level.id}",)) for level in levels),
        Column("Spread", ("spread",)),
        Column("p", ("p",)),
        Column("p (Holm)", ("p_adjusted",)),
        *halves,
        Column("", ("test",), "text"),
        *(Column("", (f"{what}_{level.id}",)) for level in levels for what in ("correct", "n")),
    )


def _level(name: str, found: Counts | None) -> dict[str, Cell]:
    if found is None:
        return {f"accuracy_{name}": cells.share(None)}
    return {
        f"accuracy_{name}": cells.share(found.correct / found.n),
        f"correct_{name}": Cell("", (found.correct,)),
        f"n_{name}": Cell("", (found.n,)),
    }


def _p(name: str, participant: str, found: Sequence[Counts], seed: int) -> tuple[float, str]:
    """Return the p of no dependence on the level, and which test it is of; NaN and why where there is none."""
    if kind_of(participant) == Kind.PEOPLE:
        return float("nan"), "none: trials of a person belong together"
    right, total = np.array([one.correct for one in found]), np.array([one.n for one in found])
    if (right != right.astype(int)).any():
        return float("nan"), "none: ties earned a share"
    correct, n = int(right.sum()), int(total.sum())
    if correct in (0, n):
        return float("nan"), "none: the outcome does not vary"
    expected = total * correct / n
    statistic = float(((right - expected) ** 2 * (1 / expected + 1 / (total - expected))).sum())
    if min(expected.min(), (total - expected).min()) < 5:
        return monte_carlo_p(total.astype(np.int64), correct, statistic, _DRAWN, derived(seed, name)), "Monte Carlo"
    return float(from_log(log_chi_squared(statistic, len(total) - 1))), "χ²"


def _halves(found: Mapping[str, Counts], halves: tuple[Sequence[str], Sequence[str]]) -> dict[str, Cell]:
    sides = [together([found[level] for level in half if level in found]).share for half in halves]
    first, second = sides
    if first is None or second is None:
        return {}
    value, low, high = gap(first, second)
    return {"difference": cells.difference(value), "low": cells.interval_of_difference(low, high)}


def together(parts: Sequence[Counts]) -> Counts:
    """Return the counts of several cells of one participant as those of one cell."""
    whole = Counts()
    for part in parts:
        whole.outcomes.update(part.outcomes)
        for name, (n, correct) in part.persons.items():
            before, credit = whole.persons.get(name, (0, 0.0))
            whole.persons[name] = before + n, credit + correct
    return whole
