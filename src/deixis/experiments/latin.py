"""Which question is on whose list: a Latin square of items and cells, so that nobody reads an item twice.

Ten items of each indexical make a set, and a set makes four lists: on each, every item in another of its four cells.
With 100 items an indexical that is 40 lists of 40 questions, and every question is on exactly one. Within a list each
indexical has each cell two or three times, all four together ten times each, and the right option stands first in
exactly half of every cell, where the numbers of a set's items are as often odd as even.
"""

from collections.abc import Mapping, Sequence

from deixis.errors import ItemsError
from deixis.items.cells import PRIMES, SENTENCE_TYPES, cell_id
from deixis.records import Cell, Item

SET = 10
"""How many items of an indexical are on a list."""
_CELLS = [(sentence, prime) for sentence in SENTENCE_TYPES for prime in PRIMES]


def lists(items: Sequence[Item]) -> Mapping[str, str]:
    """Return the list, counted from 1, of every question with plain marks, by the question's id.

    Raises :class:`ItemsError` where the items do not come in sets of ten, as many of each indexical, each in all four
    cells.
    """
    by_indexical: dict[str, list[Item]] = {}
    for item in items:
        by_indexical.setdefault(item.indexical, []).append(item)
    _check(by_indexical)
    found = {}
    for place, own in enumerate(by_indexical.values()):
        numbered = sorted(own, key=lambda item: item.number)
        for number in range(0, len(numbered), SET):
            # odd numbers first: the order of options hangs on parity, which must not go with the cell
            together = sorted(numbered[number : number + SET], key=lambda item: item.number % 2 == 0)
            for position, item in enumerate(together):
                for cell in plain(item):
                    turn = (_CELLS.index((cell.sentence_type, cell.context_prime)) - position - place) % len(_CELLS)
                    found[cell_id(item, cell)] = str(number // SET * len(_CELLS) + turn + 1)
    return found


def plain(item: Item) -> list[Cell]:
    """Return the cells of an item with plain marks, four where none is missing."""
    return [cell for cell in item.cells if cell.marks == "plain"]


def _check(by_indexical: Mapping[str, Sequence[Item]]) -> None:
    counts = {indexical: len(own) for indexical, own in by_indexical.items()}
    if len(set(counts.values())) != 1 or min(counts.values()) % SET:
        had = ", ".join(f"{count} of {indexical!r}" for indexical, count in counts.items())
        raise ItemsError(f"the condition 'people' needs tens of items, as many of each indexical; there is {had}")
    for item in (item for own in by_indexical.values() for item in own):
        cells = {(cell.sentence_type, cell.context_prime) for cell in plain(item)}
        if len(cells) < len(_CELLS):
            raise ItemsError(f"the condition 'people' needs each item in four cells; {item.id!r} has {len(cells)}")
