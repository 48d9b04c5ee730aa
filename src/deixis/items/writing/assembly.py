"""From a draft in base names to an item: quote it, rename it, check it."""

from collections.abc import Mapping

from deixis.items.cells import PRIMES, REFERENTS, SENTENCE_TYPES, TIME_OPTIONS
from deixis.items.fresh import PLACES, pools
from deixis.items.lint.run import lint
from deixis.items.mending import agree
from deixis.items.naming import rename
from deixis.items.published import BASE_ROLES
from deixis.items.questions import of_item
from deixis.items.quotation import parts, speech
from deixis.items.reporting import is_past
from deixis.items.tense import direct
from deixis.items.writing.drafts import BadDraft, Draft
from deixis.records import Cell, Item
from deixis.seeds import generator


def assemble(draft: Draft, question: str, indexical: str, number: int, seed: int) -> Item:
    """Build the item: its four cells, with names drawn by seed; raises :class:`BadDraft` where it cannot be quoted."""
    gender = "female" if number % 2 else "male"
    roles = draw_names(indexical, number, gender, seed)
    names = {base: roles[role] for base, role in BASE_ROLES[indexical].items()}

    def renamed(text: str) -> str:
        return agree(rename(text, names), gender)

    sentences = {"non-quoted": renamed(draft.sentence), "quoted": renamed(quote(draft.sentence))}
    contexts = dict(zip(PRIMES, map(renamed, draft.contexts), strict=True))
    cells = tuple(
        Cell(kind, prime, f"{contexts[prime]} {sentences[kind]}", sentences[kind])
        for kind in SENTENCE_TYPES
        for prime in PRIMES
    )
    return Item(
        f"{indexical}/{number:03d}",
        indexical,
        number,
        gender,
        roles,
        renamed(question),
        _options(indexical, roles),
        cells,
    )


def quote(sentence: str) -> str:
    """Turn indirect into direct speech: no *that*, quotation marks, the tense of what was said."""
    report, clause, verb = parts(sentence)
    if not clause:
        raise BadDraft("what is reported cannot be told from who reports it")
    return speech(report, direct(clause) if is_past(verb) else clause, "quoted", marks=True, that=False)


def draw_names(indexical: str, number: int, gender: str, seed: int) -> dict[str, str]:
    """Draw a name for every role, no two alike."""
    chance = generator(seed, f"write/{indexical}/{number:03d}")
    people, cities = list(pools()[gender]), list(pools()["cities"])
    chance.shuffle(people)
    chance.shuffle(cities)
    return {role: (cities if role in PLACES else people).pop() for role in BASE_ROLES[indexical].values()}


def check(item: Item) -> None:
    """Raise :class:`BadDraft` with the first thing that the linter calls an error."""
    for finding in lint(of_item(item)):
        if finding.is_error:
            raise BadDraft(f"{finding.code}: {finding.message}")


def _options(indexical: str, roles: Mapping[str, str]) -> dict[str, str]:
    if indexical == "tomorrow":
        return dict(TIME_OPTIONS)
    non_shifted, shifted = REFERENTS[indexical]
    return {"non-shifted": roles[non_shifted], "shifted": roles[shifted]}
