"""Many machines: one participant's questions spread by Ray over workers, each of which holds that participant.

The driver is the machine where the run was started. It alone reads and writes the run folder and draws the pictures,
which travel with the questions, so a worker needs nothing but the package and the model. A worker is a Ray actor that
loads its participant once and keeps it for the whole run, whatever the number of conditions.
"""

import os
import pickle
import socket
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from typing import Any

from deixis import __version__
from deixis.errors import ParticipantError, Unfinished, UsageError
from deixis.participants.api import Draw
from deixis.records import AnswerMode, Prompt, Response
from deixis.runs.worker import Build, Failed, Known, Worker

BLOCK = 32
"""How many questions travel together, at most."""
AHEAD = 2
"""Blocks that a worker has before it, so that it never waits for the next."""
_RESTARTS = 1
"""How often a worker that dies is begun again for the same questions."""
_PATIENCE = 5.0
"""Seconds until an address counts as dead."""
_PATROL = 10.0
"""Seconds without any answer after which lost machines are looked for."""
_DRAWN = 512
"""Pictures kept by the driver, some 10 kB each."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run's questions are answered, if not in this process."""

    address: str | None
    """Address of a Ray cluster; without one, a local Ray is started."""
    workers: int | None
    """How many workers; by default one a GPU, or one a machine for what uses none."""


def read_place(on: str | None, workers: int | None) -> Place | None:
    """Read ``--on``: ``ray`` or ``ray:ADDRESS``. Raises :class:`UsageError` for anything else."""
    if on is None:
        if workers is not None:
            raise UsageError(f"--workers {workers} needs --on ray, which they belong to")
        return None
    kind, colon, address = on.partition(":")
    if kind != "ray" or (colon and not address):
        raise UsageError(f"--on {on!r} is no place to run on; give ray, or ray:ADDRESS such as ray:10.0.0.1:6379")
    if workers is not None and workers < 1:
        raise UsageError(f"--workers {workers} cannot work; give 1 or more")
    if cluster_state() != "installed":
        raise UsageError(f"--on {on} needs the package ray; {cluster_state()}")
    return Place(address or None, workers)


def cluster_state() -> str:
    """Return whether the package is there, and how to get it."""
    return "installed" if find_spec("ray") else "pip install 'deixis[cluster]'"


@dataclass(frozen=True, slots=True)
class Share:
    """How a cluster is divided between workers."""

    workers: int
    """How many there are."""
    gpus: int
    """GPUs of each."""
    threads: int | None
    """Threads of each, where several are on one machine; else an engine's own choice."""


class Cluster:
    """A Ray cluster that is connected to."""

    def __init__(self, place: Place) -> None:
        self._ray = _connected(place)
        self._place = place

    def leave(self) -> None:
        """Let go of it; a Ray that was started here ends."""
        self._ray.shutdown()

    def share(self, *, on_gpu: bool) -> Share:
        """Return how the cluster is divided; raises :class:`UsageError` for more workers than it can hold."""
        has = self._ray.cluster_resources()
        cores, gpus = int(has.get("CPU", 0)), int(has.get("GPU", 0)) if on_gpu else 0
        machines = sum(node["Alive"] for node in self._ray.nodes())
        workers = self._place.workers or gpus or machines
        room, what = (gpus, "GPUs") if gpus else (cores, "CPU cores")
        if workers > room:
            raise UsageError(f"{workers} workers are more than the cluster has {what} ({room}); give --workers {room}")
        return Share(workers, gpus // workers, max(1, cores // workers) if workers > machines else None)

    def participant(self, name: str, build: Build, draw: Draw | None, share: Share) -> "Spread":
        """Load a participant on every worker, which has ``share`` of the cluster.

        Raises :class:`ParticipantError` where it cannot be loaded on a worker, or where workers disagree about what
        they loaded.
        """
        actor = self._ray.remote(Worker).options(
            num_cpus=1,
            num_gpus=share.gpus,
            scheduling_strategy="SPREAD",
            max_restarts=-1,
            max_task_retries=_RESTARTS,
        )
        return Spread(self._ray, name, [actor.remote(build) for _ in range(share.workers)], draw)


class Spread:
    """A participant that is many: the same one on every worker."""

    def __init__(self, ray: Any, name: str, actors: Sequence[Any], draw: Draw | None) -> None:
        self._ray = ray
        self._actors = list(actors)
        self._draw = draw and lru_cache(maxsize=_DRAWN)(draw)
        self._machines: dict[Any, str] = {}
        try:
            one = self._agreed(name)
        except BaseException:
            self.close()
            raise
        self.id = one.id
        self.abilities = one.abilities
        self.identity = one.identity

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        """Yield answers as blocks of them come back; what a lost worker had before it goes to the others."""
        size = min(BLOCK, max(1, -(-len(prompts) // (len(self._actors) * 2 * AHEAD))))
        blocks = _blocks(prompts, size)
        again: deque[Sequence[Prompt]] = deque()
        asked: dict[Any, tuple[Any, Sequence[Prompt], int]] = {}
        load: Counter[Any] = Counter()
        while True:
            for actor in self._actors * AHEAD:
                room = AHEAD if again else 1  # what comes again may kill its worker, so nothing waits behind it
                if load[actor] + room <= AHEAD and (block := again.popleft() if again else next(blocks, ())):
                    asked[actor.answers.remote(self._packed(block, mode))] = (actor, block, room)
                    load[actor] += room
            if not asked:
                return
            ready, _ = self._ray.wait(list(asked), timeout=_PATROL)
            if not ready:
                self._without_lost_machines()
            for pending in ready:
                actor, block, room = asked.pop(pending)
                load[actor] -= room
                answers = self._got(pending, block, lost=actor not in self._actors)
                if isinstance(answers, deque):
                    again.extend(answers)
                else:
                    yield from answers

    def close(self) -> None:
        """Let the workers go."""
        for actor in self._actors:
            self._ray.kill(actor)

    def _packed(self, block: Sequence[Prompt], mode: AnswerMode) -> bytes:
        """Return questions as they travel, with their pictures."""
        shown = {key for prompt in block for key in (prompt.picture, *(shot.picture for shot in prompt.examples))}
        draw = self._draw
        pictures = {} if draw is None else {key: draw(key) for key in shown if key is not None}
        return pickle.dumps((block, pictures, mode))

    def _got(self, pending: Any, block: Sequence[Prompt], *, lost: bool) -> list[Response] | deque[Sequence[Prompt]]:
        """Return the answers to a block, or what is to be asked again.

        A block goes on whole from a machine that is lost, and question by question where its worker died each time:
        the one that kills it ends as an error.
        """
        try:
            answers = self._ray.get(pending)
        except self._ray.exceptions.RayError as error:
            if lost:
                return deque([block])
            if len(block) > 1:
                return deque((prompt,) for prompt in block)
            return [Response(block[0].trial_id, error=f"the worker died over this question: {_line(error)}")]
        if isinstance(answers, Failed):
            raise ParticipantError(f"{self.id!r} failed on the worker {answers.host}: {answers.told}")
        found: list[Response] = answers
        return found

    def _without_lost_machines(self) -> None:
        """Go on without the workers of machines that are gone; raises :class:`Unfinished` where none is left."""
        alive = {node["NodeID"] for node in self._ray.nodes() if node["Alive"]}
        for actor in [actor for actor in self._actors if self._machines[actor] not in alive]:
            self._ray.kill(actor)
            self._actors.remove(actor)
        if not self._actors:
            raise Unfinished(f"every machine that held {self.id!r} is gone; the same command goes on")

    def _agreed(self, name: str) -> Known:
        """Return what every worker says it has loaded; they have to say the same."""
        first: Known | None = None
        for actor, pending in [(actor, actor.known.remote()) for actor in self._actors]:
            try:
                said = self._ray.get(pending)
            except self._ray.exceptions.RayError as error:
                raise ParticipantError(f"{name!r} could not be loaded, a worker died over it: {_line(error)}") from None
            if isinstance(said, Failed):
                raise ParticipantError(f"{name!r} could not be loaded on the worker {said.host}: {said.told}")
            if said.version != __version__:
                raise ParticipantError(
                    f"the worker {said.host} has deixis {said.version} and this machine {__version__}; install the same"
                )
            self._machines[actor] = said.machine
            first = first or said
            if (said.id, said.identity) != (first.id, first.identity):
                raise ParticipantError(
                    f"{name!r} is not the same everywhere: {first.host} has {dict(first.identity)}, {said.host} has "
                    f"{dict(said.identity)}; give every worker the same files"
                )
        assert first is not None, "there is at least one worker"  # noqa: S101
        return first


def _blocks(prompts: Iterable[Prompt], size: int) -> Iterator[Sequence[Prompt]]:
    """Yield neighbours together, so that what they share is read once; taken only when they are asked."""
    rest = iter(prompts)
    while block := tuple(islice(rest, size)):
        yield block


@contextmanager
def on(place: Place | None) -> Iterator[Cluster | None]:
    """Be connected to a cluster, where one is asked for."""
    if place is None:
        yield None
        return
    cluster = Cluster(place)
    try:
        yield cluster
    finally:
        cluster.leave()


def _connected(place: Place) -> Any:
    """Connect to a cluster or start one here; raises :class:`UsageError` where nobody answers."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".*")  # it talks on stdout; what matters is told here
    import ray  # noqa: PLC0415  (heavy, and an extra)

    if place.address is not None:
        _knock(place.address)
    try:
        ray.init(
            address=place.address or "local",
            log_to_driver=False,
            logging_level="error",
            configure_logging=True,
            **({} if place.address else {"include_dashboard": False}),
        )
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise UsageError(
            f"no Ray cluster could be used at {place.address or 'this machine'!r}: {_line(error)}"
        ) from None
    return ray


def _knock(address: str) -> None:
    """Raise :class:`UsageError` where nobody listens at an address, which Ray itself would try for a minute."""
    if address in {"auto", "local"}:
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise UsageError(f"{address!r} is no address of a Ray cluster; give HOST:PORT, ray://HOST:PORT or auto")
    try:
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise UsageError(
            f"nobody answers at {address!r} ({error}); start Ray there with 'ray start --head', or give another address"
        ) from None


def _line(error: BaseException) -> str:
    """The first line of an error that has something to say."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)[:300]
