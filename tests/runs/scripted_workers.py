"""Participants that workers of a cluster load: scripted ones, and ones that die, break or differ."""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from deixis.errors import ParticipantError
from deixis.participants.api import Draw
from deixis.participants.participant import Abilities
from deixis.records import AnswerMode, Prompt, Response


@dataclass
class Remote:
    """Takes an option by a hash of the prompt and tells which process did."""

    draw: Draw | None = None
    dies_at: str = ""
    """The trial over which its process is killed …"""
    once: Path | None = None
    """… the first time only, which this file remembers."""
    breaks_at: str = ""
    """The trial over which it raises an error nobody expects."""
    makes: str = "none"
    """What it says it is made of."""
    pause: float = 0.0
    """Seconds before every answer."""

    id = "test:remote"
    abilities = Abilities(pictures=True)

    @property
    def identity(self) -> dict[str, str]:
        return {"weights": self.makes}

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        for prompt in prompts:
            time.sleep(self.pause)
            if prompt.trial_id == self.dies_at and not (self.once and self.once.exists()):
                if self.once:
                    self.once.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            if prompt.trial_id == self.breaks_at:
                raise ZeroDivisionError("the engine broke")
            seen = sha256(self.draw(prompt.picture)).hexdigest() if prompt.picture and self.draw else ""
            option = prompt.options[sha256(prompt.user.encode()).digest()[0] % len(prompt.options)]
            yield Response(prompt.trial_id, text=f"The answer is {option}.", finish="stop", model=seen)

    def close(self) -> None: ...


@dataclass(frozen=True)
class Recipe:
    """Builds one on a worker."""

    dies_at: str = ""
    once: Path | None = None
    breaks_at: str = ""
    fault: str = ""
    pause: float = 0.0

    def __call__(self, draw: Draw | None) -> Remote:
        if self.fault == "refused":
            raise ParticipantError("no file 'weights.gguf' here; put it there")
        if self.fault == "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.fault == "strange":
            raise ZeroDivisionError("the driver of the GPU is too old")
        makes = str(os.getpid()) if self.fault == "differs" else "none"
        return Remote(draw, self.dies_at, self.once, self.breaks_at, makes, self.pause)
