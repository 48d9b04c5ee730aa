"""Pictures by their keys: made once each, when they are asked for."""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from deixis.scenes.drawing.artwork import Artwork, artwork
from deixis.scenes.picture import Picture

if TYPE_CHECKING:
    from deixis.scenes.studio import Studio


class Pictures:
    """Every picture that was named, with one set of drawings of objects."""

    def __init__(self, art: Artwork) -> None:
        self.art = art
        self._studio: Studio | None = None
        self._keys: dict[Picture, str] = {}
        self._pictures: dict[str, Picture] = {}

    def prepare(self, pictures: Iterable[Picture]) -> None:
        """Make what is needed for many pictures at once, which is quicker than one by one."""
        waiting = [picture for picture in dict.fromkeys(pictures) if picture not in self._keys]
        if waiting:
            self._opened().prepare(waiting)

    def key(self, picture: Picture) -> str:
        """Return the hash of its pixels."""
        found = self._keys.get(picture)
        if found is None:
            found = self._keys[picture] = self._opened().key(picture)
            self._pictures[found] = picture
        return found

    def png(self, key: str) -> bytes:
        """Return the PNG file of a picture whose key was asked for before."""
        return self._opened().png(self._pictures[key])

    def _opened(self) -> "Studio":
        if self._studio is None:
            from deixis.scenes.studio import Studio  # noqa: PLC0415  (heavy: the rasteriser)

            self._studio = Studio(self.art)
        return self._studio


@lru_cache(maxsize=4)
def pictures(art: str) -> Pictures:
    """Return the pictures made with a set of drawings; the same for every experiment of a process."""
    return Pictures(artwork(art))
