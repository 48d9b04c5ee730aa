"""How a run over many workers grows: the driver's own speed, measured here, and a simulation with it.

    python -m benchmarks.cluster [--seconds 0.5] [--load 90] [--price 2.5] [--trials 150000]

Measured: questions a second that the driver can pack, send, take back and keep with two workers that answer at once,
against the same loop without a cluster in the same run. Simulated: ``--trials`` questions of ``--seconds`` each
(lognormal, so that some take twice as long) on 1 to 64 workers that need ``--load`` seconds to load a model; blocks as
they are really sent, one driver that handles one block at a time, a worker-hour at ``--price`` dollars. A worker is
paid from the start of the run to its end, as machines are.
"""

import argparse
import heapq
import random
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tests.runs.scripted import Quiet
from tests.runs.scripted_workers import Recipe, Remote

from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.participants.participant import Participant
from deixis.records import AnswerMode
from deixis.runs.cluster import AHEAD, BLOCK, Place, on
from deixis.runs.run import ask
from deixis.seeds import derived
from deixis.store import RunFolder

WORKERS = (1, 2, 4, 8, 16, 32, 64)
CONDITIONS = 36
"""Conditions of the whole paper, each of which would load the model anew if workers did not keep it."""


def main() -> None:
    """Measure, simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=150_000)
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds a question on one worker")
    parser.add_argument("--load", type=float, default=90.0, help="seconds to load the model")
    parser.add_argument("--price", type=float, default=2.5, help="dollars a worker-hour")
    asked = parser.parse_args()
    design = experiment("possessive").design(None, "main")
    assert design.draw is not None
    for key in {prompt.picture for prompt in design.prompts}:  # built and drawn once before the clock starts
        design.draw(str(key))
    here = taken(design, Remote(design.draw))
    with on(Place(None, 2)) as cluster:
        assert cluster is not None
        share = cluster.share(on_gpu=False)
        with closing(cluster.participant("test:remote", Recipe(), design.draw, share)) as remote:
            there = taken(design, remote)
    questions = len(design.prompts)
    print(f"driver, {questions:,} questions with pictures, answered at once by two workers:")
    print(f"  {questions / there:,.0f} a second; without a cluster {questions / here:,.0f}; ratio {here / there:.2f}")
    each = there / questions
    print(f"simulated: {asked.trials:,} questions, {asked.seconds:g} s each, {asked.load:g} s to load,", end=" ")
    print(f"{each * 1000:.2f} ms of the driver each, ${asked.price:g} a worker-hour")
    print("workers  hours  times faster  worker-hours  dollars  dollars if each condition loaded anew")
    alone = simulated(asked.trials, 1, asked.seconds, asked.load, each)
    for workers in WORKERS:
        seconds = simulated(asked.trials, workers, asked.seconds, asked.load, each)
        hours = seconds / 3600
        anew = (seconds + (CONDITIONS - 1) * asked.load) / 3600 * workers * asked.price
        print(
            f"{workers:7}  {hours:5.2f}  {alone / seconds:12.1f}  {hours * workers:12.2f}  "
            f"{hours * workers * asked.price:7.2f}  {anew:7.2f}"
        )


def taken(design: Design, participant: Participant) -> float:
    """Return the seconds that a run of one participant takes."""
    with tempfile.TemporaryDirectory() as folder:
        part = RunFolder(Path(folder)).design("possessive-main")
        part.keep(design.signature, design.notes, design.trials, design.prompts)
        start = time.perf_counter()
        turn = ask(part, design, participant, AnswerMode.GENERATE, None, Quiet())
        assert turn.new == len(design.prompts)
        return time.perf_counter() - start


def simulated(trials: int, workers: int, seconds: float, load: float, driver: float) -> float:
    """Return the seconds of a run.

    A worker gets its next block when one of the ``AHEAD`` it had is done; the driver handles blocks one by one.
    """
    drawn = random.Random(derived(0, f"cluster/{workers}"))  # noqa: S311
    sigma = 0.4
    size = min(BLOCK, max(1, -(-trials // (workers * 2 * AHEAD))))
    sizes = iter([min(size, trials - start) for start in range(0, trials, size)])
    free = [load] * workers
    """When each worker has worked off what it was sent."""
    driver_free = end = 0.0
    waiting = [(0.0, worker) for worker in list(range(workers)) * AHEAD]
    """When each place in front of a worker becomes empty."""
    heapq.heapify(waiting)
    for block in sizes:
        empty, worker = heapq.heappop(waiting)
        driver_free = max(driver_free, empty) + block * driver
        work = sum(drawn.lognormvariate(0, sigma) for _ in range(block)) * seconds / 2.718281828 ** (sigma**2 / 2)
        free[worker] = max(free[worker], driver_free) + work
        heapq.heappush(waiting, (free[worker], worker))
        end = max(end, free[worker])
    return end


if __name__ == "__main__":
    main()
