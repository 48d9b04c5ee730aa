"""No way in: whatever is sent, no fault of the server comes back and no row changes."""

import asyncio
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest

from deixis.study.database import reading
from deixis.study.database.opening import Database, open_database
from tests.study.studies import LISTS, Clock, Somebody, answer, client

MANY = 20_000
HOSTILE = (
    "' or 1=1 --", '"; drop table response; --', "<script>alert(1)</script>", "../../etc/passwd", "..%2f..%2fstudy.db",
    "\x00", "💥" * 50, "a" * 5000, "{{7*7}}", "%s%s%s", "-1", "NaN", "trial/11'",
)  # fmt: skip
WORTHLESS: tuple[Any, ...] = (
    None, True, -1, 10**30, 1.5, "", [], {}, [[]], {"a": 1}, float("1e308"), *HOSTILE[:4],
)  # fmt: skip


@pytest.fixture
def database(tmp_path: Path, clock: Clock) -> Any:
    opened = open_database(tmp_path / "study.db", clock)
    yield opened
    opened.close()


def everything(database: Database) -> list[Any]:
    """All rows but how often somebody has opened the page."""
    people = [
        (p.code, p.token, p.mode, p.status, p.arm, p.seed, p.assigned_at, p.completed_at, p.ended_at)
        for p in database.read(reading.people)
    ]
    events = [event for event in database.read(reading.events) if event.kind != "opened"]
    return [people, database.read(reading.answers), events, database.read(reading.identities)]


class Direct:
    """Calls the application as a server does, without a client's work; as quick as the application is."""

    def __init__(self, app: Any) -> None:
        self._app, self._loop = app, asyncio.new_event_loop()

    def request(self, method: str, address: str, body: bytes = b"") -> int:
        """Return the status."""
        path, _, query = address.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": unquote(path), "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(b"content-length", str(len(body)).encode())], "client": ("127.0.0.1", 1),
            "server": ("test", 80),
        }  # fmt: skip
        told: list[int] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                told.append(message["status"])

        try:
            self._loop.run_until_complete(self._app(scope, receive, send))
        except Exception:  # noqa: BLE001  (whatever it is, a server would answer 500)
            told = told or [500]
        return told[0]

    def close(self) -> None:
        self._loop.close()


class Attacker:
    """Makes requests that no page makes, from a seed."""

    def __init__(self, seed: int, victim: Somebody, keys: list[str], foreign: list[str]) -> None:
        self.chance = random.Random(seed)
        self.victim, self.keys, self.foreign = victim, keys, foreign

    def request(self, web: Direct) -> int:
        kinds = (
            self.address,
            self.token,
            self.shape,
            self.field,
            self.foreign_key,
            self.bytes_,
            self.method,
            self.replay,
        )
        return self.chance.choice(kinds)(web)

    def address(self, web: Direct) -> int:
        path = self.chance.choice(("/run/", "/web/", "/pictures/", "/researcher/", "/api/", "/"))
        return web.request("GET", path + quote(self.chance.choice(HOSTILE), safe="/.%"))

    def token(self, web: Direct) -> int:
        token = self.chance.choice((*HOSTILE[:4], "x" * 32, self.victim.token[:-1], self.victim.token.swapcase()))
        call = self.chance.choice(("state", "step", "answers", "leave", "event"))
        sent = {"page": "page-1", "step": "finished", "answers": [answer(self.keys[0])], "delete": True, "events": []}
        return web.request("POST", f"/api/{quote(token)}/{call}", json.dumps(sent).encode())

    def shape(self, web: Direct) -> int:
        call = self.chance.choice(("state", "answers", "event"))
        sent = {"page": "page-9", self.chance.choice(("answers", "events", "page")): self.chance.choice(WORTHLESS)}
        if call == "answers" and sent.get("answers") == []:
            sent["answers"] = None
        if call == "event" and sent.get("events") == []:
            sent["events"] = None
        if call == "state":
            sent["page"] = self.chance.choice(HOSTILE)
        return self._post(web, call, sent)

    def field(self, web: Direct) -> int:
        one = answer(self.chance.choice(self.keys))
        one[self.chance.choice(("choice", "rt_ms", "input", "size", "motion", "presentation", "ratings", "evil"))] = {
            "never": "a value"
        }
        return self._post(web, "answers", {"page": "page-1", "answers": [one]})

    def foreign_key(self, web: Direct) -> int:
        key = self.chance.choice((*self.foreign, *HOSTILE[:3], "study", "trial/", "check/other/1"))
        return self._post(web, "answers", {"page": "page-1", "answers": [answer(key[:60])]})

    def bytes_(self, web: Direct) -> int:
        text = self.chance.choice(
            (b"", b"{", b"[]", b"\xff\xfe", b"nul", b"[" * 1000, b'{"page": "' + b"a" * 70_000 + b'"}')
        )
        return web.request("POST", f"/api/{self.victim.token}/answers", text)

    def method(self, web: Direct) -> int:
        return web.request(
            self.chance.choice(("PUT", "DELETE", "PATCH", "OPTIONS", "POST")),
            self.chance.choice(("/", f"/run/{self.victim.token}", "/researcher/watch")),
        )

    def replay(self, web: Direct) -> int:
        """What was answered before, as it was."""
        return self._post(web, "answers", {"page": "page-1", "answers": [answer(self.keys[0], 1)]})

    def _post(self, web: Direct, call: str, sent: dict[str, Any]) -> int:
        text = json.dumps(sent).replace("Infinity", "1e999").replace("NaN", "1e999")
        return web.request("POST", f"/api/{self.victim.token}/{call}", text.encode())


@pytest.mark.timeout(280)
def test_twenty_thousand_bad_requests_change_nothing(database: Database) -> None:
    web = client(database)
    victim = Somebody.arrive(web, "?PROLIFIC_PID=P1&STUDY_ID=S&SESSION_ID=X1")
    keys = [item["key"] for item in victim.begin()["timeline"]]
    assert victim.answers(*keys[:2]).status_code == 200
    (arm,) = (person.arm for person in database.read(reading.people))
    foreign = [f"trial/{name}{number}" for name in LISTS if name != arm for number in range(4)]
    before = everything(database)
    attacker = Attacker(0, victim, keys, foreign)
    direct = Direct(web.app)
    statuses = Counter(attacker.request(direct) for _ in range(MANY))
    direct.close()
    assert everything(database) == before
    assert not [status for status in statuses if status >= 500], statuses
    assert {400, 404, 405, 413} <= set(statuses)
    assert statuses[200] < MANY / 2


@pytest.mark.parametrize("text", HOSTILE)
def test_what_comes_with_a_name_is_stored_as_text_or_refused(database: Database, text: str) -> None:
    web = client(database)
    came = web.get("/", params={"PROLIFIC_PID": text, "SESSION_ID": "X"})
    assert came.status_code in (303, 400)
    assert len(database.read(reading.identities)) == (came.status_code == 303)
    page = web.get("/researcher/watch").text
    assert text not in page or text in ("-1", "NaN")


def test_a_large_body_is_refused_before_it_is_read(database: Database) -> None:
    one = Somebody.arrive(client(database))
    sent = one.web.post(f"/api/{one.token}/answers", content=b"x" * 70_000)
    assert (sent.status_code, sent.json()["error"]) == (413, "large")
