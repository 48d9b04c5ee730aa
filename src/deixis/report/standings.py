"""How often each participant is right in each experiment: what is put side by side where there is room for little."""

from dataclasses import dataclass

import pandas as pd

from deixis.analysis.intervals import wilson
from deixis.analysis.who import group_of

MAIN = ("main", "people", "classic")
"""Conditions that stand for an experiment, the first that a participant was asked."""
EXPERIMENTS = ("indexicals", "vocabulary", "possessive", "demonstrative", "comprehension", "checks")
"""The order of experiments."""


@dataclass(frozen=True, slots=True)
class Share:
    """How often somebody is right in one condition."""

    condition: str
    correct: float
    n: int

    @property
    def value(self) -> float:
        """The share itself."""
        return self.correct / self.n

    @property
    def words(self) -> str:
        """The share with its interval."""
        low, high = wilson(self.correct, self.n)
        return f"{self.value:.2f} [{low:.2f}, {high:.2f}]"


Key = tuple[str, str]
"""Experiment and protocol."""
Shares = dict[Key, list[Share]]
"""Of one participant: every condition in which an answer counts, the one that stands for the experiment first."""


def guessing(table: pd.DataFrame) -> pd.Series:
    """Return what a guess earns on average in each row: the share of its options that are right.

    One of them is; where a pair of objects is meant, either is.
    """
    return (1.0 + (table["right"] == "target pair")) / table["options"]


def shares(table: pd.DataFrame) -> dict[str, Shares]:
    """Return the shares of every participant, people of a study as one.

    Chance has what guessing earns on average, not what one guesser happened to get.
    """
    guessed = table["participant"] == "strategy:chance"
    told = table.assign(correct=table["correct"].where(~guessed, guessing(table)))
    counted = told.groupby(["participant", "experiment", "condition", "protocol"], observed=True, sort=False).agg(
        correct=("correct", "sum"), n=("correct", "count")
    )
    sums: dict[tuple[str, str, str], dict[str, Share]] = {}
    for (participant, experiment, condition, protocol), correct, n in counted.itertuples(name=None):
        by = sums.setdefault((group_of(participant), experiment, protocol), {})
        before = by.get(condition, Share(condition, 0.0, 0))
        by[condition] = Share(condition, before.correct + correct, before.n + n)
    found: dict[str, Shares] = {}
    for who, experiment, protocol in sorted(sums, key=lambda key: EXPERIMENTS.index(key[1])):
        by = sums[who, experiment, protocol]
        counted_in = [by[name] for name in dict.fromkeys((*MAIN, *by)) if name in by and by[name].n]
        if counted_in:
            found.setdefault(who, {})[experiment, protocol] = counted_in
    return {who: found[who] for who in dict.fromkeys(who for who, *_ in sums) if who in found}
