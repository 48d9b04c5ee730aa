"""Checks of the indexical: one, inside what is reported; and of contexts, which tempt and never tell."""

import re
from collections.abc import Iterator

from deixis.items.cells import INDEXICALS, MARKS, SENTENCE_TYPES
from deixis.items.lint.checks import Severity, about_question
from deixis.items.lint.words import content, sentences, stems
from deixis.items.naming import mentions
from deixis.items.questions import Question
from deixis.items.quotation import has_mark, marked_spans

_CHOSEN = "asked|invited|chosen|selected|hired|working|applying|training|preparing|planning|trying"
_MEANS = "plans?|planned|intends?|intended|aims?|hopes?|wants?|wanted|needs?|have|has|decided|agreed|offered|promised"
_PLANS = (
    r"(?:will|['’]ll|(?:am|is|are|['’](?:m|s|re)) (?:going|planning|hoping|aiming) to|going to|"
    rf"(?:am|['’]m) (?:working|excited)|(?:have|has|['’]ve|['’]s) been (?:\w+ly )?(?:{_CHOSEN})|(?:{_MEANS}) to)"
)
_FIRST = re.compile(rf"\bI(?:\b[^.!?]{{0,12}}?\s|(?=['’])){_PLANS}\b")


@about_question("wrong-type", Severity.ANSWER)
def wrong_type(question: Question) -> Iterator[str]:
    """The last sentence is not of the type that the row says."""
    if question.sentence_type == "quoted" and not question.clause:
        yield "quoted, but without quotation marks or a colon"
    if question.sentence_type == "non-quoted":
        inside = [span for span in marked_spans(question.sentence) if _word(question).search(span)]
        yield from (f"non-quoted, but {question.indexical!r} stands between quotation marks" for _ in inside[:1])


@about_question("wrong-marks", Severity.WEAKENS)
def wrong_marks(question: Question) -> Iterator[str]:
    """Quotation marks do not stand where the level of marks says."""
    if question.marks not in MARKS or not _known(question):
        return
    quoted = question.sentence_type == "quoted"
    if question.marks == "plain":
        if not quoted and has_mark(question.passage):
            yield "plain: words of a passage without direct speech stand between marks"
        if quoted and question.clause and not has_mark(question.sentence):
            yield "plain: direct speech should stand between marks"
        return
    if quoted and has_mark(question.passage):
        yield "distractor: direct speech should stand behind a colon, without marks"
    if not quoted and not has_mark(question.passage):
        yield "distractor: no words of the passage stand between marks"


@about_question("indexical-missing", Severity.ANSWER)
def indexical_missing(question: Question) -> Iterator[str]:
    """The last sentence lacks its indexical."""
    if _known(question) and not _word(question).search(question.sentence):
        yield repr(question.indexical)


@about_question("indexical-doubled", Severity.WEAKENS)
def indexical_doubled(question: Question) -> Iterator[str]:
    """The reported clause holds its indexical more than once."""
    found = _word(question).findall(question.clause) if _known(question) else []
    if len(found) > 1:
        yield f"{question.indexical!r} stands {len(found)} times"


@about_question("indexical-outside", Severity.ANSWER)
def indexical_outside(question: Question) -> Iterator[str]:
    """The indexical stands in the last sentence, but outside what is reported."""
    if _known(question) and question.clause:
        word = _word(question)
        if word.search(question.sentence) and not word.search(question.clause):
            yield repr(question.indexical)


@about_question("indexical-in-context", Severity.PRIME)
def indexical_in_context(question: Question) -> Iterator[str]:
    """The context holds the word that is asked about, and settles what it means there."""
    if question.indexical in ("here", "tomorrow"):
        for sentence in sentences(question.context):
            if _word(question).search(sentence):
                yield repr(sentence if len(sentence) < 70 else sentence[:67] + "...")


@about_question("prime-answers", Severity.PRIME)
def prime_answers(question: Question) -> Iterator[str]:
    """The context says what is asked, instead of making an answer tempting."""
    if not _known(question):
        return
    event = content(question.clause, question.roles.values())
    for sentence in sentences(question.context):
        if event and _says(question, sentence, event):
            yield repr(sentence if len(sentence) < 90 else sentence[:87] + "...")


def _says(question: Question, sentence: str, event: list[str]) -> bool:
    """Whether the doer does, did or means to do it in ``sentence``, to whom or where it is asked."""
    shared = stems(event) & stems(content(sentence, question.roles.values()))
    verb = stems(event[:1]) & shared
    doer = question.roles.get("reporter" if question.indexical == "I" else "subject", "")
    plans = bool(doer and re.search(rf"\b{re.escape(doer)}\b[^.!?]{{0,20}}?{_PLANS}\b", sentence))
    match question.indexical:
        case "I":
            return bool(shared) and (bool(_FIRST.search(sentence)) or (plans and bool(verb)))
        case "you":
            objects = "|".join(["you", *(re.escape(name) for name in map(question.roles.get, _OBJECTS) if name)])
            verbs = "|".join(map(re.escape, verb))
            return bool(verb and doer in sentence and re.search(rf"\b(?:{verbs})\w*\s+(?:{objects})\b", sentence))
        case "here":
            places = [text for text in question.options.values() if mentions(sentence, text)]
            return bool(plans and verb and places)
        case _:
            done = doer and re.search(rf"\b{re.escape(doer)}\b[^.!?]{{0,20}}?\balready\b", sentence)
            return bool(verb) and len(shared) > 1 and bool(plans or done)


_OBJECTS = ("addressee", "listener")


def _known(question: Question) -> bool:
    return question.indexical in INDEXICALS and question.sentence_type in SENTENCE_TYPES


def _word(question: Question) -> re.Pattern[str]:
    case = re.NOFLAG if question.indexical == "I" else re.IGNORECASE
    return re.compile(rf"\b{re.escape(question.indexical)}\b", case)
