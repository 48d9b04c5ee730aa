"""Pictures for a page: as the pieces of an SVG that many share, as words, and whole as a small image."""

import base64

from deixis.report.browser.interning import Interned
from deixis.scenes.drawing.artwork import Artwork
from deixis.scenes.drawing.document import document, pieces
from deixis.scenes.drawing.unrelated import POOL
from deixis.scenes.picture import EMPTY, Picture

_PLACES = ("first", "second", "third", "fourth")


class Album:
    """Pictures by number, each the numbers of its pieces."""

    def __init__(self) -> None:
        self._pieces: Interned[str] = Interned()
        self._numbers: dict[Picture, int] = {}
        self._pictures: list[tuple[str, tuple[int, ...]]] = []

    def number(self, picture: Picture, art: Artwork) -> int:
        """Return the number of a picture; all of an album are made with the same drawings."""
        found = self._numbers.get(picture)
        if found is None:
            found = self._numbers[picture] = len(self._pictures)
            self._pictures.append((words(picture), tuple(map(self._pieces, pieces(picture, art)))))
        return found

    @property
    def pieces(self) -> tuple[str, ...]:
        """Every piece of SVG by its number."""
        return self._pieces.things()

    @property
    def pictures(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Every picture by its number: in words, and the numbers of its pieces."""
        return tuple(self._pictures)


def words(picture: Picture) -> str:
    """Return what is seen in a picture, for who does not see it. Nothing is said that is not in the picture."""
    if picture.background == EMPTY:
        return "An empty picture."
    if picture.background in POOL:
        return f"A picture that has nothing to do with the trial ({picture.background.removeprefix('unrelated-')})."
    other = {"left": "right", "right": "left"}[picture.boy]
    told = [
        f"{picture.background.capitalize()}: the boy at the {picture.boy} end of the table, the girl at the {other}"
    ]
    if picture.objects:
        told.append(f"on it from left to right {', '.join(picture.objects)}")
    if picture.squares:
        told.append(f"a green square on the {_listed(picture.squares)}")
    if picture.speaker:
        told.append(f"a speech bubble at the {picture.speaker}" + (f" with “{picture.says}”" if picture.says else ""))
    if picture.gazer and picture.target is not None:
        told.append(f"a line from the eyes of the {picture.gazer} to the {_PLACES[picture.target]} object")
    return "; ".join(told) + "."


def _listed(places: tuple[int, ...]) -> str:
    return ", ".join(_PLACES[place] for place in places) + (" object" if len(places) == 1 else " objects")


def thumbnail(picture: Picture, art: Artwork) -> str:
    """Return a picture as a data URL of its SVG, for the ``src`` of an image."""
    return "data:image/svg+xml;base64," + base64.b64encode(document(picture, art).encode()).decode()
