"""Reported and direct speech: building the last sentence, and finding its parts again."""

import re

from deixis.items.reporting import ANY

_QUOTED = re.compile(r'["“„«»]([^"“”„«»]*)["”“»«]?')
_MARK = re.compile(r'["“”„«»]')
_THAT = re.compile(r"\bthat\b", re.IGNORECASE)
_COMPLEMENTISER = re.compile(rf"\b(?:{ANY})\b(?:\s+[\w'’]+){{0,5}}?\s+that\b", re.IGNORECASE)
_REPORTING = re.compile(rf"\b(?:{ANY})\b", re.IGNORECASE)
_COMPLEMENTISER_AGAIN = re.compile(r"^\s+(?!you\b|s?he\b|they\b|we\b|it\b)[a-z]\w*(?:\s+[\w'’]+){0,3}\s+that\b")
_LAST = re.compile(r'[.!?]["”’)]*\s+(?=["“„«A-ZÀ-ÖØ-Þ])')


def speech(report: str, clause: str, sentence_type: str, *, marks: bool, that: bool) -> str:
    """Build the last sentence from a reporting clause and what was said.

    Indirect speech has *that* or no complementiser; direct speech stands between quotation marks or, without them,
    behind a colon (a dash would read as a parenthesis).
    """
    if sentence_type == "non-quoted":
        return f"{report} that {clause}." if that else f"{report} {clause}."
    return f'{report}, "{clause}."' if marks else f"{report}: {clause}."


def has_mark(text: str) -> bool:
    """Whether a double quotation mark of any shape stands in ``text``."""
    return _MARK.search(text) is not None


def marked_spans(text: str) -> list[str]:
    """Return what stands between quotation marks."""
    return _QUOTED.findall(text)


def has_complementiser(sentence: str) -> bool:
    """Whether *that* follows a reporting verb of ``sentence`` within five words, outside direct speech.

    In a sentence without a reporting verb that is known here, any *that* counts.
    """
    outside = _QUOTED.sub(" ", sentence).split(":")[0]
    if _REPORTING.search(outside) is None:
        return _THAT.search(outside) is not None
    return _COMPLEMENTISER.search(outside) is not None


def last_sentence(passage: str) -> str:
    """Return the last sentence of ``passage``, with the direct speech it holds."""
    starts = [match.end() for match in _LAST.finditer(passage)]
    outside = [start for start in starts if sum(passage.count(mark, 0, start) for mark in '"“”') % 2 == 0]
    return passage[outside[-1] :] if outside else passage


def reported(sentence: str, sentence_type: str) -> str:
    """Return what is reported: the words between quotation marks or behind a colon, or what follows the verb.

    Where a non-quoted sentence has no *that*, the clause cannot be told from the hearer named before it, and both
    are returned. Nothing is returned where the sentence is not of the type given.
    """
    if sentence_type == "quoted":
        return " ".join(marked_spans(sentence)) or sentence.partition(": ")[2]
    that = _COMPLEMENTISER.search(sentence)
    if that is not None:
        rest = sentence[that.end() :]
        again = _COMPLEMENTISER_AGAIN.search(rest)
        return rest[again.end() :] if again else rest
    verbs = list(_REPORTING.finditer(sentence))
    return sentence[verbs[-1].end() :] if verbs else sentence


def parts(sentence: str) -> tuple[str, str, str]:
    """Split indirect speech with *that* into reporting clause, reported clause (no full stop) and reporting verb.

    The clause is empty where the sentence has no complementiser.
    """
    clause = reported(sentence, "non-quoted")
    verbs = _REPORTING.findall(sentence.removesuffix(clause))
    if not has_complementiser(sentence) or not verbs:
        return sentence, "", ""
    report = re.sub(r"\s+that$", "", sentence.removesuffix(clause).rstrip())
    return report, clause.strip().removesuffix("."), verbs[-1]
