"""A server that is killed (-9) under load: every answer that was acknowledged is there, and none twice."""

import http.client
import json
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from deixis.study.database import reading
from deixis.study.database.opening import open_database
from tests.study.web.serving import Server

MANY, KILLS = 8, 3


class Client(threading.Thread):
    """Takes part again and again as somebody new, and remembers what was acknowledged."""

    def __init__(self, port: int, number: int) -> None:
        super().__init__(daemon=True)
        self.port, self.number = port, number
        self.acknowledged: dict[tuple[str, str], int] = {}
        self.going = True

    def run(self) -> None:
        turn = 0
        while self.going:
            turn += 1
            with suppress(OSError, http.client.HTTPException, ValueError, KeyError):
                self.take_part(f"{self.number}-{turn}")
            time.sleep(0.01)

    def take_part(self, name: str) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)) as connection:
            self._through(connection, name)

    def _through(self, connection: http.client.HTTPConnection, name: str) -> None:
        connection.request("GET", f"/?PROLIFIC_PID={name}&STUDY_ID=s&SESSION_ID={name}")
        came = connection.getresponse()
        came.read()
        token = came.headers["location"].rpartition("/")[2]

        def call(what: str, **sent: Any) -> Any:
            connection.request("POST", f"/api/{token}/{what}", json.dumps({"page": "page", **sent}))
            return json.loads(connection.getresponse().read())

        call("state")
        code = call("step", step="consent")["code"]
        state = call("step", step="practised")
        for place, item in enumerate(item for item in state["timeline"] if item["type"] == "trial"):
            choice = (place + self.number) % 4
            answer = {"key": item["key"], "choice": choice, "rt_ms": 500, "input": "key"}
            for key in call("answers", answers=[answer])["stored"]:
                self.acknowledged[code, key] = choice


def test_what_was_acknowledged_is_there(tmp_path: Path, library: None) -> None:
    server = Server(tmp_path)
    server.start()
    clients = [Client(server.port, number) for number in range(MANY)]
    for one in clients:
        one.start()
    for _ in range(KILLS):
        time.sleep(1.5)
        server.kill()
        server.start()
    time.sleep(0.5)
    for one in clients:
        one.going = False
    for one in clients:
        one.join(10)
    server.kill()
    database = open_database(server.database)
    stored = [((one.person, one.answer.key), one.answer.choice) for one in database.read(reading.answers)]
    database.close()
    assert len(stored) == len(dict(stored))
    acknowledged = {key: choice for one in clients for key, choice in one.acknowledged.items()}
    assert len(acknowledged) > 100
    assert {key: dict(stored).get(key) for key in acknowledged} == acknowledged
