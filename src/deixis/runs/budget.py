"""What a run may spend, in questions and dollars: once it is spent nothing new is asked, what is under way is kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

from deixis.errors import UsageError
from deixis.records import Prompt, Response
from deixis.runs.costs import Price, runs_here, table_price


@dataclass
class Budget:
    """How much is left, counted as answers come."""

    max_trials: int | None = None
    """Answers that a run may bring, at most."""
    max_cost: float | None = None
    """US dollars that it may cost, about: questions under way when they are spent are answered."""
    price: Price | None = None
    """The price that overrides the table."""
    trials: int = 0
    """Questions begun."""
    spent: float = 0.0
    """US dollars that the answers so far have cost."""

    def check(self, names: Sequence[str]) -> None:
        """Raise :class:`UsageError` for a limit that is none, or one in dollars for a model of unknown price."""
        if self.max_trials is not None and self.max_trials < 1:
            raise UsageError(f"--max-trials {self.max_trials} asks nothing; give 1 or more")
        if self.max_cost is not None and not self.max_cost > 0:
            raise UsageError(f"--max-cost {self.max_cost:g} asks nothing; give US dollars above 0")
        if self.max_cost is None:
            return
        unknown = next((name for name in names if not runs_here(name) and self.price_of(name) is None), None)
        if unknown is not None:
            raise UsageError(f"what {unknown!r} costs is not known, so --max-cost cannot hold; give --price IN,OUT")

    def price_of(self, name: str) -> Price | None:
        """Return what a participant's tokens cost, if it is known; what runs here costs nothing."""
        return None if runs_here(name) else self.price or table_price(name)

    def paid(self, name: str, response: Response) -> Response:
        """Count an answer, and return it with what it cost, where that is known."""
        price = self.price_of(name)
        if price is None or not response.usage:
            return response
        read, written = (response.usage.get(part, 0) for part in ("input_tokens", "output_tokens"))
        cost = (read * price.input + written * price.output) / 1_000_000
        self.spent += cost
        return replace(response, cost=round(cost, 8))

    @property
    def left(self) -> bool:
        """Whether another question may be asked."""
        enough = self.max_trials is None or self.trials < self.max_trials
        return enough and (self.max_cost is None or self.spent < self.max_cost)

    @property
    def told(self) -> str:
        """What was spent, in words."""
        return f"{self.trials} questions" + (f", ${self.spent:.4f}" if self.spent else "")


class Rationed(Sequence[Prompt]):
    """Prompts that come to an end when the budget does."""

    def __init__(self, prompts: Sequence[Prompt], budget: Budget) -> None:
        self._prompts = prompts
        self._budget = budget

    def __iter__(self) -> Iterator[Prompt]:
        """Yield prompts while something is left."""
        for prompt in self._prompts:
            if not self._budget.left:
                return
            self._budget.trials += 1
            yield prompt

    def __len__(self) -> int:
        """Return how many there are if the budget allows all."""
        return len(self._prompts)

    @overload
    def __getitem__(self, index: int) -> Prompt: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Prompt]: ...
    def __getitem__(self, index: int | slice) -> Prompt | Sequence[Prompt]:
        """Return single prompts, whatever is left."""
        return self._prompts[index]
