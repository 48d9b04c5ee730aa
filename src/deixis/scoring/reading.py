"""Reading an answer: from a text and the options offered to one option, or to an outcome that says why not.

Two readers, each with a version that stands beside every number it made:

* ``strict`` (ours): whole words, the commitment rather than the mention, deterministic and total.
* ``published``: what the authors' released runner does: lower-cased substring, the shifted option tested first.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from deixis.errors import UsageError
from deixis.records import Outcome, Reading
from deixis.scoring import patterns, refusals
from deixis.scoring.cues import Said
from deixis.scoring.folding import Folded, blank, fold
from deixis.scoring.listing import LONG, graded, without_copies, without_lists
from deixis.scoring.offers import Mention, Offer, offer
from deixis.scoring.settling import all_the_same, committed, settle
from deixis.scoring.standing import beside, soft, void

VERSIONS = {"strict": "strict-2", "published": "published-1"}
"""Reader to its version; a reader that reads differently gets a new one."""

_CUT = frozenset({"length", "max_tokens"})
_DECLINED = frozenset({"refusal", "content_filter", "safety"})


def read_answer(
    text: str,
    options: Sequence[str],
    *,
    reader: str = "strict",
    finish: str = "",
    first: int = 0,
    labels: Sequence[str] = (),
    prompt: str = "",
) -> Reading:
    """Read ``text`` as an answer to a question with ``options``.

    ``finish`` is why the text ended (``length`` marks a cut answer), ``labels`` are the letters or numbers that the
    options were offered with, ``prompt`` is what was asked, so that a copy of it is no answer, ``first`` the option
    that the published reader tests first. The reading's span points into ``text``. Never raises on any text; raises
    :class:`UsageError` for a reader there is not.
    """
    if reader not in VERSIONS:
        raise UsageError(f"unknown reader {reader!r}; there is {', '.join(VERSIONS)}")
    if not isinstance(text, str):
        text = "" if text is None else text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    if isinstance(options, str):
        raise UsageError(f"options are several texts, not the one text {options!r}; give a sequence of them")
    if blank(text):
        return Reading(_without_text(finish), rule="no text")
    if reader == "published":
        return _published(text, options, first)
    offered = tuple(map(str, options))
    if labels or not alone(text) or len(set(offered)) < len(offered):
        return _strict(text, offer(offered, tuple(map(str, labels))), finish, prompt)
    # Short texts are often the same, and the order of options says nothing without labels.
    known, places = _sorted(offered)
    found = _read_short(text, known, finish)
    return found if found.choice is None else Reading(found.outcome, places[found.choice], found.rule, found.span)


def alone(text: str) -> bool:
    """Whether the strict reader takes a text by itself: it is too short to be looked upon as a copy of the prompt."""
    return isinstance(text, str) and len(text) < LONG and text.isascii()


@lru_cache(maxsize=1 << 14)
def _sorted(options: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    places = tuple(sorted(range(len(options)), key=options.__getitem__))
    return tuple(options[place] for place in places), places


@lru_cache(maxsize=1 << 16)
def _read_short(text: str, options: tuple[str, ...], finish: str) -> Reading:
    return _strict(text, offer(options), finish, "")


def _without_text(finish: str) -> Outcome:
    if finish in _CUT:
        return Outcome.TRUNCATED
    return Outcome.REFUSED if finish in _DECLINED else Outcome.EMPTY


def _published(text: str, options: Sequence[str], first: int) -> Reading:
    lowered = text.lower()
    order = [first, *(index for index in range(len(options)) if index != first)]
    for index in order:
        start = lowered.find(options[index].lower())
        if start >= 0:
            end = min(start + len(options[index]), len(text))  # lower-casing may lengthen a text
            return Reading(Outcome.ANSWERED, index, "substring", (min(start, end), end))
    return Reading(Outcome.UNREADABLE, rule="no option in the text")


def _strict(text: str, offered: Offer, finish: str, prompt: str) -> Reading:
    folded = fold(_first_turn(text, offered))
    exact = offered.answer(folded.text)
    if exact is not None:
        return Reading(Outcome.ANSWERED, exact, "exact", _bare(folded, folded.text))
    answer = _own(folded.text)
    exact = offered.answer(answer)
    if exact is not None:
        return Reading(Outcome.ANSWERED, exact, "exact", _bare(folded, answer))
    said = Said.of(answer)
    found = offered.mentions(answer)
    told = graded(said, found)
    if told is not None:
        return Reading(Outcome.ANSWERED, told.option, "verdict", folded.span(told.start, told.end))
    apart = without_copies(said, without_lists(said, found, offered), prompt)
    kept = [mention for mention in apart if not void(said, mention, offered)]
    firm = [m for place, m in enumerate(kept) if not soft(said, m) and not beside(said, m, kept[:place])]
    refusal = _refusal(said, folded.whole, firm)
    if refusal is not None or finish in _DECLINED:
        firm = [mention for mention in firm if refusal is None or all_the_same(said, refusal, mention)]
        if not firm:
            return Reading(Outcome.REFUSED, rule="refusal")
    answers = firm or kept
    fault = patterns.ERROR.after(said, 0)
    if not answers and (wrapped := patterns.WRAPPED.fullmatch(answer)) is not None:
        exact = offered.answer(wrapped[1])  # a small word in its lower case, which is one only by itself
        if exact is not None:
            return Reading(Outcome.ANSWERED, exact, "exact", folded.span(*wrapped.span(1)))
    if not answers or fault:
        if finish in _CUT:
            return Reading(Outcome.TRUNCATED, rule="cut before an answer")
        return Reading(Outcome.UNREADABLE, rule="error text" if fault else _why_not(said, found, offered))
    if len({mention.option for mention in answers}) > 1 and _at_once(said):
        return Reading(Outcome.UNREADABLE, rule="several at once")
    settled = settle(said, answers, offered)
    if finish in _CUT and not committed(said, settled):
        return Reading(Outcome.TRUNCATED, rule="cut before an answer")
    return Reading(Outcome.ANSWERED, settled.option, settled.rule, folded.span(settled.start, settled.end))


def _refusal(said: Said, whole: str, firm: Sequence[Mention]) -> tuple[int, int] | None:
    """Return where the text declines to answer; *I can't say Ida, so Tom* does not."""
    found = refusals.refusal(said, whole)
    if found is None:
        return None
    named = next((m for m in firm if 0 <= m.start - found[1] <= 2), None)
    others = {mention.option for mention in firm if named is None or mention.option != named.option}
    spared = named is not None and said.text[found[1]] != "," and others
    return None if spared else found


def _at_once(said: Said) -> bool:
    return patterns.BOTH.after(said, 0) or patterns.NOT_ONLY.within(said, 0, len(said.text))


def _own(text: str) -> str:
    """The text without what is struck out and reasoning between tags, which become blank."""
    if "<" in text or "~~" in text:
        text = patterns.STRUCK.sub(_blanked, text)
        text = patterns.REASONING.sub(_blanked, text)
    return text


def _first_turn(text: str, offered: Offer) -> str:
    """The text up to a next turn of somebody else, if there is an answer before it."""
    if "\n" not in text and "<" not in text and "[" not in text:
        return text
    turn = patterns.TURN.search(text, 1)
    if turn is None:
        return text
    first = text[: turn.start()]
    return first if offered.mentions(_own(fold(first).text)) else text


def _blanked(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _bare(folded: Folded, text: str) -> tuple[int, int]:
    return folded.span(len(text) - len(text.lstrip()), len(text.rstrip()))


def _why_not(said: Said, found: Sequence[Mention], offered: Offer) -> str:
    if not found:
        return "no option in the text"
    return "negated" if all(void(said, mention, offered) for mention in found) else "options only named together"
