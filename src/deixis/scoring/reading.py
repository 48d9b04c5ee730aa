"""Reading an answer: from a text and the options offered to one option, or to an outcome that says why not.

Two readers, each with a version that stands beside every number it made:

* ``strict`` (ours): whole words, the last answer that is not negated, deterministic and total.
* ``published``: what the authors' released runner does: lower-cased substring, the shifted option tested first.
"""

from collections.abc import Sequence

from deixis.errors import UsageError
from deixis.records import Outcome, Reading
from deixis.scoring.mentions import Mention, fold, mentions
from deixis.scoring.patterns import (
    ATTRIBUTED_AFTER,
    ATTRIBUTED_BEFORE,
    CORRECTION,
    LABEL,
    MARKUP,
    NEGATED_AFTER,
    NEGATED_BEFORE,
    REASONING,
    REFUSAL,
    REJOINDER,
    TURN,
    WINDOW,
    between,
)

VERSIONS = {"strict": "strict-1", "published": "published-1"}
"""Reader to its version; a reader that reads differently gets a new one."""

_BLANK = " \t\n\r\f\v\u00a0\u200b\u200c\u200d\u2060\ufeff"
_CUT = frozenset({"length", "max_tokens"})
_DECLINED = frozenset({"refusal", "content_filter", "safety"})


def read_answer(
    text: str, options: Sequence[str], *, reader: str = "strict", finish: str = "", first: int = 0
) -> Reading:
    """Read ``text`` as an answer to a question with ``options``.

    ``finish`` is why the text ended (``length`` marks a cut answer), ``first`` the option that the published
    reader tests first. The reading's span points into ``text``. Never raises on any text; raises
    :class:`UsageError` for a reader there is not.
    """
    if reader not in VERSIONS:
        raise UsageError(f"unknown reader {reader!r}; there is {', '.join(VERSIONS)}")
    if not text.strip(_BLANK):
        return Reading(_without_text(finish), rule="no text")
    if reader == "published":
        return _published(text, options, first)
    return _strict(text, options, finish)


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


def _strict(text: str, options: Sequence[str], finish: str) -> Reading:
    folded, places = fold(text)
    for aside in (REASONING, TURN):
        folded = aside.sub(lambda match: " " * len(match[0]), folded)
    exact = _exact(folded, options)
    if exact is not None:
        return exact.at(places)
    found = mentions(folded, options)
    asserted = [mention for mention in found if not _negated(folded, mention)]
    asserted = _without_pairs(folded, asserted)
    asserted = _without_sources(folded, asserted)
    refusal = max(REFUSAL.finditer(folded), key=lambda match: match.end(), default=None)
    if refusal is not None or finish in _DECLINED:
        asserted = [m for m in asserted if refusal is None or _answers_after(folded, refusal.end(), m)]
        if not asserted:
            return Reading(Outcome.REFUSED, rule="refusal")
    if not asserted:
        if finish in _CUT:
            return Reading(Outcome.TRUNCATED, rule="cut before an answer")
        return Reading(Outcome.UNREADABLE, rule=_why_not(folded, found))
    settled = _settle(folded, asserted)
    if settled.rule == "last" and finish in _CUT:
        return Reading(Outcome.TRUNCATED, rule="cut between options")
    return settled.at(places)


def _why_not(folded: str, found: Sequence[Mention]) -> str:
    if not found:
        return "no option in the text"
    return "negated" if all(_negated(folded, mention) for mention in found) else "options only named together"


def _exact(folded: str, options: Sequence[str]) -> Mention | None:
    bare = MARKUP.sub(" ", folded).split()
    for index, option in enumerate(options):
        words = MARKUP.sub(" ", fold(option)[0]).split()
        if bare == words or (len(option) > 1 and [w.lower() for w in bare] == [w.lower() for w in words]):
            start = len(folded) - len(folded.lstrip())
            return Mention(index, start, len(folded.rstrip()), "exact")
    return None


def _negated(folded: str, mention: Mention) -> bool:
    return (
        NEGATED_BEFORE.search(_before(folded, mention)) is not None
        or NEGATED_AFTER.match(_after(folded, mention)) is not None
    )


def _before(folded: str, mention: Mention) -> str:
    return folded[max(0, mention.start - WINDOW) : mention.start]


def _after(folded: str, mention: Mention) -> str:
    return folded[mention.end : mention.end + WINDOW]


def _without_sources(folded: str, asserted: list[Mention]) -> list[Mention]:
    """Leave out options that are only named as whose words these are, where another option is an answer."""
    kept = [
        mention
        for mention in asserted
        if ATTRIBUTED_BEFORE.search(_before(folded, mention)) is None
        and ATTRIBUTED_AFTER.match(_after(folded, mention)) is None
    ]
    return kept or asserted


def _without_pairs(folded: str, found: Sequence[Mention]) -> list[Mention]:
    """Leave out options that are only named together: ``A or B``, ``A and B``, a list, or within a question."""
    if _only_a_list(folded, found):
        return []
    paired: set[Mention] = set()
    for one, other in zip(found, found[1:], strict=False):
        if one.option != other.option and between(folded, one.end, other.start):
            paired |= {one, other}
    kept = [mention for mention in found if mention not in paired]
    told = [mention for mention in kept if not _asked(folded, mention)]
    return told or ([] if len({mention.option for mention in kept}) > 1 else kept)


def _only_a_list(folded: str, found: Sequence[Mention]) -> bool:
    """Whether the options stand once each, with nothing but numbers, marks and *and* or *or* beside them."""
    named = [mention.option for mention in found]
    if len(named) < 2 or len(set(named)) < len(named):
        return False
    kept, place = [], 0
    for mention in found:
        kept.append(folded[place : mention.start])
        place = mention.end
    rest = MARKUP.sub(" ", " ".join([*kept, folded[place:]])).split()
    return all(word.isdigit() or word.lower() in ("and", "or", "-", "/", "either") for word in rest)


def _asked(folded: str, mention: Mention) -> bool:
    ends = [mark for mark in _after(folded, mention) if mark in ".?!\n"]
    return ends[:1] == ["?"]


def _answers_after(folded: str, refused: int, mention: Mention) -> bool:
    """Whether the mention is an answer given all the same: after the refusal, past a *but* or a full stop."""
    return mention.start >= refused and REJOINDER.search(folded, refused, mention.start) is not None


def _settle(folded: str, asserted: Sequence[Mention]) -> Mention:
    last = asserted[-1]
    if len({mention.option for mention in asserted}) == 1:
        return last.by("only")
    labelled = [mention for mention in asserted if LABEL.search(_before(folded, mention))]
    corrected = CORRECTION.search(_before(folded, last)) is not None
    if labelled and not (corrected and last.start > labelled[-1].start):
        return labelled[-1].by("labelled")
    return last.by("correction" if corrected else "last")
