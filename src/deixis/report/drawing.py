"""What all figures share: their look, their file formats, and that the same numbers give the same files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from deixis.report.paper_figures.who import broken

FORMATS = ("svg", "png", "pdf")


def save(plot: Any, stem: Path) -> Path:
    """Write a plot as SVG, PNG and PDF under a name without ending; return the path of the SVG.

    Places are worked out once for all three, and each canvas draws once, where ``savefig`` would do both twice; letters
    are not hinted, so that they are as wide in one format as in another. In the SVG they are outlines, and look the
    same where a font is lacking.
    """
    import matplotlib as mpl  # noqa: PLC0415  (heavy: seconds to load)

    mpl.use("agg")
    from matplotlib import pyplot  # noqa: PLC0415
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.backends.backend_pdf import FigureCanvasPdf  # noqa: PLC0415
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415

    canvases: Any = (FigureCanvasSVG, FigureCanvasPdf, FigureCanvasAgg)
    steady: Any = {"svg.hashsalt": "deixis", "svg.fonttype": "path", "text.hinting": "none"}
    paths = {kind: stem.with_name(f"{stem.name}.{kind}") for kind in FORMATS}
    with mpl.rc_context(steady):
        figure: Any = plot.draw()
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        svg, pdf, png = (make(figure) for make in canvases)
        svg.print_svg(paths["svg"], metadata={"Date": None})
        pdf.print_pdf(paths["pdf"], metadata={"CreationDate": None})
        figure.set_dpi(150)
        png.print_png(paths["png"])
        pyplot.close(figure)
    return paths["svg"]


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


def sides(parts: Mapping[str, pd.DataFrame]) -> tuple[dict[str, pd.DataFrame], dict[str, pd.DataFrame]]:
    """Part the tables of participants into those of models and people, and those of reference participants."""
    references = {name: part for name, part in parts.items() if name.startswith("strategy:")}
    return {name: part for name, part in parts.items() if name not in references}, references


def label(participant: str, width: int = 100) -> str:
    """Return a participant's name as it fits over a panel, in lines of at most ``width`` characters."""
    name = participant.replace("strategy:", "").replace("gguf:", "gguf:\n")
    return "\n".join(broken(line, width) for line in name.split("\n"))


def table_of(found: Sequence[tuple[str, str, str, float]], size: tuple[float, float]) -> Any:
    """Return a plot of many accuracies as a table: panel, row, column and value of each; one panel draws quickly."""
    import plotnine as p9  # noqa: PLC0415

    panels, rows, columns = (list(dict.fromkeys(entry[part] for entry in found)) for part in range(3))
    table = pd.DataFrame(
        {
            "panel": pd.Categorical([entry[0] for entry in found], panels),
            "participant": pd.Categorical([entry[1] for entry in found], rows[::-1]),
            "cell": pd.Categorical([entry[2] for entry in found], columns),
            "accuracy": [entry[3] for entry in found],
            "value": [f"{entry[3]:.2f}" for entry in found],
            "ink": ["white" if entry[3] > DARK else "black" for entry in found],
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


DARK = 0.55
"""Above this accuracy a tile is so dark that its number is white."""
