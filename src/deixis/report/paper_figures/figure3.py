"""Figure 3: what is left of possessives and demonstratives when a cue is taken away."""

from typing import Any

import pandas as pd

from deixis.analysis.who import Kind
from deixis.report.paper_figures.bars import Groups, Level, ceiling_marks, grouped, present
from deixis.report.paper_figures.sketch import Sketch
from deixis.report.paper_figures.tally import Tally, shown, tally
from deixis.report.paper_figures.words import averaged

WORDS = ("possessive", "demonstrative")
LEVELS = (
    Level("main", "all cues", "#2166ac", dark=True),
    Level("perspective", "no perspective", "#d9862c"),
    Level("spatial-linguistic", "no spatial words", "#92c5de"),
    Level("spatial-visual", "no spatial picture", "#d9e9f4"),
    Level("spatial-both", "no spatial cue", "#ffffff"),
)
_MOST = 4


def bars3(counts: Tally) -> pd.DataFrame:
    """Return the bars: the columns of :func:`shown` with panel and level, of models and tasks with an ablation."""
    cells, wanted = counts.cells, [level.id for level in LEVELS]
    asked = cells["condition"].isin(wanted) & cells["experiment"].isin(WORDS) & (cells["kind"] == Kind.MODEL)
    part = cells[asked]
    ablated = part.loc[part["condition"] != "main", ["name", "experiment"]].drop_duplicates()
    found = shown(part.merge(ablated, on=["name", "experiment"]))
    found = found.assign(panel=found["experiment"], level=found["condition"])
    return found.sort_values("panel", key=lambda panel: panel.map(WORDS.index), kind="stable", ignore_index=True)


def sketch3(counts: Tally) -> Sketch | None:
    """Return Figure 3, ``None`` where no model was asked without a cue."""
    bars = bars3(counts)
    if bars.empty:
        return None
    marks = ceiling_marks(bars, {"both": "best from both"})
    called = {level.id: level.label for level in LEVELS}
    caption = (
        "Accuracy where a cue is taken away: which child the model is, ownership or nearness in the text, the green "
        "square that tells the target, or both of the last. White diamonds are the best that text and picture together "
        "still allow; the dashed line is chance; thin lines are 95 % Wilson intervals of trials."
    )
    return Sketch(
        "figure3",
        "Ablations of perspectival and spatial cues",
        caption,
        f"Bars of accuracy, on average over models. {averaged(bars, WORDS, called)}.",
        lambda: grouped(Groups(bars, present(LEVELS, bars), marks, pd.DataFrame(), _MOST)),
    )


def figure3(table: pd.DataFrame) -> Any:
    """Return the plot of a tidy table, ``None`` where the data are not at hand."""
    found = sketch3(tally(table))
    return found and found.plot()
