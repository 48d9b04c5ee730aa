"""Which of several answers in one text is the one that counts."""

from collections.abc import Sequence

from deixis.scoring import patterns, refusals
from deixis.scoring.cues import Said
from deixis.scoring.listing import line_of
from deixis.scoring.offers import Mention, Offer
from deixis.scoring.standing import announced

_BRIEF = 7
"""Words of an answer so brief that what it begins with is the answer, doubts or not."""


def settle(said: Said, answers: Sequence[Mention], offered: Offer) -> Mention:
    """Choose between mentions: a change of mind, an announced answer, a lone last line, the opening, a conclusion."""
    last = answers[-1]
    other = next((mention for mention in reversed(answers) if mention.option != last.option), None)
    if other is None:
        return last.by("only")
    if patterns.CHANGE.within(said, other.end, last.start) or patterns.CORRECTION.before(said, last.start):
        return last.by("correction")
    labelled = [mention for mention in answers if announced(said, mention)]
    if labelled:
        return labelled[-1].by("labelled")
    if (line_of(said.text, last, offered) or said.text[: last.start].rstrip(" \"'").endswith(":")) and not said.text[
        last.end :
    ].strip(" \n\t.\"'!"):
        return last.by("last line")
    opening = answers[0]
    if patterns.OPENING.fullmatch(said.text, 0, opening.start) and patterns.ends_clause(said.text, opening.end):
        return opening.by("opening")
    concluded = [mention for mention in answers if patterns.CONCLUSION.before(said, mention.start)]
    return concluded[-1].by("concluded") if concluded else last.by("last")


def committed(said: Said, mention: Mention) -> bool:
    """Whether a cut text had already given its answer."""
    if mention.rule == "only":
        return patterns.stands_alone(said.text, mention.start, mention.end) or announced(said, mention)
    return mention.rule != "last"


def all_the_same(said: Said, refusal: tuple[int, int], mention: Mention) -> bool:
    """Whether the mention is an answer given all the same.

    After the refusal it is, past a *but* or a full stop; before it, where it is a clause by itself.
    """
    start, end = refusal
    if mention.start >= end:
        if refusals.AT_ONCE.fullmatch(said.text, end, mention.start) and patterns.ends_clause(said.text, mention.end):
            return True
        return refusals.REJOINDER.search(said.text, end, mention.start) is not None
    if mention.end > start or refusals.DECLINED.within(said, mention.end, len(said.text)):
        return False
    opening = patterns.OPENING.fullmatch(said.text, 0, mention.start) is not None
    if opening and (patterns.ends_clause(said.text, mention.end) or len(said.text.split()) <= _BRIEF):
        return True
    return patterns.stands_alone(said.text, mention.start, mention.end) or announced(said, mention)
