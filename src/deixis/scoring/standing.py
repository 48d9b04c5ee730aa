"""How one mention of an option stands in an answer: as nothing, as something set against it, or as an answer."""

import re
from collections.abc import Sequence

from deixis.scoring import patterns
from deixis.scoring.cues import WINDOW, Said
from deixis.scoring.offers import NAMES_AND_WORDS, TALK, Mention, Offer

_YES = re.compile(r"\?[\"')\s]*yes\b", re.IGNORECASE)
_ASKED = 3
"""Words beside an option in a question that is an answer with a question mark."""


def void(said: Said, mention: Mention, offered: Offer) -> bool:
    """Whether a mention is no answer whatever else is said: negated, asked, one of several, or a small word in talk."""
    start, end = mention.start, mention.end
    return (
        patterns.NEGATED_BEFORE.before(said, start)
        or (patterns.NEGATED_AFTER.after(said, end) and not patterns.TAG.after(said, end))
        or ("?" in said.text and _asked(said, mention))
        or offered.tails[mention.option].match(said.text, end) is not None
        or (patterns.EITHER_OR.before(said, start) and not patterns.CORRECTION.before(said, start))
        or (_small(said, offered, mention) and not patterns.stands_tight(said.text, start, end))
    )


def soft(said: Said, mention: Mention) -> bool:
    """Whether a mention counts only where nothing else is an answer: set against it, supposed, somebody's words."""
    return (
        patterns.OTHERS.before(said, mention.start)
        or patterns.OTHERS_AFTER.after(said, mention.end)
        or patterns.ATTRIBUTED_BEFORE.before(said, mention.start)
        or patterns.ATTRIBUTED_AFTER.after(said, mention.end)
    )


def beside(said: Said, mention: Mention, earlier: Sequence[Mention]) -> bool:
    """Whether an option comes second in a sentence, as what something is done to, or beside."""
    if not earlier or earlier[-1].option == mention.option or mention.kind != "text":
        return False
    between = said.text[earlier[-1].end : mention.start]
    return not any(mark in between for mark in ".!?;:\n") and patterns.OBJECT.search(between) is not None


def announced(said: Said, mention: Mention) -> bool:
    """Whether a mention is said to be the answer."""
    return mention.kind == "label" or patterns.LABEL.before(said, mention.start)


def _small(said: Said, offered: Offer, mention: Mention) -> bool:
    """Whether a mention is a word that answers are full of, or a name without its capital that is also a word."""
    if mention.kind != "text":
        return False
    word = offered.options[mention.option].lower()
    return word in TALK or (word in NAMES_AND_WORDS and said.text[mention.start : mention.end].islower())


def _asked(said: Said, mention: Mention) -> bool:
    """Whether a mention stands in a question that is more than an answer with a question mark."""
    after = said.text[mention.end : mention.end + WINDOW]
    end = next((place for place, mark in enumerate(after) if mark in ".?!\n"), None)
    if end is None or after[end] != "?" or patterns.TAG.after(said, mention.end):
        return False
    if _YES.match(after, end):
        return False
    start = max(said.text.rfind(mark, 0, mention.start) for mark in ".?!\n") + 1
    if patterns.INTERROGATIVE.match(said.text, start):
        return True
    return len(said.text[start : mention.start].split()) + len(after[:end].split()) > _ASKED
