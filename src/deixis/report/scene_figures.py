"""Figures of the perspectival-words experiments: accuracy by what was right, beside chance and the ceilings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from deixis.analysis.estimates import ceilings, cells
from deixis.report.drawing import label, look, save, sides
from deixis.report.standings import guessing

_COLUMNS = 3
_LABEL = 24
"""Characters of a line over a panel."""
_LINES = {"chance": "dotted", "text": "dashed", "picture": "dashdot", "both": "solid"}


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: a participant's accuracy where one kind of answer was right."""

    participant: str
    right: str
    accuracy: float
    low: float
    high: float


def bars(parts: Mapping[str, pd.DataFrame]) -> list[Bar]:
    """Return the bars of participants, by what was right."""
    return [
        Bar(name, _called(str(part.levels["right"])), part.accuracy, part.low, part.high)
        for name, table in parts.items()
        for part in sorted(cells(table, ["right"]), key=lambda part: str(part.levels["right"]))
        if part.accuracy is not None
    ]


def _called(right: str) -> str:
    """Return what was right in words: a rated object has but its distance, and names of things are all one."""
    return f"distance {right}" if right.isdecimal() else right or "all"


def levels(table: pd.DataFrame) -> dict[str, float]:
    """Return what accuracies are read against: chance, and what text, picture and both allow at best."""
    found = {"chance": float(guessing(table).mean())}
    return found | {channel: value for channel, value in ceilings(table).items() if value is not None}


def write_scene_figures(parts: Mapping[str, pd.DataFrame], folder: Path, name: str) -> dict[str, Path]:
    """Write the figure ``models`` of one design under a name that begins with ``name``; return the path of the SVG.

    Without models or people there is none.
    """
    found = bars(sides(parts)[0])
    if not found:
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    return {"models": save(_plot(found, levels(next(iter(parts.values())))), folder / f"{name}-models")}


def _plot(found: Sequence[Bar], lines: dict[str, float]) -> Any:
    import plotnine as p9  # noqa: PLC0415

    names = {bar.participant: label(bar.participant, _LABEL) for bar in found}
    participants = list(names.values())
    table = pd.DataFrame(
        {
            "participant": pd.Categorical([names[bar.participant] for bar in found], participants),
            "right": [bar.right.replace(" ", "\n", 1) for bar in found],
            "accuracy": [bar.accuracy for bar in found],
            "low": [bar.low for bar in found],
            "high": [bar.high for bar in found],
            "value": [f"{bar.accuracy:.2f}" for bar in found],
            "top": [bar.high + 0.02 for bar in found],
        }
    )
    marks = pd.DataFrame({"level": list(lines.values()), "at best from": pd.Categorical(list(lines), list(lines))})
    columns = min(_COLUMNS, len(participants))
    height = 1.4 + 1.9 * -(-len(participants) // columns)
    return (
        p9.ggplot(table, p9.aes("right", "accuracy"))
        + p9.geom_col(width=0.75, fill="#9ecae1")
        + p9.geom_hline(p9.aes(yintercept="level", linetype="at best from"), data=marks, size=0.5)
        + p9.geom_errorbar(p9.aes(ymin="low", ymax="high"), width=0.2, size=0.4)
        + p9.geom_label(
            p9.aes(y="top", label="value"), va="bottom", size=6.5, fill="white", label_size=0, label_padding=0.08
        )
        + p9.scale_linetype_manual(values=[_LINES[name] for name in lines])
        + p9.scale_y_continuous(limits=(0, 1.14), breaks=(0, 0.25, 0.5, 0.75, 1))
        + p9.facet_wrap("participant", ncol=columns)
        + p9.labs(
            x="" if {bar.right for bar in found} == {"all"} else "where this was right", y="accuracy", linetype=""
        )
        + look(p9, (2.4 + 1.9 * columns, height))
    )
