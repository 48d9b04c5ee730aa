"""How the tokens of an answer are drawn: each answer has random numbers of its own, whatever else is in its batch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the tokens of one answer are drawn."""

    temperature: float | None = None
    """0 or ``None``: always the likeliest."""
    seed: int = 0


class Noise:
    """Draws tokens: the likeliest after each logit got noise of the Gumbel distribution.

    That is the same as drawing by probability, and each answer has a generator of its own, so that no answer depends
    on which others are in its batch.
    """

    def __init__(self, sampling: Sequence[Sampling]) -> None:
        import torch  # noqa: PLC0415

        self._rows = {
            row: (one.temperature, torch.Generator().manual_seed(one.seed))
            for row, one in enumerate(sampling)
            if one.temperature
        }

    def __bool__(self) -> bool:
        return bool(self._rows)

    def __call__(self, _tokens: Any, scores: Any) -> Any:
        """Return the logits with each row's noise, at its temperature; a row without one as it is."""
        import torch  # noqa: PLC0415

        found = scores.float().clone()
        for row, (temperature, generator) in self._rows.items():
            noise = -torch.empty(found.shape[1]).exponential_(generator=generator).log()
            found[row] = found[row] / temperature + noise.to(found.device)
        return found
