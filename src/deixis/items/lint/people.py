"""Checks of names, options and pronouns: who is who, and whether a reader can know it."""

import re
from collections.abc import Iterator

from deixis.items.cells import REFERENTS, TIME_OPTIONS
from deixis.items.lint.checks import Severity, about_question
from deixis.items.lint.words import content, sentences, stems
from deixis.items.mending import FRAMES
from deixis.items.naming import mentions, rename, same_answer
from deixis.items.questions import Question

_ENDINGS = ("s", "ing", "ed", "er", "ers", "an", "ans", "ian", "ians", "ese", "land", "ness", "ly")
"""With these a word that begins like a name is a word of its own: Marketing, Parisians."""
_CAPITAL = re.compile(r"(?<![.!?:\"“] )(?<!^)\b[A-Z][\w'’]*")
_NOT_NAMES = {"I", "I'm", "I'll", "I've", "I'd", "According"}
_FEMALE = re.compile(r"\b(?:she|her|hers|herself)(?:['’](?:s|d|ll))?\b", re.IGNORECASE)
_MALE = re.compile(r"\b(?:he|him|his|himself)(?:['’](?:s|d|ll))?\b", re.IGNORECASE)
_WOMEN = re.compile(
    r"\b(?:woman|women|lady|girl|mother|mum|mom|sister|daughter|wife|aunt|grandmother|grandma|niece|queen|mrs|ms|"
    r"actress|landlady|girlfriend)s?\b",
    re.IGNORECASE,
)
_MEN = re.compile(
    r"\b(?:man|men|gentleman|boy|father|dad|brother|son|husband|uncle|grandfather|grandpa|nephew|king|mr|landlord|"
    r"boyfriend)s?\b",
    re.IGNORECASE,
)


_TIMES = {
    "non-shifted": re.compile(r"\b(?:future|will|going|yet|later|tomorrow|not)\b", re.IGNORECASE),
    "shifted": re.compile(r"\b(?:past|did|done|already|has|happened|happened|before)\b", re.IGNORECASE),
}
"""Words of which the two answers about *tomorrow* hold one."""


@about_question("shared-name", Severity.ANSWER)
def shared_name(question: Question) -> Iterator[str]:
    """Two roles share a name."""
    names: dict[str, str] = {}
    for role, name in question.roles.items():
        if names.setdefault(name, role) != role:
            yield f"{name!r} is {names[name]} and {role}"


@about_question("option-absent", Severity.ANSWER)
def option_absent(question: Question) -> Iterator[str]:
    """An option never occurs in the passage."""
    if question.indexical in REFERENTS:
        yield from (
            repr(o) for o in question.options.values() if o.strip() and not mentions(question.passage, o.strip())
        )


@about_question("options-alike", Severity.ANSWER)
def options_alike(question: Question) -> Iterator[str]:
    """The two options are equal, or one stands inside the other."""
    one, other = (text.strip() for text in question.options.values())
    if (
        one
        and other
        and (same_answer(one, other) or one.casefold() in other.casefold() or other.casefold() in one.casefold())
    ):
        yield f"{one!r} and {other!r}"


@about_question("option-of-other-role", Severity.ANSWER)
def option_of_other_role(question: Question) -> Iterator[str]:
    """An option names somebody else than its reading picks out."""
    if question.indexical == "tomorrow":
        for reading, text in question.options.items():
            other = TIME_OPTIONS["shifted" if reading == "non-shifted" else "non-shifted"]
            if same_answer(text, other) or (text.strip() and not _TIMES[reading].search(text)):
                yield f"{text!r} is offered as the {reading} answer"
        return
    for reading, role in zip(("non-shifted", "shifted"), REFERENTS.get(question.indexical, ()), strict=False):
        option, name = question.options[reading].strip(), question.roles.get(role)
        if name is None or not option or same_answer(option, name):
            continue
        holders = [other for other, held in question.roles.items() if same_answer(held, option)]
        yield f"the {reading} answer is {option!r} ({', '.join(holders) or 'nobody'}), and the {role} is {name!r}"


@about_question("unmapped-name", Severity.ANSWER)
def unmapped_name(question: Question) -> Iterator[str]:
    """A name stands in the text that no role has, such as one replaced twice."""
    texts = (question.passage, question.question, *question.options.values())
    mapped = set(question.renamed.values()) or set(question.roles.values())
    for old in question.renamed:
        if old not in mapped and any(mentions(text, old) for text in texts):
            yield f"{old!r} was left in place"
    yield from sorted(
        {
            f"{word!r} holds {name!r}"
            for text in texts
            for word in re.findall(r"\b[A-Z]\w*", text)
            for name in mapped
            if word not in mapped
            and len(name) > 2
            and word.startswith(name)
            and word.removeprefix(name) not in _ENDINGS
        }
    )
    if question.base:
        rebuilt = rename(question.base, question.renamed)
        for name in sorted(mapped):
            found, wanted = len(mentions(question.passage, name)), len(mentions(rebuilt, name))
            if found != wanted:
                yield f"{name!r} stands {found} times, and {wanted} times if all names are replaced at once"


@about_question("stranger", Severity.ANSWER)
def stranger(question: Question) -> Iterator[str]:
    """The question is about a person or place that is not in the passage."""
    for word in _CAPITAL.findall(question.question):
        name = re.sub(r"['’]s?$", "", word)
        if name not in _NOT_NAMES and not mentions(question.passage, name):
            yield repr(name)


@about_question("other-person", Severity.ANSWER)
def other_person(question: Question) -> Iterator[str]:
    """The question is about another person of the passage than the last sentence."""
    for role, frame in FRAMES.get(question.indexical, ()):
        found, name = re.search(frame, question.question), question.roles.get(role)
        if found and name and found[1] != name and found[1] in question.roles.values():
            yield f"{found[1]!r} stands where the {role} {name!r} belongs"


@about_question("other-event", Severity.ANSWER)
def other_event(question: Question) -> Iterator[str]:
    """The question is about an event that is not in the last sentence."""
    asked = content(question.question, question.roles.values())
    told = stems(content(question.sentence, question.roles.values()))
    if question.question.strip() and not (
        asked and stems(asked[:1]) & told and 2 * len(stems(asked) & told) >= len(stems(asked))
    ):
        yield f"{' '.join(asked)!r}"


@about_question("wrong-gender", Severity.WEAKENS)
def wrong_gender(question: Question) -> Iterator[str]:
    """A pronoun is of the other gender than everybody named."""
    if question.gender not in ("female", "male"):
        return
    wrong, licence = (_MALE, _MEN) if question.gender == "female" else (_FEMALE, _WOMEN)
    if licence.search(question.passage):
        return
    for text in (question.passage, question.question):
        for sentence in sentences(text):
            for found in wrong.finditer(sentence):
                yield f"{found[0]!r} in {sentence[max(0, found.start() - 25) : found.end() + 15].strip()!r}"
