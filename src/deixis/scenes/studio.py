"""The studio: pictures in memory, each from a base that many share and tiles cut from renders in place."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from deixis.scenes.drawing.artwork import Artwork, artwork
from deixis.scenes.drawing.document import base, document, strip
from deixis.scenes.drawing.layout import MARGIN, TILE, TILE_TOP, tile_left
from deixis.scenes.drawing.signs import GREEN, HALO
from deixis.scenes.picture import Picture
from deixis.scenes.png import Banded
from deixis.scenes.raster import Pixels, pixels
from deixis.scenes.scene import PLACES


class _Spot(NamedTuple):
    """An object at a place of a row, with a green square or without."""

    name: str
    row: str
    place: int
    square: bool


class Studio:
    """Makes pictures with one set of object pictures; the same in every process and on every machine."""

    def __init__(self, art: Artwork | None = None) -> None:
        self.art = art or artwork("twemoji")
        self._bases: dict[Picture, Banded] = {}
        self._tiles: dict[_Spot, Pixels] = {}

    def svg(self, picture: Picture) -> str:
        """Return the whole picture as SVG."""
        return document(picture, self.art)

    def png(self, picture: Picture) -> bytes:
        """Return the picture as a PNG file."""
        return self._base(picture).png(self._band(picture))

    def key(self, picture: Picture) -> str:
        """Return by which its pixels are known (SHA-256 of width, height and RGB)."""
        return self._base(picture).key(self._band(picture))

    def both(self, picture: Picture) -> tuple[str, bytes]:
        """Return key and PNG file."""
        made, band = self._base(picture), self._band(picture)
        return made.key(band), made.png(band)

    def tile_png(self, name: str) -> bytes:
        """Return one object on the table's colour as a PNG file."""
        tile = self._tile(name, "even", 0, square=False)
        return Banded(tile, 0, TILE).png(tile)

    def prepare(self, pictures: Iterable[Picture]) -> None:
        """Render what the pictures need and is not there yet: four objects at a time, bases once each."""
        waiting: dict[tuple[str, int], list[str]] = {}
        for picture in pictures:
            self._base(picture)
            for place, name in enumerate(picture.objects):
                names = waiting.setdefault((picture.row, place), [])
                if _Spot(name, picture.row, place, square=False) not in self._tiles and name not in names:
                    names.append(name)
        for row in {row for row, _ in waiting}:
            columns = [waiting.get((row, place), []) for place in range(PLACES)]
            for turn in range(max(map(len, columns))):
                self._cut({place: names[turn] for place, names in enumerate(columns) if turn < len(names)}, row)

    def _base(self, picture: Picture) -> Banded:
        bare = replace(picture, objects=(), squares=(), row=picture.row if picture.labels or picture.gazer else "even")
        found = self._bases.get(bare)
        if found is None:
            found = self._bases[bare] = Banded(pixels(base(picture)), TILE_TOP, TILE)
        return found

    def _band(self, picture: Picture) -> Pixels:
        band = self._base(picture).band
        if not picture.objects:
            return band
        band = band.copy()
        for place, name in enumerate(picture.objects):
            left = tile_left(picture.row, place)
            band[:, left : left + TILE] = self._tile(name, picture.row, place, square=place in picture.squares)
        return band

    def _tile(self, name: str, row: str, place: int, *, square: bool) -> Pixels:
        spot = _Spot(name, row, place, square)
        found = self._tiles.get(spot)
        if found is None and square:
            found = self._tiles[spot] = _squared(self._tile(name, row, place, square=False))
        elif found is None:
            self._cut({place: name}, row)
            found = self._tiles[spot]
        return found

    def _cut(self, names: dict[int, str], row: str) -> None:
        """Render objects where they will stand, and cut out their tiles: elsewhere a few pixels would differ."""
        rendered = pixels(strip(names, row, self.art))
        for place, name in names.items():
            left = tile_left(row, place)
            self._tiles[_Spot(name, row, place, square=False)] = rendered[:, left : left + TILE].copy()


def _squared(tile: Pixels) -> Pixels:
    """Put the green square on its white halo around a tile; as drawn, it covers whole pixels."""
    found = tile.copy()
    for inset, width, colour in ((0, MARGIN, HALO), (1, MARGIN - 2, GREEN)):
        ring = np.zeros((TILE, TILE), bool)
        ring[inset : TILE - inset, inset : TILE - inset] = True
        ring[inset + width : TILE - inset - width, inset + width : TILE - inset - width] = False
        found[ring] = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return found
