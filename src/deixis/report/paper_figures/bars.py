"""Bars in groups, a group a participant, on as many shelves as they need: Figures 2, 3 and 4A.

All is placed by number in one panel a shelf, since panels take a tenth of a second each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from deixis.analysis.who import Kind
from deixis.report.drawing import look
from deixis.report.paper_figures.who import broken

WIDTH = 0.86
"""Of a group; the next one begins at 1."""
SHAPES = {"best from text": "^", "best from picture": "s", "best from both": "D", "stated in the paper": "o"}
_STEP, _FIRST = 0.105, 1.075
"""Between brackets one above the other, and the height of the first."""
_ROOM = 0.09
"""A bar that is shorter has no room for its number, which then stands above it."""
_TEXT = 6.2
_NARROWEST = 5.8
"""Inches that the legends need."""


@dataclass(frozen=True, slots=True)
class Level:
    """One of the bars that every group has."""

    id: str
    """Its value in the column ``level``."""
    label: str
    """What the legend calls it."""
    colour: str
    """Its fill; the fills of a figure differ in lightness."""
    dark: bool = False
    """Whether a number on it is white."""


@dataclass(frozen=True, eq=False)
class Groups:
    """What is drawn."""

    bars: pd.DataFrame
    """panel, name, kind, level, accuracy, low, high, chance; ``stars`` where a bar has asterisks over it."""
    levels: Sequence[Level]
    """The bars of a group, from the left."""
    marks: pd.DataFrame
    """panel, name, level, mark (one of :data:`SHAPES`), at: open marks for what a bar is read against."""
    brackets: pd.DataFrame
    """panel, name, first, second, mark: brackets over pairs of bars."""
    most: int
    """Groups on one shelf."""


def placed(groups: Groups) -> pd.DataFrame:
    """Return the bars with ``x`` (middle), ``half`` (half their width), ``shelf`` and ``facet``."""
    names = list(dict.fromkeys(groups.bars["name"]))
    place = {name: at for at, name in enumerate(names)}
    each = -(-len(names) // -(-len(names) // groups.most))
    bars = groups.bars.copy()
    at = bars["name"].map(place).astype(int)
    bars["x"] = at + bars["level"].map(_offsets(groups.levels)).astype(float)
    bars["half"] = WIDTH / len(groups.levels) / 2
    bars["shelf"] = at // each
    panels = list(dict.fromkeys(bars["panel"]))
    facets = [f"{panel}\0{shelf}" for panel in panels for shelf in range(-(-len(names) // each))]
    bars["facet"] = pd.Categorical([f"{p}\0{s}" for p, s in zip(bars["panel"], bars["shelf"], strict=True)], facets)
    return bars


def _offsets(levels: Sequence[Level]) -> dict[str, float]:
    width = WIDTH / len(levels)
    return {level.id: (at - (len(levels) - 1) / 2) * width for at, level in enumerate(levels)}


def rungs(brackets: pd.DataFrame, levels: Sequence[Level]) -> pd.Series:
    """Return on which rung each bracket stands: neighbours on the lowest, wider ones above."""
    order = {level.id: at for at, level in enumerate(levels)}
    return (brackets["second"].map(order) - brackets["first"].map(order) - 1).astype(int)


def grouped(groups: Groups) -> Any:
    """Return the plot."""
    import plotnine as p9  # noqa: PLC0415  (heavy)

    bars = placed(groups)
    names = list(dict.fromkeys(bars["name"]))
    each = int(bars.groupby("shelf")["name"].nunique().max())
    spots = bars[["panel", "name", "level", "x", "facet"]]
    top = _top(groups)
    wide = max(_NARROWEST, 0.7 + each * (0.35 + 0.23 * len(groups.levels)))
    shelves = list(map(str, bars["facet"].cat.remove_unused_categories().cat.categories))
    plot = (
        p9.ggplot(bars)
        + p9.geom_blank(p9.aes("x", "y"), data=_corners(shelves, each, top))
        + p9.geom_rect(
            p9.aes(xmin="x - half", xmax="x + half", ymin=0, ymax="accuracy", fill="level"), color="#222222", size=0.25
        )
        + p9.geom_hline(yintercept=sorted(set(bars["chance"].round(9))), linetype="dashed", size=0.4)
        + _errors(p9, bars)
        + _values(p9, bars, groups.levels)
        + _brackets(p9, groups, spots)
        + _marks(p9, groups, spots)
        + p9.scale_fill_manual(
            values={level.id: level.colour for level in groups.levels},
            breaks=[level.id for level in groups.levels],
            labels=[level.label for level in groups.levels],
        )
        + p9.scale_color_identity()
        + p9.scale_x_continuous(
            breaks=list(range(len(names))),
            labels=[broken(name, 6 + 3 * len(groups.levels)) for name in names],
            expand=(0, 0.02),
        )
        + p9.scale_y_continuous(limits=(0, top), breaks=(0, 0.25, 0.5, 0.75, 1), expand=(0, 0))
        + p9.guides(fill=p9.guide_legend(order=1, nrow=1), shape=p9.guide_legend(order=2, nrow=1))
        + p9.labs(x="", y="accuracy", fill="", shape="")
        + look(p9, (wide, 1.0 + (1.15 + 0.75 * top) * len(shelves)))
        + p9.theme(axis_text_x=p9.element_text(size=7), **legend(p9))
    )
    if len(shelves) == 1 and not shelves[0].split("\0", maxsplit=1)[0]:
        return plot
    titled = bool((bars["panel"] != "").any())
    plot += p9.facet_wrap("facet", ncol=1, scales="free_x", labeller=lambda facet: facet.split("\0")[0])
    return plot if titled else plot + p9.theme(strip_text=p9.element_blank(), strip_background=p9.element_blank())


def _top(groups: Groups) -> float:
    if len(groups.brackets):
        return _FIRST + _STEP * (int(rungs(groups.brackets, groups.levels).max()) + 1)
    return 1.12 if "stars" in groups.bars else 1.05


def _corners(shelves: list[str], each: int, top: float) -> pd.DataFrame:
    """Return invisible points at the ends of every shelf, so that a shorter one has bars of the same width."""
    ends = [
        (shelf, int(shelf.split("\0")[1]) * each + end, y)
        for shelf in shelves
        for end, y in ((-0.5, 0), (each - 0.5, top))
    ]
    frame = pd.DataFrame(ends, columns=["facet", "x", "y"])
    frame["facet"] = pd.Categorical(frame["facet"], shelves)
    return frame


def _errors(p9: Any, bars: pd.DataFrame) -> list[Any]:
    """Return the lines of uncertainty: with caps of people (one standard error), bare and thin of models (Wilson)."""
    known = bars[bars["low"].notna()]
    people = known["kind"] == Kind.PEOPLE
    parts = []
    if (~people).any():
        parts.append(p9.geom_linerange(p9.aes("x", ymin="low", ymax="high"), data=known[~people], size=0.35))
    if people.any():
        capped = p9.aes("x", ymin="low", ymax="high")
        parts.append(p9.geom_errorbar(capped, data=known[people], width=0.1, size=0.6))
    return parts


def _values(p9: Any, bars: pd.DataFrame, levels: Sequence[Level]) -> list[Any]:
    dark = {level.id for level in levels if level.dark}
    inside = bars["accuracy"] >= _ROOM
    text = bars.assign(
        value=[number(value) for value in bars["accuracy"]],
        y=np.where(inside, 0.015, bars["high"].fillna(bars["accuracy"]) + 0.02),
        ink=np.where(inside & bars["level"].isin(dark), "white", "black"),
    )
    parts = [p9.geom_text(p9.aes("x", "y", label="value", color="ink"), data=text, va="bottom", size=_TEXT)]
    if "stars" in bars:
        starred = bars[bars["stars"].notna()]
        above = starred.assign(y=starred["high"].clip(lower=1.0) + 0.02)
        parts.append(p9.geom_text(p9.aes("x", "y", label="stars"), data=above, va="bottom", size=_TEXT))
    return parts


def _brackets(p9: Any, groups: Groups, spots: pd.DataFrame) -> list[Any]:
    if not len(groups.brackets):
        return []
    keys = ["panel", "name", "level"]
    found = groups.brackets.assign(y=_FIRST + _STEP * rungs(groups.brackets, groups.levels))
    found = found.merge(spots.rename(columns={"level": "first", "x": "left"}), on=["panel", "name", "first"])
    ends = spots[[*keys, "x"]].rename(columns={"level": "second", "x": "right"})
    found = found.merge(ends, on=["panel", "name", "second"])
    found = found.assign(left=found["left"] + 0.02, right=found["right"] - 0.02, foot=found["y"] - 0.02)
    found["middle"] = (found["left"] + found["right"]) / 2
    strokes = (("left", "right", "y"), ("left", "left", "foot"), ("right", "right", "foot"))
    lines = pd.concat([found.assign(x=found[x], xend=found[xend], start=found[y]) for x, xend, y in strokes])
    return [
        p9.geom_segment(p9.aes(x="x", xend="xend", y="start", yend="y"), data=lines, size=0.35),
        p9.geom_text(p9.aes("middle", "y + 0.012", label="mark"), data=found, va="bottom", size=5.8),
    ]


def _marks(p9: Any, groups: Groups, spots: pd.DataFrame) -> list[Any]:
    if not len(groups.marks):
        return []
    found = groups.marks.merge(spots, on=["panel", "name", "level"])
    aside = {"best from text": -0.29, "best from picture": 0.29}
    width = WIDTH / len(groups.levels)
    found["x"] += found["mark"].map(aside).fillna(0.0) * width
    used = [mark for mark in SHAPES if (found["mark"] == mark).any()]
    return [
        p9.geom_point(p9.aes("x", "at", shape="mark"), data=found, fill="white", color="black", size=1.5, stroke=0.4),
        p9.scale_shape_manual(values=[SHAPES[mark] for mark in used], breaks=used, limits=used),
    ]


def legend(p9: Any) -> dict[str, Any]:
    """Return the theme's entries for legends above a figure: small, and one under the other."""
    return {
        "legend_box": "vertical",
        "legend_box_margin": 0,
        "legend_box_just": "center",
        "legend_margin": 0,
        "legend_text": p9.element_text(size=7.5),
        "legend_key_size": 11,
    }


def present(levels: Sequence[Level], bars: pd.DataFrame) -> list[Level]:
    """Return the levels that any bar has, so that no place is kept for others."""
    found = set(bars["level"])
    return [level for level in levels if level.id in found]


def number(value: float) -> str:
    """Return a share with two digits and without the zero before the point, as in the paper's figures."""
    return f"{value:.2f}".removeprefix("0")


def ceiling_marks(bars: pd.DataFrame, channels: Mapping[str, str]) -> pd.DataFrame:
    """Return marks for the ceilings of channels (column to mark) where the bars have them."""
    parts = [
        bars.loc[bars[column].notna(), ["panel", "name", "level"]].assign(mark=mark, at=bars[column])
        for column, mark in channels.items()
    ]
    return pd.concat(parts, ignore_index=True)
