"""What an experiment is: its factors, its settings by protocol, and how trials and prompts come about."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from deixis.errors import UsageError
from deixis.experiments.contrasts import PLANNED, Contrast
from deixis.experiments.settings import Setting, Settings, settled
from deixis.records import Prompt, Trial
from deixis.scenes.drawing.artwork import Artwork
from deixis.scenes.picture import Picture
from deixis.store import table_hash, table_lines

Pair = tuple[Trial, Prompt]
"""A trial and what a participant gets of it."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Under which condition, protocol and settings trials are built."""

    condition: str = "main"
    """Condition, such as ``main``."""
    protocol: str = "corrected"
    """``published``, ``described`` or ``corrected``."""
    seed: int = 0
    """Seed of what is drawn: subsets, orders of objects, chance, sampling."""
    items: Path | None = None
    """A file of items instead of the bank, where the experiment takes one."""
    settings: Settings = field(default_factory=dict)
    """Named settings: those given, or, in a design, all that have a say."""


@dataclass(frozen=True)
class Design:
    """The trial table of one experiment under one condition and protocol, with its prompts."""

    experiment: str
    """Name of the experiment."""
    setup: Setup
    """How it was built, every setting with its value."""
    source: str
    """Where the items come from: ``bank``, the name of a file, or the pictures of objects."""
    pairs: Callable[[], Iterator[Pair]]
    """Yields every trial with its prompt, in an order that never changes; may be called again."""
    notes: tuple[str, ...] = ()
    """What was found about the items, for a reader."""
    draw: Callable[[str], bytes] | None = None
    """From a prompt's picture to a PNG file, where there are pictures."""
    find: Callable[[str], Pair | None] | None = None
    """From an id to its trial without building the others, where an id says enough."""
    seen: Callable[[str], Picture | None] | None = None
    """From an id to what is seen in its picture, without making it, where there are pictures."""
    art: Artwork | None = None
    """The drawings of objects in the pictures, where there are any."""
    alone: Callable[[], Iterator[Trial]] | None = None
    """Yields the trials without their prompts, where making the pictures of prompts takes time."""
    trial: Callable[[str], Trial | None] | None = None
    """What ``find`` finds, without its prompt."""

    @property
    def condition(self) -> str:
        """Its condition."""
        return self.setup.condition

    @property
    def protocol(self) -> str:
        """Its protocol."""
        return self.setup.protocol

    @property
    def seed(self) -> int:
        """Its seed."""
        return self.setup.seed

    @cached_property
    def _table(self) -> tuple[tuple[Trial, ...], tuple[Prompt, ...]]:
        pairs = tuple(self.pairs())
        return tuple(trial for trial, _ in pairs), tuple(prompt for _, prompt in pairs)

    @property
    def trials(self) -> tuple[Trial, ...]:
        """The trials, all at once."""
        return self._table[0]

    def bare(self) -> tuple[Trial, ...]:
        """Return the trials as :attr:`trials` has them, without making what only prompts need."""
        return self.trials if self.alone is None else tuple(self.alone())

    @property
    def prompts(self) -> tuple[Prompt, ...]:
        """One prompt a trial, in the same order."""
        return self._table[1]

    def forget(self) -> None:
        """Let go of trials and prompts; they are built anew where they are asked for again."""
        vars(self).pop("_table", None)

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
            **self.setup.settings,
            "data": self.data,
            "seed": self.seed,
        }


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The best accuracy that one channel of a condition allows, by exact enumeration."""

    channel: str
    """``text``, ``picture`` or ``both``: what a participant uses; the options are known in each."""
    ceiling: float
    """The best accuracy there is."""
    facts: tuple[str, ...]
    """What the channel gives."""


@dataclass(frozen=True)
class Experiment:
    """One experiment: what is asked, what is predicted, what varies, and how it is built."""

    name: str
    """Its name on the command line."""
    question: str
    """What it asks, in one line."""
    prediction: str
    """What a participant who knows the words does; written before any run."""
    factors: tuple[str, ...]
    """Every factor of a trial."""
    cells: tuple[str, ...]
    """The factors whose crossing makes the cells of a table."""
    conditions: tuple[str, ...]
    """Its conditions, the main one first."""
    readers: Mapping[str, str]
    """Protocol to the reader of its answers; the keys are the protocols it knows."""
    build: Callable[[Setup], Design]
    """Build the trial table; the settings are complete."""
    ceilings: Callable[[Setup], tuple[Ceiling, ...]]
    """What text, picture and both allow; a channel that is not there has no ceiling."""
    usual: tuple[str, ...] = ()
    """The conditions that are run where none is named; by default the main one."""
    knows: Callable[[str, str], tuple[Setting, ...]] = field(default=lambda _condition, _protocol: ())
    """``knows(condition, protocol)``: the settings that have a say there."""
    takes_items: bool = False
    """Whether it can be asked with a file of items."""
    only: Mapping[str, str] = field(default_factory=dict)
    """Conditions that belong to one protocol alone, with that protocol."""
    rated: bool = False
    """Whether options are rated, which people do; models are not asked."""

    @property
    def planned(self) -> tuple[Contrast, ...]:
        """The comparisons planned before any run."""
        return PLANNED[self.name]

    @property
    def asked(self) -> tuple[str, ...]:
        """The conditions that are run where none is named."""
        return self.usual or self.conditions[:1]

    def conditions_of(self, protocol: str) -> tuple[str, ...]:
        """Return the conditions that a protocol has."""
        return tuple(name for name in self.conditions if self.only.get(name, protocol) == protocol)

    def setup(
        self,
        items: Path | None = None,
        condition: str = "main",
        protocol: str = "corrected",
        seed: int = 0,
        settings: Settings | None = None,
    ) -> Setup:
        """Complete what is asked with defaults. ``settings`` that have no say in this condition are left aside.

        Raises :class:`UsageError` for a condition or protocol it does not have, or for items where it takes none.
        """
        if condition not in self.conditions:
            raise UsageError(f"{self.name} has no condition {condition!r}; there is {', '.join(self.conditions)}")
        if protocol not in self.readers:
            raise UsageError(f"{self.name} has no protocol {protocol!r}; there is {', '.join(self.readers)}")
        if condition not in self.conditions_of(protocol):
            raise UsageError(f"{condition!r} is of the {self.only[condition]} protocol, not of the {protocol} one")
        if items is not None and not self.takes_items:
            raise UsageError(f"{self.name} takes no file of items ({str(items)!r}); its objects are the setting 'art'")
        whole = settled(self.knows(condition, protocol), protocol, settings or {})
        return Setup(condition, protocol, seed, items, whole)

    def design(
        self,
        items: Path | None = None,
        condition: str = "main",
        protocol: str = "corrected",
        seed: int = 0,
        settings: Settings | None = None,
    ) -> Design:
        """Build the trial table of :meth:`setup`."""
        return self.build(self.setup(items, condition, protocol, seed, settings))

    def settled_design(
        self, items: Path | None, condition: str, protocol: str, seed: int, settings: Settings
    ) -> Design:
        """Build the trial table; raises :class:`UsageError` for a setting that changes nothing of it."""
        design = self.design(items, condition, protocol, seed, settings)
        idle = self.without_say(settings, (condition,), protocol)
        if idle:
            raise UsageError(
                f"the setting {min(idle)!r} changes nothing of {self.name}, {condition}, {protocol}; leave it out"
            )
        return design

    def without_say(self, given: Settings, conditions: Sequence[str], protocol: str) -> set[str]:
        """Return the names of the given settings that change nothing in any of the conditions."""
        known = {setting.name for condition in conditions for setting in self.knows(condition, protocol)}
        return set(given) - known
