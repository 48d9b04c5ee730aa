"""Checks of the questions of one item against each other: they differ in one factor and nothing else."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from deixis.items.cells import MARKS, PRIMES, SENTENCE_TYPES
from deixis.items.lint.checks import Found, Severity, about_item
from deixis.items.naming import female_pronouns, rename
from deixis.items.questions import Question
from deixis.items.reporting import lemmas

Grid = Mapping[tuple[str, str], Question]
"""The questions of one item at one level of marks, by sentence type and prime."""

_MARK = re.compile(r'["“”„«»]')
_TOKEN = re.compile(r"[\w'’]+")
_IRREGULAR = {
    "began": "begins", "bought": "buys", "brought": "brings", "came": "comes", "chose": "chooses", "felt": "feels",
    "found": "finds", "gave": "gives", "got": "gets", "held": "holds", "kept": "keeps", "knew": "knows",
    "left": "leaves", "lost": "loses", "made": "makes", "met": "meets", "paid": "pays", "ran": "runs", "saw": "sees",
    "sold": "sells", "sent": "sends", "spent": "spends", "spoke": "speaks", "stood": "stands", "took": "takes",
    "taught": "teaches", "thought": "thinks", "understood": "understands", "won": "wins", "wrote": "writes",
}  # fmt: skip
_TENSE = _IRREGULAR | {
    "would": "will", "could": "can", "might": "may", "wanted": "wants", "had": "has", "did": "does", "was": "is",
    "were": "are", "am": "is", "should": "shall", "went": "goes", "needed": "needs", "hoped": "hopes",
}  # fmt: skip


@about_item("verb-changed", Severity.PAIR)
def verb_changed(questions: Sequence[Question]) -> Iterator[Found]:
    """The pair reports with another verb."""
    for grid in _grids(questions):
        for question, other in _odd_ones(grid, lambda one, two: lemmas(one.sentence) == lemmas(two.sentence)):
            yield question.row, f"{_verbs(question)} beside {_verbs(other)} in {other.row}"


@about_item("pair-differs", Severity.PAIR)
def pair_differs(questions: Sequence[Question]) -> Iterator[Found]:
    """The last sentences of a pair differ in more than quotation, complementiser, tense and agreement."""
    for grid in _grids(questions):
        for question, other in _odd_ones(grid, _one_sentence):
            yield question.row, f"{question.sentence!r} beside {other.sentence!r} in {other.row}"


@about_item("context-differs", Severity.PAIR)
def context_differs(questions: Sequence[Question]) -> Iterator[Found]:
    """Quoted and non-quoted passages of one prime have different contexts."""
    for grid in _grids(questions):
        for prime in PRIMES:
            pair = [grid[kind, prime] for kind in SENTENCE_TYPES if (kind, prime) in grid]
            if len(pair) == 2 and _bare(pair[0].context) != _bare(pair[1].context):
                confirmed = [question for question in pair if _confirmed(question, questions, pair)]
                for question, other in (pair, pair[::-1]):
                    if len(confirmed) != 1 or question not in confirmed:
                        yield question.row, f"beside {other.row}: {_first_difference(question.context, other.context)}"


def _confirmed(question: Question, questions: Sequence[Question], pair: Sequence[Question]) -> bool:
    """Whether a context is as the file has it elsewhere: in its base text, or under the other level of marks."""
    base = rename(question.base, question.renamed)
    told = {base, female_pronouns(base)} if question.base else set()
    return any(text.startswith(question.context) for text in told) or any(
        other not in pair
        and other.context_prime == question.context_prime
        and _bare(other.context) == _bare(question.context)
        for other in questions
    )


@about_item("marks-differ", Severity.PAIR)
def marks_differ(questions: Sequence[Question]) -> Iterator[Found]:
    """Passages that should differ in their marks only differ in words."""
    plain = {(q.sentence_type, q.context_prime): q for q in questions if q.marks == "plain"}
    for question in questions:
        other = plain.get((question.sentence_type, question.context_prime))
        if question.marks == "distractor" and other and _tokens(question.passage) != _tokens(other.passage):
            yield question.row, f"beside {other.row}: {_first_difference(question.passage, other.passage)}"


@about_item("same-primes", Severity.PRIME)
def same_primes(questions: Sequence[Question]) -> Iterator[Found]:
    """The contexts of both primes are one, so nothing is tempting."""
    for grid in _grids(questions):
        for kind in SENTENCE_TYPES:
            pair = [grid[kind, prime] for prime in PRIMES if (kind, prime) in grid]
            if len(pair) == 2 and pair[0].context == pair[1].context:
                yield pair[1].row, f"same as {pair[0].row}"


@about_item("row-disagrees", Severity.PAIR)
def row_disagrees(questions: Sequence[Question]) -> Iterator[Found]:
    """A question has other words, options, names or gender than the rest of its item."""
    parts: dict[str, Callable[[Question], str]] = {
        "question": lambda question: question.question,
        "non-shifted option": lambda question: question.options["non-shifted"],
        "shifted option": lambda question: question.options["shifted"],
        "gender": lambda question: question.gender,
        "names": lambda question: ", ".join(f"{role} {name}" for role, name in sorted(question.roles.items())),
    }
    for name, part in parts.items():
        common = Counter(map(part, questions)).most_common(1)[0][0]
        yield from ((q.row, f"{name} {part(q)!r}, elsewhere {common!r}") for q in questions if part(q) != common)


@about_item("missing-cell", Severity.WEAKENS)
def missing_cell(questions: Sequence[Question]) -> Iterator[Found]:
    """The item lacks cells of the design."""
    have = {(q.sentence_type, q.context_prime, q.marks) for q in questions}
    levels = [marks for marks in MARKS if marks == "plain" or any(q.marks == marks for q in questions)]
    wanted = [(kind, prime, marks) for marks in levels for kind in SENTENCE_TYPES for prime in PRIMES]
    missing = ["/".join(cell[: 2 if cell[2] == "plain" else 3]) for cell in wanted if cell not in have]
    if missing:
        yield questions[0].row, f"{questions[0].item} has no {', '.join(missing)}"


@about_item("repeated-cell", Severity.PAIR)
def repeated_cell(questions: Sequence[Question]) -> Iterator[Found]:
    """The item has a cell twice."""
    seen: dict[tuple[str, str, str], str] = {}
    for question in questions:
        cell = (question.sentence_type, question.context_prime, question.marks)
        first = seen.setdefault(cell, question.row)
        if first != question.row:
            yield question.row, f"{'/'.join(cell)}, first in {first}"


def _grids(questions: Sequence[Question]) -> Iterator[Grid]:
    for marks in dict.fromkeys(question.marks for question in questions):
        yield {(q.sentence_type, q.context_prime): q for q in questions if q.marks == marks}


def _odd_ones(grid: Grid, alike: Callable[[Question, Question], bool]) -> Iterator[tuple[Question, Question]]:
    """Yield each question that stands out, with one that it should be like.

    A question stands out where it differs both from its pair and from its twin under the other prime. Where two
    levels differ as wholes, the quoted ones (or those under the shifted prime) are named.
    """

    def other(kind: str, prime: str, axis: int) -> Question | None:
        levels = (SENTENCE_TYPES, PRIMES)[axis]
        changed = levels[1 - levels.index((kind, prime)[axis])]
        return grid.get((changed, prime) if axis == 0 else (kind, changed))

    unlike: dict[tuple[str, str], list[Question]] = {}
    for (kind, prime), question in grid.items():
        if kind in SENTENCE_TYPES and prime in PRIMES:
            others = (other(kind, prime, axis) for axis in (0, 1))
            unlike[kind, prime] = [two for two in others if two is not None and not alike(question, two)]
    alone = [cell for cell, members in unlike.items() if len(members) == len(("pair", "twin"))]
    for cell in alone:
        yield grid[cell], unlike[cell][0]
    if alone:
        return
    for (kind, prime), members in unlike.items():
        for two in members:
            if (kind == "quoted" != two.sentence_type) or (prime == "shifted" != two.context_prime):
                yield grid[kind, prime], two


def _one_sentence(one: Question, two: Question) -> bool:
    """Whether two last sentences are alike but for quotation, complementiser and tense.

    Where they report with different verbs, which is another check's finding, what they report is compared.
    """
    same_verb = lemmas(one.sentence) == lemmas(two.sentence)
    if one.sentence_type == two.sentence_type and same_verb:
        return one.sentence == two.sentence
    texts = (one.sentence, two.sentence) if same_verb else (one.clause, two.clause)
    first, second = (_without_that(_tokens(text)) for text in texts)
    return len(first) == len(second) and all(map(_same_verb, first, second))


def _without_that(words: Sequence[str]) -> list[str]:
    return [word for word in words if word != "that"]


def _same_verb(one: str, two: str) -> bool:
    if one == two or _TENSE.get(one, one) == _TENSE.get(two, two):
        return True
    if {one[-3:], two[-2:]} == {"'ll", "'d"} and one[:-3] == two[:-2]:
        return True
    if {two[-3:], one[-2:]} == {"'ll", "'d"} and two[:-3] == one[:-2]:
        return True
    past, present = sorted((one, two), key=lambda word: not word.endswith("ed"))
    return past.endswith("ed") and present.endswith("s") and past in _regular(present[:-1])


def _regular(stem: str) -> tuple[str, ...]:
    return f"{stem}ed", f"{stem}d", f"{stem}{stem[-1:]}ed"


def _tokens(text: str) -> list[str]:
    return [token.lower() for token in _TOKEN.findall(text)]


def _bare(text: str) -> str:
    return _MARK.sub("", text)


def _verbs(question: Question) -> str:
    return " and ".join(map(repr, lemmas(question.sentence))) or "no verb known"


def _first_difference(one: str, two: str) -> str:
    place = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    begin = max(0, place - 15)
    return f"{one[begin : place + 15]!r} for {two[begin : place + 15]!r}"
