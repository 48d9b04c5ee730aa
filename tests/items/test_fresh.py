"""Fresh sets: one seed, one set; the same design; no passage shared between seeds."""

from collections import Counter

import pytest

from deixis.errors import UsageError
from deixis.items.bank import load_bank
from deixis.items.fresh import fresh_set, pools, seeds
from deixis.items.lint.run import lint
from deixis.items.questions import of_item
from deixis.items.templates import load_templates
from deixis.records import Item

TEMPLATES = load_templates()


def passages(items: list[Item]) -> set[str]:
    return {cell.passage for item in items for cell in item.cells}


def test_seed_0_is_the_bank_and_a_seed_gives_one_set() -> None:
    assert fresh_set(TEMPLATES, 0) == load_bank()
    assert fresh_set(TEMPLATES, 5) == fresh_set(TEMPLATES, 5)


def test_no_two_seeds_share_a_passage() -> None:
    drawn = {seed: passages(fresh_set(TEMPLATES, seed)) for seed in (0, 1, 2, 179, 180, 181, 12_347, seeds() - 1)}
    everything: Counter[str] = Counter(passage for found in drawn.values() for passage in found)
    assert max(everything.values()) == 1
    assert len(everything) == 3200 * len(drawn)


def test_narrator_and_reporter_spell_the_seed() -> None:
    """The reason why no two seeds can meet: an item's pair of names differs in every seed, for either gender."""
    template = TEMPLATES[0]
    from deixis.items.fresh import _names

    for gender in ("female", "male"):
        pairs = {tuple(_names(template, gender, seed)[r] for r in ("narrator", "reporter")) for seed in range(2000)}
        assert len(pairs) == 2000
        assert all(one != other for one, other in pairs)


def test_the_design_stays_and_the_surface_changes() -> None:
    bank, fresh = load_bank(), fresh_set(TEMPLATES, 3)
    assert [item.id for item in fresh] == [item.id for item in bank]
    assert Counter((i.indexical, i.gender) for i in fresh) == Counter((i.indexical, i.gender) for i in bank)
    assert [{(c.sentence_type, c.context_prime, c.marks) for c in i.cells} for i in fresh] == [
        {(c.sentence_type, c.context_prime, c.marks) for c in i.cells} for i in bank
    ]
    assert sum(new.question != old.question for new, old in zip(fresh, bank, strict=True)) > 380  # other orders too
    assert lint([question for item in fresh for question in of_item(item)]) == []


def test_names_within_an_item_differ_and_belong_to_its_gender() -> None:
    for item in fresh_set(TEMPLATES, 9):
        people = {name for role, name in item.roles.items() if role not in ("here", "there")}
        assert people <= set(pools()[item.gender])
        assert len(set(item.roles.values())) == len(item.roles)


def test_pools_hold_no_name_twice_and_none_inside_another() -> None:
    everyone = [*pools()["female"], *pools()["male"], *pools()["cities"]]
    assert len(set(everyone)) == len(everyone)
    for pool in pools().values():
        assert list(pool) == sorted(pool)
        inside = [(one, other) for one in pool for other in pool if one != other and one.lower() in other.lower()]
        assert not inside


@pytest.mark.parametrize("seed", [-1, seeds()])
def test_a_seed_outside_is_refused(seed: int) -> None:
    with pytest.raises(UsageError, match=rf"seed {seed} gives no fresh set; give one from 0 to 32219"):
        fresh_set(TEMPLATES, seed)
