"""Things that come again and again, kept once and named by number."""

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Interned(Generic[T]):
    """Distinct things in the order they came."""

    def __init__(self) -> None:
        self._numbers: dict[T, int] = {}

    def __call__(self, thing: T) -> int:
        """Return the number of a thing, a new one where it has not come before."""
        return self._numbers.setdefault(thing, len(self._numbers))

    def things(self) -> tuple[T, ...]:
        """Return every thing by its number."""
        return tuple(self._numbers)
