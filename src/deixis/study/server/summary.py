"""How a study is going: counts, balance, times, signals; nothing of who answered what under which condition."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from deixis.study.database.records import ACTIVE, COMPLETE, Person, StoredAnswer
from deixis.study.manifest import TRIAL, Manifest

QUICK_MS = 600.0
"""A median time below this is a signal that somebody does not read."""
UNEVEN = 0.2
"""A difference between lists of so many starts that are left deserves a warning."""
_FEW = 10


@dataclass(frozen=True, slots=True)
class ListLine:
    """How one list is doing."""

    arm: str
    started: int
    complete: int
    live: int
    """At work now."""
    gone: int
    """Started, and neither complete nor at work."""

    @property
    def attrition(self) -> float:
        """Share of those no longer at work who did not finish."""
        return self.gone / (self.gone + self.complete) if self.gone + self.complete else 0.0


@dataclass(frozen=True, slots=True)
class PersonLine:
    """How one person is doing; no word on what was answered."""

    code: str
    status: str
    arm: str
    answered: int
    asked: int
    minutes: float | None
    median_ms: float | None
    hidden: int
    """Trials during which the page was not to be seen."""
    signals: tuple[str, ...]
    """What is odd; signals are never a reason by themselves."""


@dataclass(frozen=True, slots=True)
class Summary:
    """All of it."""

    statuses: tuple[tuple[str, int], ...]
    lists: tuple[ListLine, ...]
    people: tuple[PersonLine, ...]
    spread: int
    """Most less fewest completes of a list."""
    warnings: tuple[str, ...]


def summary(
    manifest: Manifest, everybody: Sequence[Person], answers: Sequence[StoredAnswer], now: str, mode: str = "live"
) -> Summary:
    """Return how a study is going, of the people of one mode."""
    people = [one for one in everybody if one.mode == mode]
    own: dict[str, list[StoredAnswer]] = {one.code: [] for one in people}
    for answer in answers:
        if answer.part == TRIAL and answer.person in own:
            own[answer.person].append(answer)
    lists = tuple(_list(arm.id, people, now) for arm in manifest.arms)
    complete = [line.complete for line in lists]
    return Summary(
        statuses=tuple(Counter(one.status for one in people).most_common()),
        lists=lists,
        people=tuple(_person(one, own[one.code], manifest) for one in people),
        spread=max(complete) - min(complete),
        warnings=tuple(_warnings(lists)),
    )


def _list(arm: str, people: Sequence[Person], now: str) -> ListLine:
    mine = [one for one in people if one.arm == arm]
    complete = sum(one.status == COMPLETE for one in mine)
    live = sum(one.status == ACTIVE and one.lease_until > now for one in mine)
    return ListLine(arm, len(mine), complete, live, len(mine) - complete - live)


def _person(one: Person, answers: Sequence[StoredAnswer], manifest: Manifest) -> PersonLine:
    times = [answer.answer.rt_ms for answer in answers]
    middle = median(times) if times else None
    hidden = sum(answer.answer.hidden_ms > 0 for answer in answers)
    signals = []
    if one.webdriver:
        signals.append("the browser is driven by a program")
    if middle is not None and len(times) >= _FEW and middle < QUICK_MS:
        signals.append(f"median below {QUICK_MS:g} ms")
    if answers and sum(not answer.answer.trusted for answer in answers) > len(answers) / 2:
        signals.append("answers not by hand")
    if (
        len(answers) >= _FEW
        and len({answer.answer.choice for answer in answers}) == 1
        and not answers[0].answer.ratings
    ):
        signals.append("always the same place")
    asked = len(manifest.trials_of(manifest.arm(one.arm))) if one.arm else 0
    return PersonLine(one.code, one.status, one.arm, len(answers), asked, _minutes(one), middle, hidden, tuple(signals))


def _minutes(one: Person) -> float | None:
    if not (one.consented_at and one.completed_at):
        return None
    return (datetime.fromisoformat(one.completed_at) - datetime.fromisoformat(one.consented_at)).total_seconds() / 60


def _warnings(lists: Sequence[ListLine]) -> list[str]:
    told = [line for line in lists if line.gone + line.complete >= _FEW]
    if len(told) < 2:
        return []
    most, least = max(told, key=lambda line: line.attrition), min(told, key=lambda line: line.attrition)
    if most.attrition - least.attrition < UNEVEN:
        return []
    line = (
        f"list {most.arm} loses {most.attrition:.0%} of its people, list {least.arm} {least.attrition:.0%}: equal "
        "numbers of completes hide that they are not the same kind of people"
    )
    return [line]
