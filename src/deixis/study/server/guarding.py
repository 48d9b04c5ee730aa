"""What every response carries, and how large a request may be."""

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
_RAW = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Guarded:
    """Adds the headers to everything that goes out; what says nothing of storing must not be stored."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": [*headers, *_RAW]}
            await send(message)

        await self._app(scope, receive, guarded if scope["type"] == "http" else send)


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
