"""Checks of the form: fields, levels, characters, spaces."""

import html
import re
from collections.abc import Iterator, Sequence

from deixis.items import mending
from deixis.items.cells import INDEXICALS, MARKS, PRIMES, SENTENCE_TYPES, right_reading
from deixis.items.lint.checks import Found, Severity, about_question, about_set
from deixis.items.questions import Question

_KNOWN = {
    "indexical": INDEXICALS,
    "sentence_type": SENTENCE_TYPES,
    "context_prime": PRIMES,
    "marks": MARKS,
    "gender": ("female", "male", ""),
    "truth": ("non-shifted", "shifted", ""),
}
_SPACES = re.compile(
    r"^\s|\s$|[ \u00a0]{2,}|[\t\u00ad\u2000-\u200f\ufeff]|\s[,.;:!?](?:\s|$)|[,;!?](?=[A-Za-z])|\w\.(?=[A-Z][a-z])"
)
_PLACEHOLDER = re.compile(r"[{}\[\]]\w*[}\]]?")
_STOPS = re.compile(r"(?<!\.)\.\.(?!\.)|[,;:][,;:.]|[!?][,;.]")
_REPEATED = re.compile(r"\b(\w+)\s+\1\b", re.IGNORECASE)
_MAY_REPEAT = {"that", "had", "her", "is", "you", "bye", "very", "so", "no", "ha"}
_CURLY = re.compile("[“”„«»]")


@about_question("blank-field", Severity.ANSWER)
def blank_field(question: Question) -> Iterator[str]:
    """A field that a participant needs is empty."""
    parts = {"passage": question.passage, "question": question.question}
    parts |= {f"{reading} option": text for reading, text in question.options.items()}
    parts["item's number"] = question.item.partition("/")[2]
    yield from (name for name, text in parts.items() if not text.strip())


@about_question("unknown-level", Severity.ANSWER)
def unknown_level(question: Question) -> Iterator[str]:
    """A factor has a level that the design does not know."""
    for factor, levels in _KNOWN.items():
        value = getattr(question, factor)
        if value not in levels:
            yield f"{factor} {value!r} is none of {', '.join(filter(None, levels))}"
    if question.indexical in INDEXICALS and question.item.partition("/")[0] != question.indexical:
        yield f"the item {question.item!r} is not about {question.indexical!r}"


@about_question("sentence-apart", Severity.ANSWER)
def sentence_apart(question: Question) -> Iterator[str]:
    """The passage does not end in its last sentence."""
    if not question.passage.rstrip().endswith(question.sentence.rstrip()):
        yield repr(question.sentence[:60])


@about_question("placeholder", Severity.ANSWER)
def placeholder(question: Question) -> Iterator[str]:
    """A placeholder of a template was not filled."""
    for text in question.texts:
        yield from (repr(found) for found in _PLACEHOLDER.findall(text))


@about_question("doubled-stop", Severity.COSMETIC)
def doubled_stop(question: Question) -> Iterator[str]:
    """Two stops stand in a row."""
    for text in question.texts:
        found = _STOPS.search(text)
        if found:
            yield repr(text[max(0, found.start() - 12) : found.end() + 5])


@about_question("wrong-truth", Severity.ANSWER)
def wrong_truth(question: Question) -> Iterator[str]:
    """The reading called right is not the one that the rule gives: quoted shifts, nothing else does."""
    if question.sentence_type in SENTENCE_TYPES and question.truth in PRIMES:
        right = right_reading(question.sentence_type)
        if question.truth != right:
            yield f"{question.truth!r} in a {question.sentence_type} sentence"


@about_set("repeated-id", Severity.ANSWER)
def repeated_id(questions: Sequence[Question]) -> Iterator[Found]:
    """Two questions have the same id, so their answers cannot be told apart."""
    seen: set[str] = set()
    for question in questions:
        if question.row in seen:
            yield question.row, repr(question.row)
        seen.add(question.row)


@about_question("mojibake", Severity.COSMETIC)
def mojibake(question: Question) -> Iterator[str]:
    """Letters were decoded wrongly."""
    for text in question.texts:
        for word in text.split():
            meant = html.unescape(mending.decode(word))
            if meant != word or "\ufffd" in word:
                yield f"{word!r}" + (f", meant {meant!r}" if "\ufffd" not in word else "")


@about_question("doubled-quotes", Severity.COSMETIC)
def doubled_quotes(question: Question) -> Iterator[str]:
    """A quotation mark stands twice."""
    for text in question.texts:
        found = re.search(r'.{0,20}(?:""|“{2}|”{2}|\'\'|“"|"”).{0,5}', text)
        if found:
            yield repr(found[0])


@about_question("odd-quotes", Severity.COSMETIC)
def odd_quotes(question: Question) -> Iterator[str]:
    """Quotation marks are not paired, or of two kinds."""
    text = mending.single_quotes(question.passage)
    straight, curly = text.count('"'), _CURLY.findall(text)
    if straight and curly:
        yield "straight and curly ones"
    elif straight % 2:
        yield f"{straight} of them"
    elif len(curly) % 2:
        yield f"{len(curly)} of them"


@about_question("stray-spaces", Severity.COSMETIC)
def stray_spaces(question: Question) -> Iterator[str]:
    """Spaces stand where none belong, or are missing after a stop."""
    for text in question.texts:
        found = _SPACES.search(text)
        if found:
            yield repr(text[max(0, found.start() - 12) : found.end() + 12])


@about_question("no-stop", Severity.COSMETIC)
def no_stop(question: Question) -> Iterator[str]:
    """The passage ends without a full stop, or the question without its mark."""
    if question.passage.strip() and not re.search(r"[.!?][\"”“’)»«]*\s*$|[\"”“»«][.!?]\s*$", question.passage):
        yield repr(question.passage.strip()[-20:])
    if question.question.strip() and not question.question.rstrip().endswith("?"):
        yield repr(question.question.strip()[-20:])


@about_question("repeated-word", Severity.COSMETIC)
def repeated_word(question: Question) -> Iterator[str]:
    """A word stands twice in a row."""
    for text in question.texts:
        for found in _REPEATED.finditer(text):
            if found[1].lower() not in _MAY_REPEAT:
                yield repr(found[0])
