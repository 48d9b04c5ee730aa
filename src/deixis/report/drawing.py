"""What all figures share: their look, their file formats, and that the same numbers give the same files."""

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
