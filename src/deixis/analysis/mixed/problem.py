"""What a search for the lowest deviance asks of a model."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from deixis.analysis.mixed.crossed import Floats

Found = TypeVar("Found")


@dataclass
class Mode(Generic[Found]):
    """The random effects' mode at given parameters."""

    parameters: Floats
    effects: Floats
    """û, in units of the standard deviations, ``(levels,)``."""
    deviance: float
    found: Found
    """What the model keeps for the derivatives."""


@dataclass(frozen=True)
class Derivatives:
    """Exact derivatives of the deviance."""

    gradient: Floats
    hessian: Floats
    effects: Floats
    """How û changes with each parameter, ``(parameters, levels)``."""


class Problem(Protocol[Found]):
    """A deviance with its derivatives."""

    size: int

    def mode(self, parameters: Floats, effects: Floats, accuracy: float) -> Mode[Found] | None:
        """Find û from a first guess; nothing where the likelihood is not finite.

        ``accuracy`` is how much log-likelihood one more step of û may still gain.
        """

    def derivatives(self, mode: Mode[Found]) -> Derivatives:
        """Return the exact derivatives at a mode."""
