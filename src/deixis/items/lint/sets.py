"""Checks of the whole set: balance, and no two items alike."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from deixis.items.cells import REFERENTS
from deixis.items.lint.checks import Found, Severity, about_set
from deixis.items.lint.words import words
from deixis.items.naming import rename
from deixis.items.questions import Question

_FEW = 8
"""So few items are not expected to be balanced."""
_NEAR = 0.6
"""Share of word triples in common from which on two items are called alike."""
_COMMON = 0.05
"""Share of items from which on a triple belongs to the frame, not to the item."""


@about_set("unbalanced-gender", Severity.WEAKENS)
def unbalanced_gender(questions: Sequence[Question]) -> Iterator[Found]:
    """Women and men do not come in equal numbers."""
    firsts = _firsts(questions)
    for indexical in ("", *dict.fromkeys(first.indexical for first in firsts)):
        counts = Counter(first.gender for first in firsts if indexical in ("", first.indexical))
        female, male = counts["female"], counts["male"]
        if female + male >= _FEW and abs(female - male) > 1:
            yield "", f"{indexical + ': ' if indexical else ''}{female} items about women, {male} about men"


@about_set("unbalanced-cells", Severity.WEAKENS)
def unbalanced_cells(questions: Sequence[Question]) -> Iterator[Found]:
    """The cells of an indexical do not hold equal numbers of questions."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for question in questions:
        counts[question.indexical][f"{question.sentence_type}/{question.context_prime}/{question.marks}"] += 1
    for indexical, cells in counts.items():
        if len(set(cells.values())) > 1:
            yield "", f"{indexical}: " + ", ".join(f"{cell} {count}" for cell, count in sorted(cells.items()))


@about_set("unbalanced-options", Severity.WEAKENS)
def unbalanced_options(questions: Sequence[Question]) -> Iterator[Found]:
    """An answer that many items offer stands for the same reading in nearly all of them."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for first in _firsts(questions):
        if first.indexical in REFERENTS:
            for reading, text in first.options.items():
                counts[text][reading] += 1
    for text, readings in counts.items():
        most = max(readings.values())
        if readings.total() >= _FEW and most >= 0.9 * readings.total():
            reading = readings.most_common(1)[0][0]
            yield "", f"{text!r} is the {reading} answer in {most} of {readings.total()} items"


@about_set("unbalanced-names", Severity.WEAKENS)
def unbalanced_names(questions: Sequence[Question]) -> Iterator[Found]:
    """A name serves far more items than the others."""
    firsts = [first for first in _firsts(questions) if first.roles]
    counts = Counter(name for first in firsts for name in set(first.roles.values()))
    if len(firsts) < _FEW:
        return
    typical = sum(counts.values()) / len(counts)
    for name, count in counts.items():
        if count > max(4 * typical, len(firsts) / 10):
            yield "", f"{name!r} in {count} of {len(firsts)} items, {typical:.1f} on average"


@about_set("duplicate", Severity.WEAKENS)
def duplicate(questions: Sequence[Question]) -> Iterator[Found]:
    """The passage stands in the file before."""
    seen: dict[str, str] = {}
    for question in questions:
        first = seen.setdefault(question.passage.strip(), question.row)
        if first != question.row:
            yield question.row, f"in {first}"


@about_set("near-duplicate", Severity.WEAKENS)
def near_duplicate(questions: Sequence[Question]) -> Iterator[Found]:
    """The item is nearly another one with other names."""
    firsts = _firsts(questions)
    told: set[int] = set()
    for one, other, share in alike([fingerprint(first) for first in firsts]):
        if other in told:
            continue
        told.add(other)
        if firsts[one].passage.strip() != firsts[other].passage.strip():
            yield firsts[other].row, f"{share:.0%} of the words of {firsts[one].row}, three at a time"


Triples = frozenset[tuple[str, str, str]]


def fingerprint(question: Question) -> Triples:
    """Return the passage as triples of words, names replaced by their roles."""
    roles = {name: role for role, name in question.roles.items()}
    found = words(rename(question.passage, roles) if roles else question.passage)
    return frozenset(zip(found, found[1:], found[2:], strict=False))


def alike(prints: Sequence[Triples]) -> Iterator[tuple[int, int, float]]:
    """Yield the places of each pair that shares most of its triples, and how many; frames common to many left out."""
    counts = Counter(triple for triples in prints for triple in triples)
    common = max(3, _COMMON * len(prints))
    holders: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    own = [{triple for triple in triples if counts[triple] <= common} for triples in prints]
    for place, triples in enumerate(own):
        for triple in triples:
            holders[triple].append(place)
    shared = Counter(
        (one, other) for places in holders.values() for i, one in enumerate(places) for other in places[i + 1 :]
    )
    for (one, other), both in sorted(shared.items()):
        share = both / max(1, min(len(own[one]), len(own[other])))
        if share >= _NEAR and both > 5:
            yield one, other, share


def _firsts(questions: Sequence[Question]) -> list[Question]:
    """Return one question of every item, of the same cell wherever there is one, in the order of the items."""
    items: dict[str, Question] = {}
    for question in questions:
        kept = items.setdefault(question.item, question)
        if _cell(question) < _cell(kept):
            items[question.item] = question
    return list(items.values())


def _cell(question: Question) -> tuple[bool, str, str]:
    return question.marks != "plain", question.sentence_type, question.context_prime
