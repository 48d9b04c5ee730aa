"""Many robots at once against the real server, in the time of a clock that they set.

They come ten a minute while places are free, as people do where a recruiter counts them, and a new one for each that
leaves. What is due within the same two seconds is sent side by side, so that the server is asked many things at once.
"""

import heapq
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from deixis.seeds import generator
from deixis.study.database.opening import Database
from deixis.study.database.records import Launched
from deixis.study.folder import Study
from deixis.study.robots.clock import VirtualClock
from deixis.study.robots.knowing import Knowing
from deixis.study.robots.line import Line
from deixis.study.robots.outcome import Outcome, outcome
from deixis.study.robots.robot import Robot
from deixis.study.server.serving import launch, links, serving

_AT_ONCE, _WINDOW = 16, 2.0
_A_MINUTE, _FULL = 10.0, 300.0
"""How many come, and how many seconds nobody comes after somebody found it full."""
_FAULTY, _DECLINING = 0.5, 0.03
"""Shares of robots with a fault, and of those that do not agree to take part."""


def simulate(
    study: Study,
    database: Database,
    clock: VirtualClock,
    *,
    people: int,
    dropout: float,
    faults: Sequence[str],
    seed: int,
    told: Callable[[int], None],
    opened: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Send robots through a study that takes ``people``, until so many have finished; ``told`` hears how many have.

    ``database`` is empty and goes by ``clock``; ``dropout`` is the share of those with a list that leaves in the
    middle; ``opened`` hears the address of the researcher's page, which is there while it lasts.
    """
    launched = launch(study, database)
    study = replace(study, plan=replace(study.plan, people=people))
    start = time.monotonic()
    with served(study, database, launched) as port, ThreadPoolExecutor(_AT_ONCE) as pool:
        opened(links(study, launched, f"http://127.0.0.1:{port}").researcher)
        crowd = _Crowd(study, port, clock, pool, people, dropout, tuple(faults), seed, told)
        crowd.go()
    return outcome(study.manifest, database, crowd.robots, crowd.now / 60, time.monotonic() - start)


@dataclass
class _Crowd:
    study: Study
    port: int
    clock: VirtualClock
    pool: ThreadPoolExecutor
    people: int
    dropout: float
    faults: tuple[str, ...]
    seed: int
    told: Callable[[int], None]
    robots: list[Robot] = field(default_factory=list)
    now: float = 0.0
    """Seconds since the start, by the study's clock."""

    def go(self) -> None:
        """Until as many as asked for have finished, or so many came that something has to be wrong."""
        self.knowing = Knowing(self.study.plan, self.seed)
        chance = generator(self.seed, "crowd/arrivals")
        ways: dict[int, Iterator[float]] = {}
        due: list[tuple[float, int]] = []
        coming, complete = 0.0, 0
        while True:
            wanted = len(due) + complete < self.people and len(self.robots) < 20 * self.people + 50
            if wanted and (not due or max(coming, self.now) <= due[0][0]):
                self._reach(coming)
                number = len(self.robots)
                self.robots.append(self._robot(number))
                ways[number] = self.robots[-1].take_part()
                heapq.heappush(due, (self.now, number))
                coming = self.now + chance.expovariate(_A_MINUTE) * 60
                continue
            if not due:
                return
            turn = [heapq.heappop(due)]
            while due and len(turn) < _AT_ONCE and due[0][0] <= turn[0][0] + _WINDOW:
                turn.append(heapq.heappop(due))
            self._reach(turn[-1][0])
            waits = self.pool.map(lambda one: next(ways[one[1]], None), turn)
            for (_, number), wait in zip(turn, waits, strict=True):
                if wait is not None:
                    heapq.heappush(due, (self.now + wait, number))
                    continue
                del ways[number]
                robot = self.robots[number]
                if robot.phase == "full":
                    coming = self.now + _FULL
                if robot.phase == "done":
                    complete += 1
                    self.told(complete)

    def _reach(self, seconds: float) -> None:
        self.now = max(self.now, seconds)
        self.clock.reach(self.now)

    def _robot(self, number: int) -> Robot:
        chance = generator(self.seed, f"crowd/{number}")
        fault = chance.choice(self.faults) if self.faults and chance.random() < _FAULTY else ""
        leaves, declines = chance.random() < self.dropout, chance.random() < _DECLINING
        line = Line("127.0.0.1", self.port)
        return Robot(line, number + 1, self.seed, self.study.plan, self.knowing, fault, leaves, declines)


@contextmanager
def served(study: Study, database: Database, launched: Launched) -> Iterator[int]:
    """Serve a study to robots on a free port of this machine, in a thread; gives the port."""
    import uvicorn  # noqa: PLC0415

    app = serving(study, database, launched, simulated=True)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, access_log=False, log_level="warning", timeout_keep_alive=75, lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield int(listening.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(10)
