"""Sets of items drawn from the templates: names, places, genders and orders follow from one seed.

Seed 0 is the bank as it stands. Every item's narrator and reporter together spell the seed in a number system whose
digits are names, so two seeds never give an item the same two people and share no passage.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from deixis.errors import UsageError
from deixis.items.cells import INDEXICALS
from deixis.items.factory import make
from deixis.items.templates import ROLES, Template
from deixis.records import Item
from deixis.seeds import generator

PLACES = ("here", "there")
_STRIDE = 12_347
"""Coprime to the number of seeds, so that multiplying by it reaches every seed, and neighbours lie far apart."""


@lru_cache(maxsize=1)
def pools() -> Mapping[str, tuple[str, ...]]:
    """Return the names drawn from: ``female``, ``male``, ``cities``."""
    text = files("deixis.items").joinpath("bank", "names.toml").read_text(encoding="utf-8")
    return {pool: tuple(names) for pool, names in tomllib.loads(text).items()}


def seeds() -> int:
    """Return how many seeds there are: ordered pairs of names."""
    size = min(len(pools()["female"]), len(pools()["male"]))
    return size * (size - 1)


def fresh_set(templates: Sequence[Template], seed: int) -> list[Item]:
    """Draw every template once; raises :class:`UsageError` for a seed outside 0 … ``seeds() - 1``.

    Numbers decide gender (odd: female) and the order of options (by parity), so a fresh set shuffles them: pairs of
    neighbours, which share a reporting verb, change places as pairs and within.
    """
    if not 0 <= seed < seeds():
        raise UsageError(f"seed {seed} gives no fresh set; give one from 0 to {seeds() - 1}")
    return [
        make(template, number, gender, _names(template, gender, seed))
        for indexical in INDEXICALS
        for number, template in _numbered([t for t in templates if t.indexical == indexical], indexical, seed)
        for gender in ("female" if number % 2 else "male",)
    ]


def _numbered(templates: Sequence[Template], indexical: str, seed: int) -> Iterator[tuple[int, Template]]:
    if seed == 0:
        yield from ((template.number, template) for template in templates)
        return
    chance = generator(seed, f"fresh/order/{indexical}")
    pairs = [list(pair) for pair in zip(templates[::2], templates[1::2], strict=True)]
    chance.shuffle(pairs)
    for pair in pairs:
        chance.shuffle(pair)
    yield from enumerate((template for pair in pairs for template in pair), start=1)


def _names(template: Template, gender: str, seed: int) -> dict[str, str]:
    """Draw a name for every role, no two alike."""
    people, cities = pools()[gender], list(pools()["cities"])
    item = f"{template.indexical}/{template.number:03d}"
    size = len(people)
    spread = (seed * _STRIDE) % seeds()
    first = (generator(0, f"fresh/narrator/{item}").randrange(size) + spread) % size
    step = (generator(0, f"fresh/reporter/{item}").randrange(size - 1) + spread // size) % (size - 1) + 1
    narrator, reporter = people[first], people[(first + step) % size]
    others = [name for name in people if name not in (narrator, reporter)]
    chance = generator(seed, f"fresh/names/{item}")
    chance.shuffle(others)
    chance.shuffle(cities)
    drawn = {"narrator": narrator, "reporter": reporter}
    for role in ROLES[template.indexical]:
        if role not in drawn:
            drawn[role] = (cities if role in PLACES else others).pop()
    return {role: drawn[role] for role in ROLES[template.indexical]}
