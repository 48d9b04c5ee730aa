"""What every report counts: accuracy by cell, which options were taken, what was said instead of what.

All of it from the table of :mod:`deixis.analysis.tidy`, its texts as categories. Headline accuracy has every outcome
but *errored* and *missing* in the denominator; accuracy over the readable answers stands beside it. A tie in forced
choice earns its share (1/k).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from deixis.analysis.intervals import Estimate, Observed, mean, wilson
from deixis.analysis.sayings import says
from deixis.records import Outcome


@dataclass(frozen=True, slots=True)
class CellEstimate:
    """One cell of one participant, or any other group of its trials."""

    levels: Mapping[str, str]
    """Factor to level."""
    outcomes: Mapping[str, int]
    """How often each of the seven outcomes occurred."""
    n: int
    """Trials in the denominator of headline accuracy."""
    answered: int
    """Readable answers, the denominator of ``accuracy_readable``."""
    correct: float
    """Sum of credits; whole unless ties earned a share."""
    ties: int
    """Trials where no option stood out."""
    accuracy: float | None
    """``correct / n``."""
    accuracy_readable: float | None
    """``correct / answered``."""
    low: float
    """Lower end of the 95 % Wilson interval of ``accuracy``."""
    high: float
    """Upper end."""
    clustered: Estimate
    """``accuracy`` with a standard error clustered by item, or by group of objects."""
    leanings: Mapping[str, float | None]
    """What an answer may lean to (``shifted``, ``I``, ``mine``) to the share of readable answers that took it."""
    first_rate: float | None
    """Share of readable answers that took the option shown first."""


def cell(levels: Mapping[str, str], table: pd.DataFrame) -> CellEstimate:
    """Estimate one group of trials of one participant."""
    counts = table["outcome"].value_counts().to_dict()
    credit = table["correct"].to_numpy()
    n = int(np.count_nonzero(~np.isnan(credit)))
    answered = int(counts.get(Outcome.ANSWERED.value, 0))
    correct = float(np.nansum(credit))
    chosen = table["choice"].to_numpy() >= 0
    low, high = wilson(correct, n)
    return CellEstimate(
        levels=levels,
        outcomes={outcome.value: int(counts.get(outcome.value, 0)) for outcome in Outcome},
        n=n,
        answered=answered,
        correct=correct,
        ties=int(table["tied"].sum()),
        accuracy=correct / n if n else None,
        accuracy_readable=correct / answered if answered else None,
        low=low,
        high=high,
        clustered=mean(observed(table)),
        leanings={word: _share(chosen & saying(table["said"], word), chosen) for word in leanings(table)},
        first_rate=_share(table["choice"].to_numpy() == 0, chosen),
    )


def cells(table: pd.DataFrame, factors: Sequence[str]) -> list[CellEstimate]:
    """Estimate every combination of levels that occurs, in the order of the trials."""
    return [
        cell(dict(zip(factors, map(str, levels), strict=True)), part)
        for levels, part in table.groupby(list(factors), observed=True, sort=False)
    ]


LEANINGS = ("shifted", "I", "mine", "this one")
"""What an answer may lean to, as a word of what options say."""


def leanings(table: pd.DataFrame) -> list[str]:
    """Return the leanings that the options allow: some say the word, others something else."""
    known = [str(one) for one in table["right"].cat.categories] if len(table) else []
    return [word for word in LEANINGS if 0 < sum(says(one, word) for one in known) < len(known)]


def saying(column: pd.Series, word: str) -> NDArray[np.bool_]:
    """Return where a column of sayings holds a word."""
    holds = np.array([says(str(one), word) for one in column.cat.categories], np.bool_)
    codes = column.cat.codes.to_numpy()
    return (codes >= 0) & holds[codes] if len(holds) else np.zeros(len(codes), np.bool_)


def ceilings(table: pd.DataFrame) -> dict[str, float | None]:
    """Return the best accuracy that text, picture and both allow on these trials; ``None`` without that channel."""
    if table.empty:
        return {}
    found = {channel: table[f"{channel}_ceiling"].mean() for channel in ("text", "picture", "both")}
    return {channel: None if np.isnan(value) else float(value) for channel, value in found.items()}


def confusion(table: pd.DataFrame) -> dict[str, Counter[str]]:
    """Return, by what was right, how often each kind of answer was given; outcomes without a choice by their name."""
    by = ["right", "said", "outcome", "error", "tied"]
    chosen = (table["choice"] >= 0).rename("chosen")
    counted = table.groupby([*by, chosen], observed=True, sort=False).size().reset_index(name="count")
    found: dict[str, Counter[str]] = {}
    for right, said, outcome, error, tied, has, count in counted.itertuples(index=False, name=None):
        if not has:
            told = "tie" if tied and outcome == Outcome.ANSWERED else str(outcome)
        elif error == "Correct":
            told = "right"
        else:
            told = f"{said}, other noun" if said == right and said else str(said) or "another"
        found.setdefault(str(right) or "all", Counter())[told] += int(count)
    return {right: found[right] for right in sorted(found)}


def agreement(one: pd.DataFrame, other: pd.DataFrame) -> tuple[int, int]:
    """Return on how many of the trials that the first participant chose on the other chose the same, and how many.

    Where the other abstains, it did not choose the same.
    """
    decided = one[one["choice"] >= 0]
    there = pd.Series(other["choice"].to_numpy(), index=other["trial_id"].cat.codes.to_numpy())
    theirs = there.reindex(decided["trial_id"].cat.codes.to_numpy())
    asked = theirs.notna().to_numpy()
    return int(np.count_nonzero(theirs.to_numpy() == decided["choice"].to_numpy())), int(np.count_nonzero(asked))


def observed(table: pd.DataFrame) -> Observed:
    """Return the credit of every trial in the denominator, with the cluster it belongs to: its item or its group."""
    credit = table["correct"].to_numpy()
    counted = ~np.isnan(credit)
    cluster = table["group"] if "group" in table and table["group"].notna().any() else table["item"]
    return Observed(cluster.cat.codes.to_numpy()[counted], credit[counted])


def _share(taken: NDArray[np.bool_], among: NDArray[np.bool_]) -> float | None:
    every = int(np.count_nonzero(among))
    return int(np.count_nonzero(taken & among)) / every if every else None
