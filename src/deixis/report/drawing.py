"""What all figures share: their look, their file formats, and that the same numbers give the same files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

FORMATS = ("svg", "png", "pdf")


def save(plot: Any, stem: Path) -> Path:
    """Write a plot as SVG, PNG and PDF under a name without ending; return the path of the SVG."""
    import matplotlib as mpl  # noqa: PLC0415  (heavy: seconds to load)

    mpl.use("agg")
    from matplotlib import pyplot  # noqa: PLC0415

    with mpl.rc_context({"svg.hashsalt": "deixis"}):
        figure = plot.draw()
        for kind in FORMATS:
            stamp = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
            figure.savefig(stem.with_name(f"{stem.name}.{kind}"), metadata=stamp, dpi=150)
        pyplot.close(figure)
    return stem.with_name(f"{stem.name}.svg")


def look(p9: Any, size: tuple[float, float]) -> list[Any]:
    """Return the theme of every figure; ``p9`` is plotnine, ``size`` width and height in inches."""
    return [
        p9.theme_bw(base_size=9),
        p9.theme(
            figure_size=size,
            legend_position="top",
            panel_grid_major_x=p9.element_blank(),
            panel_grid_minor=p9.element_blank(),
            strip_background=p9.element_rect(fill="#f2f2f2"),
        ),
    ]


def label(participant: str) -> str:
    """Return a participant's name as it fits over a panel."""
    return participant.replace("strategy:", "").replace("gguf:", "gguf:\n")


def table_of(found: Sequence[tuple[str, str, str, float]], size: tuple[float, float]) -> Any:
    """Return a plot of many accuracies as a table: panel, row, column and value of each; one panel draws quickly."""
    import pandas as pd  # noqa: PLC0415  (heavy)
    import plotnine as p9  # noqa: PLC0415

    panels, rows, columns = (list(dict.fromkeys(entry[part] for entry in found)) for part in range(3))
    table = pd.DataFrame(
        {
            "panel": pd.Categorical([entry[0] for entry in found], panels),
            "participant": pd.Categorical([entry[1] for entry in found], rows[::-1]),
            "cell": pd.Categorical([entry[2] for entry in found], columns),
            "accuracy": [entry[3] for entry in found],
            "value": [f"{entry[3]:.2f}" for entry in found],
            "ink": ["white" if entry[3] > _DARK else "black" for entry in found],
        }
    )
    plot = (
        p9.ggplot(table, p9.aes("cell", "participant", fill="accuracy"))
        + p9.geom_tile(color="white", size=0.5, show_legend=False)
        + p9.geom_text(p9.aes(label="value", color="ink"), size=6.5)
        + p9.scale_fill_gradient(low="#f7fbff", high="#08519c", limits=(0, 1))
        + p9.scale_color_identity()
        + p9.labs(x="", y="")
        + look(p9, size)
    )
    return plot + p9.facet_wrap("panel", nrow=1) if len(panels) > 1 else plot


_DARK = 0.55
"""Above this accuracy a tile is so dark that its number is white."""
