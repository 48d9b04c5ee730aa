"""Figure 4: what other ways of prompting change, in accuracy (A) and in the errors made (B)."""

from typing import Any

import pandas as pd

from deixis.analysis.who import Kind
from deixis.report.paper_figures.bars import Groups, Level, ceiling_marks, grouped, present
from deixis.report.paper_figures.comparisons import NONE, compared
from deixis.report.paper_figures.sketch import Sketch
from deixis.report.paper_figures.stacks import most_frequent, shares, stacked
from deixis.report.paper_figures.tally import APPROACHES, Tally, shown, tally
from deixis.report.paper_figures.words import averaged

WORDS = ("possessive", "demonstrative")
LEVELS = (
    Level("main", "zero-shot", "#2166ac", dark=True),
    Level("in-context", "in context", "#74add6"),
    Level("instruction", "instruction", "#cbe0ef"),
    Level("instruction-reasoning", "instruction, then reasoning", "#ffffff"),
)
_CALLED = {level.id: level.label for level in LEVELS}
_MOST = 5


def _own(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of models on the words, where they were prompted in another way too."""
    asked = frame["condition"].isin(APPROACHES) & frame["experiment"].isin(WORDS) & (frame["kind"] == Kind.MODEL)
    part = frame[asked]
    other = part.loc[part["condition"] != "main", ["name", "experiment"]].drop_duplicates()
    return part.merge(other, on=["name", "experiment"])


def bars4(counts: Tally) -> pd.DataFrame:
    """Return the bars of A: those of :func:`shown` with panel, level and ``stars`` against the main condition."""
    found = shown(_own(counts.cells))
    found = found.assign(panel=found["experiment"], level=found["condition"])
    tested = _own(counts.tested)
    parts = [compared(tested[tested["experiment"] == word], "condition", APPROACHES).assign(panel=word)
             for word in WORDS]  # fmt: skip
    marks = pd.concat(parts, ignore_index=True)
    stars = marks[(marks["first"] == "main") & (marks["mark"] != NONE)]
    stars = stars.rename(columns={"second": "level", "mark": "stars"})[["panel", "name", "level", "stars"]]
    found = found.merge(stars, on=["panel", "name", "level"], how="left")
    return found.sort_values("panel", key=lambda panel: panel.map(WORDS.index), kind="stable", ignore_index=True)


def shares4(counts: Tally) -> pd.DataFrame:
    """Return the shares of B (see :func:`shares`) with panel (task), heading (model) and row (way of prompting)."""
    found = shares(_own(counts.errors))
    found = found.assign(panel=found["experiment"], heading=found["name"], row=found["condition"])
    return found.sort_values("row", key=lambda row: row.map(APPROACHES.index), kind="stable", ignore_index=True)


def sketch4a(counts: Tally) -> Sketch | None:
    """Return Figure 4A, ``None`` where no model was prompted in another way."""
    bars = bars4(counts)
    if bars.empty:
        return None
    caption = (
        "Accuracy under ways of prompting. Asterisks: other than zero-shot (*** p < .001, ** p < .01, * p < .05), by a "
        "logistic regression for each model and task with pairs of estimated marginal means and Tukey's adjustment. "
        "The dashed line is chance; white diamonds are the best that text and picture allow; thin lines are 95 % "
        "Wilson intervals of trials."
    )
    marks = ceiling_marks(bars, {"both": "best from both"})
    return Sketch(
        "figure4a",
        "Ways of prompting: accuracy",
        caption,
        f"Bars of accuracy, on average over models. {averaged(bars, WORDS, _CALLED)}.",
        lambda: grouped(Groups(bars, present(LEVELS, bars), marks, pd.DataFrame(), _MOST)),
    )


def sketch4b(counts: Tally) -> Sketch | None:
    """Return Figure 4B, ``None`` where no model was prompted in another way."""
    found = shares4(counts)
    if found.empty:
        return None
    caption = (
        "What answers get wrong under ways of prompting. PPE: the personal pronoun; PoPE and DPE: the possessive or "
        "demonstrative pronoun; Double: both; NFI: no option was named."
    )
    return Sketch(
        "figure4b",
        "Ways of prompting: errors",
        caption,
        f"Bars of shares that sum to 1. The most frequent error of models over all ways: {most_frequent(found)}.",
        lambda: stacked(found, WORDS, lambda name, row: f"   {_CALLED[row]}" if row else name),
    )


def figure4a(table: pd.DataFrame) -> Any:
    """Return plot A of a tidy table, ``None`` where the data are not at hand."""
    found = sketch4a(tally(table))
    return found and found.plot()


def figure4b(table: pd.DataFrame) -> Any:
    """Return plot B of a tidy table, ``None`` where the data are not at hand."""
    found = sketch4b(tally(table))
    return found and found.plot()
