"""What every report counts: accuracy by cell, which options were taken, what was said instead of what.

Headline accuracy has every outcome but *errored* and *missing* in the denominator; accuracy over the readable
answers stands beside it. A tie in forced choice earns its share (1/k).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from deixis.analysis.intervals import Estimate, Observation, mean, wilson
from deixis.records import BETWEEN, COUNTED, Outcome
from deixis.scoring.results import Scored


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


def cell(levels: Mapping[str, str], rows: Sequence[Scored]) -> CellEstimate:
    """Estimate one group of trials."""
    outcomes = Counter(row.score.outcome for row in rows)
    n = sum(outcomes[outcome] for outcome in COUNTED)
    answered = outcomes[Outcome.ANSWERED]
    correct = sum(row.score.credit for row in rows)
    chosen = [row for row in rows if row.score.choice is not None]
    low, high = wilson(correct, n)
    return CellEstimate(
        levels=levels,
        outcomes={outcome.value: outcomes[outcome] for outcome in Outcome},
        n=n,
        answered=answered,
        correct=correct,
        ties=sum(row.score.tied for row in rows),
        accuracy=correct / n if n else None,
        accuracy_readable=correct / answered if answered else None,
        low=low,
        high=high,
        clustered=mean(observed(rows)),
        leanings={name: _share(chosen, _took(*feature)) for name, feature in _leanings(rows).items()},
        first_rate=_share(chosen, lambda row: row.score.choice == 0),
    )


def cells(rows: Sequence[Scored], factors: Sequence[str]) -> list[CellEstimate]:
    """Estimate every combination of levels that occurs, in the order of the trials."""
    groups: dict[tuple[str, ...], list[Scored]] = {}
    for row in rows:
        groups.setdefault(tuple(row.trial.factors[factor] for factor in factors), []).append(row)
    return [cell(dict(zip(factors, levels, strict=True)), group) for levels, group in groups.items()]


LEANINGS: Mapping[str, tuple[str, str]] = {
    "shifted": ("reading", "shifted"),
    "I": ("pronoun", "I"),
    "mine": ("word", "mine"),
    "this one": ("word", "this one"),
}
"""What an answer may lean to, as a feature of options and its value."""


def _leanings(rows: Sequence[Scored]) -> dict[str, tuple[str, str]]:
    """Return the leanings that the options of the first trial allow."""
    offered = [option.features for option in rows[0].trial.options] if rows else []
    return {
        name: (feature, value)
        for name, (feature, value) in LEANINGS.items()
        if {features.get(feature) for features in offered} > {value}
    }


def kind(features: Mapping[str, str]) -> str:
    """Return what an option says, names of things aside: ``I mine``, ``shifted``, ``You``."""
    return " ".join(value for name, value in features.items() if name not in ("noun", "child"))


def ceilings(rows: Sequence[Scored]) -> dict[str, float | None]:
    """Return the best accuracy that text, picture and both allow on these trials; ``None`` without that channel.

    A passage tells everything there is to know of an indexical.
    """
    if rows and "text_leaves" not in rows[0].trial.stimulus:
        return {"text": 1.0, "picture": None, "both": 1.0}
    return {channel: _ceiling(rows, f"{channel}_leaves") for channel in ("text", "picture", "both")}


def _ceiling(rows: Sequence[Scored], name: str) -> float | None:
    left = [row.trial.stimulus[name].count(BETWEEN) + 1 for row in rows if row.trial.stimulus[name]]
    return sum(1 / count for count in left) / len(left) if left else None


def confusion(rows: Sequence[Scored]) -> dict[str, Counter[str]]:
    """Return, by what was right, how often each kind of answer was given; outcomes without a choice by their name."""
    found: dict[str, Counter[str]] = {}
    for row in rows:
        options, choice = row.trial.options, row.score.choice
        if choice is None:
            said = "tie" if row.score.outcome is Outcome.ANSWERED else row.score.outcome.value
        elif choice == row.trial.answer:
            said = "right"
        else:
            said = kind(options[choice].features) or "another"
            same = said == kind(options[row.trial.answer].features)
            said = f"{said}, other noun" if same else said
        found.setdefault(kind(options[row.trial.answer].features) or "all", Counter())[said] += 1
    return found


def agreement(rows: Sequence[Scored], others: Mapping[str, Scored]) -> tuple[int, int]:
    """Return on how many of the trials that the first participant chose on the other chose the same, and how many.

    Where the other abstains, it did not choose the same.
    """
    decided = [row for row in rows if row.score.choice is not None and row.trial.id in others]
    return sum(row.score.choice == others[row.trial.id].score.choice for row in decided), len(decided)


def observed(rows: Sequence[Scored]) -> list[Observation]:
    """Return the credit of every trial in the denominator, with the cluster it belongs to: its item or its group."""
    return [
        (row.trial.factors.get("item") or row.trial.factors["group"], row.score.credit)
        for row in rows
        if row.score.outcome in COUNTED
    ]


def _took(feature: str, value: str) -> Callable[[Scored], bool]:
    def test(row: Scored) -> bool:
        choice = row.score.choice
        return choice is not None and row.trial.options[choice].features.get(feature) == value

    return test


def _share(rows: Sequence[Scored], test: Callable[[Scored], bool]) -> float | None:
    return sum(map(test, rows)) / len(rows) if rows else None
