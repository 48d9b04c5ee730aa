"""A folder of one's own pictures: every one is checked and fitted when the folder is opened, so nothing fails later."""

import base64
import csv
import io
import re
import warnings
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

from deixis.errors import SceneError
from deixis.scenes.drawing.layout import OBJECT
from deixis.scenes.objects import Catalogue, Thing, thing_of
from deixis.scenes.raster import png_of_file

COLUMNS = ("group", "name", "plural", "article", "file")
_LARGEST = 40_000_000
"""Pixels of a picture from which on it is refused."""
_NARROWEST = 20
"""A picture that is so many times as long as it is wide, or wide as it is long, would not be seen."""
_DEEPEST = 200
"""Elements within one another in an SVG; a rasteriser goes down into each."""
_FAINTEST = 8
"""Least opacity (of 255) of a pixel that counts as seen."""
_EIGHT_BITS = ("1", "L", "LA", "P", "PA", "RGB", "RGBA", "CMYK", "YCbCr", "HSV", "LAB", "La", "RGBa")


class Folder:
    """A folder with a table ``manifest.csv``: group, name, plural, article, file; perhaps category."""

    licence = "the folder's own"

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path
        self.things = Catalogue(self._manifest(), repr(str(path / "manifest.csv")))
        self._data = {thing.name: self._read(thing) for thing in self.things.things}
        note = path / "ATTRIBUTION.txt"
        self.attribution = (
            note.read_text(encoding="utf-8", errors="replace").strip() if note.is_file() else "Attribution: not stated."
        )

    @cached_property
    def version(self) -> str:
        """A hash over the pictures as they are drawn."""
        return sha256(repr(sorted(self._data.items())).encode()).hexdigest()[:16]

    def draw(self, thing: Thing, left: float, top: float) -> str:
        """Return the picture, fitted into the box and centred."""
        return f'<image x="{left:g}" y="{top:g}" width="{OBJECT}" height="{OBJECT}" href="{self._data[thing.name]}"/>'

    def _manifest(self) -> list[Thing]:
        path = self._path / "manifest.csv"
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                reader = csv.DictReader(file, skipinitialspace=True, strict=True)
                header = [name.strip() for name in reader.fieldnames or ()]
                rows = [dict(zip(header, row.values(), strict=False)) for row in reader]
        except FileNotFoundError:
            raise SceneError(f"no {str(path)!r}; a folder of pictures has a table of that name") from None
        except UnicodeDecodeError:
            raise SceneError(f"{str(path)!r} is not text in UTF-8; save it as CSV in UTF-8") from None
        except (OSError, csv.Error) as error:
            raise SceneError(f"cannot read {str(path)!r} ({error}); save it as CSV in UTF-8") from None
        missing = [column for column in COLUMNS if column not in header]
        if missing:
            raise SceneError(
                f"{str(path)!r} lacks the columns {', '.join(missing)}; it is a CSV with commas and a header"
            )
        return [_thing(f"{str(path)!r} row {number}", row) for number, row in enumerate(rows, start=1)]

    def _read(self, thing: Thing) -> str:
        path = self._path / thing.code
        try:
            inside, there = path.resolve().is_relative_to(self._path.resolve()), path.is_file()
        except (OSError, ValueError) as error:
            raise SceneError(f"no file can be called {thing.code[:40]!r} ({error}); rename it") from None
        if not inside:
            raise SceneError(
                f"{thing.code!r} of {thing.name!r} lies outside {str(self._path)!r}; put it into the folder"
            )
        if not there:
            raise SceneError(f"no file {str(path)!r} for {thing.name!r}; add it or take the object out of the manifest")
        return _fitted(path, io.BytesIO(_drawn(path)) if path.suffix.lower() == ".svg" else path)


def _thing(where: str, row: dict[str, Any]) -> Thing:
    empty = [column for column in COLUMNS if not (row.get(column) or "").strip()]
    if empty:
        raise SceneError(f"{where} has nothing in {', '.join(empty)}; fill it in")
    if not re.fullmatch(r"[1-9][0-9]{0,3}", row["group"].strip()):
        raise SceneError(f"{where} has the group {row['group'][:20]!r}; number the groups from 1")
    return thing_of({**row, "code": row["file"], "category": row.get("category") or ""})


def _drawn(path: Path) -> bytes:
    """Render an SVG alone, large enough to be made smaller; raises :class:`SceneError` for one that cannot be shown."""
    where = repr(str(path))
    depth = 0
    root: Any = None
    try:
        for event, element in Xml.iterparse(path, events=("start", "end")):  # noqa: S314  (a user's own file)
            depth += 1 if event == "start" else -1
            if depth > _DEEPEST:
                raise SceneError(f"{where} has more than {_DEEPEST} elements within one another; simplify the drawing")
            if event == "start":
                root = element if root is None else root
                _check(where, element)
    except (Xml.ParseError, OSError, ValueError) as error:
        raise SceneError(f"{where} is no SVG ({error}); replace the file") from None
    if not str(root.tag).endswith("svg"):
        raise SceneError(f"{where} is no SVG: its root is {root.tag!r}; replace the file")
    _check_shape(where, *_size(root))
    return png_of_file(path, OBJECT * 4)


def _check(where: str, element: Any) -> None:
    tag = str(element.tag).rpartition("}")[2]
    if tag in ("text", "foreignObject"):
        raise SceneError(f"{where} has text, which needs a font; turn it into paths")
    for name, value in element.attrib.items():
        if name.rpartition("}")[2] == "href" and not value.startswith(("#", "data:")):
            raise SceneError(f"{where} refers to another file, {value[:40]!r}; draw it as paths")
    told = " ".join([*element.attrib.values(), element.text or ""])
    if re.search(r"@import|url\(\s*(?!['\"]?(?:#|data:))", told):
        raise SceneError(f"{where} refers to another file; draw it as paths")


def _size(root: Any) -> tuple[float, float]:
    numbers = [float(part) for part in re.findall(r"[-+]?[\d.]+(?:e[-+]?\d+)?", root.get("viewBox") or "")]
    if len(numbers) == 4:
        return numbers[2], numbers[3]
    sides = [re.match(r"[\d.]+", root.get(name) or "") for name in ("width", "height")]
    return tuple(float(side[0]) if side else 0.0 for side in sides)  # type: ignore[return-value]


def _check_shape(where: str, width: float, height: float) -> None:
    if width <= 0 or height <= 0:
        raise SceneError(f"{where} has no size; give it a viewBox, or width and height")
    if max(width / height, height / width) > _NARROWEST:
        raise SceneError(f"{where} is {width:g} x {height:g}, too narrow to be seen; give it another shape")


def _fitted(path: Path, source: Path | io.BytesIO) -> str:
    """Return a picture as data: upright, in RGBA, fitted into the box without being stretched."""
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415  (heavy)

    where = repr(str(path))
    try:
        with warnings.catch_warnings(), Image.open(source) as opened:
            warnings.simplefilter("ignore")
            if opened.width * opened.height > _LARGEST:
                raise SceneError(f"{where} has {opened.width} x {opened.height} pixels; give it fewer than 40 million")
            if opened.mode not in _EIGHT_BITS:
                raise SceneError(f"{where} has more than 8 bits a channel ({opened.mode}); save it with 8")
            _check_shape(where, opened.width, opened.height)
            upright = ImageOps.exif_transpose(opened).convert("RGBA")
    except Image.DecompressionBombError:
        raise SceneError(f"{where} is far too large; give it fewer than 40 million pixels") from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise SceneError(f"cannot read the picture {where} ({error}); replace the file") from None
    fitted = ImageOps.contain(upright, (OBJECT, OBJECT), Image.Resampling.LANCZOS)
    if max(fitted.getchannel("A").tobytes()) < _FAINTEST:
        raise SceneError(f"{where} shows nothing; replace the file")
    canvas = Image.new("RGBA", (OBJECT, OBJECT), (0, 0, 0, 0))
    canvas.paste(fitted, ((OBJECT - fitted.width) // 2, (OBJECT - fitted.height) // 2))
    buffer = io.BytesIO()
    canvas.save(buffer, "PNG", compress_level=1)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
