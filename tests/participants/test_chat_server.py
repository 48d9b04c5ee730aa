"""The chat server that tests ask: each behaviour as seen through ``http.client``."""

import base64
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPResponse, IncompleteRead, RemoteDisconnected
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.participants.chat_server import (
    Behave,
    ChatServer,
    Received,
    Reply,
    dropped,
    empty,
    faulty,
    filtered,
    malformed,
    not_found,
    null_length,
    rate_limited,
    refused,
    server_error,
    unsupported,
)

OPTIONS = 'Take it from here. Respond with ONLY ONE SENTENCE from "I prefer mine", "I prefer yours".'


class Client:
    """One connection, kept open."""

    def __init__(self, server: ChatServer) -> None:
        self.connection = HTTPConnection(urlsplit(server.url).netloc, timeout=10)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def send(self, content: object = "hello", /, **body: object) -> HTTPResponse:
        body = {"model": "toy", "messages": [{"role": "user", "content": content}], **body}
        return self.post(json.dumps(body))

    def post(self, body: str, path: str = "/v1/chat/completions") -> HTTPResponse:
        self.connection.request("POST", path, body, {"Authorization": "Bearer secret"})
        return self.connection.getresponse()

    def ask(self, content: object = "hello", /, **body: object) -> Any:
        return json.loads(self.send(content, **body).read())

    def choice(self, content: object = "hello", /, **body: object) -> Any:
        return self.ask(content, **body)["choices"][0]


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer() as server:
        yield server


def always(reply: Reply) -> Behave:
    return lambda received, attempt: reply


def answered(reply: Reply, **body: object) -> tuple[int, dict[str, str], bytes]:
    with ChatServer(always(reply)) as server, Client(server) as client:
        response = client.send(**body)
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()


def choice(reply: Reply, **body: object) -> Any:
    return json.loads(answered(reply, **body)[2])["choices"][0]


def error(reply: Reply) -> Any:
    return json.loads(answered(reply)[2])["error"]


def picture(content: bytes) -> dict[str, object]:
    return {"type": "image_url", "image_url": {"url": "data:image/png;base64," + base64.b64encode(content).decode()}}


def test_answer_has_the_format(server: ChatServer) -> None:
    with Client(server) as client:
        found = client.ask(OPTIONS)
    assert abs(found.pop("created") - time.time()) < 10
    message = {"role": "assistant", "content": "I prefer mine", "refusal": None}
    assert found == {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "model": "toy",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105},
    }


def test_text_without_options_is_answered_ok(server: ChatServer) -> None:
    with Client(server) as client:
        assert client.choice("hello from me")["message"]["content"] == "ok"


def test_request_is_kept(server: ChatServer) -> None:
    files = [bytes(range(256)) * 1000, b"\x89PNG"]
    before = time.monotonic()
    system = {"role": "system", "content": "Be kind."}
    shot = [{"role": "user", "content": "One?"}, {"role": "assistant", "content": "Yes."}]
    parts = [{"type": "text", "text": "Two?"}, *map(picture, files), {"type": "text", "text": "Say."}]
    messages = [system, *shot, {"role": "user", "content": parts}]
    with Client(server) as client:
        client.ask(messages=messages, seed=3)
    (kept,) = server.requests
    assert (kept.number, kept.text, kept.system) == (0, "One?\nTwo?\nSay.", "Be kind.")
    assert kept.pictures == files
    assert kept.body == {"model": "toy", "messages": messages, "seed": 3}
    assert kept.headers["authorization"] == "Bearer secret"
    assert before <= kept.at <= time.monotonic()


def test_attempts_count_by_text_and_pictures() -> None:
    with ChatServer(lambda received, attempt: Reply(str(attempt))) as server, Client(server) as client:
        one, two = ([{"type": "text", "text": "a"}, picture(content)] for content in (b"1", b"2"))
        said = [client.choice(asked)["message"]["content"] for asked in ("a", one, "a", two, "b", one, "a")]
    assert said == ["0", "0", "1", "0", "0", "1", "2"]
    assert [kept.number for kept in server.requests] == list(range(7))


@pytest.mark.parametrize(
    ("path", "status"), [("/chat/completions?v=1", 200), ("/x/chat/completions", 200), ("/v1", 404)]
)
def test_path(server: ChatServer, path: str, status: int) -> None:
    with Client(server) as client:
        response = client.post('{"messages": []}', path)
        response.read()
        assert response.status == status
    assert len(server.requests) == (status == 200)


def test_only_post(server: ChatServer) -> None:
    with Client(server) as client:
        client.connection.request("GET", "/v1/chat/completions")
        response = client.connection.getresponse()
        assert (response.status, json.loads(response.read())["error"]["message"]) == (405, "not allowed: 'GET'")


@pytest.mark.parametrize("body", ["{", "[]", "{}", '{"messages": [{"role": "user", "content": [1]}]}'])
def test_what_is_no_chat_request_is_a_400_on_a_connection_that_lives(server: ChatServer, body: str) -> None:
    with Client(server) as client:
        response = client.post(body)
        assert response.status == 400
        assert json.loads(response.read())["error"]["type"] == "invalid_request_error"
        client.ask()
    assert len(server.requests) == 1


def test_what_is_no_http_is_a_400(server: ChatServer) -> None:
    with Client(server) as client:
        client.connection.connect()
        client.connection.sock.sendall(b"hello\r\n\r\n")
        assert client.connection.sock.makefile("rb").read().startswith(b"HTTP/1.1 400 Bad Request\r\n")


def test_chunked_request_and_continue(server: ChatServer) -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "hello"}]}).encode()
    with Client(server) as client:
        headers = {"Transfer-Encoding": "chunked", "Expect": "100-continue"}
        halves = iter([body[:20], body[20:]])
        client.connection.request("POST", "/v1/chat/completions", halves, headers, encode_chunked=True)
        assert client.connection.getresponse().status == 200
    assert server.requests[0].text == "hello"


@pytest.mark.parametrize("asked", [True, False])
def test_connection_closes_when_either_side_says_so(asked: bool) -> None:
    close = {"Connection": "close"}
    body = json.dumps({"messages": []})
    with (
        ChatServer(always(Reply(headers={} if asked else {"Connection": "close"}))) as server,
        Client(server) as client,
    ):
        client.connection.connect()
        sock = client.connection.sock
        client.connection.request("POST", "/v1/chat/completions", body, close if asked else {})
        assert b"HTTP/1.1 200 OK" in sock.makefile("rb").read()


def test_logprobs_if_asked() -> None:
    found = choice(Reply("I prefer mine"), logprobs=True, top_logprobs=3)["logprobs"]["content"]
    assert [step["token"] for step in found] == ["I", " prefer", " mine"]
    assert [entry["logprob"] for entry in found[1]["top_logprobs"]] == [-0.1, -3.0, -4.0]
    assert found[1]["bytes"] == list(b" prefer")
    assert choice(Reply("mine"), logprobs=True)["logprobs"]["content"][0]["top_logprobs"] == []


def test_reply_says_model_finish_and_usage() -> None:
    found = json.loads(answered(Reply("x", finish="length", model="toy-2026", usage=(7, 2)))[2])
    assert (found["model"], found["choices"][0]["finish_reason"]) == ("toy-2026", "length")
    assert found["usage"] == {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
    assert "usage" not in json.loads(answered(Reply("x", usage=None))[2])


def test_reply_says_status_headers_and_body() -> None:
    reply = Reply(status=529, headers={"X-A": "1", "Content-Type": "text/plain"}, body=b"raw")
    status, headers, body = answered(reply, stream=True)
    assert (status, headers["x-a"], headers["content-type"], body) == (529, "1", "text/plain", b"raw")
    assert error(Reply("too bad", status=500))["message"] == "too bad"


def streamed(reply: Reply, **body: object) -> list[Any]:
    _, headers, found = answered(reply, stream=True, **body)
    assert headers["content-type"] == "text/event-stream"
    *events, last, nothing = found.decode().split("\n\n")
    assert (last, nothing) == ("data: [DONE]", "")
    return [json.loads(event.removeprefix("data: ")) for event in events]


def test_stream() -> None:
    *events, usage = streamed(Reply("I prefer mine \n", refusal="no"), logprobs=True)
    assert {event["object"] for event in events} == {"chat.completion.chunk"}
    choices = [event["choices"][0] for event in events]
    assert choices[0]["delta"] == {"role": "assistant"}
    assert "".join(choice["delta"].get("content", "") for choice in choices) == "I prefer mine \n"
    assert [choice["logprobs"]["content"][0]["token"] for choice in choices[1:3]] == ["I", " prefer"]
    assert choices[-2]["delta"] == {"refusal": "no"}
    assert [choice["finish_reason"] for choice in choices] == [None] * (len(choices) - 1) + ["stop"]
    assert (usage["choices"], usage["usage"]["total_tokens"]) == ([], 105)


def test_stream_of_nothing() -> None:
    events = streamed(Reply(None, finish="length", usage=None))
    assert [event["choices"][0]["delta"] for event in events] == [{"role": "assistant"}, {}]


def test_error_to_a_stream_is_json() -> None:
    status, headers, body = answered(server_error(503), stream=True)
    assert (status, headers["content-type"]) == (503, "application/json")
    assert json.loads(body)["error"]["type"] == "server_error"


@pytest.mark.parametrize(("seconds", "header"), [(None, None), (0.01, "0.01"), (2, "2")])
def test_rate_limited(seconds: float | None, header: str | None) -> None:
    status, headers, body = answered(rate_limited(seconds))
    assert (status, headers.get("retry-after")) == (429, header)
    assert json.loads(body)["error"]["code"] == "rate_limit_exceeded"


def test_server_errors() -> None:
    assert answered(server_error(500))[0] == 500
    status, headers, body = answered(server_error(502))
    assert (status, headers["content-type"], body[:6]) == (502, "text/html", b"<html>")


def test_dropped_before_the_first_byte_and_within_the_body() -> None:
    with pytest.raises(RemoteDisconnected):
        answered(dropped())
    with pytest.raises(IncompleteRead):
        answered(dropped(200))
    with pytest.raises(IncompleteRead):
        answered(Reply("I prefer mine", drop=200, trickle=0.001))


def test_malformed() -> None:
    status, _, body = answered(malformed())
    assert status == 200
    with pytest.raises(json.JSONDecodeError):
        json.loads(body)


@pytest.mark.parametrize(
    ("reply", "content", "finish", "refusal"),
    [
        (empty(), "", "stop", None),
        (null_length(), None, "length", None),
        (refused("I can't."), None, "stop", "I can't."),
        (filtered(), None, "content_filter", None),
    ],
)
def test_no_answer(reply: Reply, content: str | None, finish: str, refusal: str | None) -> None:
    found = choice(reply)
    assert found["message"] == {"role": "assistant", "content": content, "refusal": refusal}
    assert found["finish_reason"] == finish


def test_not_found() -> None:
    assert answered(not_found("toy"))[0] == 404
    assert error(not_found("toy"))["code"] == "model_not_found"


def test_unsupported() -> None:
    assert answered(unsupported("temperature"))[0] == 400
    assert error(unsupported("temperature")) == {
        "message": "Unsupported parameter: 'temperature' is not supported with this model.",
        "type": "invalid_request_error",
        "param": "temperature",
        "code": "unsupported_parameter",
    }
    assert error(unsupported("max_tokens", "Use 'b'."))["message"].endswith("with this model. Use 'b'.")


def test_delay_and_latency_add_up() -> None:
    def latency(number: int) -> float:
        return 0.05 * number

    with ChatServer(always(Reply(delay=0.05)), latency) as server, Client(server) as client:
        client.ask()
        start = time.monotonic()
        client.ask()
        assert 0.1 <= time.monotonic() - start < 1


def test_trickle_comes_bit_by_bit() -> None:
    with ChatServer(always(Reply("I prefer mine", trickle=0.01))) as server, Client(server) as client:
        start = time.monotonic()
        response = client.send()
        first = time.monotonic() - start
        assert json.loads(response.read())["choices"][0]["message"]["content"] == "I prefer mine"
        assert time.monotonic() - start > max(first, 0.1)
        assert len(streamed(Reply("I prefer mine", trickle=0.001))) == 6


def received(text: str, *pictures: bytes) -> Received:
    return Received(0, {}, {}, text, "", list(pictures), 0.0)


def test_faults_are_seeded_transient_and_of_every_kind() -> None:
    texts = [f"{number}: {OPTIONS}" for number in range(1000)]
    replies = [[faulty(0.3, 1)(received(text), attempt) for attempt in range(3)] for text in texts]
    right = Reply("I prefer mine")
    at_fault = [sum(reply[attempt] != right for reply in replies) for attempt in range(3)]
    assert 250 < at_fault[0] < 350
    assert 0.2 < at_fault[1] / at_fault[0] < 0.4
    assert at_fault[2] == 0
    kinds = Counter(
        (reply[0].status, reply[0].drop, bool(reply[0].headers), reply[0].body is None) for reply in replies
    )
    assert len(kinds) == 8
    assert faulty(0.3, 1)(received(texts[5]), 0) == replies[5][0]


def test_faults_depend_on_seed_and_picture() -> None:
    def faults(seed: int, *pictures: bytes) -> list[Reply]:
        return [faulty(0.5, seed)(received(str(number), *pictures), 0) for number in range(50)]

    assert faults(1) == faults(1)
    assert faults(1) != faults(2)
    assert faults(1) != faults(1, b"picture")


def test_many_connections_at_once() -> None:
    def twenty_five(thread: int) -> list[str]:
        with Client(busy) as client:
            asked = (f'{thread} {number} from "{thread}-{number}"' for number in range(25))
            return [client.choice(text)["message"]["content"] for text in asked]

    with ChatServer() as busy, ThreadPoolExecutor(20) as pool:
        said = list(pool.map(twenty_five, range(20)))
    assert said == [[f"{thread}-{number}" for number in range(25)] for thread in range(20)]
    assert [kept.number for kept in busy.requests] == list(range(500))


def test_stop_closes_waiting_and_idle_connections_and_ends_the_thread() -> None:
    before = threading.active_count()
    server = ChatServer(lambda received, attempt: Reply(delay=60 * (received.text == "wait")))
    with Client(server) as idle, Client(server) as waiting, Client(server) as silent, ThreadPoolExecutor(1) as pool:
        silent.connection.connect()
        idle.ask()
        reply = pool.submit(waiting.ask, "wait")
        while len(server.requests) < 2:
            time.sleep(0.001)
        server.stop()
        server.stop()
        with pytest.raises(ConnectionError):
            reply.result(5)
        with pytest.raises(ConnectionError):
            idle.ask()
    assert threading.active_count() == before
    with pytest.raises(ConnectionRefusedError), Client(server) as late:
        late.ask()


def test_client_that_never_reads_does_not_hold_up_stop() -> None:
    start = time.monotonic()
    with ChatServer(always(Reply(body=b"x" * 20_000_000))) as server, Client(server) as client:
        client.post('{"messages": []}')
    assert time.monotonic() - start < 2


def test_what_behave_raises_is_raised_by_stop() -> None:
    def behave(received: Received, attempt: int) -> Reply:
        raise KeyError(received.text)

    server = ChatServer(behave)
    with Client(server) as client, pytest.raises(RemoteDisconnected):
        client.ask()
    with pytest.raises(KeyError, match="hello"):
        server.stop()
