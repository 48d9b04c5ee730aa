"""The figures of one design: which kind they are hangs on what was shown, passages or scenes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pandas as pd

from deixis.report.error_figures import write_error_figure
from deixis.report.passage_figures import write_passage_figures
from deixis.report.scene_figures import write_scene_figures


class Asked(Protocol):
    """Whatever knows what was asked: a design as it was read back, with its answers or without."""

    @property
    def signature(self) -> dict[str, str | int]:
        """What was asked, in the words of the run folder."""
        ...


def of_passages(design: Asked) -> bool:
    """Whether a design shows passages, or else scenes."""
    return design.signature["experiment"] == "indexicals"


def write_figures(parts: Mapping[str, pd.DataFrame], folder: Path, name: str, *, passages: bool) -> dict[str, Path]:
    """Write the figures of one design as SVG, PNG and PDF under names that begin with ``name``.

    ``parts`` are the tables of its participants. Returns the paths of the SVG.
    """
    if not parts:
        return {}
    if not passages and name.startswith(_IN_FIGURE_18):
        return write_scene_figures(parts, folder, name)
    written = (write_passage_figures if passages else write_scene_figures)(parts, folder, name)
    return written | write_error_figure(parts, folder, name)


_IN_FIGURE_18 = ("vocabulary-", "possessive-", "demonstrative-")
"""Experiments whose classes of errors stand in a figure of their own."""
