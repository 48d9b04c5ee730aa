"""Figures of the perspectival-words experiments: accuracy by what was right, beside chance and the ceilings."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis.analysis.estimates import ceilings, cell, kind
from deixis.report.drawing import label, look, save, table_of
from deixis.scoring.results import DesignResults, Result, Scored

_COLUMNS = 3
_LINES = {"chance": "dotted", "text": "dashed", "picture": "dashdot", "both": "solid"}


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: a participant's accuracy where one kind of answer was right."""

    participant: str
    right: str
    accuracy: float
    low: float
    high: float


def bars(results: Sequence[Result]) -> list[Bar]:
    """Return the bars of participants, by what was right."""
    found = []
    for result in results:
        groups: dict[str, list[Scored]] = {}
        for row in result.rows:
            groups.setdefault(kind(row.trial.options[row.trial.answer].features) or "all", []).append(row)
        for right, rows in sorted(groups.items()):
            part = cell({}, rows)
            if part.accuracy is not None:
                found.append(Bar(result.participant, right, part.accuracy, part.low, part.high))
    return found


def levels(rows: Sequence[Scored]) -> dict[str, float]:
    """Return what accuracies are read against: chance, and what text, picture and both allow at best."""
    options = [len(row.trial.options) for row in rows]
    found = {"chance": sum(1 / count for count in options) / len(options)}
    return found | {channel: value for channel, value in ceilings(rows).items() if value is not None}


def write_scene_figures(design: DesignResults, folder: Path, name: str) -> dict[str, Path]:
    """Write the figures of one design under names that begin with ``name``; return the paths of the SVG.

    ``models`` shows the models, ``references`` the reference participants.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = {}
    models, references = bars(design.models), bars(list(design.references.values()))
    if models:
        rows = next(result.rows for result in design.models if result.rows)
        written["models"] = save(_plot(models, levels(rows)), folder / f"{name}-models")
    if references:
        entries = [("", label(bar.participant), bar.right, bar.accuracy) for bar in references]
        size = (5.5, 0.8 + 0.32 * len({entry[1] for entry in entries}))
        written["references"] = save(table_of(entries, size), folder / f"{name}-references")
    return written


def _plot(found: Sequence[Bar], lines: dict[str, float]) -> Any:
    import pandas as pd  # noqa: PLC0415  (heavy)
    import plotnine as p9  # noqa: PLC0415

    participants = list(dict.fromkeys(label(bar.participant) for bar in found))
    table = pd.DataFrame(
        {
            "participant": pd.Categorical([label(bar.participant) for bar in found], participants),
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
        + p9.geom_text(p9.aes(y="top", label="value"), va="bottom", size=6.5)
        + p9.scale_linetype_manual(values=[_LINES[name] for name in lines])
        + p9.scale_y_continuous(limits=(0, 1.14), breaks=(0, 0.25, 0.5, 0.75, 1))
        + p9.facet_wrap("participant", ncol=columns)
        + p9.labs(x="where this was right", y="accuracy", linetype="")
        + look(p9, (2.4 + 1.9 * columns, height))
    )
