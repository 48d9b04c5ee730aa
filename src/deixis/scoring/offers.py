"""What was offered, made ready for finding: options with their forms and labels, compiled once for each set."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from deixis.scoring.folding import fold

_STRIP = " \t\r\n\"'.,:;!?()[]{}<>$\\-/=*"
"""What may stand around an answer without changing it."""
TALK = frozenset(
    "i you he she it we they me my your his her its our their this that here there now then a no yes right left".split()
)
"""Words that every answer is full of: as options they count only where they stand as one."""
NAMES_AND_WORDS = frozenset(
    "will mark may rose grace hope faith joy bill art jack rob sue pat dawn iris ivy june april august chase "
    "dean drew earl "
    "frank gene grant guy jean josh max miles nick norm ray rich robin ruby sandy skip summer wade penny lily "
    "olive pearl".split()
)
"""Names that are words too; without their capital they count only where they stand as an answer."""
_ALWAYS_ANY_CASE = frozenset("yes no true false both neither none".split())
_SOFTENERS = (
    r"(?:really|do|did|would|will|'d|'ll|much|actually|definitely|strongly|clearly|also|rather|still|always"
    r"|certainly|probably"
    r"|apparently|personally|myself|yourself|seem to|have to|should|must|obviously|simply|just)"
)
_NOUN_GAP = r"(?:(?!and\b|or\b|not\b|but\b|than\b|over\b|of\b|to\b)[A-Za-z'-]+,?\s+){0,3}?"
_APART = r"[\s:.…\"'{}\[\]()-]"
"""What may stand between the words of a sentence."""
_CASED_LABEL = frozenset("aAiI")
_MANY = 120
"""Mentions beyond which a text is looked at from its two ends."""
_FEW = 40
"""Options beyond which ends of options are not looked for."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where an option is named."""

    option: int
    """Index of the option."""
    start: int
    """Start in the folded text."""
    end: int
    """End in the folded text."""
    kind: str = "text"
    """``text``, ``part`` of an option that no other has, ``label`` (announced as one) or ``letter`` (by itself)."""
    rule: str = ""
    """The rule that settled on it."""

    def by(self, rule: str) -> "Mention":
        """Return the mention, settled by ``rule``."""
        return replace(self, rule=rule)


@dataclass(frozen=True)
class Offer:
    """The options of a question, and how each of them is found in a text."""

    options: tuple[str, ...]
    exact: dict[str, int]
    """Whole answers, lower-cased unless the option is one letter, to their options."""
    cased: re.Pattern[str]
    """Options with names in their own case."""
    uncased: re.Pattern[str] | None
    """Options in any case, where that makes a difference."""
    parts: re.Pattern[str] | None
    """Ends of options that belong to one of them alone."""
    tails: tuple[re.Pattern[str], ...]
    """By option: another option's end, named right after this one (``the boot and the flag``)."""
    labels: re.Pattern[str] | None
    """Labels where they stand as an answer."""
    names: frozenset[str]
    """The labels."""
    lettered: bool
    """Whether the options are nothing but letters."""

    def answer(self, text: str) -> int | None:
        """Return the option that ``text`` is, with nothing but marks around it."""
        bare = " ".join(text.strip(_STRIP).split())
        found = self.exact.get(bare)
        return self.exact.get(bare.lower()) if found is None else found

    def mentions(self, text: str) -> list[Mention]:
        """Return the mentions in ``text``, in order; parts of options only where none stands in full.

        Of very many, the first and the last.
        """
        found = [] if self.lettered else self._full(text)
        labels = (
            []
            if self.labels is None
            else _without_numbers([one for one in _labelled(self.labels, text) if not self._joined(text, one)], text)
        )
        if labels:
            inside = {place for one in found for place in range(one.start, one.end)}
            found = sorted([*found, *(one for one in labels if one.start not in inside)], key=lambda one: one.start)
        if not found and self.parts is not None:
            found = list(_found(self.parts, text, "part"))
        return found if len(found) <= _MANY else [*found[: _MANY // 2], *found[-_MANY // 2 :]]

    def _joined(self, text: str, label: Mention) -> bool:
        """Whether another label stands before, joined by *and* or a comma."""
        match = _LABEL_BEFORE.search(text, max(0, label.start - 12), label.start)
        return match is not None and match[1] in self.names

    def _full(self, text: str) -> list[Mention]:
        found = list(_found(self.cased, text, "text"))
        return found or ([] if self.uncased is None else list(_found(self.uncased, text, "text")))


def _found(pattern: re.Pattern[str], text: str, kind: str) -> Iterator[Mention]:
    for match in pattern.finditer(text):
        group = match.lastgroup or ""
        yield Mention(int(group[1:]), match.start(group), match.end(group), kind)


def _labelled(pattern: re.Pattern[str], text: str) -> Iterator[Mention]:
    for match in pattern.finditer(text):
        group = match.lastgroup or ""
        kind = "letter" if group[0] == "b" else "label"
        yield Mention(int(group[1:]), match.start(group), match.end(group), kind)


def _without_numbers(labels: Sequence[Mention], text: str) -> list[Mention]:
    """Leave out labels that only number lines: several of them, each at the start of one."""
    starts = [one for one in labels if not text[text.rfind("\n", 0, one.start) + 1 : one.start].strip(" \t([-")]
    numbers = [one for one in starts if _NUMBERED.match(text, one.end)]
    return [one for one in labels if one not in numbers] if len({one.option for one in numbers}) > 1 else list(labels)


@lru_cache(maxsize=4096)
def offer(options: tuple[str, ...], labels: tuple[str, ...] = ()) -> Offer:
    """Make options ready; ``labels`` are the letters or numbers they were offered with, if they were."""
    whole = [" ".join(fold(option).text.split()).rstrip(".") for option in options]
    lettered = len(whole) > 2 and all(len(option) == 1 for option in whole)
    if lettered:
        labels = tuple(whole)
    exact: dict[str, int] = {}
    for index, option in enumerate(whole):
        for form in (option, option.strip(_STRIP), option.removeprefix("the ")):
            exact.setdefault(form if len(form) == 1 else form.lower(), index)
    for index, option in enumerate(whole):
        exact.setdefault(option.lower(), index)
        exact.setdefault(_unaccented(option).lower(), index)
    exact.pop("", None)
    for index, label in enumerate(labels):
        exact.setdefault(label.lower(), index)
        exact.setdefault(label.upper(), index)
    order = sorted((index for index in range(len(whole)) if whole[index]), key=lambda index: -len(whole[index]))
    cased = [(index, _form(whole[index], any_case=False)) for index in order]
    uncased = [(index, _form(whole[index], any_case=True)) for index in order]
    return Offer(
        options,
        exact,
        _any(cased),
        None if cased == uncased else _any(uncased),
        _parts(whole),
        tuple(_tails(whole, index) for index in range(len(whole))),
        _labels(labels),
        frozenset(labels),
        lettered,
    )


_NEVER = re.compile(r"(?!)")
_NUMBERED = re.compile(
    r"[ \t.):\]]*(?!(?:no|yes|right|wrong|correct|incorrect|true|false)\W*$)\w", re.IGNORECASE | re.MULTILINE
)
_LABEL_BEFORE = re.compile(r"(\w+)\s*(?:,|and\b|or\b|&|/)\s*(?:and\s+|or\s+)?\(?$")


def _any(forms: Iterable[tuple[int, str]]) -> re.Pattern[str]:
    groups = "|".join(f"(?P<o{index}>{form})" for index, form in forms)
    return re.compile(rf"(?<![\w-])(?:{groups})(?!\w|-\w|'[sS]\b(?!\s*(?:[.,;:!?)\"]|$)))") if groups else _NEVER


def _unaccented(option: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", option) if not unicodedata.combining(letter))


def _form(option: str, *, any_case: bool) -> str:
    """Pattern of one option: any space or hyphen between its words, small words that change nothing of a sentence."""
    words = option.split()
    if len(option) == 1:
        return rf"{re.escape(option)}(?!'\w)"
    joined = _joined(words)
    if (plain := _unaccented(option)) != option:
        joined = f"(?:{joined}|{_joined(plain.split())})"
    kept = len(words) == 1 and option[0].isupper() and option.lower() not in _ALWAYS_ANY_CASE
    return joined if kept and not any_case else f"(?i:{joined})"


def _joined(words: Sequence[str]) -> str:
    escaped = [re.escape(word) for word in words]
    if words[0].lower() in ("the", "a", "an") and len(words) > 1:
        return rf"(?:{escaped[0]}[\s\"']+)?{_joined(words[1:])}"
    if len(words) >= 3 and words[0].lower() in ("i", "you", "he", "she", "we", "they"):
        rest = _joined_sentence(words[1:])
        return rf"{escaped[0]}{_APART}*(?:{_SOFTENERS}\s+){{0,3}}{rest}"
    return r"[\s-]+".join(escaped)


def _joined_sentence(words: Sequence[str]) -> str:
    """Verb and object; an article may be missing or another one, adjectives may stand before the noun."""
    verb, *rest = words
    if rest[0].lower() in ("the", "a", "an"):
        return rf"{re.escape(verb)}{_APART}+(?:(?:the|an?)\s+{_NOUN_GAP})?" + r"[\s-]+".join(map(re.escape, rest[1:]))
    return rf"{re.escape(verb)}{_APART}+" + r"[\s-]+".join(map(re.escape, rest))


def _ends(option: str) -> list[str]:
    """Ends of an option shorter than it is, the longest first."""
    words = option.lower().split()
    return [" ".join(words[start:]) for start in range(1, len(words))]


def _parts(options: Sequence[str]) -> re.Pattern[str] | None:
    """Pattern of the ends that only one option has."""
    if len(options) > _FEW:
        return None
    held = Counter(end for option in options for end in {*_ends(option), option.lower()})
    alone = [
        (index, end)
        for index, option in enumerate(options)
        for end in _ends(option)
        if end not in TALK and held[end] == 1
    ]
    forms = sorted(alone, key=lambda pair: -len(pair[1]))
    if not forms:
        return None
    by_option: dict[int, list[str]] = {}
    for index, end in forms:
        by_option.setdefault(index, []).append(r"[\s-]+".join(map(re.escape, end.split())))
    return _any((index, f"(?i:{'|'.join(ends)})") for index, ends in by_option.items())


def _tails(options: Sequence[str], index: int) -> re.Pattern[str]:
    """Pattern of *and*, then the end of another option, which this one does not have."""
    if len(options) > _FEW:
        return _NEVER
    own = {*_ends(options[index]), options[index].lower()}
    ends = {end for option in options for end in _ends(option) if end not in own and end not in TALK}
    if not ends:
        return _NEVER
    forms = "|".join(r"[\s-]+".join(map(re.escape, end.split())) for end in sorted(ends, key=len, reverse=True))
    return re.compile(
        rf"[\s\"',]*(?:\band|\bor|&|/|\bas well as)[\s\"']+(?:also\s+)?(?:the\s+)?(?:{forms})(?!\w)", re.IGNORECASE
    )


_NAMED = r"\b(?:option|choice|letter|sentence|number|object|item|picture|figure)\b[\s\"'(\[{:=-]*"
_ANNOUNCED = (
    r"(?:\b(?:answer|choose|pick|select|leaves?|with|boxed|so|therefore|definitely|it's|it is|antwort|réponse"
    r"|respuesta|risposta"
    r"|ответ)\b|答案|>)"
    r"[\s\"'(\[{:=>\\,-]*(?:text(?:bf)?\{)?(?:(?:is|would be|must be|est|ist|es|la|le)\b[\s\"'(\[{:=$-]*){0,2}"
)
_STOP = r"(?=[\s\"')\]}$]*(?:[.,;:!?)\]}\n<]|$|because\b|since\b|as\b|is (?:the )?(?:correct|right|best|answer)))"
"""A stop or a reason, before which even a label that is also a word of the language is a label."""


def _labels(labels: Sequence[str]) -> re.Pattern[str] | None:
    """Pattern of labels: named as such, announced, in parentheses, at the start of a line, or a capital by itself.

    A label that is also a word needs a stop behind it; one of several (*A, B and C*) is none.
    """
    if not labels:
        return None
    any_label = "|".join(re.escape(one) + (r"(?!\s+[a-z'])" if one in _CASED_LABEL else "") for one in labels)
    alone = rf"(?![\w'-])(?!\s*(?:,|and\b|or\b|&|/)\s*(?:and\s+|or\s+)?\(?(?:{any_label})\b)"
    forms = [(index, re.escape(label), _STOP if label in _CASED_LABEL else "") for index, label in enumerate(labels)]
    named = "|".join(rf"(?P<n{index}>{label}{alone})" for index, label, _ in forms)
    said = "|".join(rf"(?P<o{index}>{label}{alone}{stop})" for index, label, stop in forms)
    first = "|".join(rf"(?P<f{index}>{label}{alone})" for index, label, _ in forms)
    bare = "|".join(
        rf"(?P<b{index}>{label}{alone}{stop})"
        for index, label, stop in forms
        if not label.isdigit() and label.isupper()
    )
    return re.compile(
        rf"(?i:{_NAMED}(?:{named})|(?:{_ANNOUNCED}|[(\[])(?:{said})(?=[\s\"')\]}}.,:;!?$<]|$)"
        rf"|^[ \t]*[(\[]?(?:{first})(?=[\"')\]}}.,:;!?]|\s+is (?:the )?(?:correct|right|best|answer)|\s*$))"
        + (rf"|(?<![\w'-])(?:{bare})" if bare else ""),
        re.MULTILINE,
    )
