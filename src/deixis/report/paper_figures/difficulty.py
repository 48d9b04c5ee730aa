"""Which items are the hardest and the easiest: accuracy over models in the main conditions."""

from typing import Any

import pandas as pd

from deixis.report.drawing import look
from deixis.report.paper_figures.sketch import Sketch
from deixis.report.paper_figures.tally import TASKS, Tally, tally
from deixis.report.paper_figures.words import ranged

ENDS = 10
"""How many of the hardest, and how many of the easiest, are shown."""
_ORDER = ("indexicals", *TASKS)


def ranked(counts: Tally) -> pd.DataFrame:
    """Return one row an item and panel (experiment, with its protocol if there are several), hardest first.

    Columns: panel, item, label, accuracy (the mean of the models' accuracies), low and high (the lowest and the
    highest of them), models, n (trials of all), rank (from 1), of (items of the panel).
    """
    items = counts.items
    several = counts.cells["protocol"].nunique() > 1
    panel = items["experiment"] + (" [" + items["protocol"] + "]" if several else "")
    shares = items.assign(panel=panel, share=items["correct"] / items["n"])
    found = shares.groupby(["panel", "experiment", "item"], sort=False).agg(
        accuracy=("share", "mean"),
        low=("share", "min"),
        high=("share", "max"),
        models=("share", "size"),
        n=("n", "sum"),
    )
    flat = found.reset_index()
    flat["order"] = flat["experiment"].map({name: at for at, name in enumerate(_ORDER)}).fillna(len(_ORDER))
    flat = flat.sort_values(["order", "panel", "accuracy", "item"], kind="stable", ignore_index=True)
    flat["rank"] = flat.groupby("panel", sort=False).cumcount() + 1
    flat["of"] = flat.groupby("panel", sort=False)["item"].transform("size")
    names = [
        counts.objects.get(item, "") if experiment in TASKS else ""
        for item, experiment in zip(flat["item"], flat["experiment"], strict=True)
    ]
    flat["label"] = [f"{item} {name}".strip() for item, name in zip(flat["item"], names, strict=True)]
    return flat.drop(columns=["order", "experiment"])


def ends(found: pd.DataFrame) -> pd.DataFrame:
    """Return the hardest and the easiest :data:`ENDS` of each panel, all where there are no more than that."""
    return found[(found["rank"] <= ENDS) | (found["rank"] > found["of"] - ENDS)].reset_index(drop=True)


def _plot(found: pd.DataFrame) -> Any:
    import plotnine as p9  # noqa: PLC0415  (heavy)

    panels = list(dict.fromkeys(found["panel"]))
    base = {panel: 100 * at for at, panel in enumerate(panels)}
    place = found.groupby("panel", sort=False).cumcount()
    skipped = (found["of"] > 2 * ENDS) & (found["rank"] > ENDS)
    rows = found.assign(
        panel=pd.Categorical(found["panel"], panels), y=-(found["panel"].map(base).astype(int) + place + skipped)
    )
    columns = min(2, len(panels))
    longest = int(rows["label"].str.len().max())
    most = int(rows.groupby("panel", observed=True).size().max())
    return (
        p9.ggplot(rows, p9.aes("accuracy", "y"))
        + p9.geom_segment(p9.aes(x="low", xend="high", yend="y"), color="#9a9a9a", size=0.7)
        + p9.geom_point(size=1.7, color="#08306b")
        + p9.scale_x_continuous(limits=(0, 1), breaks=(0, 0.25, 0.5, 0.75, 1), labels=("0", ".25", ".5", ".75", "1"))
        + p9.scale_y_continuous(breaks=list(rows["y"]), labels=list(rows["label"]), expand=(0, 0.8))
        + p9.facet_wrap("panel", ncol=columns, scales="free_y")
        + p9.labs(x="accuracy over models", y="")
        + look(p9, (columns * (2.3 + 0.047 * longest), 0.8 + -(-len(panels) // columns) * (0.5 + 0.145 * most)))
        + p9.theme(
            axis_text_y=p9.element_text(size=6),
            panel_grid_major_x=p9.element_line(color="#ececec", size=0.4),
            panel_grid_major_y=p9.element_blank(),
        )
    )


def sketch_difficulty(counts: Tally) -> Sketch | None:
    """Return the figure of difficulty, ``None`` where no model was asked in a main condition."""
    if counts.items.empty:
        return None
    found = ranked(counts)
    drawn = ends(found)
    told = []
    for panel, part in found.groupby("panel", sort=False):
        first, last = part.iloc[0], part.iloc[-1]
        told.append(
            f"{panel}: from {first['label']} ({first['accuracy']:.2f}) to {last['label']} ({last['accuracy']:.2f})"
        )
    many = (drawn["of"] > 2 * ENDS).any()
    caption = (
        (f"The {ENDS} hardest and the {ENDS} easiest items of each main condition" if many else "Items by difficulty")
        + " (of scenes: groups of four objects). Dots are means of the models' accuracies, lines go from the lowest "
        "model to the highest. The ends of a long ranking are in part luck: an item has few trials "
        f"({ranged(found['n'].min(), found['n'].max())} of all models)."
    )
    return Sketch(
        "difficulty",
        "The hardest and the easiest items",
        caption,
        f"Dots of accuracy by item, hardest first, models: {found['models'].max()}. {'; '.join(told)}.",
        lambda: _plot(drawn),
    )


def difficulty(table: pd.DataFrame) -> Any:
    """Return the plot of a tidy table, ``None`` where no model was asked in a main condition."""
    found = sketch_difficulty(tally(table))
    return found and found.plot()
