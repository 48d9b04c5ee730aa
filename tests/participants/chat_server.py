"""A chat server on loopback that speaks OpenAI's format, keeps what it was asked and misbehaves on request.

    with ChatServer(lambda received, attempt: rate_limited(0.01) if attempt == 0 else Reply("mine")) as server:
        ...

In between, ask ``server.url``; ``server.requests`` says what arrived.
"""

import asyncio
import base64
import json
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.client import responses
from random import Random
from types import TracebackType
from typing import Any, Literal, Self

LIMIT = 2**20
"""Bytes of a head, and those read ahead of a body."""

PIECE = 16
"""Bytes of a body that a trickling reply sends at once."""

SECOND = 0.3
"""Chance that a question at fault is at fault once more."""


@dataclass(frozen=True)
class Received:
    """A chat request as it arrived."""

    number: int
    """Its place in the order of arrival, from 0."""
    body: dict[str, Any]
    headers: dict[str, str]
    """Names in lower case; the key is kept, so that tests can search for leaks."""
    text: str
    """All text of all user messages, a line break between parts."""
    system: str
    pictures: list[bytes]
    """The files that came as data URIs."""
    at: float
    """When it had arrived, by ``time.monotonic``."""


@dataclass(frozen=True)
class Reply:
    """What goes back, and how."""

    text: str | None = ""
    """The content; the message, where ``status`` is an error."""
    finish: str = "stop"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    """Added to the server's own, or in their place."""
    body: bytes | None = None
    """Sent raw in place of JSON."""
    drop: int | None = None
    """The connection closes after this many bytes of the response, head included."""
    delay: float = 0.0
    """Seconds before the first byte."""
    model: str | None = None
    """The model asked for, if none is given."""
    refusal: str | None = None
    usage: tuple[int, int] | None = (100, 5)
    """Tokens of the prompt and of the completion; None tells none."""
    trickle: float = 0.0
    """Seconds before each small piece of the body."""


Behave = Callable[[Received, int], Reply]
"""From a request, and how often its text and pictures came before, to the reply; runs on the server's thread."""


def first_option(received: Received, attempt: int) -> Reply:
    """The first option quoted after the word "from" and in its sentence, otherwise "ok"."""
    found = re.search(r'\bfrom\b[^".]*"([^"]+)"', received.text)
    return Reply(found.group(1) if found else "ok")


def _error(
    message: str, kind: str = "invalid_request_error", *, param: str | None = None, code: str | None = None
) -> bytes:
    return json.dumps({"error": {"message": message, "type": kind, "param": param, "code": code}}).encode()


def rate_limited(retry_after: float | None) -> Reply:
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    body = _error("Rate limit reached for requests.", "requests", code="rate_limit_exceeded")
    return Reply(status=429, headers=headers, body=body)


def server_error(status: Literal[500, 502, 503]) -> Reply:
    """A 502 comes from a proxy, which answers with a page."""
    if status == 502:
        page = b"<html><body><h1>502 Bad Gateway</h1></body></html>"
        return Reply(status=502, headers={"content-type": "text/html"}, body=page)
    return Reply(status=status, body=_error("The server had an error.", "server_error"))


def dropped(after: int = 0) -> Reply:
    return Reply("I prefer mine", drop=after)


def malformed() -> Reply:
    return Reply(body=b'{"id": "chatcmpl-0", "choices": [{"message": {"content": "I pre')


def empty() -> Reply:
    return Reply("")


def null_length() -> Reply:
    return Reply(None, finish="length")


def refused(text: str) -> Reply:
    return Reply(None, refusal=text)


def filtered() -> Reply:
    return Reply(None, finish="content_filter")


def not_found(model: str) -> Reply:
    message = f"The model `{model}` does not exist or you do not have access to it."
    return Reply(status=404, body=_error(message, code="model_not_found"))


def unsupported(parameter: str, hint: str = "") -> Reply:
    message = f"Unsupported parameter: '{parameter}' is not supported with this model. {hint}".strip()
    return Reply(status=400, body=_error(message, param=parameter, code="unsupported_parameter"))


FAULTS = (
    rate_limited(None),
    rate_limited(0.01),
    server_error(500),
    server_error(502),
    dropped(),
    dropped(200),
    malformed(),
)


def faulty(rate: float, seed: int) -> Behave:
    """A share of questions meets one transient fault, or two, and then its answer; the same ones whatever the order."""

    def behave(received: Received, attempt: int) -> Reply:
        question = sha256(json.dumps([seed, received.text]).encode() + b"".join(received.pictures))
        random = Random(question.digest())
        times = (random.random() < rate) * (1 + (random.random() < SECOND))
        faults = random.choices(FAULTS, k=2)
        return faults[attempt] if attempt < times else first_option(received, attempt)

    return behave


class ChatServer:
    """Serves from construction until ``stop``, which raises what ``behave`` raised; ``latency`` is by number."""

    def __init__(self, behave: Behave | None = None, latency: Callable[[int], float] | None = None) -> None:
        self.requests: list[Received] = []
        self._behave = behave or first_option
        self._latency = latency or (lambda _number: 0.0)
        self._before: Counter[tuple[str, tuple[bytes, ...]]] = Counter()
        self._open: dict[asyncio.Task[None], socket.socket] = {}
        self._failure: BaseException | None = None
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        listener.setblocking(False)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        started: Future[Callable[[], object]] = Future()
        serving = self._serve(listener, started)
        self._thread = threading.Thread(target=asyncio.run, args=(serving,), name="chat-server", daemon=True)
        self._thread.start()
        self._halt = started.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """Closes every connection at once; stopping twice does nothing more."""
        if self._thread.is_alive():
            self._halt()
            self._thread.join()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    async def _serve(self, listener: socket.socket, started: Future[Callable[[], object]]) -> None:
        loop, halted = asyncio.get_running_loop(), asyncio.Event()
        # Not asyncio's server, whose close loses connections that are half accepted.
        loop.add_reader(listener, self._accept, listener)
        started.set_result(lambda: loop.call_soon_threadsafe(halted.set))
        await halted.wait()
        loop.remove_reader(listener)
        listener.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def _accept(self, listener: socket.socket) -> None:
        with suppress(BlockingIOError, ConnectionError):
            connection, _ = listener.accept()
            connection.setblocking(False)
            task = asyncio.get_running_loop().create_task(self._converse(connection))
            self._open[task] = connection
            task.add_done_callback(self._left)

    def _left(self, task: asyncio.Task[None]) -> None:
        self._open.pop(task).close()
        if not task.cancelled() and self._failure is None:
            self._failure = task.exception()

    async def _converse(self, connection: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(sock=connection, limit=LIMIT)
        try:
            # A client may leave at any point.
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                while await self._turn(reader, writer):
                    pass
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
        finally:
            writer.transport.abort()

    async def _turn(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its reply; whether the connection stays open."""
        try:
            method, path, headers, content = await _request(reader, writer)
        except ValueError as error:
            return await _send(writer, _pieces(Reply(f"not HTTP: {error}", status=400)), closing=True)
        closing = headers.get("connection", "").lower() == "close"
        if not path.partition("?")[0].endswith("/chat/completions"):
            return await _send(writer, _pieces(Reply(f"unknown path {path!r}", status=404)), closing=closing)
        if method != "POST":
            return await _send(writer, _pieces(Reply(f"not allowed: {method!r}", status=405)), closing=closing)
        try:
            received = _received(len(self.requests), headers, content)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return await _send(writer, _pieces(Reply(f"not a chat request: {error!r}", status=400)), closing=closing)
        self.requests.append(received)
        question = (received.text, tuple(received.pictures))
        reply = self._behave(received, self._before[question])
        self._before[question] += 1
        await asyncio.sleep(reply.delay + self._latency(received.number))
        pieces = _pieces(reply, received)
        closing = closing or ("connection", "close") in ((n.lower(), v) for n, v in reply.headers.items())
        if reply.drop is not None:
            pieces, closing = list(_cut(pieces, reply.drop)), True
        return await _send(writer, pieces, closing=closing, trickle=reply.trickle)


async def _request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> tuple[str, str, dict[str, str], bytes]:
    """Method, path, headers and content of the next request."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _version = first.split(" ")
    split = (line.partition(":") for line in lines if line)
    headers = {name.lower(): value.strip() for name, _, value in split}
    if headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return method, path, headers, await reader.readexactly(int(headers.get("content-length", "0")))
    content = bytearray()
    while size := int(await reader.readuntil(b"\r\n"), 16):
        content += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readexactly(2)
    return method, path, headers, bytes(content)


def _received(number: int, headers: dict[str, str], content: bytes) -> Received:
    body: dict[str, Any] = json.loads(content)
    system: list[str] = []
    text: list[str] = []
    pictures: list[bytes] = []
    for message in body["messages"]:
        parts: list[dict[str, Any]] = message["content"] or []
        if isinstance(message["content"], str):
            parts = [{"type": "text", "text": message["content"]}]
        for part in parts:
            if part["type"] == "image_url":
                start, _, data = part["image_url"]["url"].partition(";base64,")
                if start.startswith("data:"):
                    pictures.append(base64.b64decode(data, validate=True))
            elif message["role"] == "user":
                text.append(part["text"])
            elif message["role"] in {"system", "developer"}:
                system.append(part["text"])
    return Received(number, body, headers, "\n".join(text), "\n".join(system), pictures, time.monotonic())


def _pieces(reply: Reply, received: Received | None = None) -> list[bytes]:
    """The head and then the pieces of the body; without a request, ``reply`` is an error."""
    headers = {"content-type": "application/json"}
    if received is not None and received.body.get("stream") and reply.status == 200 and reply.body is None:
        events = [f"data: {json.dumps(event)}\n\n".encode() for event in _events(reply, received)]
        body = [b"%x\r\n%b\r\n" % (len(event), event) for event in [*events, b"data: [DONE]\n\n"]] + [b"0\r\n\r\n"]
        headers |= {"content-type": "text/event-stream", "transfer-encoding": "chunked"}
    else:
        whole = reply.body
        if whole is None and (received is None or reply.status != 200):
            whole = _error(reply.text or "", "server_error" if reply.status >= 500 else "invalid_request_error")
        elif whole is None and received is not None:
            whole = json.dumps(_completion(reply, received)).encode()
        whole = whole or b""
        size = PIECE if reply.trickle else max(1, len(whole))
        body = [whole[at : at + size] for at in range(0, len(whole), size)]
        headers |= {"content-length": str(len(whole))}
    headers |= {name.lower(): value for name, value in reply.headers.items()}
    lines = [f"HTTP/1.1 {reply.status} {responses.get(reply.status, '')}", *(f"{n}: {v}" for n, v in headers.items())]
    return ["\r\n".join([*lines, "", ""]).encode("latin-1"), *body]


def _cut(pieces: Iterable[bytes], size: int) -> Iterator[bytes]:
    for piece in pieces:
        yield piece[:size]
        size = max(0, size - len(piece))


async def _send(writer: asyncio.StreamWriter, pieces: list[bytes], *, closing: bool, trickle: float = 0.0) -> bool:
    """Sends the pieces, slowly if asked to; whether the connection stays open."""
    for place, piece in enumerate(pieces if trickle else [b"".join(pieces)]):
        if place:
            await asyncio.sleep(trickle)
        writer.write(piece)
        await writer.drain()
    return not closing


def _frame(kind: str, reply: Reply, received: Received) -> dict[str, Any]:
    model = reply.model or received.body.get("model", "")
    return {"id": f"chatcmpl-{received.number}", "object": kind, "created": int(time.time()), "model": model}


def _completion(reply: Reply, received: Received) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    logprobs = _logprobs(_tokens(reply.text), received.body)
    choice = {"index": 0, "message": message, "logprobs": logprobs, "finish_reason": reply.finish}
    return _frame("chat.completion", reply, received) | {"choices": [choice]} | _usage(reply)


def _events(reply: Reply, received: Received) -> Iterator[dict[str, Any]]:
    """Role, content a word at a time, refusal, finish reason, usage."""
    frame = _frame("chat.completion.chunk", reply, received)

    def event(delta: dict[str, str], *tokens: str, finish: str | None = None) -> dict[str, Any]:
        logprobs = _logprobs(list(tokens), received.body) if tokens else None
        return frame | {"choices": [{"index": 0, "delta": delta, "logprobs": logprobs, "finish_reason": finish}]}

    yield event({"role": "assistant"})
    for token in _tokens(reply.text):
        yield event({"content": token}, token)
    if reply.refusal is not None:
        yield event({"refusal": reply.refusal})
    yield event({}, finish=reply.finish)
    if reply.usage is not None:
        yield frame | {"choices": []} | _usage(reply)


def _usage(reply: Reply) -> dict[str, Any]:
    if reply.usage is None:
        return {}
    prompt, completion = reply.usage
    tokens = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return {"usage": tokens}


def _tokens(text: str | None) -> list[str]:
    """Words with the space before them."""
    return re.findall(r"\s*\S+|\s+$", text or "")


def _logprobs(tokens: list[str], body: dict[str, Any]) -> dict[str, Any] | None:
    """If asked for: each token at -0.1, and below it as many others as it takes, the k-th at -k - 2."""
    if not body.get("logprobs"):
        return None
    others = [(f"other{k}", -k - 2.0) for k in range(1, body.get("top_logprobs") or 0)]
    content = []
    for token in tokens:
        ranked = [{"token": t, "logprob": value, "bytes": list(t.encode())} for t, value in [(token, -0.1), *others]]
        content.append(ranked[0] | {"top_logprobs": ranked if body.get("top_logprobs") else []})
    return {"content": content, "refusal": None}
