"""What runs on a worker of a cluster: one participant, loaded once, that answers the blocks it is sent."""

import pickle
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from deixis import __version__
from deixis.errors import DeixisError
from deixis.participants.api import Draw
from deixis.participants.participant import Abilities, Participant
from deixis.records import AnswerMode, Prompt, Response

Build = Callable[[Draw | None], Participant]
"""Builds the participant on a worker, with pictures from the function given."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a worker says of the participant it has loaded."""

    id: str
    """Its id."""
    abilities: Abilities
    """What it can do."""
    identity: Mapping[str, str]
    """What makes it this very participant."""
    version: str
    """The worker's deixis."""
    host: str
    """Name of the worker's machine."""
    machine: str
    """Its id in the cluster."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a participant could not be loaded or had to end, as the worker says it."""

    told: str
    """The message."""
    host: str
    """The worker's machine."""


class Worker:
    """What runs on a worker: a participant, loaded at the first word and kept."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._pictures: Mapping[str, bytes] = {}
        self._participant: Participant | None = None

    def known(self) -> Known | Failed:
        """Load the participant and say what it is."""
        try:
            loaded = self._loaded()
        except DeixisError as error:
            return Failed(str(error), socket.gethostname())
        except Exception as error:  # noqa: BLE001  (an engine may fail in any way; the driver tells it in one line)
            return Failed(f"{type(error).__name__}: {error}", socket.gethostname())
        import ray  # noqa: PLC0415  (an extra)

        machine = ray.get_runtime_context().get_node_id()
        return Known(loaded.id, loaded.abilities, dict(loaded.identity), __version__, socket.gethostname(), machine)

    def answers(self, block: bytes) -> list[Response] | Failed:
        """Answer a block of questions; one that breaks the engine is errored, and the others are answered."""
        prompts, self._pictures, mode = pickle.loads(block)  # noqa: S301  (the driver's own)
        try:
            loaded = self._loaded()
        except DeixisError as error:
            return Failed(str(error), socket.gethostname())
        try:
            return list(loaded.respond(prompts, mode))
        except DeixisError as error:
            return Failed(str(error), socket.gethostname())
        except Exception:  # noqa: BLE001
            return [self._alone(loaded, prompt, mode) for prompt in prompts]

    def _alone(self, loaded: Participant, prompt: Prompt, mode: AnswerMode) -> Response:
        try:
            return next(iter(loaded.respond([prompt], mode)))
        except Exception as error:  # noqa: BLE001
            return Response(prompt.trial_id, error=f"{type(error).__name__}: {error}")

    def _loaded(self) -> Participant:
        if self._participant is None:
            self._participant = self._build(self._picture)
        return self._participant

    def _picture(self, key: str) -> bytes:
        return self._pictures[key]
