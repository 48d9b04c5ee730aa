"""The figure of error classes, in the manner of Figures 4B and 18 of Dong et al. (2026): a bar a participant.

Reference participants stand below the models, faint. Passages have a panel an indexical.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from deixis.analysis.errors import class_shares, classes
from deixis.report.drawing import label, look, save
from deixis.scoring.error_classes import ErrorClass

COLOURS = {
    ErrorClass.CORRECT: "#cfe3f2",
    ErrorClass.PPE: "#f2b654",
    ErrorClass.ONE: "#1f77a8",
    ErrorClass.POPE: "#1f77a8",
    ErrorClass.DPE: "#1f77a8",
    ErrorClass.DOUBLE: "#3d1a4f",
    ErrorClass.SHIFT: "#f2b654",
    ErrorClass.UNSHIFT: "#1f77a8",
    ErrorClass.OTHER_NAME: "#3d1a4f",
    ErrorClass.OTHER_CHILD: "#f2b654",
    ErrorClass.OTHER_OBJECT: "#f2b654",
    ErrorClass.VERDICT: "#f2b654",
    ErrorClass.WRONG: "#3d1a4f",
    ErrorClass.TIE: "#808080",
    ErrorClass.NFI: "#ffffff",
}
"""Classes that can stand beside one another differ in lightness, so that they can be told apart without colour."""
_DARK = frozenset(("#1f77a8", "#3d1a4f"))
"""On these a number is white."""
_FAINT = 0.4
_LABEL = 34
"""Characters of a line of a participant's name."""
_SHOWN = {True: 0.06, False: 0.13}
"""Whether there is but one panel, to the smallest share that has room for its number."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a bar: the share of one class of a participant, from ``start`` to ``end``."""

    row: float
    panel: str
    error: ErrorClass
    start: float
    end: float
    faint: bool

    @property
    def share(self) -> float:
        """How long it is."""
        return self.end - self.start


def write_error_figure(parts: Mapping[str, pd.DataFrame], folder: Path, name: str) -> dict[str, Path]:
    """Write ``errors`` as SVG, PNG and PDF; return the path of the SVG, nothing where nothing was asked."""
    counted = {name: table for name, table in parts.items() if _counted(table)}
    if not counted:
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    among = classes(next(iter(counted.values())))
    return {"errors": save(_plot(counted, among), folder / f"{name}-errors")}


def _counted(table: pd.DataFrame) -> int:
    return int(table["correct"].notna().sum())


def _in_panels(table: pd.DataFrame) -> str:
    """Return how many answers the bars of a participant stand for, ``16 each`` where there are several."""
    counts = sorted({_counted(part) for _, part in _panels(table)})
    each = " each" if len(_panels(table)) > 1 else ""
    return "–".join(str(count) for count in dict.fromkeys((counts[0], counts[-1]))) + each


def places(names: Sequence[str]) -> list[float]:
    """Return at which height each bar stands, from the top down, with a gap before the reference participants."""
    models = sum(not _refers(name) for name in names)
    return [-place - (0.5 if models and _refers(name) else 0.0) for place, name in enumerate(names)]


def _refers(name: str) -> bool:
    return name.startswith("strategy:")


def bars(tables: Mapping[str, pd.DataFrame], among: Sequence[ErrorClass]) -> list[Part]:
    """Return the parts of all bars that are longer than nothing."""
    found = []
    for row, (name, table) in zip(places(list(tables)), tables.items(), strict=True):
        for panel, rows in _panels(table):
            start = 0.0
            for part in class_shares(rows, among):
                if part.share:
                    found.append(Part(row, panel, part.error, start, start + part.share, _refers(name)))
                    start += part.share
    return found


def _panels(table: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    if "indexical" not in table or table["indexical"].isna().all():
        return [("", table)]
    return [(str(name), part) for name, part in table.groupby("indexical", observed=True, sort=False)]


def _plot(tables: Mapping[str, pd.DataFrame], among: Sequence[ErrorClass]) -> Any:
    import plotnine as p9  # noqa: PLC0415

    found = bars(tables, among)
    panels = list(dict.fromkeys(part.panel for part in found))
    heights = places(list(tables))
    table = pd.DataFrame(
        {
            "panel": pd.Categorical([part.panel for part in found], panels),
            "class": pd.Categorical([part.error.value for part in found], [error.value for error in among]),
            "start": [part.start for part in found],
            "end": [part.end for part in found],
            "top": [part.row + 0.4 for part in found],
            "bottom": [part.row - 0.4 for part in found],
            "row": [part.row for part in found],
            "middle": [(part.start + part.end) / 2 for part in found],
            "strength": [_FAINT if part.faint else 1.0 for part in found],
            "value": [_value(part, alone=len(panels) == 1) for part in found],
            "ink": ["white" if COLOURS[part.error] in _DARK and not part.faint else "black" for part in found],
        }
    )
    plot = (
        p9.ggplot(table)
        + p9.geom_rect(
            p9.aes(xmin="start", xmax="end", ymin="bottom", ymax="top", fill="class", alpha="strength"),
            color="#333333",
            size=0.25,
        )
        + p9.geom_text(p9.aes("middle", "row", label="value", color="ink"), size=6.5)
        + p9.scale_fill_manual(values={error.value: COLOURS[error] for error in among})
        + p9.scale_alpha_identity()
        + p9.scale_color_identity()
        + p9.scale_x_continuous(limits=(0, 1.0001), breaks=(0, 0.5, 1), expand=(0.02, 0))
        + p9.scale_y_continuous(
            breaks=heights,
            labels=[f"{label(name, _LABEL)} (n = {_in_panels(one)})" for name, one in tables.items()],
            expand=(0, 0.25),
        )
        + p9.guides(fill=p9.guide_legend(nrow=1))
        + p9.labs(x="share of answers", y="", fill="")
        + look(p9, (3.6 + 2.1 * len(panels) if len(panels) > 1 else 6.8, 1.1 + 0.27 * (1 - heights[-1])))
        + p9.theme(panel_grid_major_y=p9.element_blank())
    )
    return plot + p9.facet_wrap("panel", nrow=1) if len(panels) > 1 else plot


def _value(part: Part, *, alone: bool) -> str:
    """Return what stands in a part of a bar: its share, and in a wide panel the class too, for readers in grey."""
    if part.share < _SHOWN[alone]:
        return ""
    named = alone and not part.faint and part.share >= 3 * _SHOWN[alone]
    return f"{part.error.value} {part.share:.2f}" if named else f"{part.share:.2f}"
