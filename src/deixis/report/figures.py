"""The figures of a design: which kind they are hangs on what was shown, passages or scenes."""

from pathlib import Path

from deixis.report.error_figures import write_error_figure
from deixis.report.passage_figures import write_passage_figures
from deixis.report.scene_figures import write_scene_figures
from deixis.scoring.results import DesignResults


def of_passages(design: DesignResults) -> bool:
    """Whether a design shows passages, or else scenes."""
    return design.signature["experiment"] == "indexicals"


def write_figures(design: DesignResults, folder: Path, name: str) -> dict[str, Path]:
    """Write every figure as SVG, PNG and PDF under names that begin with ``name``; return the paths of the SVG."""
    written = (write_passage_figures if of_passages(design) else write_scene_figures)(design, folder, name)
    return written | write_error_figure(design, folder, name)
