"""What became of a crowd: what it was told beside what the database holds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from deixis.study.database import reading
from deixis.study.database.opening import Database
from deixis.study.database.records import COMPLETE, Person
from deixis.study.manifest import Manifest
from deixis.study.robots.robot import Robot
from deixis.study.server.summary import ListLine, summary


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a crowd."""

    people: tuple[Person, ...]
    lists: tuple[ListLine, ...]
    spread: int
    """Most less fewest completes of a list."""
    faults: tuple[tuple[str, int], ...]
    """Fault and how many robots had it, the most frequent first."""
    sent: int
    """Answers sent, those sent again included."""
    acknowledged: int
    """Answers that the server named as stored, each counted once, without those deleted on demand."""
    stored: int
    lost: int
    """Acknowledged and not there."""
    altered: int
    """There, and other than what was acknowledged first."""
    doubled: int
    """Answers or people that are there twice."""
    undeleted: int
    """Answers of those who had everything deleted."""
    wrong: tuple[str, ...]
    """What the server said that it should not have."""
    minutes: float
    """How long the study took, by its own clock."""
    seconds: float
    """How long that took in earnest."""

    @property
    def sound(self) -> bool:
        """Whether nothing was lost, altered, doubled, kept against somebody's will or answered wrongly."""
        return not (self.lost or self.altered or self.doubled or self.undeleted or self.wrong)

    @property
    def funnel(self) -> dict[str, int]:
        """Stage to how many came so far: arrived, consented, assigned, finished."""
        return {
            "arrived": len(self.people),
            "consented": sum(one.consented_at != "" for one in self.people),
            "assigned": sum(one.assigned_at != "" for one in self.people),
            "finished": sum(one.status == COMPLETE for one in self.people),
        }


def outcome(manifest: Manifest, database: Database, robots: Sequence[Robot], minutes: float, seconds: float) -> Outcome:
    """Count what became of the robots that were sent into an empty database."""
    everybody = [one for one in database.read(reading.people) if one.mode == "simulated"]
    mine = {one.code for one in everybody}
    answers = [one for one in database.read(reading.answers) if one.person in mine]
    there = {(one.person, one.answer.key): one.answer for one in answers}
    lost = altered = 0
    kept = [robot for robot in robots if not robot.deleted]
    for robot in kept:
        for key, said in robot.acknowledged.items():
            found = there.get((robot.code, key))
            lost += found is None
            altered += found is not None and said != (
                {"ratings": list(found.ratings)} if found.ratings else {"choice": found.choice}
            )
    gone = {robot.code for robot in robots if robot.deleted}
    counted = summary(manifest, everybody, answers, database.now, "simulated")
    return Outcome(
        people=tuple(everybody),
        lists=counted.lists,
        spread=counted.spread,
        faults=tuple(Counter(robot.fault or "none" for robot in robots).most_common()),
        sent=sum(robot.sent for robot in robots),
        acknowledged=sum(len(robot.acknowledged) for robot in kept),
        stored=len(answers),
        lost=lost,
        altered=altered,
        doubled=len(answers) - len(there) + max(0, len(everybody) - len(robots)),
        undeleted=sum(one.person in gone for one in answers),
        wrong=tuple(told for robot in robots for told in robot.wrong),
        minutes=minutes,
        seconds=seconds,
    )
