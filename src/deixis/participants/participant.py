"""What every participant offers: an id, what it can do, and answers to prompts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from deixis.errors import ParticipantError
from deixis.records import AnswerMode, Prompt, Response


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a participant can do; asked before a run starts, never found out after it."""

    text: bool = True
    """Reads text and answers with text."""
    pictures: bool = False
    """Sees pictures."""
    logprobs: bool = False
    """Gives log-probabilities of its tokens."""
    choose: bool = False
    """Answers by forced choice over the options."""
    constrained: bool = False
    """Writes text that can be nothing but one of the options."""


class Participant(Protocol):
    """Anything that answers prompts."""

    @property
    def id(self) -> str:
        """Its name in tables, such as ``strategy:oracle``."""

    @property
    def abilities(self) -> Abilities:
        """What it can do."""

    @property
    def identity(self) -> Mapping[str, str]:
        """What makes it this very participant: hashes and versions, kept in the signature."""

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        """Yield one response a prompt, in any order; a failure on one prompt is a response with ``error``."""

    def close(self) -> None:
        """Let go of what it holds."""


def check_abilities(name: str, abilities: Abilities, mode: AnswerMode, prompts: Iterable[Prompt]) -> None:
    """Raise :class:`ParticipantError` where a participant cannot do what these prompts need."""
    if mode is AnswerMode.CHOOSE and not abilities.choose:
        raise ParticipantError(
            f"{name!r} gives no log-probabilities, so it cannot be asked with --answer choose; use --answer generate"
        )
    if mode is AnswerMode.CONSTRAINED and not abilities.constrained:
        raise ParticipantError(f"{name!r} cannot be held to the options; use --answer generate")
    if mode is AnswerMode.GENERATE and not abilities.text:
        raise ParticipantError(f"{name!r} writes no text; use --answer choose")
    if not abilities.pictures and any(map(_shows, prompts)):
        raise ParticipantError(f"{name!r} sees no pictures; ask it conditions without one, such as picture-none")


def _shows(prompt: Prompt) -> bool:
    return any(picture is not None for picture in (prompt.picture, *(example.picture for example in prompt.examples)))
