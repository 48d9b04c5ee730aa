"""The researcher's page: how it goes, and the answers as they were stored. Closed without its token."""

import csv
import hmac
import io
import ipaddress
from functools import lru_cache
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from deixis.study.database import reading
from deixis.study.database.opening import Database
from deixis.study.database.records import StoredAnswer
from deixis.study.server.summary import summary
from deixis.study.server.timeline import Course

COLUMNS = (
    "person", "mode", "status", "list", "part", "block", "key", "choice", "ratings", "rt_ms", "presentation", "order",
    "input", "client_ms", "hidden_ms", "blurs", "trusted", "travel_px", "size", "motion", "loads", "server_at",
)  # fmt: skip


class Researcher:
    """Answers what comes to the researcher's page."""

    def __init__(self, database: Database, course: Course, token: str, *, anywhere: bool, mode: str = "live") -> None:
        self._database, self._course, self._token, self._mode = database, course, token, mode
        self._anywhere = anywhere

    async def page(self, request: Request) -> Response:
        """Send the page."""
        if not self._may(request):
            return _nothing()
        everybody, answers = self._database.read(reading.people), self._database.read(reading.answers)
        study = self._database.read(reading.launched)
        found = summary(self._course.manifest, everybody, answers, self._database.now, self._mode)
        text = _template().render(
            title=self._course.manifest.title,
            found=found,
            complete=sum(line.complete for line in found.lists),
            live=sum(line.live for line in found.lists),
            wanted=self._course.plan.people,
            closed=bool(study and study.closed_at),
            token=self._token,
        )
        return Response(text, media_type="text/html")

    async def style(self, _request: Request) -> Response:
        """Send the style."""
        text = files("deixis.study.server").joinpath("templates", "researcher.css").read_text(encoding="utf-8")
        return Response(text, media_type="text/css")

    async def export(self, request: Request) -> Response:
        """Send every answer as it was stored, as CSV."""
        if not self._may(request):
            return _nothing()
        people = {one.code: one for one in self._database.read(reading.people)}
        out = io.StringIO()
        table = csv.writer(out, lineterminator="\n")
        table.writerow(COLUMNS)
        for one in self._database.read(reading.answers):
            who = people[one.person]
            table.writerow((who.code, who.mode, who.status, who.arm, *_cells(one)))
        headers = {"content-disposition": f'attachment; filename="{self._course.plan.id}-answers.csv"'}
        return Response(out.getvalue(), media_type="text/csv", headers=headers)

    def _may(self, request: Request) -> bool:
        """Whether the token is right, and the request comes from this machine where nothing else was asked for."""
        given = request.path_params["token"].encode()
        return hmac.compare_digest(given, self._token.encode()) and (self._anywhere or _from_here(request))


def _from_here(request: Request) -> bool:
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def _nothing() -> Response:
    """Say no more than that there is nothing."""
    return Response("there is no such page", 404)


def _cells(one: StoredAnswer) -> tuple[object, ...]:
    answer = one.answer
    return (
        one.part, one.block, answer.key, "" if answer.choice is None else answer.choice,
        " ".join(map(str, answer.ratings)), answer.rt_ms, answer.presentation, answer.order, answer.input,
        answer.client_ms, answer.hidden_ms, answer.blurs, int(answer.trusted), answer.travel_px, answer.size,
        answer.motion, answer.loads, one.server_at,
    )  # fmt: skip


@lru_cache(maxsize=1)
def _template() -> Any:
    import jinja2  # noqa: PLC0415

    loader = jinja2.PackageLoader("deixis.study", "server/templates")
    return jinja2.Environment(loader=loader, autoescape=True).get_template("researcher.html.j2")
