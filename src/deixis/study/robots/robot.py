"""One robot: takes part through the calls that a page makes, with one person's fault.

It is a generator of waits: :meth:`Robot.take_part` yields how many seconds of the study's time pass before it does the
next thing, so that a crowd of them needs no real time.
"""

from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deixis.seeds import generator
from deixis.study.manifest import PRACTICE
from deixis.study.robots.knowing import Knowing
from deixis.study.robots.line import Line, UnexpectedError
from deixis.study.settings import Plan

DEVICES: Mapping[str, tuple[bool, tuple[int, int]]] = {
    "desktop": (False, (1280, 800)),
    "tablet": (True, (820, 1180)),
    "phone": (True, (360, 740)),
}
"""Whether it is touched, and width and height of its window."""
_HELD, _MOST = 3, 60
_YEARS_MS = 3 * 365 * 86_400_000
_PACE = {"slow": 4.0, "fast": 1 / 6}
_SAYS_SO, _DELETES = 0.7, 0.2
"""Of those that leave, who tells the study; and of these, who has everything deleted."""

Items = Sequence[Mapping[str, Any]]


@dataclass
class Robot:
    """Somebody who was made up."""

    line: Line
    number: int
    """From 1; who it is hangs on this and on the seed."""
    seed: int
    plan: Plan
    knowing: Knowing
    fault: str = ""
    """One of :data:`~deixis.study.robots.faults.FAULTS`."""
    leaves: bool = False
    """Whether it goes away in the middle."""
    declines: bool = False
    acknowledged: dict[str, Any] = field(default_factory=dict)
    """Key to what was said when the server first named it as stored."""
    sent: int = 0
    """Answers sent, those sent again included."""
    wrong: list[str] = field(default_factory=list)
    """What the server said that it should not have."""
    phase: str = ""
    code: str = ""
    deleted: bool = False
    """Whether it had everything deleted."""

    def take_part(self) -> Iterator[float]:
        """Go from the arrival to the end; yields seconds to wait."""
        self._chance = generator(self.seed, f"robot/{self.number}")
        self._pages = self._open = 0
        self._touch, self._size = DEVICES[self._chance.choice(list(self.plan.devices))]
        self._query = f"PROLIFIC_PID=robot{self.number}&STUDY_ID=s&SESSION_ID=robot{self.number}"
        try:
            self._token = self.line.arrive(self._query)
            yield from self._through()
        except UnexpectedError as error:
            self.wrong.append(str(error))
        finally:
            self.line.close()

    def _through(self) -> Iterator[float]:
        self._see(self._page())
        yield 30.0
        if self.declines:
            self._step("decline")
            return
        state = self._step("consent")
        yield 20.0
        for item in _trials(state):
            answer = self._answer(item)
            yield answer["rt_ms"] / 1000
            self._send(answer)
        state = self._step("practised")
        if self.phase != "trials":
            return
        yield from self._answering(_trials(state))
        if self.leaves or self.phase != "trials":
            return
        self._step("finished")
        self._expect("debriefing")
        yield 15.0
        if not self._step("debriefed").get("completion_code"):
            self.wrong.append("no completion code at the end")
        self._expect("done")
        if self.fault == "replay":
            self._replay()

    def _answering(self, asked: Items) -> Iterator[float]:
        """Answer what is asked, with the fault at some place of it."""
        self._asked = {item["key"] for item in asked if not _practice(item)}
        until = self._chance.randrange(1, max(2, len(asked))) if self.leaves else 0
        at = self._chance.randrange(1, max(2, len(asked) - _HELD))
        items, kept, place = deque(asked), list[Mapping[str, Any]](), 0
        while items:
            answer = self._answer(items.popleft())
            yield answer["rt_ms"] / 1000
            kept.append(answer)
            place += 1
            if not (self.fault == "offline" and at <= place < at + _HELD and items):
                self._send(*reversed(kept))
                kept = []
            if place == at:
                items = deque((yield from self._stumble(answer, list(items))))
            if self.leaves and place >= until:
                self._send(*kept)
                self._leave()
                return

    def _stumble(self, answer: Mapping[str, Any], rest: Items) -> Generator[float, None, Items]:
        """Do once what people and browsers do; what is asked after that is the value of the generator."""
        if self.fault == "double-click":
            self._send(_other(answer))
        elif self.fault == "reload":
            return self._again(self._page())
        elif self.fault == "reopened":
            self.line.close()
            yield 60.0
            token, self._token = self._token, self.line.arrive(self._query)
            if token != self._token:
                self.wrong.append("whoever came back was taken for somebody else")
            return self._again(self._page())
        elif self.fault == "late":
            yield 60.0 * (self.plan.idle_minutes + 1)
            state = self._see(self._page())
            return self._again(state) if self.phase == "trials" else []
        elif self.fault == "two-tabs" and rest:
            older = self._open
            items = self._again(self._page())
            newer, self._open = self._open, older
            self._send(self._answer(rest[0]), may=(409,))
            self._open = newer
            return items
        elif self.fault == "malformed":
            self._malformed(unfinished=bool(rest))
        return rest

    def _malformed(self, *, unfinished: bool) -> None:
        bodies = (b'{"page": 1, "answers": ', b"[]", b'{"page": "p", "answers": 5}', b'{"page": "p", "answers": [{}]}')
        for body in bodies:
            status, _ = self.line.ask("POST", f"/api/{self._token}/answers", body)
            if status != 400:
                self.wrong.append(f"the request {body.decode()!r} was answered with {status}")
        if unfinished:
            self._step("finished")
            self._expect("trials")

    def _replay(self) -> None:
        for key, said in list(self.acknowledged.items())[:_MOST]:
            self._send({"key": key, "rt_ms": 500, "input": "mouse", **_other(said)})
        for step in ("consent", "practised", "finished"):
            self._step(step)
        self._expect("done")

    def _again(self, state: Mapping[str, Any]) -> Items:
        """Return what a page that was opened again asks; it has to be what is open, no more and no less."""
        asked = _trials(state)
        found = {item["key"] for item in asked if not _practice(item)}
        left = self._asked - set(self.acknowledged)
        if found != left:
            self.wrong.append(f"opened again, {len(found - left)} trials were asked anew, {len(left - found)} not")
        return asked

    def _leave(self) -> None:
        """Some say so, some of those have everything deleted; the others just go."""
        if self._chance.random() >= _SAYS_SO:
            return
        self.deleted = self._chance.random() < _DELETES
        self._see(self._call("leave", delete=self.deleted))
        self._expect("withdrawn" if self.deleted else "left")

    def _answer(self, item: Mapping[str, Any]) -> dict[str, Any]:
        told = self.knowing.answer(self.number, item["key"])
        return {
            "key": item["key"], "order": item["order"], "presentation": 1, "input": "touch" if self._touch else "mouse",
            "size": list(self._size), "motion": "blinked" if item.get("gaze") else "none", "trusted": True,
            "loads": self._pages, "client_ms": 1.7e12 + (_YEARS_MS if self.fault == "clock" else 0), **told,
            "rt_ms": max(300.0, told["rt_ms"] * _PACE.get(self.fault, 1.0)),
        }  # fmt: skip

    def _send(self, *answers: Mapping[str, Any], may: tuple[int, ...] = (200,)) -> None:
        if not answers:
            return
        self.sent += len(answers)
        told = self._call("answers", may=may, answers=list(answers))
        for answer in answers:
            if answer["key"] in told["stored"]:
                said = {name: answer[name] for name in ("choice", "ratings") if answer.get(name) is not None}
                self.acknowledged.setdefault(answer["key"], said)
            else:
                self.wrong.append(f"{answer['key']} was refused: {told['refused'].get(answer['key'], 'no reason')}")

    def _page(self) -> Mapping[str, Any]:
        """Open the page, which from now on is the one that goes on."""
        self._pages += 1
        self._open = self._pages
        found: Mapping[str, Any] = self._call("state", loads=self._pages, size=list(self._size), touch=self._touch)
        return found

    def _step(self, name: str) -> Mapping[str, Any]:
        return self._see(self._call("step", step=name))

    def _see(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        self.phase = str(state["phase"])
        self.code = str(state.get("code") or self.code)
        return state

    def _expect(self, phase: str) -> None:
        if self.phase != phase:
            self.wrong.append(f"{phase} should have come, and {self.phase} came")

    def _call(self, name: str, may: tuple[int, ...] = (200,), **sent: Any) -> Any:
        page = f"robot-{self.number}-{self._open}"
        return self.line.call(self._token, name, {"page": page, **sent}, may)[1]


def _trials(state: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [item for item in state["timeline"] if item["type"] == "trial"]


def _practice(item: Mapping[str, Any]) -> bool:
    return str(item["key"]).startswith(PRACTICE)


def _other(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer that says something else, as the second click of two does."""
    if "ratings" in answer:
        return {**answer, "ratings": [8 - rating for rating in answer["ratings"]]}
    return {**answer, "choice": 1 - min(1, answer["choice"])}
