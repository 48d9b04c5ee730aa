"""The sample that reviewers read: a quarter of the items, stratified, in an order that tells nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, zip_longest

from deixis.errors import ItemsError, UsageError
from deixis.items.cells import INDEXICALS, PRIMES, SENTENCE_TYPES
from deixis.items.questions import Question
from deixis.seeds import generator


@dataclass(frozen=True, slots=True)
class Case:
    """One question as a reviewer gets it: nothing in it says which cell it comes from."""

    id: str
    """Its number in the sample and a hash of what is shown, such as ``r017-4f0c``: no sheet is taken for another's."""
    question: Question
    """The question it stands for."""
    partner: str
    """The last sentence of its pair: quoted where this one is not, and the other way round."""
    order: tuple[str, str]
    """The readings of the options in the order shown."""


def draw(questions: Sequence[Question], share: float, seed: int) -> list[Case]:
    """Draw ``share`` of each indexical's items, genders in turn, each with its four cells at one level of marks.

    Levels of marks are taken in turn, the order of questions and of options is drawn. Raises :class:`UsageError`
    for a share outside 0 to 1, :class:`ItemsError` where no item has a pair.
    """
    if not 0 < share <= 1:
        raise UsageError(f"--share {share:g} is no share; give more than 0 and at most 1, such as 0.25")
    chosen = [question for indexical in INDEXICALS for question in _of(indexical, questions, share, seed)]
    partners = {(q.item, q.sentence_type, q.context_prime, q.marks): q for q in chosen}
    cases: list[Case] = []
    chance = generator(seed, "review/order")
    chance.shuffle(chosen)
    for question in chosen:
        other = SENTENCE_TYPES[question.sentence_type == SENTENCE_TYPES[0]]
        partner = partners.get((question.item, other, question.context_prime, question.marks))
        first = chance.randrange(2)
        if partner is not None:
            order = (PRIMES[first], PRIMES[1 - first])
            shown = sha256(f"{question.passage}\0{partner.sentence}\0{order}".encode()).hexdigest()[:4]
            cases.append(Case(f"r{len(cases) + 1:03d}-{shown}", question, partner.sentence, order))
    if not cases:
        raise ItemsError("no item has a quoted and a non-quoted question to compare; give items with all their cells")
    return cases


def _of(indexical: str, questions: Sequence[Question], share: float, seed: int) -> list[Question]:
    items: dict[str, list[Question]] = {}
    for question in questions:
        if question.indexical == indexical:
            items.setdefault(question.item, []).append(question)
    strata: dict[str, list[str]] = {}
    for item, members in items.items():
        strata.setdefault(members[0].gender, []).append(item)
    for gender, members_of in strata.items():
        generator(seed, f"review/{indexical}/{gender}").shuffle(members_of)
    turns = zip_longest(*(strata[gender] for gender in sorted(strata)))
    drawn = [item for item in chain.from_iterable(turns) if item is not None][: max(1, round(share * len(items)))]
    found = []
    for place, item in enumerate(drawn):
        levels = sorted({question.marks for question in items[item]}, reverse=True)
        marks = levels[place // 2 % len(levels)]
        found += [question for question in items[item] if question.marks == marks]
    return found
