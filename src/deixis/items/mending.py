"""Certain repairs of damaged text, each of which leaves a note."""

import re
from collections.abc import Mapping

import ftfy

from deixis.items.naming import female_pronouns, mentions, rename

_DOUBLED_QUOTE = re.compile(r'""')

FRAMES = {
    "I": (),
    "you": (("reporter", r"who did (.+?) say that "), ("subject", r"who did .+? say that (\w+)")),
    "here": (("subject", r"where (?:does|did) (\w+)"),),
    "tomorrow": (("subject", r"did (\w+)"),),
}
"""Where a question of the published frames names whom: the words around each role."""


def decode(text: str) -> str:
    """Undo a wrong decoding (``caf√©`` → ``café``); text that reads well is returned as it is."""
    return str(ftfy.fix_encoding(text))


def single_quotes(text: str) -> str:
    """Write a doubled quotation mark once."""
    return _DOUBLED_QUOTE.sub('"', text)


def agree(text: str, gender: str) -> str:
    """Make pronouns agree where every person named is female."""
    return female_pronouns(text) if gender == "female" else text


def names_damaged(text: str, rebuilt: str, names: Mapping[str, str]) -> bool:
    """Whether ``text`` names people or places otherwise than its template, renamed at once, does."""
    return any(len(mentions(text, name)) != len(mentions(rebuilt, name)) for name in names.values())


def rename_passage(context: str, sentence: str, names: Mapping[str, str], gender: str) -> tuple[str, str]:
    """Return context and last sentence of a template with all names replaced at once."""
    return agree(rename(context, names), gender), agree(rename(sentence, names), gender)


def rename_question(question: str, indexical: str, roles: Mapping[str, str]) -> str | None:
    """Return ``question`` with the right names in its frame, or ``None`` where it has no such frame."""
    for role, frame in FRAMES[indexical]:
        match = re.search(frame, question)
        if match is None or role not in roles:
            return None
        question = question[: match.start(1)] + roles[role] + question[match.end(1) :]
    return question
