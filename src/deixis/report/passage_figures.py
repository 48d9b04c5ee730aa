"""Figures in the form of the paper's Figure 2: a panel a participant, bars by sentence type and prime."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from deixis.analysis.estimates import CellEstimate, cells
from deixis.analysis.intervals import wilson
from deixis.items.cells import INDEXICALS, PRIMES, SENTENCE_TYPES
from deixis.published.printed import figure2
from deixis.report.drawing import label, look, save, sides, table_of

_LABEL = 20
"""Characters of a line over a panel."""
_COLOURS = {"non-shifted": "#9ecae1", "shifted": "#08519c"}


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: a cell of a participant."""

    participant: str
    indexical: str
    sentence_type: str
    context_prime: str
    accuracy: float
    low: float
    high: float


def bars(parts: Mapping[str, pd.DataFrame], *, beside_published: bool, marks: str = "") -> list[Bar]:
    """Return the bars of the participants given, the published models' after them.

    ``marks`` takes the questions with these marks only.
    """
    found = [
        Bar(name, *_levels(estimate), estimate.accuracy, estimate.low, estimate.high)
        for name, table in parts.items()
        for estimate in cells(
            table[table["marks"] == marks] if marks else table, ["indexical", "sentence_type", "context_prime"]
        )
        if estimate.accuracy is not None
    ]
    if beside_published:
        found += [
            Bar(
                f"{c.model}\n(published)",
                c.indexical,
                c.sentence_type,
                c.context_prime,
                c.accuracy,
                *wilson(c.accuracy * c.n, c.n),
            )
            for c in figure2()
        ]
    return found


def _levels(estimate: CellEstimate) -> tuple[str, str, str]:
    indexical, sentence_type, context_prime = estimate.levels.values()
    return indexical, sentence_type, context_prime


def write_passage_figures(parts: Mapping[str, pd.DataFrame], folder: Path, name: str) -> dict[str, Path]:
    """Write every figure as SVG, PNG and PDF under names that begin with ``name``; return the paths of the SVG.

    ``models`` shows all indexicals at once, ``models-I`` and so on one each, on the questions with plain marks, which
    the published ones are like; ``distractor`` the models on the others, ``references`` the reference participants on
    every question. Where no model was asked, only the last is written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: dict[str, Path] = {}
    answered, references = sides(parts)
    if answered:
        models = bars(answered, beside_published=True, marks="plain")
        written["models"] = _write(models, folder / f"{name}-models", by_indexical=True)
        for indexical in INDEXICALS:
            own = [bar for bar in models if bar.indexical == indexical]
            written[f"models-{indexical}"] = _write(own, folder / f"{name}-models-{indexical}")
    misled = bars(answered, beside_published=False, marks="distractor")
    if misled:
        written["distractor"] = _write(misled, folder / f"{name}-distractor", by_indexical=True)
    if references:
        table = _references(bars(references, beside_published=False))
        written["references"] = save(table, folder / f"{name}-references")
    return written


def _write(found: Sequence[Bar], stem: Path, *, by_indexical: bool = False) -> Path:
    return save(_plot(found, by_indexical=by_indexical), stem)


def _references(found: Sequence[Bar]) -> Any:
    """Return the reference participants as a table, since they are many and have no uncertainty to show."""
    entries = [
        (bar.indexical, label(bar.participant), f"{bar.sentence_type}\n{bar.context_prime}", bar.accuracy)
        for bar in found
    ]
    return table_of(entries, (13, 0.8 + 0.32 * len({entry[1] for entry in entries})))


def _plot(found: Sequence[Bar], *, by_indexical: bool) -> Any:
    import plotnine as p9  # noqa: PLC0415

    names = {bar.participant: label(bar.participant, _LABEL) for bar in found}
    table = pd.DataFrame(
        {
            "participant": pd.Categorical([names[bar.participant] for bar in found], list(names.values())),
            "indexical": pd.Categorical([bar.indexical for bar in found], INDEXICALS),
            "sentence type": pd.Categorical([bar.sentence_type for bar in found], SENTENCE_TYPES),
            "context prime": pd.Categorical([bar.context_prime for bar in found], PRIMES),
            "accuracy": [bar.accuracy for bar in found],
            "low": [bar.low for bar in found],
            "high": [bar.high for bar in found],
            "value": [f"{bar.accuracy:.2f}" for bar in found],
            "top": [bar.high + 0.02 for bar in found],
        }
    )
    beside = p9.position_dodge(width=0.9)
    if by_indexical:
        facets = p9.facet_grid("indexical ~ participant")
        size = (max(4.8, 1.5 + 1.45 * len(names)), 8.5)
    else:
        columns = min(3, len(names))
        rows = -(-len(names) // columns)
        facets = p9.facet_wrap("participant", ncol=columns)
        size = (6.2, 1.2 + 2.1 * rows)
    return (
        p9.ggplot(table, p9.aes("sentence type", "accuracy", fill="context prime"))
        + p9.geom_col(position=beside, width=0.85)
        + p9.geom_errorbar(p9.aes(ymin="low", ymax="high"), position=beside, width=0.25, size=0.4)
        + p9.geom_text(p9.aes(y="top", label="value"), position=beside, va="bottom", size=6.5)
        + p9.scale_fill_manual(values=_COLOURS)
        + p9.scale_y_continuous(limits=(0, 1.12), breaks=(0, 0.25, 0.5, 0.75, 1))
        + facets
        + p9.labs(x="", y="accuracy", fill="context primes the reading")
        + look(p9, size)
    )
