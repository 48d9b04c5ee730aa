"""Answers stored a second by one server process with full durability, and how long one takes with many people at once.

    python -m benchmarks.study_load [--people N] [--seconds S]

The client runs beside the server on the same cores, over real connections. First as fast as 64 connections can: answers
a second, with the writer that commits whatever has queued up, and with one commit a request. Then people who each
answer every 5.6 seconds: the time from sending to being told that it is stored. Then the server is killed, and
everything acknowledged is looked for.
"""

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tests.study.studies import manifest, plan

from deixis.study.database import people, reading, writer
from deixis.study.database.opening import open_database
from deixis.study.manifest import BlockPage, Manifest, Stimulus
from deixis.study.server.app import application
from deixis.study.server.serving import listening, run
from deixis.study.server.timeline import Course

TRIALS, EVERY, CONNECTIONS = 400, 5.6, 64
LIST = "1"


def large() -> Manifest:
    """One list of many trials, so that nobody runs out of them."""
    small = manifest()
    keys = tuple(f"trial/{number}" for number in range(TRIALS))
    shown = Stimulus("scene-choice", ("a", "b", "c", "d"))
    block = BlockPage("Whose", "scene-choice", "possessive", "", "", (), ())
    return replace(
        small,
        blocks={"possessive": block},
        lists={LIST: {"possessive": keys}},
        stimuli=dict.fromkeys(keys, shown),
    )


def serve(path: Path, port: int, most: int) -> None:
    """Serve until killed, with at most so many changes in one commit."""
    writer.MOST = most
    database = open_database(path)
    course = Course(replace(plan(), people=10**6, idle_minutes=600, max_minutes=600), large(), {})
    app = application(course, database, {}.__getitem__, preview="p", researcher="r", consent_sha256="")
    run(app, listening("127.0.0.1", port))


def prepared(path: Path, many: int) -> list[str]:
    """Return the tokens of people who have got their list."""
    database = open_database(path)

    def change(connection: object) -> list[str]:
        tokens = []
        for _ in range(many):
            one = people.arrive(connection, database.now, "live")  # type: ignore[arg-type]
            people.consent(connection, database.now, one.token, "c")  # type: ignore[arg-type]
            people.own(connection, database.now, one.token, people.Visit("page"))  # type: ignore[arg-type]
            people.assign(connection, database.now, one.token, [LIST], 10**6, 0, "2100")  # type: ignore[arg-type]
            tokens.append(one.token)
        return tokens

    found = database.write(change)
    database.close()
    return found


class Person:
    """One connection, one answer after another."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token, self.number, self.acknowledged = port, token, 0, 0

    async def open(self) -> None:
        """Connect."""
        self._in, self._out = await asyncio.open_connection("127.0.0.1", self.port)

    async def answer(self) -> float:
        """Send one answer; return the seconds until it was said to be stored."""
        one = {"key": f"trial/{self.number}", "choice": 1, "rt_ms": 900.5, "input": "mouse", "size": [1280, 800]}
        body = json.dumps({"page": "page", "answers": [one]}).encode()
        head = (
            f"POST /api/{self.token}/answers HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\n\r\n"
        )
        start = time.perf_counter()
        self._out.write(head.encode() + body)
        told = await self._in.readuntil(b"\r\n\r\n")
        length = int(next(line[15:] for line in told.lower().split(b"\r\n") if line.startswith(b"content-length:")))
        text = await self._in.readexactly(length)
        assert told.startswith(b"HTTP/1.1 200"), told
        assert one["key"] in text.decode(), text
        self.number += 1
        self.acknowledged += 1
        return time.perf_counter() - start

    def close(self) -> None:
        """Hang up."""
        self._out.close()


async def closed(port: int, tokens: list[str], seconds: float) -> tuple[float, int]:
    """Return answers a second where each connection answers as soon as it can, and how many were acknowledged."""
    crowd = [Person(port, token) for token in tokens[:CONNECTIONS]]
    for one in crowd:
        await one.open()
    start = time.perf_counter()

    async def busy(one: Person) -> None:
        while time.perf_counter() - start < seconds and one.number < TRIALS:
            await one.answer()

    await asyncio.gather(*map(busy, crowd))
    spent = time.perf_counter() - start
    for one in crowd:
        one.close()
    count = sum(one.acknowledged for one in crowd)
    return count / spent, count


async def open_loop(port: int, tokens: list[str], seconds: float) -> tuple[list[float], int]:
    """Return the time of every answer of people who answer every 5.6 seconds, and how many were acknowledged."""
    crowd = [Person(port, token) for token in tokens]
    for one in crowd:
        await one.open()
    times: list[float] = []
    start = time.perf_counter()

    async def calm(place: int, one: Person) -> None:
        due = start + EVERY * place / len(crowd)
        while due < start + seconds:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            times.append(await one.answer())
            due += EVERY

    await asyncio.gather(*(calm(place, one) for place, one in enumerate(crowd)))
    for one in crowd:
        one.close()
    return sorted(times), sum(one.acknowledged for one in crowd)


def measured(most: int, many: int, seconds: float, *, people_too: bool) -> None:
    """Start a server, load it, print what it did, and count what is stored."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.db"
        tokens = prepared(path, many)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "benchmarks.study_load", "--serve", str(path), str(port), str(most)]
        server = subprocess.Popen(command)
        try:
            while True:
                with closing(socket.socket()) as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            rate, acknowledged = asyncio.run(closed(port, tokens, seconds))
            RATES[most] = rate
            how = "in groups" if most > 1 else "one commit a request"
            print(f"  {rate:,.0f} answers a second over {CONNECTIONS} connections, {how}")
            if people_too:
                times, more = asyncio.run(open_loop(port, tokens[CONNECTIONS:], 6 * EVERY))
                acknowledged += more
                told = "  ".join(
                    f"{share:.0%} {1000 * times[int(share * (len(times) - 1))]:.1f} ms" for share in (0.5, 0.95, 0.99)
                )
                print(f"  {many - CONNECTIONS:,} people, one answer every {EVERY} s each: {told}")
        finally:
            server.kill()
            server.wait()
        database = open_database(path)
        stored = len(database.read(reading.answers))
        database.close()
        print(f"  killed, then counted: {acknowledged:,} acknowledged, {stored:,} stored, {acknowledged - stored} lost")


RATES: dict[int, float] = {}


def main() -> None:
    """Measure, or serve for the measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--serve", nargs=3, metavar=("DB", "PORT", "MOST"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve(Path(asked.serve[0]), int(asked.serve[1]), int(asked.serve[2]))
        return
    print(f"one process, SQLite, every commit synced; the client on the same {os.cpu_count()} cores")
    measured(256, asked.people + CONNECTIONS, asked.seconds, people_too=True)
    measured(1, CONNECTIONS, asked.seconds, people_too=False)
    print(f"  in groups: {RATES[256] / RATES[1]:.1f} times one commit a request")


if __name__ == "__main__":
    main()
