"""From a number with its interval to a verdict, and from participants to all of them.

One rule throughout: a claim names a region; it holds where the 95 % interval lies within it, fails where the interval
lies outside, and is open otherwise. A printed number has no interval here and is taken as it stands.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from deixis.analysis.claims.claim import Finding, Judge, Part, Verdict, listed, together, untested
from deixis.analysis.claims.combining import Found
from deixis.analysis.claims.source import LackingError, Source
from deixis.analysis.shares.equivalence import equivalence_of

MARGIN = 0.05
"""The largest difference that counts as none, and how far a share may lie from the one named and be *about* it."""
_EDGE = 1e-9
"""Printed shares are decimals: .1 + .2 is .3."""


def above(found: Found, than: float, what: str) -> Part:
    """Judge that a number is greater than another."""
    verdict = _side(found.low > than + _EDGE, found.high <= than + _EDGE)
    return Part(verdict, what, found.told, f"above {than:g}" if than else "")


def below(found: Found, than: float, what: str) -> Part:
    """Judge that a number is smaller than another."""
    verdict = _side(found.high < than - _EDGE, found.low >= than - _EDGE)
    return Part(verdict, what, found.told, f"below {than:g}")


def at_most(found: Found, most: float, what: str) -> Part:
    """Judge that a number is not greater than another."""
    verdict = _side(found.high <= most + _EDGE, found.low > most + _EDGE)
    return Part(verdict, what, found.told, f"at most {most:g}")


def about(found: Found, target: float, what: str) -> Part:
    """Judge that a number is about another.

    A printed one must give it when rounded to a hundredth; otherwise it holds where two one-sided tests at 5 % put it
    within ± :data:`MARGIN`, and fails where the 95 % interval lies outside.
    """
    away = found.value - target
    if found.exact:
        near = abs(away) <= 0.005 + _EDGE
        return Part(_side(near, not near), what, found.told, f"{target:g}")
    low, high = found.low - target, found.high - target
    clustered = found.std_error > 0
    p = equivalence_of(away, found.std_error, MARGIN, df=found.df) if clustered else math.nan
    same = p < 0.05 if clustered else low > -MARGIN and high < MARGIN
    verdict = _side(same, low > MARGIN or high < -MARGIN)
    return Part(verdict, what, found.told, f"{target:g} within {MARGIN:g}")


def always(found: Found, what: str) -> Part:
    """Judge that something is so without exception: one exception is enough to fail, none in a few is open."""
    exception = found.value < 1 - _EDGE
    return Part(_side(not exception and found.low >= 1 - MARGIN, exception), what, found.told, "always")


def _side(holds: bool, fails: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.FAILS if fails else Verdict.OPEN


Asked = Callable[[Source, str], Sequence[Part]]
"""What a claim says of one participant."""


def of_one(source: Source, who: str, asked: Asked) -> Finding:
    """Judge a claim about one participant; untested where anything is lacking, and then all of it is named."""
    lacking: list[tuple[str, str]] = []
    try:
        parts = asked(replace(source, lacking=lacking), who)
    except LackingError as error:
        return untested(f"needs {error}", who)
    if lacking:
        return untested(f"needs {needed(lacking)}", who)
    evidence = "; ".join(part.said for part in parts)
    return Finding(together(part.verdict for part in parts), evidence, who, parts=tuple(parts))


def needed(lacking: Sequence[tuple[str, str]]) -> str:
    """Return what is lacking in words, conditions gathered by what they lack."""
    conditions: dict[str, dict[str, None]] = {}
    for what, condition in lacking:
        conditions.setdefault(what, {})[condition] = None
    whats: dict[str, list[str]] = {}
    for what, found in conditions.items():
        whats.setdefault(listed(list(found)), []).append(what)
    return "; ".join(
        f"{listed(named)} in {where}" if where else f"people's answers to {listed(named)}"
        for where, named in whats.items()
    )


def of_all(asked: Asked) -> Judge:
    """Return the judge of a claim about every model: all of them first, then each."""

    def judge(source: Source) -> list[Finding]:
        each = [of_one(source, who, asked) for who in source.models]
        return [summed(source, each), *shown(source, each)]

    return judge


def of_named(asked: Mapping[str, Asked]) -> Judge:
    """Return the judge of a claim about models by name, each with what is said of it.

    Of several names all must be at hand for the claim to hold; each that is at hand can make it fail.
    """

    def judge(source: Source) -> list[Finding]:
        named = [(who, name) for who in source.models if (name := source.name_of(who)) in asked]
        each = [of_one(source, who, asked[name]) for who, name in named if name is not None]
        met = {name for (_, name), one in zip(named, each, strict=True) if one.verdict is not Verdict.UNTESTED}
        absent = [name for name in asked if name not in met]
        if not met:
            why = f" ({each[0].evidence})" if each else ""
            return [untested(f"needs {listed(list(asked))}{why}")]
        whole = summed(source, each)
        if absent:
            verdict = Verdict.OPEN if whole.verdict is Verdict.HOLDS else whole.verdict
            whole = Finding(verdict, f"{whole.evidence}; not at hand: {listed(absent)}")
        return [whole, *shown(source, each)]

    return judge


def of_whole(asked: Callable[[Source], Sequence[Part]]) -> Judge:
    """Return the judge of a claim about all models, or all people, taken together."""

    def judge(source: Source) -> list[Finding]:
        return [of_one(source, "", lambda found, _: asked(found))]

    return judge


def summed(source: Source, each: Sequence[Finding], what: str = "models at hand") -> Finding:
    """Return the finding about all participants: printed numbers in full, others by count and what decides."""
    told = [one for one in each if one.verdict is not Verdict.UNTESTED]
    if not told:
        return untested(each[0].evidence if each else "needs a model's answers")
    verdict = together(one.verdict for one in told)
    lacking = [f"{one.participant} {one.evidence}" for one in each if one.verdict is Verdict.UNTESTED]
    if source.printed:
        failing = [one.participant for one in told if one.verdict is Verdict.FAILS]
        against = f"fails for {listed(failing)}; " if 0 < len(failing) < len(told) else ""
        return Finding(verdict, against + _side_by_side(told))
    counts = [
        f"{kind} for {sum(one.verdict is kind for one in told)}"
        for kind in (Verdict.HOLDS, Verdict.FAILS, Verdict.OPEN)
        if any(one.verdict is kind for one in told)
    ]
    deciding = [f"{one.participant}: {_deciding(one)}" for one in told if one.verdict is verdict][:2]
    more = sum(one.verdict is verdict for one in told) - len(deciding)
    rest = [f"and {more} more"] * bool(more)
    return Finding(verdict, "; ".join([f"{listed(counts)} of {len(told)} {what}", *deciding, *rest, *lacking[:2]]))


def _deciding(one: Finding) -> str:
    """Return those parts of the evidence that make the verdict."""
    return "; ".join(part.said for part in one.parts if part.verdict is one.verdict) or one.evidence


def _side_by_side(told: Sequence[Finding]) -> str:
    """Return the numbers of all participants, gathered by what was compared where that is the same for all."""
    asked = {tuple((part.what, part.asked) for part in one.parts) for one in told}
    if len(asked) > 1:
        return "; ".join(f"{one.participant}: {one.evidence}" for one in told)
    return "; ".join(
        f"{what}{f' ({wanted}?)' if wanted else ''}: "
        + ", ".join(f"{one.participant} {one.parts[place].number}" for one in told)
        for place, (what, wanted) in enumerate(next(iter(asked)))
    )


def shown(source: Source, each: Sequence[Finding]) -> list[Finding]:
    """Return the rows of single participants: none of printed numbers, which stand in one row, and none of nothing."""
    tested = any(one.verdict is not Verdict.UNTESTED for one in each)
    return list(each) if tested and not source.printed else []
