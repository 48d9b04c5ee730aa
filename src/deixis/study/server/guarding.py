"""What every response carries, whatever happens, and how large a request may be."""

import logging
import traceback

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deixis.study.server.requests import BYTES
from deixis.study.web import POLICY

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""On every response, whatever it is."""
_FAULT = b'{"error":"busy","message":"the answer could not be stored; it will be sent again"}'
_RAW = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Guarded:
    """Adds the headers to everything that goes out; what says nothing of storing must not be stored.

    A fault is answered here, and logged by its kind and its lines alone: a database's own words may hold an id.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        begun = False

        async def guarded(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": [*headers, *_RAW]}
            await send(message)

        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            await self._app(scope, receive, guarded)
        except Exception as error:  # noqa: BLE001  (whatever it is, it must not be logged with its words)
            where = "".join(traceback.format_tb(error.__traceback__))
            logging.getLogger("deixis.study").error("a request failed: %s\n%s", type(error).__name__, where)  # noqa: TRY400  (without its words)
            if not begun:
                headers = [(b"content-type", b"application/json"), (b"content-length", str(len(_FAULT)).encode())]
                await guarded({"type": "http.response.start", "status": 503, "headers": headers})
                await guarded({"type": "http.response.body", "body": _FAULT})


class TooLargeError(Exception):
    """A request of more bytes than any page sends."""


async def bounded(request: Request) -> bytes:
    """Return a request's body; raises :class:`TooLargeError` as soon as it is too large, without reading the rest."""
    told = request.headers.get("content-length", "0")
    if told.isdigit() and int(told) > BYTES:
        raise TooLargeError
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > BYTES:
            raise TooLargeError
    return bytes(found)
