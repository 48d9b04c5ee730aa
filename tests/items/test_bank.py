"""The bank: sound by construction, balanced, and no answer in its contexts."""

import re
from collections import Counter

import pytest

from deixis.items.bank import load_bank
from deixis.items.cells import INDEXICALS, REFERENTS
from deixis.items.naming import mentions
from deixis.records import Item

BANK = load_bank()
IDS = [item.id for item in BANK]


def test_twelve_items_an_indexical_half_female() -> None:
    assert Counter(item.indexical for item in BANK) == dict.fromkeys(INDEXICALS, 12)
    assert Counter((item.indexical, item.gender) for item in BANK) == {
        (indexical, gender): 6 for indexical in INDEXICALS for gender in ("female", "male")
    }
    assert len(set(IDS)) == 48


@pytest.mark.parametrize("item", BANK, ids=IDS)
def test_item_is_whole(item: Item) -> None:
    assert len({(cell.sentence_type, cell.context_prime) for cell in item.cells}) == 4
    assert len(set(item.roles.values())) == len(item.roles)
    word = re.compile(rf"\b{item.indexical}\b")
    for cell in item.cells:
        assert cell.passage.endswith(cell.sentence)
        assert "{" not in cell.passage + item.question
        assert len(word.findall(cell.sentence)) == 1 + (item.indexical == "I" and "When I" in cell.sentence)
        assert ('"' in cell.passage) is (cell.sentence_type == "quoted")
    if item.indexical in REFERENTS:
        for option in item.options.values():
            assert all(mentions(cell.passage, option) for cell in item.cells)


@pytest.mark.parametrize("item", [i for i in BANK if i.indexical in ("here", "tomorrow")], ids=lambda item: item.id)
def test_contexts_do_not_hold_the_indexical(item: Item) -> None:
    for cell in item.cells:
        assert item.indexical not in cell.passage.removesuffix(cell.sentence).lower().split()


def test_pairs_differ_in_nothing_but_the_last_sentence_or_the_prime() -> None:
    for item in BANK:
        context = {
            (cell.sentence_type, cell.context_prime): cell.passage.removesuffix(cell.sentence) for cell in item.cells
        }
        sentence = {(cell.sentence_type, cell.context_prime): cell.sentence for cell in item.cells}
        for prime in ("non-shifted", "shifted"):
            assert context["quoted", prime] == context["non-quoted", prime]
        for kind in ("quoted", "non-quoted"):
            assert sentence[kind, "shifted"] == sentence[kind, "non-shifted"]


def test_every_name_belongs_to_one_item() -> None:
    names = [name for item in BANK for role, name in item.roles.items() if role not in ("here", "there")]
    assert len(set(names)) == len(names)
    cities = [item.roles[role] for item in BANK if item.indexical == "here" for role in ("here", "there")]
    assert len(set(cities)) == 24
