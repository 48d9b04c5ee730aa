"""Mentions that belong together: lists of options, verdicts on each, pairs, copies of the question."""

import re
from collections.abc import Sequence

from deixis.scoring import patterns
from deixis.scoring.cues import WINDOW, Said
from deixis.scoring.folding import fold
from deixis.scoring.offers import Mention, Offer
from deixis.scoring.standing import announced

LONG = 120
"""Letters from which on a text may be a copy of the question."""
_COPIED = 0.7
"""Share of its words that make it one."""
_TICKS = frozenset("✅✔☑✓")


def graded(said: Said, found: Sequence[Mention]) -> Mention | None:
    """Return the one option that a list of verdicts is for, where each option has a verdict beside it."""
    if len(found) < 2 or not patterns.verdicts(said):
        return None
    good, bad = [], []
    for mention, after in zip(found, [*found[1:], None], strict=True):
        start, end = mention.start, mention.end
        line = max(said.text.rfind("\n", 0, start) + 1, start - WINDOW)
        rest = said.text[end : min(end + WINDOW, len(said.text) if after is None else after.start)]
        if patterns.GOOD_BEFORE.search(said.text, line, start) or patterns.GOOD.match(rest.split("\n")[0]):
            good.append(mention)
        elif patterns.BAD_BEFORE.search(said.text, line, start) or patterns.BAD.match(rest.split("\n")[0]):
            bad.append(mention)
    told = {mention.option for mention in (*good, *bad)}
    if len({m.option for m in good}) == 1 and bad and told == {m.option for m in found} and len(told) == len(found):
        return good[0]
    return None


def without_copies(said: Said, found: Sequence[Mention], prompt: str) -> list[Mention]:
    """Leave out what is not announced as the answer where a text is a copy of the question, more or less."""
    if not prompt or not found or len(said.text) < LONG or not _copies(said.text, prompt):
        return list(found)
    return [mention for mention in found if announced(said, mention)]


def without_lists(said: Said, found: Sequence[Mention], offered: Offer) -> list[Mention]:
    """Leave out options that are only named together: ``A or B``, ``A and B``, a list, one a line."""
    if len(found) < 2 or not _TICKS.isdisjoint(said.words):
        return list(found)
    text = said.text
    if _only_a_list(text, found):
        return []
    paired: set[Mention] = set()
    for one, other in zip(found, found[1:], strict=False):
        if one.option != other.option and patterns.between(text, one.end, other.start):
            paired |= {one, other}
    kept = [mention for mention in found if mention not in paired]
    lines = [mention for mention in kept if line_of(text, mention, offered)]
    if len({mention.option for mention in lines}) > 1 and len(lines) == len({mention.option for mention in lines}):
        last_apart = text[lines[-2].end : lines[-1].start].count("\n") > 1
        kept = [mention for mention in kept if mention not in lines or (last_apart and mention == lines[-1])]
    return kept


def line_of(said: str, mention: Mention, offered: Offer) -> bool:
    """Whether an option has a line to itself."""
    start, end = said.rfind("\n", 0, mention.start) + 1, said.find("\n", mention.end)
    line = said[start : end if end >= 0 else len(said)]
    return offered.answer(line.lstrip(" 0123456789abcdABCD-•").lstrip(".) ")) == mention.option


def _copies(text: str, prompt: str) -> bool:
    """Whether most words of a text stand in rows of four that the question has too."""
    words, asked = (re.findall(r"[\w']+", one.lower()) for one in (text, fold(prompt).text))
    known = {tuple(asked[place : place + 4]) for place in range(len(asked) - 3)}
    copied = {
        place + step for place in range(len(words) - 3) if tuple(words[place : place + 4]) in known for step in range(4)
    }
    return len(copied) > _COPIED * len(words)


def _only_a_list(said: str, found: Sequence[Mention]) -> bool:
    """Whether the options stand there once each, with nothing but numbers, marks and *and* or *or* beside them."""
    if len({mention.option for mention in found}) < max(2, len(found)):
        return False
    kept, place = [], 0
    for mention in found:
        kept.append(said[place : mention.start])
        place = mention.end
    rest = re.findall(r"[\w']+", " ".join([*kept, said[place:]]))
    return all(word.isdigit() or word.lower() in ("and", "or", "either", "a", "b", "c", "d") for word in rest)
