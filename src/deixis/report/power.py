"""The power of planned studies, in words and as CSV."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from deixis.analysis.planning.pilot import Pilot, pilot
from deixis.analysis.planning.power import check, power_table, sizes
from deixis.analysis.planning.studies import Study
from deixis.errors import UsageError

ENOUGH = 0.8
"""The power that a study is usually planned for."""
_MOST = 40
_SDS = {
    "sd_people": (1.0, "people"),
    "sd_items": (0.5, "items"),
    "sd_people_effect": (0.5, "people's own effects"),
    "sd_items_effect": (0.5, "items' own effects"),
}
"""What is assumed where nothing is given and there is no pilot, in logits."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about a study; what is ``None`` comes from the pilot, or is assumed."""

    people: str | None = None
    """Participants: ``40``, ``20,40,80`` or ``40:200:40``."""
    items: str = "32"
    """Items, likewise."""
    repeats: str = "1"
    """Times each question is put, likewise."""
    base: float | None = None
    """Share right under the first condition."""
    difference: float | None = None
    """Share right under the second less the first."""
    odds: float | None = None
    """Instead: odds of the second over those of the first."""
    sds: tuple[float | None, float | None, float | None, float | None] = (None, None, None, None)
    """Standard deviations of people, items, people's and items' own effects, in logits."""
    pairing: str = "crossed"
    """Who answers what under which condition."""
    against: str = "both"
    """What the difference is held against."""
    alpha: float = 0.05
    """Probability of a false alarm that is allowed."""
    simulations: int = 1000
    """Studies simulated of each size."""
    pilot: Path | None = None
    """A CSV file with the columns participant, item, condition, correct."""
    seed: int = 0
    """Seed of the simulations."""


def text_lines(question: Question) -> Iterator[str]:
    """Yield what is assumed, a line a size, and from which size on the power is enough."""
    studies, source = _studies(question)
    yield from _assumed(studies[0], question, source)
    yield _row("people", "items", "repeats", "trials", "power", "±", "95 %", "false alarms", "±")
    rows = []
    for study in studies:
        table = power_table([study], question.alpha, question.simulations, question.seed)
        row = table.iloc[0]
        rows.append(table)
        numbers = f"{row.power:.3f}", f"{row.error:.3f}", f"{row.low:.3f}–{row.high:.3f}"
        alarms = f"{row.false_alarms:.3f}", f"{row.false_alarms_error:.3f}"
        size = study.people, study.items, study.repeats, study.trials
        yield _row(*(f"{number:,}" for number in size), *numbers, *alarms)
    yield (
        f"{question.simulations:,} studies of each size simulated, and as many without a difference (false alarms); "
        "± is the Monte Carlo standard error"
    )
    yield from _enough(pd.concat(rows), question.alpha)


def csv_lines(question: Question) -> Iterator[str]:
    """Yield CSV: one row a size."""
    studies, _ = _studies(question)
    for place, study in enumerate(studies):
        table = power_table([study], question.alpha, question.simulations, question.seed)
        yield from table.to_csv(index=False, header=place == 0, float_format="%.6g", lineterminator="\n").splitlines()


def numbers(text: str, name: str) -> list[int]:
    """Read ``40``, ``20,40,80`` or ``40:200:40`` (first, last, step).

    Raises :class:`UsageError` for anything else, for less than 1, and for more than 40 numbers.
    """
    usage = f"--{name} {text!r} is no size; give a number (40), several (20,40,80) or a range (40:200:40)"
    try:
        parts = [int(part) for part in text.split(":" if ":" in text else ",")]
    except ValueError:
        raise UsageError(usage) from None
    if ":" in text:
        if len(parts) != 3 or parts[2] < 1 or parts[1] < parts[0]:
            raise UsageError(usage)
        parts = list(range(parts[0], parts[1] + 1, parts[2]))
    if min(parts) < 1:
        raise UsageError(usage)
    if len(parts) > _MOST:
        raise UsageError(f"--{name} {text!r} makes {len(parts)} sizes; give {_MOST} at most")
    return list(dict.fromkeys(parts))


def _studies(question: Question) -> tuple[list[Study], str]:
    """Return the studies to simulate, and what a pilot was, in words."""
    check(question.alpha, question.simulations)
    if question.people is None:
        raise UsageError("how many people? give --people, such as --people 40 or --people 40:200:40")
    if question.difference is not None and question.odds is not None:
        raise UsageError("give --difference or --odds, one of the two")
    people, items, repeats = (
        numbers(text, name)
        for text, name in ((question.people, "people"), (question.items, "items"), (question.repeats, "repeats"))
    )
    found, source = (None, "") if question.pilot is None else _pilot(question.pilot)
    difference = question.difference
    if difference is None and question.odds is None:
        if found is None:
            raise UsageError("which difference? give --difference, such as 0.1, or --odds, such as 2, or a --pilot")
        difference = found.difference
    base = question.base if question.base is not None else found.base if found else 0.8
    sds = [
        given if given is not None else float(getattr(found, name)) if found else usual
        for (name, (usual, _)), given in zip(_SDS.items(), question.sds, strict=True)
    ]
    test = "people" if question.against == "both" and items == [1] else question.against
    study = Study(
        people=people[0],
        items=items[0],
        repeats=repeats[0],
        base=base,
        difference=difference,
        odds=question.odds,
        sd_people=sds[0],
        sd_items=sds[1],
        sd_people_effect=sds[2],
        sd_items_effect=sds[3],
        pairing=question.pairing,
        test=test,
    )
    return sizes(study, people, items, repeats), source


def _pilot(path: Path) -> tuple[Pilot, str]:
    try:
        table = pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"--pilot {str(path)!r} cannot be read: {error}".splitlines()[0]) from None
    if "condition" not in table.columns or "correct" not in table.columns:
        raise UsageError(f"--pilot {str(path)!r} needs the columns participant, item, condition, correct")
    names = [str(name) for name in table["condition"].dropna().unique()]
    if len(names) != 2:
        raise UsageError(f"--pilot {str(path)!r} has {len(names)} conditions; it takes two to differ")
    credit = pd.to_numeric(table["correct"], errors="coerce")
    if (credit.isna() & table["correct"].notna()).any() or not credit.dropna().between(0, 1).all():
        raise UsageError(f"--pilot {str(path)!r}: 'correct' is 1 or 0 (a share between them, or empty)")
    found = pilot(table.assign(condition=table["condition"].astype(str), correct=credit), (names[0], names[1]))
    left = f", {found.left_out:,} without credit left out" if found.left_out else ""
    return found, (
        f"pilot {path.name}: {names[1]} against {names[0]}, {found.people} people, {found.items} items, "
        f"{found.n:,} trials{left}"
    )


_PAIRINGS = {
    "crossed": "everyone answers every item under both conditions",
    "lists": "everyone answers every item once, half of them under each condition, turned by list",
    "between": "half of the people answer under each condition, all the same items",
}
_TESTS = {"both": "people and items", "people": "people alone", "items": "items alone"}


def _assumed(study: Study, question: Question, source: str) -> Iterator[str]:
    first, second = study.shares
    odds = second / (1 - second) * (1 - first) / first
    within = math.exp(study.logits[1] - study.logits[0])
    yield (
        f"to tell {second:.1%} from {first:.1%} right (difference {second - first:+.3f}; odds {odds:.2f}, {within:.2f} "
        f"for one person and item), alpha {question.alpha:g} two-sided, held against the variation of "
        f"{_TESTS[study.test]}"
    )
    if source:
        yield source
    sds = ", ".join(f"{told} {getattr(study, name):.2f}" for name, (_, told) in _SDS.items())
    yield f"assumed: standard deviations in logits: {sds}; {_PAIRINGS[study.pairing]}"


def _enough(table: pd.DataFrame, alpha: float) -> Iterator[str]:
    for (items, repeats), rows in table.groupby(["items", "repeats"], sort=False):
        reached = rows[rows["power"] >= ENOUGH]["people"]
        times = "" if repeats == 1 else f", {repeats} times"
        told = f"from {reached.min()} people on" if len(reached) else "with none of these numbers of people"
        yield f"{ENOUGH:.0%} power with {items} item{'s' * (items != 1)}{times}: {told}"
    high = table[table["false_alarms"] - 3 * table["false_alarms_error"] > alpha]
    if len(high):
        yield (
            f"careful: {high.iloc[0].false_alarms:.0%} false alarms where {alpha:.0%} are allowed; this power is not "
            "to be had by this test"
        )


def _row(*cells: str) -> str:
    widths = (6, 6, 7, 9, 6, 6, 12, 13, 6)
    return "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
