"""What the published paper says of its items, counted for any set: gender, pairs, damage.

Source: Oğuz, Bakman and Yaldiz (2025), section 3.1: names half female and half male, alternating; paired sentences
differ in quotation alone.
"""

from collections.abc import Sequence

from deixis.items.lint.checks import Finding, Severity
from deixis.items.lint.run import lint
from deixis.items.questions import Question

PAIRED = ("verb-changed", "pair-differs", "context-differs")
"""Findings about two questions that should differ in quotation alone."""
DAMAGED = ("wrong-gender",)
"""Findings that mean damage though the right answer stands; so does whatever changes the answer or looks wrong."""


def facts(questions: Sequence[Question]) -> dict[str, int]:
    """Count what the claim about items speaks of.

    ``female`` and ``male`` items; those ``out of turn``, of the gender of the item of their indexical before them;
    ``pairs`` of a non-quoted and a quoted question, and ``pairs that differ otherwise`` than in quotation, tense and
    agreement; ``damaged`` items, in which the linter finds a wrong name, pronoun, mark or letter.
    """
    by_item: dict[str, list[Question]] = {}
    for question in questions:
        by_item.setdefault(question.item, []).append(question)
    firsts = [found[0] for found in by_item.values()]
    last: dict[str, str] = {}
    turns = []
    for first in firsts:
        turns.append(bool(first.gender) and last.get(first.indexical) == first.gender)
        last[first.indexical] = first.gender
    pairs: dict[tuple[str, str, str], set[str]] = {}
    for question in questions:
        pairs.setdefault((question.item, question.context_prime, question.marks), set()).add(question.sentence_type)
    found = lint(questions)
    item = {question.row: question.item for question in questions}
    place = {question.row: (question.item, question.context_prime, question.marks) for question in questions}
    differ = {place[one.row] for one in found if one.code in PAIRED and one.row in place}
    return {
        "female": sum(first.gender == "female" for first in firsts),
        "male": sum(first.gender == "male" for first in firsts),
        "out of turn": sum(turns),
        "pairs": sum(len(types) > 1 for types in pairs.values()),
        "pairs that differ otherwise": len(differ),
        "damaged": len({item[one.row] for one in found if one.row in item and _is_damage(one)}),
    }


def _is_damage(found: Finding) -> bool:
    return found.code in DAMAGED or found.severity in (Severity.ANSWER, Severity.COSMETIC)
