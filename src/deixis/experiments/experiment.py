"""What an experiment is: its factors, its settings by protocol, and how items become trials and prompts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from deixis.errors import UsageError
from deixis.records import Prompt, Trial
from deixis.store import table_hash, table_lines


@dataclass(frozen=True)
class Design:
    """The trial table of one experiment under one condition and protocol, with its prompts."""

    experiment: str
    """Name of the experiment."""
    condition: str
    """Condition, such as ``main``."""
    protocol: str
    """``published``, ``described`` or ``corrected``."""
    source: str
    """Where the items come from: ``bank`` or the name of a file."""
    seed: int
    """Seed of what is drawn: subsets, chance, sampling."""
    trials: tuple[Trial, ...]
    """The trials, in the order of the items."""
    prompts: tuple[Prompt, ...]
    """One prompt a trial, in the same order."""
    notes: tuple[str, ...] = field(default=())
    """What was found about the items, for a reader."""

    @cached_property
    def data(self) -> str:
        """Hash of trials and prompts as they are kept: the version of the data."""
        return table_hash(table_lines(self.trials, self.prompts))

    @property
    def signature(self) -> dict[str, str | int]:
        """What must be equal for answers to belong together."""
        return {
            "experiment": self.experiment,
            "condition": self.condition,
            "protocol": self.protocol,
            "items": self.source,
            "data": self.data,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class Experiment:
    """One experiment: what is asked, what grammar predicts, what varies, and how it is built."""

    name: str
    """Its name on the command line."""
    question: str
    """What it asks, in one line."""
    prediction: str
    """What a participant who follows the grammar does; written before any run."""
    factors: tuple[str, ...]
    """Every factor of a trial, the item last."""
    conditions: tuple[str, ...]
    """Its conditions, the main one first."""
    readers: Mapping[str, str]
    """Protocol to the reader of its answers; the keys are the protocols it knows."""
    build: Callable[[Path | None, str, str, int], Design]
    """``build(items, condition, protocol, seed)``; without a path, the items of the bank."""

    @property
    def cell_factors(self) -> tuple[str, ...]:
        """The factors whose crossing makes the cells of a table."""
        return tuple(factor for factor in self.factors if factor != "item")

    def design(self, items: Path | None, condition: str, protocol: str, seed: int) -> Design:
        """Build the trial table; raises :class:`UsageError` for a condition or protocol it does not have."""
        if condition not in self.conditions:
            raise UsageError(f"{self.name} has no condition {condition!r}; there is {', '.join(self.conditions)}")
        if protocol not in self.readers:
            raise UsageError(f"{self.name} has no protocol {protocol!r}; there is {', '.join(self.readers)}")
        return self.build(items, condition, protocol, seed)
