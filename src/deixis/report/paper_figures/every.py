"""All figures of the perspectival-words paper that a table allows, written as files."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from deixis.report.drawing import save
from deixis.report.paper_figures.difficulty import sketch_difficulty
from deixis.report.paper_figures.figure2 import sketch2
from deixis.report.paper_figures.figure3 import sketch3
from deixis.report.paper_figures.figure4 import sketch4a, sketch4b
from deixis.report.paper_figures.figure17 import sketch17
from deixis.report.paper_figures.figure18 import sketch18
from deixis.report.paper_figures.reference_table import sketch_references
from deixis.report.paper_figures.sketch import Drawn, Sketch
from deixis.report.paper_figures.tally import Tally, tally

SKETCHES = (sketch2, sketch3, sketch4a, sketch4b, sketch18, sketch_difficulty, sketch_references)
"""What makes each figure from a tally, in the order of a report."""


def sketches(counts: Tally, ratings: pd.DataFrame | None = None) -> Iterator[Sketch]:
    """Yield the figures that a tally, and ratings if there are any (see :mod:`figure17`), allow; none is drawn."""
    found = (*(make(counts) for make in SKETCHES), sketch17(ratings))
    return (one for one in found if one is not None)


def draw(counts: Tally, place: int, ratings: pd.DataFrame | None, folder: Path) -> Drawn | None:
    """Write one figure, the one at ``place`` of :data:`SKETCHES` or the last, of ratings; ``None`` without its data."""
    one = SKETCHES[place](counts) if place < len(SKETCHES) else sketch17(ratings)
    if one is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    return Drawn(one.id, one.title, one.caption, one.alt, save(one.plot(), folder / one.id))


def write_paper_figures(table: pd.DataFrame, folder: Path, ratings: pd.DataFrame | None = None) -> list[Drawn]:
    """Write every figure that the data allow as SVG, PNG and PDF; return what was written, in order.

    ``table`` is the tidy table with reference participants (those are left out where it has none).
    """
    counts = tally(table)
    found = [draw(counts, place, ratings, folder) for place in range(len(SKETCHES) + 1)]
    return [one for one in found if one is not None]
