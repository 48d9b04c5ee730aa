"""What a page is to show next: a pure function of a person and of what it has answered."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any

from deixis.study.database.records import (
    ACTIVE,
    ARRIVED,
    COMPLETE,
    CONSENTED,
    DECLINED,
    EXPIRED,
    FULL,
    LEFT,
    WITHDRAWN,
    Person,
)
from deixis.study.manifest import Manifest, part_of
from deixis.study.settings import Plan

PHASES = {
    ARRIVED: "consent",
    CONSENTED: "practice",
    ACTIVE: "trials",
    DECLINED: DECLINED,
    FULL: FULL,
    LEFT: LEFT,
    WITHDRAWN: WITHDRAWN,
    EXPIRED: EXPIRED,
}
"""Status to phase; who is complete is at the debriefing, then done."""
NEXT = {"consent": "consent", "practice": "practised", "trials": "finished", "debriefing": "debriefed"}
"""Phase to the step that ends it."""
PROLIFIC = "https://app.prolific.com/submissions/complete?cc="
_PHONE = 600
"""A touch screen with a shorter side than this, in CSS pixels, is a phone's."""


@dataclass(frozen=True)
class Course:
    """A study as it goes for somebody."""

    plan: Plan
    manifest: Manifest
    failed: Mapping[str, int]
    """Right option of every attention check, by key."""

    def order(self, who: Person) -> tuple[tuple[str, str], ...]:
        """Return block and key of what somebody is asked, checks among them; nothing before the assignment."""
        return self._order(who.arm, who.seed, who.code) if who.arm else ()

    @cached_property
    def _order(self) -> Callable[[str, int, str], tuple[tuple[str, str], ...]]:
        arm, order_of = self.manifest.arm, self.manifest.order_of
        return lru_cache(maxsize=8192)(lambda name, seed, code: order_of(arm(name), seed, code))

    def keys(self, who: Person) -> dict[str, str]:
        """Return the keys that somebody may answer, each with its block."""
        return self._practised | {key: block for block, key in self.order(who)}

    @cached_property
    def _practised(self) -> dict[str, str]:
        return {key: name for name, block in self.manifest.blocks.items() for key in block.practice}

    def open(self, who: Person, answered: Collection[str]) -> list[str]:
        """Return the keys still to be answered before it is complete."""
        return [key for _, key in self.order(who) if key not in answered]

    def phase(self, who: Person) -> str:
        """Return where somebody is."""
        if who.status == COMPLETE:
            return "done" if who.ended_at else "debriefing"
        return PHASES[who.status]

    def state(self, who: Person, answered: Collection[str], *, failed: int = 0) -> dict[str, Any]:
        """Return all that a page needs to go on."""
        phase = self.phase(who)
        order = self.order(who)
        total = len(order) or self._usual()
        manifest = self.manifest
        found: dict[str, Any] = {
            "phase": phase,
            "code": None if phase in ("consent", DECLINED) else who.code,
            "study": {
                "title": manifest.title,
                "contact": manifest.contact,
                "researcher": manifest.researcher,
                "minutes": manifest.minutes,
                "language": manifest.language,
            },
            "timeline": self._timeline(phase, who, answered),
            "next": NEXT.get(phase),
            "progress": {"done": len(order) - len(self.open(who, answered)), "total": total},
            "blink": dict(manifest.blink),
            "scale": dict(manifest.scale),
        }
        found |= self._ending(phase, who, failed)
        return found

    def fits(self, *, touch: bool, size: tuple[int, int]) -> bool:
        """Whether the study may be taken on a device."""
        kind = "desktop" if not touch else "phone" if min(size) < _PHONE else "tablet"
        return kind in self.plan.devices

    def lease(self, who: Person, now: datetime) -> datetime:
        """Return until when a place is held: a while after each answer, and never longer than the study may take."""
        idle = now + timedelta(minutes=self.plan.idle_minutes)
        if not who.assigned_at:
            return idle
        return min(idle, datetime.fromisoformat(who.assigned_at) + timedelta(minutes=self.plan.max_minutes))

    @property
    def longest(self) -> timedelta:
        """How long after the consent somebody may come back."""
        return timedelta(minutes=self.plan.resume_within_minutes)

    def _usual(self) -> int:
        arm = self.manifest.arms[0]
        checks = sum(len(block.checks) for block in self.manifest.blocks.values())
        return len(self.manifest.trials_of(arm)) + checks

    def _timeline(self, phase: str, who: Person, answered: Collection[str]) -> list[dict[str, Any]]:
        if phase == "consent":
            return [{"type": "consent", "html": self.manifest.consent}]
        if phase == "practice":
            first = next(iter(self.manifest.orders.values()))[0]
            return [self._instructions(first), *self._practice(first, answered)]
        if phase == "debriefing":
            return [{"type": "debriefing", "html": self.manifest.debriefing}]
        if phase != "trials":
            return []
        found: list[dict[str, Any]] = []
        order = list(enumerate(self.order(who), start=1))
        for place, block in enumerate(self.manifest.orders[self.manifest.arm(who.arm).order]):
            own = [(number, key) for number, (of, key) in order if of == block]
            left = [(number, key) for number, key in own if key not in answered]
            if left and place and len(left) == len(own):
                found += [self._instructions(block), *self._practice(block, answered)]
            found += [self._trial(block, key, number) for number, key in left]
        return found

    def _instructions(self, block: str) -> dict[str, Any]:
        return {"type": "instructions", "block": block, "html": self.manifest.blocks[block].instructions}

    def _practice(self, block: str, answered: Collection[str]) -> list[dict[str, Any]]:
        keys = enumerate(self.manifest.blocks[block].practice, start=1)
        return [self._trial(block, key, number) for number, key in keys if key not in answered]

    def _trial(self, block: str, key: str, number: int) -> dict[str, Any]:
        shown = self.manifest.stimuli[key]
        found: dict[str, Any] = {
            "type": "trial",
            "key": key,
            "part": part_of(key),
            "block": block,
            "order": number,
            "presentation": 1,
            "kind": shown.kind,
            "options": list(shown.options),
            "picture": None if shown.picture is None else f"/pictures/{shown.picture}",
            "gaze": None if shown.gaze is None else list(shown.gaze),
            "size": None if shown.size is None else list(shown.size),
            "title": shown.title,
            "prompt": shown.prompt or self.manifest.blocks[block].prompt,
        }
        more = {"passage": shown.passage, "question": shown.question, "labels": list(shown.labels)}
        return found | {name: value for name, value in more.items() if value}

    def _ending(self, phase: str, who: Person, failed: int) -> dict[str, Any]:
        """Return the way back: only where all answers are stored, or where nothing was to be answered."""
        codes = self.plan.codes
        limit = next((rule.more_than for rule in self.plan.rules if rule.rule == "failed-checks"), None)
        if phase == "done":
            missed = limit is not None and failed > limit and "attention" in codes
            code = codes.get("attention" if missed else "complete", "")
        elif phase == FULL:
            code = codes.get("screened_out", "")
        elif phase == DECLINED:
            code = codes.get("declined", "")
        else:
            return {}
        if self.plan.prolific and code:
            return {"complete": PROLIFIC + code, "completion_code": code}
        return {"completion_code": who.code} if phase == "done" else {}
