"""What is planned for: which trial tables, for whom, at which price and rate; every name and number checked."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from deixis.errors import UsageError
from deixis.experiments import experiment
from deixis.experiments.experiment import Pair, Setup
from deixis.experiments.settings import Settings
from deixis.experiments.subsets import subset
from deixis.participants.registry import check_name
from deixis.runs.costs import Bill, Price, read_price, runs_here, table_picture_tokens, table_price
from deixis.runs.counting import Count, count
from deixis.runs.session import TOUR, TOUR_TRIALS, check_fit

RATE = 60.0
"""Trials a minute where nothing is said: four questions at a time, four seconds each."""
_TASKS = ("vocabulary", "possessive", "demonstrative")
_QUICK = 128


@dataclass(frozen=True, slots=True)
class Plan:
    """What is planned for, with every default filled in."""

    about: str
    """What is asked, in words."""
    parts: tuple[tuple[str, str], ...]
    """Experiment and condition of every trial table."""
    setup: Setup
    """Protocol, seed and the settings given; the condition is that of each part."""
    limit: int | None
    """How many trials of a condition a model is asked, at most."""
    participants: tuple[str, ...]
    """Who is asked."""
    price: Price | None
    """The price that overrides the table."""
    picture_tokens: int | None
    """The tokens a picture that override the table."""
    rate: float
    """Trials a minute."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A set of conditions with a name."""

    about: str
    """What it asks, in words."""
    limit: int | None = None
    """How many trials of a condition it asks a model, at most."""
    whole: bool = False
    """Whether it is everything the paper ran, or the three main conditions."""

    def parts(self, protocol: str) -> list[tuple[str, str]]:
        """Return experiment and condition of everything it asks under a protocol."""
        if not self.whole:
            return [(name, "main") for name in _TASKS]
        return [
            (name, condition)
            for name in (*_TASKS, "checks")
            for condition in experiment(name).conditions_of(protocol)
            if condition != "people" and condition not in experiment(name).only
        ]


PRESETS: Mapping[str, Preset] = {
    "quick": Preset("the main conditions of vocabulary, possessive and demonstrative", limit=_QUICK),
    "main": Preset("the main conditions of vocabulary, possessive and demonstrative"),
    "paper": Preset(
        "all that the paper ran: every condition it has of the three tasks, with no or another picture too, and the "
        "checks; without the lists for people",
        whole=True,
    ),
}
"""The presets by name."""


def plan(
    *,
    experiments: Sequence[str] = (),
    participants: Sequence[str] = (),
    conditions: Sequence[str] = (),
    protocol: str = "corrected",
    settings: Settings | None = None,
    limit: int | None = None,
    preset: str | None = None,
    price: str | None = None,
    picture_tokens: int | None = None,
    rate: float = RATE,
    seed: int = 0,
) -> Plan:
    """Fill in what was left open, as a run does, and check every name and number.

    Raises :class:`UsageError` for what does not exist, does not fit or changes nothing, and
    :class:`~deixis.errors.ParticipantError` for a participant of this machine that there is not.
    """
    named = [*experiments, *(f"--condition {condition}" for condition in conditions)]
    if preset is not None and named:
        raise UsageError(f"--preset {preset} says what is asked; leave out {named[0]!r}")
    if preset is None and not experiments and not participants and limit is None:
        limit = TOUR_TRIALS
    if preset is not None:
        limit = PRESETS[preset].limit if limit is None else limit
        parts = PRESETS[preset].parts(protocol)
        about = f"preset {preset}: {PRESETS[preset].about}"
    else:
        several = [experiment(name) for name in dict.fromkeys(experiments or TOUR)]
        parts = [(found.name, one) for found in several for one in dict.fromkeys(conditions or found.asked)]
        about = ", ".join(dict.fromkeys(experiments)) or "as 'deixis run' with nothing named: indexicals"
    about += f"; {protocol} protocol"
    about += "" if limit is None else f"; at most {limit} trials a condition"
    setup = Setup("", protocol, seed, settings=settings or {})
    asked = tuple(dict.fromkeys(participants))
    _check_numbers(limit, picture_tokens, rate)
    _check_parts(parts, setup)
    _check_participants(asked)
    check_fit(asked, parts)
    override = None if price is None else read_price(price)
    if override is not None and asked and all(map(runs_here, asked)):
        raise UsageError(f"--price {price} changes nothing: {asked[0]!r} runs here and costs nothing; leave it out")
    return Plan(about, tuple(parts), setup, limit, asked, override, picture_tokens, rate)


def _check_numbers(limit: int | None, picture_tokens: int | None, rate: float) -> None:
    if limit is not None and limit < 1:
        raise UsageError(f"--limit {limit} asks nothing; give 1 or more")
    if picture_tokens is not None and picture_tokens < 1:
        raise UsageError(f"--picture-tokens {picture_tokens} is no number of tokens; give 1 or more")
    if not 0 < rate < math.inf:
        raise UsageError(f"--rate {rate:g} comes to no end; give the trials a minute, more than 0")


def _check_parts(parts: Sequence[tuple[str, str]], setup: Setup) -> None:
    """Raise :class:`UsageError` for a condition, a protocol or a setting that does not fit."""
    idle = set(setup.settings)
    for name, condition in parts:
        found = experiment(name)
        found.setup(None, condition, setup.protocol, setup.seed, setup.settings)
        idle &= found.without_say(setup.settings, (condition,), setup.protocol)
    if idle:
        raise UsageError(f"the setting {min(idle)!r} changes nothing here; leave it out")


def _check_participants(participants: Sequence[str]) -> None:
    """Raise an error for a participant of this machine that there is not."""
    for name in participants:
        kind = name.partition(":")[0]
        if kind in {"strategy", "gguf", "people"}:
            check_name(name)
        elif not name.strip():
            raise UsageError(f"{name!r} names no participant; give a name such as openai/gpt-4o")


def counts(planned: Plan) -> Iterator[Count]:
    """Return what every condition asks, one after the other, as soon as it is counted.

    Raises a :class:`~deixis.errors.DeixisError` at once for a trial table that cannot be built.
    """
    given = planned.setup
    designs = [
        experiment(name).design(None, condition, given.protocol, given.seed, given.settings)
        for name, condition in planned.parts
    ]
    return (
        count(design.experiment, design.condition, _limited(design.pairs(), planned.limit, design.seed))
        for design in designs
    )


def _limited(pairs: Iterable[Pair], limit: int | None, seed: int) -> Iterable[Pair]:
    if limit is None:
        return pairs
    held = list(pairs)
    kept = {trial.id for trial in subset([trial for trial, _ in held], limit, seed)}
    return (pair for pair in held if pair[0].id in kept)


def bills(planned: Plan) -> list[Bill]:
    """Return one bill a participant; where none is named but a price or tokens a picture, one for any such model."""
    given = planned.price is not None or planned.picture_tokens is not None
    names = planned.participants or (("any model",) if given else ())
    return [
        Bill(
            name,
            runs_here(name),
            planned.price or table_price(name),
            table_picture_tokens(name) if planned.picture_tokens is None else planned.picture_tokens,
        )
        for name in names
    ]
