"""The table of information ceilings: for every experiment, condition and protocol what each channel allows."""

from collections.abc import Iterator, Sequence

from deixis.errors import UsageError
from deixis.experiments import EXPERIMENTS, experiment
from deixis.experiments.experiment import Ceiling, Experiment
from deixis.experiments.settings import Settings

PROTOCOLS = ("published", "described", "corrected")
COLUMNS = "experiment,condition,protocol,channel,ceiling"
Row = tuple[Experiment, str, str, Ceiling]
"""Experiment, condition, protocol and one channel's ceiling."""


def ceilings(
    names: Sequence[str], conditions: Sequence[str], protocols: Sequence[str], settings: Settings
) -> Iterator[Row]:
    """Yield every ceiling of the experiments, conditions and protocols named, or of all of them.

    With settings, only where all of them have a say. Raises :class:`UsageError` for a name there is not, and for
    settings that have a say nowhere.
    """
    for name in names:
        for protocol in protocols:
            experiment(name).setup(None, experiment(name).conditions[0], protocol)
    asked = [
        (found, condition, protocol)
        for found in [experiment(name) for name in names or EXPERIMENTS]
        for protocol in protocols or PROTOCOLS
        if protocol in found.readers
        for condition in found.conditions_of(protocol)
        if not conditions or condition in conditions
    ]
    there = {condition for _, condition, _ in asked}
    missing = [condition for condition in conditions if condition not in there]
    if missing or not asked:
        raise UsageError(f"no condition {', '.join(map(repr, missing)) or 'at all'} there; 'deixis ceiling' lists all")
    asked = [(found, c, p) for found, c, p in asked if not found.without_say(settings, [c], p)]
    if not asked:
        raise UsageError(f"{', '.join(map(repr, settings))} changes nothing here; leave it out")
    for found, condition, protocol in asked:
        for ceiling in found.ceilings(found.setup(None, condition, protocol, 0, settings)):
            yield found, condition, protocol, ceiling


def csv_lines(rows: Iterator[Row]) -> Iterator[str]:
    """Yield the table as CSV, one row a channel."""
    yield COLUMNS
    for found, condition, protocol, ceiling in rows:
        yield f"{found.name},{condition},{protocol},{ceiling.channel},{_exact(ceiling.ceiling)}"


def text_lines(rows: Iterator[Row]) -> Iterator[str]:
    """Yield the table for reading, one line a condition with the facts that each channel gives."""
    found: dict[tuple[str, str, str], dict[str, Ceiling]] = {}
    for part, condition, protocol, ceiling in rows:
        found.setdefault((part.name, protocol, condition), {})[ceiling.channel] = ceiling
    before = None
    for (name, protocol, condition), channels in found.items():
        if (name, protocol) != before:
            yield f"{name}, {protocol}"
            yield f"  {'condition':<22} text  picture  both  text tells; picture shows"
            before = name, protocol
        shown = channels.get("picture")
        told = ", ".join(channels["text"].facts) or "nothing"
        seen = "no picture" if shown is None else ", ".join(shown.facts) or "nothing"
        numbers = [f"{channels[c].ceiling:.2f}" if c in channels else "  – " for c in ("text", "picture", "both")]
        yield f"  {condition:<22} {numbers[0]}     {numbers[1]}  {numbers[2]}  {told}; {seen}"


def _exact(value: float) -> str:
    return f"{value:.6f}".rstrip("0").removesuffix(".")
