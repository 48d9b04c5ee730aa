"""Figure 2: accuracy of people and models by task, with the tasks compared in pairs."""

from typing import Any

import numpy as np
import pandas as pd

from deixis.analysis.who import Kind
from deixis.published.printed import printed
from deixis.report.paper_figures.bars import Groups, Level, ceiling_marks, grouped, present
from deixis.report.paper_figures.comparisons import compared
from deixis.report.paper_figures.printed_models import is_printed
from deixis.report.paper_figures.sketch import Sketch
from deixis.report.paper_figures.tally import TASKS, Tally, shown, tally
from deixis.report.paper_figures.words import listed

LEVELS = (
    Level("vocabulary", "vocabulary", "#dbe9f6"),
    Level("possessive", "possessive", "#8fbfe0"),
    Level("demonstrative", "demonstrative", "#2166ac", dark=True),
)
_CEILINGS = {"text": "best from text", "picture": "best from picture", "both": "best from both"}
_MOST = 6


def bars2(counts: Tally) -> pd.DataFrame:
    """Return the bars (see :func:`shown`) with panel and level: people on their own condition, models on main."""
    found = shown(_own(counts.cells))
    return found.assign(panel="", level=found["experiment"])


def brackets2(counts: Tally) -> pd.DataFrame:
    """Return the comparisons of tasks (see :func:`compared`), with panel."""
    return compared(_own(counts.tested), "experiment", TASKS).assign(panel="")


def printed2(bars: pd.DataFrame) -> pd.DataFrame:
    """Return marks where the paper's text states the accuracy of people, or of a model in the figure."""
    rows = [
        {"panel": row["panel"], "name": row["name"], "level": row["level"], "mark": "stated in the paper",
         "at": float(stated["accuracy"])}
        for _, row in bars.iterrows()
        for stated in printed("stated")
        if stated["task"] == row["experiment"] and is_printed(row["group"], stated["participant"])
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["panel", "name", "level", "mark", "at"]).astype({"at": float})


def _own(frame: pd.DataFrame) -> pd.DataFrame:
    condition = np.where(frame["kind"] == Kind.PEOPLE, "people", "main")
    asked = (frame["condition"] == condition) & frame["experiment"].isin(TASKS)
    return frame[asked & (frame["kind"] != Kind.REFERENCE)]


def sketch2(counts: Tally) -> Sketch | None:
    """Return Figure 2, ``None`` where no task was asked of people or in its main condition of models."""
    bars = bars2(counts)
    if bars.empty:
        return None
    stated = printed2(bars)
    marks = pd.concat([ceiling_marks(bars, _CEILINGS), stated], ignore_index=True)
    brackets = brackets2(counts)
    caption = (
        "Accuracy by task, of people in their own condition and of models in the main one. "
        "Lines with caps are one standard error across people, thin ones 95 % Wilson intervals of trials. "
        "Brackets: logistic regression with task as predictor, pairs of estimated marginal means with Tukey's "
        "adjustment, people clustered by person; *** p < .001, ** p < .01, * p < .05, n.s. not significant. "
        "The dashed line is chance; white marks are the best that text, picture or both allow"
        + (" and what the paper states." if len(stated) else ".")
    )
    alt = f"Bars of accuracy. {listed(bars, 'level', list(TASKS))}. Chance is {bars['chance'].mean():.2f}."
    return Sketch(
        "figure2",
        "Accuracy of people and models by task",
        caption,
        alt,
        lambda: grouped(Groups(bars, present(LEVELS, bars), marks, brackets, _MOST)),
    )


def figure2(table: pd.DataFrame) -> Any:
    """Return the plot of a tidy table, ``None`` where the data are not at hand."""
    found = sketch2(tally(table))
    return found and found.plot()
