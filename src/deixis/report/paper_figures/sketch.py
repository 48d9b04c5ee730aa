"""What a figure is before and after it is drawn."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, eq=False)
class Sketch:
    """A figure that the data at hand allow, not drawn yet."""

    id: str
    """A name for files, such as ``figure2``."""
    title: str
    """What it shows, in a few words."""
    caption: str
    """What its marks mean."""
    alt: str
    """Its main numbers in words, for those who do not see it."""
    plot: Callable[[], Any]
    """Makes the plot, which takes time."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure that was written."""

    id: str
    """A name for files, such as ``figure2``."""
    title: str
    """What it shows, in a few words."""
    caption: str
    """What its marks mean."""
    alt: str
    """Its main numbers in words, for those who do not see it."""
    svg: Path
    """The SVG; PNG and PDF lie beside it."""
