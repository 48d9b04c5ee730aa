"""What the database holds, as records. All times are UTC, as ISO strings that sort as they follow."""

from dataclasses import dataclass, field
from typing import Any

MODES = ("live", "test", "simulated")
"""Who somebody is: a participant, whoever looks at a preview, or a robot; only those of one mode count together."""
ARRIVED, CONSENTED, ACTIVE, COMPLETE = "arrived", "consented", "active", "complete"
DECLINED, FULL, LEFT, WITHDRAWN, EXPIRED = "declined", "full", "left", "withdrawn", "expired"
STATUSES = (ARRIVED, CONSENTED, ACTIVE, COMPLETE, DECLINED, FULL, LEFT, WITHDRAWN, EXPIRED)
"""How far somebody is, or how it ended."""
ENDED = (DECLINED, FULL, LEFT, WITHDRAWN)
"""Statuses after which nothing is answered any more."""


@dataclass(frozen=True, slots=True)
class Person:
    """One participant; who it is outside of the study stands in a table of its own."""

    code: str
    """Random, and all that the data know of somebody."""
    token: str
    """Secret, in the link that comes back to the same place."""
    mode: str
    status: str
    arm: str = ""
    """List and order of blocks; empty before the practice is done."""
    seed: int = 0
    consent_sha256: str = ""
    """Of the text consented to."""
    page_id: str = ""
    """The page that was opened last, which alone goes on."""
    arrived_at: str = ""
    consented_at: str = ""
    assigned_at: str = ""
    lease_until: str = ""
    """Until when the place is held."""
    completed_at: str = ""
    """When all answers were there."""
    ended_at: str = ""
    """When the last page was reached, or when it ended otherwise."""
    loads: int = 0
    webdriver: int = 0
    """1 where the browser says that a program drives it; a signal, never a reason."""
    touch: int = 0
    size: str = ""
    """Width and height of the window, ``WxH``."""
    motion: str = ""
    """``reduce`` or ``any``."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer as a page sent it, checked."""

    key: str
    choice: int | None = None
    ratings: tuple[int, ...] = ()
    rt_ms: float = 0.0
    presentation: int = 1
    """How often the trial had been shown."""
    order: int = 0
    """Its place among what the person was asked."""
    input: str = ""
    client_ms: float = 0.0
    """The clock of the browser; for diagnosis only."""
    hidden_ms: float = 0.0
    blurs: int = 0
    trusted: bool = True
    travel_px: float = 0.0
    size: str = ""
    motion: str = ""
    loads: int = 1

    @property
    def said(self) -> str:
        """What was chosen or rated, as it is stored."""
        return ",".join(map(str, self.ratings)) if self.ratings else "" if self.choice is None else str(self.choice)


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """One answer as it was stored."""

    person: str
    """Code."""
    part: str
    """``practice``, ``trial`` or ``check``."""
    block: str
    answer: Answer
    server_at: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in the order it did."""

    person: str
    at: str
    kind: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Launched:
    """The study as it was when it was first served."""

    id: str
    design_sha256: str
    plan: str
    """What was declared, as JSON."""
    launched_at: str
    closed_at: str = ""
    preview: str = ""
    """Token of the preview."""
    researcher: str = ""
    """Token of the researcher's page."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of answers that were sent."""

    stored: tuple[str, ...] = ()
    """Keys of those that are safe, those included that were there before."""
    refused: dict[str, str] = field(default_factory=dict)
    """Key to why."""
    owner: bool = True
    """Whether the page that sent them is the one that goes on."""
    status: str = ""
