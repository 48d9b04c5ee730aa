"""A robot's line to the server: the calls that a page makes, tried again where the server is busy or gone."""

import http.client
import json
import time
from typing import Any

_TRIES, _WAIT = 5, 0.25


class UnexpectedError(Exception):
    """The server said what it should not have."""


class Line:
    """One connection, opened when it is needed."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._connection: http.client.HTTPConnection | None = None

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def arrive(self, query: str) -> str:
        """Come in by the link of the study; return the token of the link that it leads to."""
        status, found = self.ask("GET", f"/?{query}")
        if status != 303:
            raise UnexpectedError(f"a robot was not let in ({status})")
        return str(found["location"]).rpartition("/")[2]

    def call(self, token: str, name: str, sent: dict[str, Any], may: tuple[int, ...] = (200,)) -> tuple[int, Any]:
        """Make a call of the page. Raises :class:`UnexpectedError` for another status than may be."""
        status, found = self.ask("POST", f"/api/{token}/{name}", json.dumps(sent).encode())
        if status not in may:
            raise UnexpectedError(f"{name} was answered with {status}")
        return status, found

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, Any]:
        """Return status and JSON, or headers where it is none; 503 and a closed connection are tried again."""
        for turn in range(_TRIES):
            try:
                status, found = self._once(method, path, body)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if turn == _TRIES - 1:
                    raise UnexpectedError(f"the server is gone: {error}") from None
            else:
                if status != 503:
                    return status, found
            time.sleep(_WAIT * 2**turn)
        raise UnexpectedError("the server was busy five times")

    def _once(self, method: str, path: str, body: bytes | None) -> tuple[int, Any]:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._host, self._port, timeout=60)
        self._connection.request(method, path, body, {} if body is None else {"Content-Type": "application/json"})
        came = self._connection.getresponse()
        text = came.read()
        if came.headers.get("Content-Type", "").startswith("application/json"):
            return came.status, json.loads(text)
        return came.status, {name.lower(): value for name, value in came.headers.items()}
