"""Stacked shares of error classes, a bar a row, rows in groups under a heading: Figures 4B and 18."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from deixis.analysis.who import Kind
from deixis.report.drawing import look
from deixis.report.error_figures import COLOURS
from deixis.report.paper_figures.bars import legend, number
from deixis.scoring.error_classes import ErrorClass

WORD = "ONE / PoPE / DPE"
"""The error in the word that the task is about, which is another class in each task."""
_ONE_OF = {ErrorClass.ONE.value: WORD, ErrorClass.POPE.value: WORD, ErrorClass.DPE.value: WORD}
_FILLS = {_ONE_OF.get(error.value, error.value): colour for error, colour in COLOURS.items()}
_DARK = frozenset((WORD, ErrorClass.DOUBLE.value))
_SHOWN = 0.085
"""The smallest share that has room for its number."""


def shares(errors: pd.DataFrame) -> pd.DataFrame:
    """Return one row a name, experiment, condition and class: share, n (trials); the shares of a bar sum to 1.

    Of people a share is the mean of the persons' shares. Columns: name, kind, group, protocol, experiment, condition,
    error, share, n.
    """
    by = ["name", "kind", "group", "protocol", "experiment", "condition"]
    whole = errors.groupby([*by, "participant"], sort=False)["count"].transform("sum")
    persons = errors.groupby(by, sort=False)["participant"].transform("nunique")
    total = errors.groupby(by, sort=False)["count"].transform("sum")
    told = errors.assign(share=errors["count"] / whole / persons, n=total)
    return told.groupby([*by, "error"], sort=False).agg(share=("share", "sum"), n=("n", "first")).reset_index()


def parts(found: pd.DataFrame) -> pd.DataFrame:
    """Return shares as parts of bars: ``part`` (what the legend calls it), ``start`` and ``end``, classes in order."""
    order = {error.value: at for at, error in enumerate(ErrorClass)}
    keys = ["panel", "heading", "row"]
    laid = found.sort_values("error", key=lambda errors: errors.map(order), kind="stable").copy()
    laid["end"] = laid.groupby(keys, sort=False)["share"].cumsum()
    return laid.assign(start=laid["end"] - laid["share"], part=laid["error"].replace(_ONE_OF))


def heights(found: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return at which height each row stands, from the top down; a heading without rows of its own gets a line."""
    place, at = {}, 0.0
    for heading, rows in found.groupby("heading", sort=False):
        own = list(dict.fromkeys(rows["row"]))
        if own != [""]:
            place[str(heading), ""] = at
            at -= 0.8
        for row in own:
            place[str(heading), row] = at
            at -= 1.0
        at -= 0.25 if own != [""] else 0.0
    return place


def stacked(found: pd.DataFrame, panels: Sequence[str], called: Callable[[str, str], str]) -> Any:
    """Return the plot of shares with panel, heading and row; ``called`` gives the label of heading and row."""
    import plotnine as p9  # noqa: PLC0415  (heavy)

    laid, place = parts(found), heights(found)
    laid["y"] = [place[heading, row] for heading, row in zip(laid["heading"], laid["row"], strict=True)]
    laid["panel"] = pd.Categorical(laid["panel"], [panel for panel in panels if (laid["panel"] == panel).any()])
    used = [part for part in _FILLS if (laid["part"] == part).any()]
    numbers = laid[laid["share"] >= _SHOWN]
    numbers = numbers.assign(
        x=(numbers["start"] + numbers["end"]) / 2,
        value=numbers["share"].map(number),
        ink=["white" if part in _DARK else "black" for part in numbers["part"]],
    )
    count = len(laid["panel"].cat.categories)
    low = min(place.values())
    longest = max(len(called(*key)) for key in place)
    return (
        p9.ggplot(laid)
        + p9.geom_rect(
            p9.aes(xmin="start", xmax="end", ymin="y - 0.42", ymax="y + 0.42", fill="part"), color="#222222", size=0.25
        )
        + p9.geom_text(p9.aes("x", "y", label="value", color="ink"), data=numbers, size=5.8)
        + p9.scale_fill_manual(values={part: _FILLS[part] for part in used}, breaks=used)
        + p9.scale_color_identity()
        + p9.scale_x_continuous(limits=(0, 1.0001), breaks=(0, 0.5, 1), labels=("0", ".5", "1"), expand=(0.02, 0))
        + p9.scale_y_continuous(
            breaks=list(place.values()), labels=[called(*key) for key in place], limits=(low - 0.6, 0.6), expand=(0, 0)
        )
        + p9.facet_wrap("panel", nrow=1)
        + p9.guides(fill=p9.guide_legend(nrow=1))
        + p9.labs(x="share of answers", y="", fill="")
        + look(p9, (max(5.6, 0.5 + 0.06 * longest + 1.75 * count), 1.2 + 0.185 * (1 - low)))
        + p9.theme(
            panel_grid_major_y=p9.element_blank(), axis_text_y=p9.element_text(size=7, ha="left"),
            axis_ticks_major_y=p9.element_blank(), **legend(p9),
        )
    )  # fmt: skip


def most_frequent(found: pd.DataFrame) -> str:
    """Return in words which wrong class is the most frequent of models in each panel, on average."""
    models = found[(found["kind"] == Kind.MODEL) & (found["error"] != ErrorClass.CORRECT)]
    told = []
    for panel, part in models.groupby("panel", sort=False):
        bars = found[(found["panel"] == panel) & (found["kind"] == Kind.MODEL)][["heading", "row"]].drop_duplicates()
        means = part.groupby("error", sort=False)["share"].sum() / len(bars)
        told.append(f"{panel} {means.idxmax()} ({means.max():.2f} of answers)")
    return ", ".join(told)
