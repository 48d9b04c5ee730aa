"""The manifest: everything that participants' pages show, and nothing of what is right.

A stimulus is known by a *key*, never by the id of its trial, which says who speaks and who looks: ``trial/`` and
sixteen digits of a hash for a trial, ``practice/BLOCK/1`` and ``check/BLOCK/1`` for the others. Keys stand in
alphabetical order, so that no order of theirs says anything either. Which key is which trial: ``trials_of`` in
``trials.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Self

from deixis.scenes.drawing.signs import BLINK
from deixis.seeds import generator

VERSION = 1
"""Of the form of the file."""
CYCLES = 4
"""How often a gaze line comes and goes before it stays."""
SCALE: Mapping[str, Any] = {"low": "not at all likely", "high": "very likely", "points": 7}
"""The ends of the rating scale, and how many points it has."""
TRIAL, PRACTICE, CHECK = "trial", "practice", "check"
"""The parts of a study that a stimulus can belong to; its key begins with it."""


@dataclass(frozen=True, slots=True)
class Stimulus:
    """What a page shows of one trial."""

    kind: str
    """``scene-choice``, ``text-choice`` or ``scene-rating``."""
    options: tuple[str, ...]
    """What can be chosen, or rated, in the order shown."""
    picture: str | None = None
    """File of the picture, without its gaze line: the SHA-256 of its bytes and ``.svg``."""
    gaze: tuple[int, int, int, int] | None = None
    """The gaze line from (x, y) to (x, y), in the pixels of the picture."""
    size: tuple[int, int] | None = None
    """Width and height of the picture."""
    title: str = ""
    """The picture's text alternative."""
    passage: str = ""
    """The text to read, of a text choice."""
    question: str = ""
    """The question on it."""
    prompt: str = ""
    """What stands above it instead of the block's own prompt."""
    labels: tuple[str, ...] = ()
    """What the objects to rate are called in the picture."""
    check: bool = False
    """Whether it is an attention check."""


@dataclass(frozen=True, slots=True)
class BlockPage:
    """What pages show of a block."""

    title: str
    kind: str
    experiment: str
    instructions: str
    """HTML."""
    prompt: str
    """What stands above every trial."""
    practice: tuple[str, ...] = ()
    """Keys."""
    checks: tuple[str, ...] = ()
    """Keys."""


@dataclass(frozen=True, slots=True)
class Arm:
    """What a person is assigned to: a list of trials and an order of blocks."""

    list: str
    order: str
    several: bool = False
    """Whether the study has several orders, so that the arm's id names its own."""

    @property
    def id(self) -> str:
        """Its id, such as ``1/V-P-D``, or ``1`` where there is one order."""
        return f"{self.list}/{self.order}" if self.several else self.list


@dataclass(frozen=True)
class Manifest:
    """A whole study as pages need it."""

    study: str
    """Id of the study."""
    title: str
    design: str
    protocol: str
    language: str
    minutes: float
    practice: int
    """Practice trials a block."""
    blocks: Mapping[str, BlockPage]
    orders: Mapping[str, tuple[str, ...]]
    """Id of an order to its blocks."""
    lists: Mapping[str, Mapping[str, tuple[str, ...]]]
    """List and block to the keys of its trials."""
    stimuli: Mapping[str, Stimulus]
    """Key to what is shown."""
    consent: str
    """HTML."""
    debriefing: str
    """HTML."""
    researcher: str = ""
    contact: str = ""
    design_sha256: str = ""
    """Hash of plan, texts and manifest: what was declared before launch."""
    blink: Mapping[str, int] = field(default_factory=lambda: {**asdict(BLINK), "cycles": CYCLES})
    scale: Mapping[str, Any] = field(default_factory=lambda: dict(SCALE))

    @cached_property
    def arms(self) -> tuple[Arm, ...]:
        """Every list with every order, lists first."""
        return tuple(Arm(name, order, len(self.orders) > 1) for name in self.lists for order in self.orders)

    def arm(self, name: str) -> Arm:
        """Return the arm with an id; raises :class:`KeyError` where there is none."""
        return self._by_id[name]

    @cached_property
    def _by_id(self) -> Mapping[str, Arm]:
        return {arm.id: arm for arm in self.arms}

    def trials_of(self, arm: Arm) -> tuple[tuple[str, str], ...]:
        """Return block and key of every trial of an arm, without checks, in no person's order."""
        return tuple((block, key) for block in self.orders[arm.order] for key in self.lists[arm.list][block])

    def order_of(self, arm: Arm, seed: int, code: str) -> tuple[tuple[str, str], ...]:
        """Return block and key of what one person answers, in its order: the blocks of the arm, shuffled within.

        Attention checks stand at fixed places of a block: two of them after a third and two thirds.
        """
        chance = generator(seed, code)
        found: list[tuple[str, str]] = []
        for block in self.orders[arm.order]:
            keys = list(self.lists[arm.list][block])
            chance.shuffle(keys)
            found += [(block, key) for key in _with_checks(keys, self.blocks[block].checks)]
        return tuple(found)

    def to_json(self) -> dict[str, Any]:
        """Return it as the file has it."""
        return {
            "version": VERSION,
            "study": self.study,
            "title": self.title,
            "study_info": {"researcher": self.researcher, "contact": self.contact},
            "design": self.design,
            "protocol": self.protocol,
            "design_sha256": self.design_sha256,
            "language": self.language,
            "minutes": self.minutes,
            "practice": self.practice,
            "blink": dict(self.blink),
            "scale": dict(self.scale),
            "blocks": {name: _plain(block) for name, block in self.blocks.items()},
            "orders": {name: list(order) for name, order in self.orders.items()},
            "lists": {name: {b: list(keys) for b, keys in parts.items()} for name, parts in self.lists.items()},
            "stimuli": {key: _shown(stimulus) for key, stimulus in sorted(self.stimuli.items())},
            "consent": self.consent,
            "debriefing": self.debriefing,
        }

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> Self:
        """Return what :meth:`to_json` gave; raises :class:`KeyError` or :class:`TypeError` for anything else."""
        same = ("study", "title", "design", "protocol", "design_sha256", "language", "minutes", "practice")
        return cls(
            **{name: entry[name] for name in (*same, "consent", "debriefing", "blink", "scale")},
            **entry["study_info"],
            blocks={name: BlockPage(**_tuples(block)) for name, block in entry["blocks"].items()},
            orders=_tuples(entry["orders"]),
            lists={name: _tuples(parts) for name, parts in entry["lists"].items()},
            stimuli={key: Stimulus(**_tuples(one)) for key, one in entry["stimuli"].items()},
        )


def part_of(key: str) -> str:
    """Return which part of a study a key belongs to: ``trial``, ``practice`` or ``check``."""
    return key.partition("/")[0]


def _with_checks(keys: Sequence[str], checks: Sequence[str]) -> list[str]:
    found = list(keys)
    for number, check in enumerate(checks):
        found.insert(int(len(keys) * (number + 1) / (len(checks) + 1) + 0.5) + number, check)
    return found


_ALWAYS = ("picture", "gaze", "size", "title")


def _shown(stimulus: Stimulus) -> dict[str, Any]:
    return {name: value for name, value in _plain(stimulus).items() if value or name in _ALWAYS}


def _plain(record: Any) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(record).items()}


def _tuples(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
