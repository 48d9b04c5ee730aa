"""The reference participants in one table: rows are strategies, columns the conditions at hand."""

from typing import Any

import numpy as np
import pandas as pd

from deixis.analysis.who import Kind
from deixis.report.drawing import DARK, look
from deixis.report.paper_figures.bars import number
from deixis.report.paper_figures.sketch import Sketch
from deixis.report.paper_figures.tally import Tally, tally

_GAP = 0.4
"""Between experiments, in columns."""
_LETTER = 0.215
"""How wide a letter of a heading is, in columns."""


def tiles(counts: Tally) -> pd.DataFrame:
    """Return one row a strategy and condition: name, experiment, condition, protocol, heading, accuracy, n, x, y."""
    cells = counts.cells[counts.cells["kind"] == Kind.REFERENCE]
    several = counts.cells["protocol"].nunique() > 1
    names = list(dict.fromkeys(cells["participant"]))
    found = cells[["participant", "experiment", "condition", "protocol", "accuracy", "n"]].reset_index(drop=True)
    found["name"] = found["participant"].str.removeprefix("strategy:")
    found["heading"] = found["experiment"] + (" [" + found["protocol"] + "]" if several else "")
    columns = found[["heading", "condition"]].drop_duplicates()
    columns["group"] = pd.factorize(columns["heading"])[0]
    columns = columns.sort_values("group", kind="stable").reset_index(drop=True)
    columns["x"] = (
        columns["group"].map(dict(enumerate(_starts(columns["heading"])))) + columns.groupby("group").cumcount()
    )
    found["y"] = -found["participant"].map({name: at for at, name in enumerate(names)}).astype(float)
    return found.merge(columns[["heading", "condition", "x"]], on=["heading", "condition"])


def _starts(headings: pd.Series) -> list[float]:
    """Return where each experiment begins, so that its columns and its heading have room."""
    starts = [0.0]
    for heading, count in headings.value_counts(sort=False).items():
        starts.append(starts[-1] + max(count, _LETTER * len(str(heading))) + _GAP)
    return starts


def _plot(found: pd.DataFrame) -> Any:
    import plotnine as p9  # noqa: PLC0415  (heavy)

    text = found.assign(value=found["accuracy"].map(number), ink=np.where(found["accuracy"] > DARK, "white", "black"))
    columns = found[["heading", "condition", "x"]].drop_duplicates().sort_values("x")
    rows = found[["name", "y"]].drop_duplicates()
    headings = columns.groupby("heading", sort=False)["x"].min().reset_index().assign(y=0.62)
    wide, high = _starts(columns["heading"])[-1], float(len(rows))
    return (
        p9.ggplot(text, p9.aes("x", "y"))
        + p9.geom_tile(p9.aes(fill="accuracy"), color="white", size=0.4, show_legend=False)
        + p9.geom_text(p9.aes(label="value", color="ink"), size=5.6)
        + p9.geom_text(p9.aes("x - 0.5", "y", label="heading"), data=headings, ha="left", va="bottom", size=7)
        + p9.scale_fill_gradient(low="#f1f6fb", high="#08519c", limits=(0, 1))
        + p9.scale_color_identity()
        + p9.scale_x_continuous(
            breaks=list(columns["x"]),
            labels=list(columns["condition"]),
            limits=(-0.6, wide),
            expand=(0, 0),
        )
        + p9.scale_y_continuous(
            breaks=list(rows["y"]), labels=list(rows["name"]), limits=(-high + 0.4, 1.5), expand=(0, 0)
        )
        + p9.labs(x="", y="")
        + look(p9, (1.9 + 0.27 * max(wide, 8), 1.7 + 0.2 * high))
        + p9.theme(
            axis_text_x=p9.element_text(rotation=90, size=6.5, va="top", ha="center"),
            axis_text_y=p9.element_text(size=6.5),
            panel_grid_major_y=p9.element_blank(),
            panel_border=p9.element_blank(),
            axis_ticks=p9.element_blank(),
        )
    )


def sketch_references(counts: Tally) -> Sketch | None:
    """Return the table of reference participants, ``None`` where there is none."""
    if not (counts.cells["kind"] == Kind.REFERENCE).any():
        return None
    found = tiles(counts)
    least = found[found["name"] == "oracle"]["accuracy"].min()
    others = found[~found["name"].isin(("oracle", "chance"))].groupby("name", sort=False)["accuracy"].mean()
    told = f"A table of {found['name'].nunique()} strategies by {found['x'].nunique()} conditions."
    if pd.notna(least):
        told += f" The oracle reaches at least {least:.2f} everywhere."
    if len(others):
        told += f" On average over its conditions {others.idxmax()} is the best of the others with {others.max():.2f}."
    caption = (
        "Accuracy of the reference participants in every condition at hand: what answers by rule, or from one channel "
        "alone, earn. An empty place: the strategy does not exist for that experiment."
    )
    return Sketch("references", "Reference participants", caption, told, lambda: _plot(found))


def references(table: pd.DataFrame) -> Any:
    """Return the plot of a tidy table, ``None`` where no reference participant is in it."""
    found = sketch_references(tally(table))
    return found and found.plot()
