"""Wall time of a run over an API, against the sum of the latencies divided by the connections.

    python -m benchmarks.api [--trials 2000] [--connections 16]

A scripted chat server on this machine answers after latencies drawn from a fixed list around 0.7 s. The ideal keeps
every connection busy all the time and costs no work; what is over it is the client's. Trials carry pictures.
"""

import argparse
import itertools
import os
import resource
import time

from tests.participants.chat_server import ChatServer

from deixis.experiments import experiment
from deixis.participants.api import Api, Client
from deixis.records import AnswerMode

LATENCIES = (0.41, 0.48, 0.52, 0.55, 0.58, 0.61, 0.64, 0.66, 0.69, 0.72, 0.76, 0.80, 0.85, 0.92, 1.05, 1.30)
"""Seconds; their mean is 0.72."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=16)
    asked = parser.parse_args()
    os.environ["SCRIPTED_API_KEY"] = "none"
    design = experiment("possessive").design(None, "main")
    prompts = design.prompts[: asked.trials]
    waits = list(itertools.islice(itertools.cycle(LATENCIES), len(prompts)))
    connections = asked.connections  # one number a process: the client keeps the first it was given
    with ChatServer(latency=lambda number: waits[number % len(waits)]) as server:
        os.environ["SCRIPTED_BASE_URL"] = server.url
        participant = Api("openai-api/scripted/model", design.draw, Client(connections))
        start, used = time.perf_counter(), time.process_time()
        answered = sum(answer.error is None for answer in participant.respond(prompts, AnswerMode.GENERATE))
        took, work = time.perf_counter() - start, time.process_time() - used
        participant.close()
    ideal = sum(waits) / connections
    each = 1000 * work / len(prompts)
    print(
        f"{answered:,} of {len(prompts):,} answered over {connections} connections in {took:.1f} s; ideal "
        f"{ideal:.1f} s; ratio {took / ideal:.2f}; {each:.0f} ms of CPU a call (with the server)"
    )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")


if __name__ == "__main__":
    main()
