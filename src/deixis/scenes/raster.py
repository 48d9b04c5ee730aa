"""From SVG to pixels. The one place that knows the rasteriser; no system font is ever looked for."""

import codecs
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.errors import SceneError

Pixels = NDArray[np.uint8]
"""Height × width × 3, red, green, blue."""


def pixels(svg: str) -> Pixels:
    """Render an SVG at its own size; raises :class:`SceneError` for one that cannot be rendered."""
    from PIL import Image  # noqa: PLC0415  (heavy)

    with Image.open(io.BytesIO(png(svg))) as image:
        return np.asarray(image.convert("RGB"))


def png_of_file(path: Path, side: int) -> bytes:
    """Render an SVG file alone so that its longer side has ``side`` pixels or a little more, as a PNG file."""
    import resvg_py  # noqa: PLC0415  (heavy)

    render: Any = resvg_py.svg_to_bytes
    raw = path.read_bytes()
    text = raw.decode(
        "utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig", "replace"
    )
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
    try:
        return bytes(render(svg_string=text, width=side, skip_system_fonts=True))
    except ValueError as error:
        raise SceneError(f"cannot render {str(path)!r} ({error}); replace the file") from None


def png(svg: str) -> bytes:
    """Render an SVG as a PNG file, as the rasteriser writes it."""
    import resvg_py  # noqa: PLC0415  (heavy)

    render: Any = resvg_py.svg_to_bytes
    try:
        return bytes(render(svg_string=svg, skip_system_fonts=True))
    except ValueError as error:
        raise SceneError(f"cannot render a picture ({error}); replace the drawing that is broken") from None
