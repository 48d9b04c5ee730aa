"""The participant's side: arriving, the page, and the five calls that it makes."""

import asyncio
import hmac
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from deixis.errors import UsageError
from deixis.study.database import answers, forgetting, people, reading
from deixis.study.database.connection import Connection
from deixis.study.database.opening import Database, stamp
from deixis.study.database.records import ARRIVED, COMPLETE, ENDED, WITHDRAWN, Person
from deixis.study.server.guarding import TooLargeError, bounded
from deixis.study.server.requests import (
    RefusedError,
    answers_of,
    body,
    events_of,
    identity_of,
    known_form,
    page_of,
    size_of,
    visit_of,
)
from deixis.study.server.timeline import Course
from deixis.study.web import content, page

T = TypeVar("T")
_TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}
_LASTING = "public, max-age=31536000, immutable"


def said(entry: object, status: int = 200) -> Response:
    """Return JSON."""
    return Response(orjson.dumps(entry), status, media_type="application/json")


def refused(status: int, word: str, message: str) -> Response:
    """Return a fault: one word for programs, one line for people."""
    return said({"error": word, "message": message}, status)


class Participant:
    """Answers everything that comes from participants' pages."""

    def __init__(
        self, database: Database, course: Course, picture: Callable[[str], bytes], preview: str, consent_sha256: str
    ) -> None:
        self._database, self._course, self._picture = database, course, picture
        self._preview, self._consent = preview, consent_sha256
        self._mode = "live"

    def simulated(self) -> None:
        """From now on everybody who comes is a robot."""
        self._mode = "simulated"

    async def arrive(self, request: Request) -> Response:
        """Make or find who comes, and send them on to a link that says nothing of who they are."""
        if request.method == "HEAD":  # of programs that look at links; nobody has come
            return Response()
        query = request.query_params
        try:
            who = identity_of(query)
        except RefusedError as error:
            return Response(f"{error}; please use the link of the study as it was given to you", 400)
        mode = self._mode
        if "preview" in query:
            if not hmac.compare_digest(query["preview"].encode(), self._preview.encode()):
                return Response("this preview link is not valid; ask for a new one", 404)
            mode, who = "test", None
        elif who is None and self._course.plan.prolific and mode == "live":
            return Response("please come in through Prolific: open the study there and follow its link", 400)
        if await self._closed():
            return Response("this study has ended; thank you for your interest", 410)
        now = self._database.now
        found = await self._write(lambda c: people.arrive(c, now, mode, who))
        return RedirectResponse(f"run/{found.token}", 303)

    async def run(self, request: Request) -> Response:
        """Send the page, which is the same for everybody."""
        token = request.path_params["token"]
        if not known_form(token) or self._database.read(lambda c: reading.person_by_token(c, token)) is None:
            return Response("this link is not known here; please use the link of the study", 404)
        return Response(page(), media_type="text/html")

    async def file(self, request: Request) -> Response:
        """Send a script or the style."""
        name = request.path_params["name"]
        try:
            return Response(
                content(name), media_type=_TYPES[name.rpartition(".")[2]], headers={"cache-control": "no-cache"}
            )
        except (UsageError, KeyError):
            return Response("there is no such file", 404)

    async def picture(self, request: Request) -> Response:
        """Send a picture, which never changes."""
        name = request.path_params["name"]
        try:
            drawn = self._picture(name)
        except (UsageError, KeyError):
            return Response("there is no such picture", 404)
        return Response(drawn, media_type="image/svg+xml", headers={"cache-control": _LASTING})

    async def call(self, request: Request) -> Response:
        """Answer one call of a page."""
        calls = {
            "state": self._state,
            "step": self._step,
            "answers": self._answers,
            "leave": self._leave,
            "event": self._events,
        }
        asked = calls.get(request.path_params["call"])
        if asked is None:
            return refused(404, "unknown", "there is no such call")
        token = request.path_params["token"]
        if not known_form(token):
            return _unknown()
        try:
            return await asked(token, body(await bounded(request)))
        except TooLargeError:
            return refused(413, "large", "the request is larger than 64 kB")
        except RefusedError as error:
            return refused(400, "malformed", str(error))

    async def _state(self, token: str, sent: Mapping[str, Any]) -> Response:
        visit, now = visit_of(sent), self._database.now
        course = self._course
        found = await self._write(lambda c: people.own(c, now, token, visit))
        if found is None:
            return _unknown()
        if found.status == ARRIVED and not course.fits(touch=visit.touch, size=size_of(sent)):
            return said(
                {**course.state(found, ()), "phase": "device", "timeline": [], "devices": list(course.plan.devices)}
            )
        if found.status == ARRIVED:
            found = await self._write(lambda c: people.turn_away(c, now, token, course.plan.people)) or found
        if found.consented_at and found.status not in (COMPLETE, *ENDED):
            late = self._database.clock() - _time(found.consented_at) > course.longest
            found = (await self._write(lambda c: people.expire(c, now, token)) or found) if late else found
        return await self._shown(found)

    async def _step(self, token: str, sent: Mapping[str, Any]) -> Response:
        page_id, step = page_of(sent), sent.get("step")
        who = self._database.read(lambda c: reading.person_by_token(c, token))
        if who is None:
            return _unknown()
        if who.page_id != page_id:
            return said({"phase": "elsewhere"}, 409)
        now, course = self._database.now, self._course
        changes: dict[object, Callable[[Connection], Person | None]] = {
            "consent": lambda c: people.consent(c, now, token, self._consent),
            "decline": lambda c: people.decline(c, now, token),
            "practised": lambda c: people.assign(
                c,
                now,
                token,
                [a.id for a in course.manifest.arms],
                course.plan.people,
                course.plan.seed,
                self._lease(who),
            ),
            "finished": lambda c: self._finished(c, now, who),
            "debriefed": lambda c: people.debriefed(c, now, token),
        }
        change = changes.get(step) if isinstance(step, str) else None
        moved = None if change is None else await self._write(change)
        return await self._shown(moved or who)

    def _finished(self, connection: Connection, now: str, who: Person) -> Person | None:
        """Only who has answered everything is complete."""
        if not who.arm or self._course.open(who, reading.answered(connection, who.code)):
            return who
        return people.finish(connection, now, who.token)

    async def _answers(self, token: str, sent: Mapping[str, Any]) -> Response:
        page_id = page_of(sent)
        good, bad = answers_of(sent, self._course.manifest.stimuli)
        now = self._database.now
        found = await self._write(lambda c: answers.store(c, now, token, page_id, good, self._course.keys, self._lease))
        if found is None:
            return _unknown()
        told = {"stored": list(found.stored), "refused": {**bad, **found.refused}}
        if found.status == WITHDRAWN:
            return said({**told, "error": "withdrawn", "phase": WITHDRAWN}, 410)
        return said(told) if found.owner else said({**told, "error": "elsewhere"}, 409)

    async def _leave(self, token: str, sent: Mapping[str, Any]) -> Response:
        page_of(sent)
        now, delete = self._database.now, sent.get("delete") is True
        found = await self._write(lambda c: people.leave(c, now, token, delete=delete))
        if found is None:
            return _unknown()
        if delete:
            await asyncio.to_thread(forgetting.settle, self._database.where)
        return await self._shown(found)

    async def _events(self, token: str, sent: Mapping[str, Any]) -> Response:
        page_of(sent)
        noticed, now = events_of(sent), self._database.now

        def change(connection: Connection) -> bool:
            who = reading.person_by_token(connection, token)
            if who is not None and who.status != WITHDRAWN:
                for kind, at, value in noticed:
                    people.note(connection, who.code, now, f"page-{kind}", {"at_ms": at, "value": value})
            return who is not None

        return said({"stored": len(noticed)}) if await self._write(change) else _unknown()

    async def _shown(self, who: Person) -> Response:
        found = self._database.read(lambda c: reading.answers(c, who.code))
        right = self._course.failed
        failed = sum(1 for one in found if one.answer.key in right and _chosen(one.answer) != right[one.answer.key])
        return said(self._course.state(who, {one.answer.key for one in found}, failed=failed))

    async def _closed(self) -> bool:
        study = self._database.read(reading.launched)
        return study is not None and bool(study.closed_at)

    def _lease(self, who: Person) -> str:
        return stamp(self._course.lease(who, self._database.clock()))

    async def _write(self, change: Callable[[Connection], T]) -> T:
        return await asyncio.wrap_future(self._database.send(change))


def _chosen(answer: Any) -> int:
    """Return the option chosen; of ratings the one rated highest, -1 where several are."""
    if not answer.ratings:
        return -1 if answer.choice is None else int(answer.choice)
    best = max(answer.ratings)
    return int(answer.ratings.index(best)) if answer.ratings.count(best) == 1 else -1


def _unknown() -> Response:
    return refused(404, "unknown", "this link is not known here")


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
