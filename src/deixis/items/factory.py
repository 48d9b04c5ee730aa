"""The factory: a template and names become an item with its eight passages."""

from collections.abc import Mapping

from deixis.items.cells import MARKS, PRIMES, REFERENTS, SENTENCE_TYPES, TIME_OPTIONS
from deixis.items.quotation import speech
from deixis.items.templates import Template, agreeing, marked, named
from deixis.items.tense import backshifted
from deixis.records import Cell, Item


def make(template: Template, number: int, gender: str, roles: Mapping[str, str]) -> Item:
    """Build the item called ``number`` about people of one gender; ``roles`` gives every role its name."""

    def fill(text: str, *, marks: bool) -> str:
        return named(marked(agreeing(text, gender), marks=marks), roles)

    cells = []
    for marks in MARKS:
        for sentence_type in SENTENCE_TYPES:
            spanned = marks == "distractor" and sentence_type == "non-quoted"
            sentence = fill(_sentence(template, sentence_type, marks), marks=spanned)
            for prime in PRIMES:
                context = fill(f"{template.opening} {template.primes[prime]}", marks=spanned)
                cells.append(Cell(sentence_type, prime, f"{context} {sentence}", sentence, marks))
    return Item(
        id=f"{template.indexical}/{number:03d}",
        indexical=template.indexical,
        number=number,
        gender=gender,
        roles=dict(roles),
        question=fill(template.question, marks=False),
        options=_options(template.indexical, roles),
        cells=tuple(cells),
    )


def _sentence(template: Template, sentence_type: str, marks: str) -> str:
    clause = template.clause
    if sentence_type == "non-quoted" and template.past:
        clause = backshifted(clause)
    return speech(template.report, clause, sentence_type, marks=marks == "plain", that=template.that)


def _options(indexical: str, roles: Mapping[str, str]) -> dict[str, str]:
    if indexical == "tomorrow":
        return dict(TIME_OPTIONS)
    non_shifted, shifted = REFERENTS[indexical]
    return {"non-shifted": roles[non_shifted], "shifted": roles[shifted]}
