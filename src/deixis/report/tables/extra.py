"""Tables that the papers leave out: accuracy by position, side, speaker and background, and what is counted how."""

from dataclasses import dataclass

import pandas as pd

from deixis.report.tables.counts import count
from deixis.report.tables.denominators import denominator_table
from deixis.report.tables.levels import Level, level_table
from deixis.report.tables.table import Table
from deixis.scenes.scene import BACKGROUNDS, CHILDREN, PLACES

_ORDINALS = ("1st", "2nd", "3rd", "4th")


@dataclass(frozen=True, slots=True)
class _Factor:
    """A table by the levels of one factor that must not matter."""

    id: str
    """Id of the table."""
    column: str
    """Column of the tidy table."""
    title: str
    """Title of the table."""
    levels: tuple[Level, ...]
    """Its levels in their order."""
    halves: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    """Levels of which the first together are held against the second together."""
    note: str = ""
    """What to keep in mind."""


_FACTORS = (
    _Factor(
        "position",
        "answer",
        "Accuracy by the position of the right option",
        tuple(Level(str(place), label) for place, label in enumerate(_ORDINALS)),
        note="Two-option questions have positions 1 and 2 alone.",
    ),
    _Factor(
        "side",
        "target",
        "Accuracy by the place of the target on the table, from the left",
        tuple(Level(str(place), label) for place, label in enumerate(_ORDINALS[:PLACES])),
        halves=(("0", "1"), ("2", "3")),
        note="Difference: left half minus right half. Demonstratives have targets at both ends alone.",
    ),
    _Factor(
        "speaker",
        "speaker",
        "Accuracy by who speaks",
        tuple(Level(child, child) for child in CHILDREN),
        halves=(CHILDREN[:1], CHILDREN[1:]),
        note="Difference: the boy speaks minus the girl.",
    ),
    _Factor(
        "background",
        "background",
        "Accuracy by where the scene is",
        tuple(Level(place, place) for place in BACKGROUNDS),
        note="Demonstratives alone have several.",
    ),
)


def extra_tables(table: pd.DataFrame, *, seed: int = 0) -> list[Table]:
    """Return the tables of a tidy table that the papers leave out; those of a factor nobody was asked have no rows.

    ``seed`` is that of the Monte Carlo p-values. Raises :class:`deixis.errors.AnalysisError` for a table that lacks a
    column every table has.
    """
    found = []
    for factor in _FACTORS:
        counts = count(table, factor.column) if factor.column in table else {}
        found.append(
            level_table(factor.id, factor.title, factor.note, factor.levels, counts, halves=factor.halves, seed=seed)
        )
    return [*found, denominator_table(count(table))]
