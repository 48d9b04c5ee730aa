"""A small study with everything in it, and somebody who takes part in it by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.testclient import TestClient

from deixis.study.database.opening import Database
from deixis.study.designs import DESIGNS
from deixis.study.manifest import BlockPage, Manifest, Stimulus
from deixis.study.server.app import application
from deixis.study.server.timeline import Course
from deixis.study.settings import Plan

LISTS, TRIALS = ("1", "2", "3", "4"), 4
OPTIONS = ("I prefer mine.", "I prefer yours.", "You prefer mine.", "You prefer yours.")
PICTURE = "a" * 64 + ".svg"


def manifest() -> Manifest:
    """Four lists of four trials, two practice trials, one check."""
    shown = Stimulus("scene-choice", OPTIONS, PICTURE, (1, 2, 3, 4), (960, 540), "two children")
    keys = {name: tuple(f"trial/{name}{number}" for number in range(TRIALS)) for name in LISTS}
    practice, check = ("practice/possessive/1", "practice/possessive/2"), "check/possessive/1"
    block = BlockPage("Whose", "scene-choice", "possessive", "<p>Do this.</p>", "Say it.", practice, (check,))
    every = [*practice, check, *(key for own in keys.values() for key in own)]
    return Manifest(
        study="pilot", title="Who likes what", design="production-possessive", protocol="corrected", language="en",
        minutes=6, practice=2,
        blocks={"possessive": block},
        orders={"P": ("possessive",)}, lists={name: {"possessive": own} for name, own in keys.items()},
        stimuli={key: replace(shown, check=key == check) for key in every},
        consent="<p>Agree?</p>", debriefing="<p>Thanks.</p>", researcher="R", contact="r@example.org",
        design_sha256="d" * 64,
    )  # fmt: skip


def plan(**values: Any) -> Plan:
    return Plan("pilot", "Who likes what", DESIGNS["production-possessive"], people=8, **values)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def pass_(self, minutes: float) -> None:
        self.time += timedelta(minutes=minutes)


def client(database: Database, declared: Plan | None = None, **values: Any) -> TestClient:
    """Serve the small study within this process."""
    course = Course(declared or plan(), manifest(), {"check/possessive/1": 2})
    app = application(
        course, database, {PICTURE: b"<svg/>"}.__getitem__, preview="look", researcher="watch", consent_sha256="c" * 64,
        **values,
    )  # fmt: skip
    return TestClient(
        app,
        base_url="http://study.test",
        follow_redirects=False,
        raise_server_exceptions=False,
        client=("127.0.0.1", 1),
    )


def answer(key: str, choice: int | None = 1, **values: Any) -> dict[str, Any]:
    return {"key": key, "choice": choice, "rt_ms": 1234.5, "input": "mouse", "size": [800, 600], **values}


@dataclass
class Somebody:
    """Takes part through the calls that the page makes."""

    web: TestClient
    token: str
    page: str = "page-1"

    @classmethod
    def arrive(cls, web: TestClient, query: str = "") -> "Somebody":
        came = web.get(f"/{query}")
        assert came.status_code == 303, came.text
        return cls(web, came.headers["location"].removeprefix("run/"))

    def call(self, name: str, **sent: Any) -> Any:
        return self.web.post(f"/api/{self.token}/{name}", json={"page": self.page, **sent})

    def state(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.call("state").json()
        return found

    def step(self, name: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.call("step", step=name).json()
        return found

    def begin(self) -> Mapping[str, Any]:
        """Agree, practise, get a list; return what is to be answered."""
        self.state()
        self.step("consent")
        return self.step("practised")

    def answers(self, *keys: str, choice: int = 1) -> Any:
        return self.call("answers", answers=[answer(key, choice) for key in keys])

    def finish(self) -> Mapping[str, Any]:
        """Answer whatever is open, and go to the end."""
        keys = [item["key"] for item in self.state()["timeline"] if item["type"] == "trial"]
        assert self.answers(*keys, choice=2).status_code == 200
        self.step("finished")
        return self.step("debriefed")
