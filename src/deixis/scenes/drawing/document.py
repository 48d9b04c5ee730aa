"""The whole picture as one SVG document, and the strip that holds nothing but objects."""

from collections.abc import Mapping

from deixis.errors import SceneError
from deixis.scenes.drawing import signs, unrelated
from deixis.scenes.drawing.artwork import Artwork
from deixis.scenes.drawing.children import child
from deixis.scenes.drawing.layout import HEIGHT, MARGIN, TILE, TILE_TOP, WIDTH, tile_left
from deixis.scenes.drawing.rooms import BACKGROUNDS, TABLE, table
from deixis.scenes.picture import EMPTY, Picture
from deixis.scenes.scene import CHILDREN, SIDES

_OPEN = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'width="{width}" height="{height}" viewBox="0 {top} {width} {height}">'
)


def document(picture: Picture, art: Artwork) -> str:
    """Return a picture as SVG, everything in it."""
    return "".join(pieces(picture, art))


def pieces(picture: Picture, art: Artwork) -> list[str]:
    """Return the parts of which a picture as SVG is put together, in their order.

    Joined they are the :func:`document`. Pictures that share something share the part, so that who keeps many keeps
    each part once.
    """
    parts = [_begin(0, HEIGHT), *_base(picture)]
    parts += [_object(art, name, picture.row, place) for place, name in enumerate(picture.objects)]
    parts += [signs.square(picture.row, place) for place in picture.squares]
    return [*parts, *_signs(picture), "</svg>"]


def base(picture: Picture) -> str:
    """Return a picture as SVG without its objects and squares: what many pictures share."""
    return "".join([_begin(0, HEIGHT), *_base(picture), *_signs(picture), "</svg>"])


def strip(names: Mapping[int, str], row: str, art: Artwork) -> str:
    """Return the objects at some places on the table's colour, and nothing else, as a strip one tile high."""
    table_top = f'<rect y="{TILE_TOP}" width="{WIDTH}" height="{TILE}" fill="{TABLE}"/>'
    drawn = [_object(art, name, row, place) for place, name in names.items()]
    return "".join([_begin(TILE_TOP, TILE), table_top, *drawn, "</svg>"])


def _begin(top: int, height: int) -> str:
    return _OPEN.format(width=WIDTH, height=height, top=top)


def _base(picture: Picture) -> list[str]:
    if picture.background == EMPTY:
        return [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    if picture.background in unrelated.POOL:
        return [unrelated.POOL[picture.background]]
    if picture.background not in BACKGROUNDS:
        raise SceneError(f"no background {picture.background!r}; there is {', '.join(BACKGROUNDS)}")
    sides = {"boy": picture.boy, "girl": SIDES[1 - SIDES.index(picture.boy)]}
    return [BACKGROUNDS[picture.background], *(child(name, sides[name]) for name in CHILDREN), table()]


def _signs(picture: Picture) -> list[str]:
    sides = {"boy": picture.boy, "girl": SIDES[1 - SIDES.index(picture.boy)]}
    parts = []
    if picture.labels:
        parts.append(signs.labels(picture.row))
    if picture.gazer and picture.target is not None:
        parts.append(signs.gaze_line(signs.gaze(sides[picture.gazer], picture.row, picture.target)))
    if picture.speaker:
        parts.append(signs.bubble(sides[picture.speaker], picture.says))
    return parts


def _object(art: Artwork, name: str, row: str, place: int) -> str:
    return art.draw(art.things.thing(name), tile_left(row, place) + MARGIN, TILE_TOP + MARGIN)
