"""What a claim is, what a verdict is, and how verdicts on parts make one on the whole."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from deixis.analysis.claims.source import Source


class Verdict(StrEnum):
    """What numbers say of a claim."""

    HOLDS = "holds"
    """Every part of it is so; on samples, the interval lies on its side."""
    FAILS = "fails"
    """At least one part is not so."""
    OPEN = "open"
    """No part fails, and at least one interval does not decide."""
    UNTESTED = "untested"
    """The numbers that would decide are not there."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a claim says, judged."""

    verdict: Verdict
    """The verdict."""
    what: str
    """What was compared."""
    number: str
    """The numbers."""
    asked: str = ""
    """What is claimed of it, where it is not just that it is above 0."""

    @property
    def said(self) -> str:
        """All of it in words."""
        return f"{self.what} {self.number}" + (f" ({self.asked}?)" if self.asked else "")


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict with what it rests on."""

    verdict: Verdict
    """The verdict."""
    evidence: str
    """The numbers, or what is lacking."""
    participant: str = ""
    """Whom it is about; empty where it is about all, ``people`` for all people together."""
    remark: str = ""
    """What to keep in mind, where there is something."""
    parts: tuple[Part, ...] = ()
    """The single things found, where the claim says several."""


Judge = Callable[[Source], list[Finding]]
"""Holds a claim against a source: first a finding about all, then one a participant, where it is about each."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One empirical claim of a paper."""

    id: str
    """``I`` or ``P`` and a number: the indexicals or the perspectival-words paper."""
    where: str
    """Section, appendix or table."""
    statement: str
    """What is said, in plain words."""
    judge: Judge
    """How it is held against numbers."""
    remark: str = ""
    """Said beside the verdict on the printed numbers."""

    @property
    def paper(self) -> str:
        """``indexicals`` or ``perspectival words``."""
        return {"I": "indexicals", "P": "perspectival words"}[self.id[0]]

    @property
    def order(self) -> tuple[str, int]:
        """Its place in the ledger."""
        return self.id[0], int(self.id[1:])


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on a claim that says all of several things; those that are untested have no say."""
    given = [verdict for verdict in verdicts if verdict is not Verdict.UNTESTED]
    if not given:
        return Verdict.UNTESTED
    return next((worst for worst in (Verdict.FAILS, Verdict.OPEN) if worst in given), Verdict.HOLDS)


def untested(reason: str, participant: str = "") -> Finding:
    """Return the finding that nothing can be found, and why."""
    return Finding(Verdict.UNTESTED, reason, participant)


def only_untested(reason: str) -> Judge:
    """Return the judge of a claim that no source of numbers here can decide."""

    def judge(_source: Source) -> list[Finding]:
        return [untested(reason)]

    return judge


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words: ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def in_print(reason: str, judge: Judge) -> Judge:
    """Return a judge that leaves the printed numbers untested for a reason of its own."""

    def judged(source: Source) -> list[Finding]:
        return [untested(reason)] if source.printed else judge(source)

    return judged
