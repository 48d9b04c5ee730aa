"""The bank: items written for this project, kept as data files, one a indexical."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from deixis.items.cells import INDEXICALS, PRIMES, REFERENTS, SENTENCE_TYPES, TIME_OPTIONS
from deixis.items.quotation import non_quoted, quoted
from deixis.records import Cell, Item


def load_bank() -> list[Item]:
    """Return every item of the bank, by indexical and number."""
    folder = files("deixis.items").joinpath("bank")
    items: list[Item] = []
    for indexical in INDEXICALS:
        table = tomllib.loads(folder.joinpath(f"{indexical}.toml").read_text(encoding="utf-8"))
        items += [_item(indexical, entry) for entry in table["item"]]
    return items


def _item(indexical: str, entry: Mapping[str, Any]) -> Item:
    roles: dict[str, str] = entry["roles"]

    def fill(text: str) -> str:
        return text.format_map(roles)

    sentences = {
        "non-quoted": non_quoted(fill(entry["report"]), fill(entry["indirect"])),
        "quoted": quoted(fill(entry["report"]), fill(entry["direct"])),
    }
    cells = []
    for sentence_type in SENTENCE_TYPES:
        for prime in PRIMES:
            context = f"{fill(entry['opening'])} {fill(entry['prime'][prime])}"
            sentence = sentences[sentence_type]
            cells.append(Cell(sentence_type, prime, f"{context} {sentence}", sentence))
    if indexical == "tomorrow":
        options = dict(TIME_OPTIONS)
    else:
        non_shifted, shifted = REFERENTS[indexical]
        options = {"non-shifted": roles[non_shifted], "shifted": roles[shifted]}
    return Item(
        id=f"{indexical}/{entry['number']:03d}",
        indexical=indexical,
        number=entry["number"],
        gender=entry["gender"],
        roles=roles,
        question=fill(entry["question"]),
        options=options,
        cells=tuple(cells),
    )
