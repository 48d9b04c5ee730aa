"""The application: which address is answered by whom."""

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from deixis.study.database.opening import Database
from deixis.study.server.guarding import Guarded
from deixis.study.server.participant import Participant
from deixis.study.server.researcher import Researcher
from deixis.study.server.timeline import Course


def application(
    course: Course,
    database: Database,
    picture: Callable[[str], bytes],
    *,
    preview: str,
    researcher: str,
    consent_sha256: str,
    anywhere: bool = False,
    simulated: bool = False,
) -> Starlette:
    """Return the application of a study.

    ``picture`` gives the bytes of a picture by its name, or raises :class:`KeyError`. ``anywhere`` opens the
    researcher's page to other machines, with its token; ``simulated`` makes everybody who comes a robot.
    """
    pages = Participant(database, course, picture, preview, consent_sha256)
    if simulated:
        pages.simulated()
    mode = "simulated" if simulated else "live"
    looking = Researcher(database, course, researcher, anywhere=anywhere, mode=mode)

    async def absent(_request: Request, _error: Exception) -> Response:
        return Response("there is no such page", 404)

    async def wrong(_request: Request, _error: Exception) -> Response:
        return Response("this address takes no such request", 405)

    return Starlette(
        routes=[
            Route("/", pages.arrive),
            Route("/run/{token}", pages.run),
            Route("/web/{name}", pages.file),
            Route("/pictures/{name}", pages.picture),
            Route("/api/{token}/{call}", pages.call, methods=["POST"]),
            Route("/researcher/style.css", looking.style),
            Route("/researcher/{token}", looking.page),
            Route("/researcher/{token}/export.csv", looking.export),
        ],
        middleware=[Middleware(Guarded)],
        exception_handlers={404: absent, 405: wrong},
    )
