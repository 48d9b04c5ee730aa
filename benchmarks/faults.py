"""A run of 10,000 questions where three in ten meet trouble at the provider: nothing lost, doubled or scored as wrong.

    python -m benchmarks.faults [--trials 10000] [--rate 0.3]

A scripted chat server, a process of its own, gives 429 with and without Retry-After, 500, 502 (in bursts too) and 503,
replies that come too late, slowly or not to their end, broken JSON, empty answers, answers cut at nothing, refusals,
filtered ones, models that do not exist, and the key in an error. The run goes through the real loop. Afterwards every
trial is held against what was to become of it, and every file and all that was logged is searched for the key; then
the same command goes on at a server that is well. Exits with 1 where anything is not as it should be.
"""

import argparse
import math
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from multiprocessing.connection import Connection
from pathlib import Path

from tests.participants.chat_server import ChatServer, Received, Reply
from tests.participants.troubled import Troubled, ask, cut, findings, hurried

from deixis.experiments.experiment import Design

NAMES = ("possessive", "demonstrative", "vocabulary")
WHOLE = 6144
"""Trials of each."""


class Forgetful:
    """Lets go of what it was sent once it has looked at it."""

    def __init__(self, trouble: Troubled) -> None:
        self._trouble = trouble

    def __call__(self, received: Received, attempt: int) -> Reply:
        """Behave as the trouble does."""
        reply = self._trouble(received, attempt)
        received.pictures.clear()
        received.body.pop("messages")
        return reply


def serve(trouble: Troubled, line: Connection) -> None:
    """Tell the address, serve until told to stop, and tell how many requests came."""
    with ChatServer(Forgetful(trouble)) as server:
        line.send(server.url)
        line.recv()
        line.send(len(server.requests))


@contextmanager
def served(trouble: Troubled, counts: list[int]) -> Iterator[str]:
    """Serve in a process of its own; afterwards ``counts`` holds how many requests came."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=serve, args=(trouble, there))
    process.start()
    try:
        yield here.recv()
        here.send("stop")
        counts.append(here.recv())
        process.join()
    finally:
        process.terminate()


def parts(trials: int) -> list[Design]:
    """Return so many trials of the three tasks, in equal parts."""
    each = math.ceil(min(trials, len(NAMES) * WHOLE) / len(NAMES))
    return [cut(name, "main", min(each, trials - each * place)) for place, name in enumerate(NAMES)]


def asked(trouble: Troubled, designs: list[Design], out: Path, log: Path, connections: int) -> tuple[int, float]:
    """Ask all that remains; return how many requests came and how many seconds it took."""
    counts: list[int] = []
    said = log.with_suffix(".said")
    with served(trouble, counts) as url, hurried(url, log), said.open("a", encoding="utf-8") as file:
        start = time.perf_counter()
        with redirect_stdout(file), redirect_stderr(file):
            ask(designs, out, connections)
        took = time.perf_counter() - start
    with log.open("a", encoding="utf-8") as whole:
        whole.write(said.read_text(encoding="utf-8"))
    return counts[0], took


def main() -> None:
    """Ask twice, check and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--rate", type=float, default=0.3)
    parser.add_argument("--connections", type=int, default=16)
    given = parser.parse_args()
    designs, trouble = parts(given.trials), Troubled(given.rate)
    for design in designs:
        assert design.data
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with tempfile.TemporaryDirectory() as folder:
        out, log = Path(folder) / "run", Path(folder) / "log"
        requests, took = asked(trouble, designs, out, log, given.connections)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        found = findings(designs, out, log, trouble)
        again, _ = asked(Troubled(0.0), designs, out, log, given.connections)
        healed = findings(designs, out, log, trouble, healed=True)
    total, errored = sum(found.outcomes.values()), found.outcomes["errored"]
    print(f"{total:,} trials, {requests:,} requests, {found.retries:,} of them retries that led to an answer")
    print(f"outcomes: {_told(found.outcomes)}")
    print(f"errors: {_told(found.reasons)}")
    print(f"the same command again: {again:,} requests; then {_told(healed.outcomes)}")
    print(f"{took:,.0f} s, {total / took:,.0f} trials/s; peak memory {after:,.0f} MiB ({before:,.0f} before the run)")
    wrong = [*found.wrong, *healed.wrong]
    wrong += [f"{total} of {given.trials} trials"] * (total != given.trials)
    wrong += [f"{again} requests for {errored} that had ended in an error"] * (again < errored)
    wrong += ["errors are left"] * (healed.outcomes["errored"] > 0)
    for fault in wrong[:20]:
        print(f"WRONG: {fault}")
    print("all as it should be" if not wrong else f"{len(wrong):,} things are not as they should be")
    raise SystemExit(bool(wrong))


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items(), key=lambda pair: -pair[1])) or "none"


if __name__ == "__main__":
    main()
