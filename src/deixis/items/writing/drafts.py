"""Drafts: reading what a model wrote, strictly, and saying what is wrong with it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from deixis.items.fresh import pools
from deixis.items.naming import mentions
from deixis.items.quotation import has_complementiser, has_mark, last_sentence
from deixis.items.reporting import lemmas
from deixis.items.writing.frames import BASE_NAMES, FRAMES, Wording

_DECORATION = " \t\r\n*_`#>-\"'"


class BadDraft(Exception):
    """What a model wrote cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence and two contexts in base names."""

    sentence: str
    """The last sentence, in indirect speech."""
    contexts: tuple[str, str]
    """The contexts that prime the non-shifted and the shifted reading."""

    @property
    def passages(self) -> tuple[str, str]:
        """Both passages."""
        first, second = self.contexts
        return f"{first} {self.sentence}", f"{second} {self.sentence}"


def read_draft(reply: str, indexical: str, wording: Wording) -> Draft:
    """Read a reply to the first request; raises :class:`BadDraft` where it is not exactly what was asked for."""
    sentence, correct, wrong = _fields(reply, wording.fields)
    _check_sentence(sentence, indexical)
    for label, context in zip(wording.fields[1:], (correct, wrong), strict=True):
        if not context.startswith(wording.begins):
            raise BadDraft(f"{label} does not begin with {wording.begins!r}")
        missing = [name for name in FRAMES[indexical].contexts if not mentions(context, name)]
        if missing:
            raise BadDraft(f"{label} lacks the name {missing[0]}")
        if context[-1] not in ".!?":
            raise BadDraft(f"{label} does not end in a full stop")
    for label, text in zip(wording.fields, (sentence, correct, wrong), strict=True):
        strangers = sorted(set(re.findall(r"[^\W\d_]+", text)) & _other_names())
        if strangers:
            raise BadDraft(f"{label} has another name, {strangers[0]}")
    if correct == wrong:
        raise BadDraft("the two contexts are one")
    return Draft(sentence, (correct, wrong))


def read_question(reply: str, indexical: str) -> str:
    """Read a reply to the second request; raises :class:`BadDraft` where it is not one question in its frame."""
    question = reply.strip(_DECORATION)
    frame = FRAMES[indexical]
    if not question:
        raise BadDraft("the question is empty")
    if "\n" in question:
        raise BadDraft("more than one line instead of a question")
    if not question.startswith(frame.begins):
        raise BadDraft(f"the question does not begin with {frame.begins!r}")
    if not question.endswith(frame.ends):
        raise BadDraft(f"the question does not end with {frame.ends!r}")
    return question


@lru_cache(maxsize=1)
def _other_names() -> frozenset[str]:
    return frozenset(name for pool in pools().values() for name in pool) - frozenset(BASE_NAMES)


def _fields(reply: str, labels: Sequence[str]) -> list[str]:
    places = []
    for label in labels:
        found = list(re.finditer(rf"(?<![\w]){re.escape(label)}\W{{0,3}}?:", reply))
        if not found:
            raise BadDraft(f"no {label}")
        if len(found) > 1:
            raise BadDraft(f"{label} stands {len(found)} times")
        places.append((found[0].start(), found[0].end()))
    if places != sorted(places):
        raise BadDraft("the parts are not in the order asked for")
    if reply[: places[0][0]].strip(_DECORATION):
        raise BadDraft("words before the first part")
    if re.search(r"\S[^\n]*\n\s*\n\s*\S", reply[places[-1][1] :].strip(_DECORATION)):
        raise BadDraft("words after the last part")
    ends = [start for start, _ in places[1:]] + [len(reply)]
    values = [
        " ".join(reply[begin:end].strip(_DECORATION).split()) for (_, begin), end in zip(places, ends, strict=True)
    ]
    for label, value in zip(labels, values, strict=True):
        if not value:
            raise BadDraft(f"{label} is empty")
    return values


def _check_sentence(sentence: str, indexical: str) -> None:
    missing = [name for name in FRAMES[indexical].sentence if not mentions(sentence, name)]
    if missing:
        raise BadDraft(f"the sentence lacks the name {missing[0]}")
    if has_mark(sentence):
        raise BadDraft("the sentence has quotation marks")
    if not sentence.endswith(".") or last_sentence(f"Then. {sentence}") != sentence:
        raise BadDraft("the sentence is not one sentence with a full stop")
    if not lemmas(sentence) or not has_complementiser(sentence):
        raise BadDraft("the sentence does not report with a verb and that")
