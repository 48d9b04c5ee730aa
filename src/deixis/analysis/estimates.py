"""What the indexicals report: accuracy by cell, and the effects of prime, quotation, position and marks.

Headline accuracy has every outcome but *errored* and *missing* in the denominator; accuracy over the readable
answers stands beside it. A tie in forced choice earns its share (1/k).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from deixis.analysis.intervals import Estimate, Observation, difference, mean, wilson
from deixis.records import COUNTED, Outcome
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
    """``accuracy`` with a standard error clustered by item."""
    shift_rate: float | None
    """Share of readable answers that took the shifted option."""
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
        clustered=mean(_credits(rows)),
        shift_rate=_share(chosen, _shifted),
        first_rate=_share(chosen, lambda row: row.score.choice == 0),
    )


def cells(rows: Sequence[Scored], factors: Sequence[str]) -> list[CellEstimate]:
    """Estimate every combination of levels that occurs, in the order of the trials."""
    groups: dict[tuple[str, ...], list[Scored]] = {}
    for row in rows:
        groups.setdefault(tuple(row.trial.factors[factor] for factor in factors), []).append(row)
    return [cell(dict(zip(factors, levels, strict=True)), group) for levels, group in groups.items()]


def prime_effect(rows: Sequence[Scored]) -> Estimate:
    """Return accuracy under the helpful prime minus accuracy under the misleading one."""
    return difference(*_split(rows, lambda row: row.trial.factors["context_prime"] == _right(row)))


def quotation_effect(rows: Sequence[Scored]) -> Estimate:
    """Return accuracy in quoted minus accuracy in non-quoted sentences."""
    return difference(*_split(rows, lambda row: row.trial.factors["sentence_type"] == "quoted"))


def position_effect(rows: Sequence[Scored]) -> Estimate:
    """Return accuracy with the right option first minus accuracy with it later.

    Where the order of options never varies within a sentence type, position cannot be told from quotation, and
    the estimate says so.
    """
    orders: dict[str, set[int]] = {}
    for row in rows:
        orders.setdefault(row.trial.factors["sentence_type"], set()).add(row.trial.answer)
    if not any(len(places) > 1 for places in orders.values()):
        return Estimate(None, None, None, None, len(rows), 0, "order fixed: not separable from quotation")
    return difference(*_split(rows, lambda row: row.trial.answer == 0))


def marks_effect(rows: Sequence[Scored]) -> Estimate:
    """Return accuracy with plain marks minus accuracy where quotation marks stand around something else."""
    return difference(*_split(rows, lambda row: row.trial.factors["marks"] == "plain"))


EFFECTS: Mapping[str, Callable[[Sequence[Scored]], Estimate]] = {
    "prime": prime_effect,
    "quotation": quotation_effect,
    "position": position_effect,
    "marks": marks_effect,
}
"""Effect to the function that estimates it."""


def agreement(rows: Sequence[Scored], others: Mapping[str, Scored]) -> tuple[int, int]:
    """Return on how many of the trials that the first participant chose on the other chose the same, and how many.

    Where the other abstains, it did not choose the same.
    """
    decided = [row for row in rows if row.score.choice is not None and row.trial.id in others]
    return sum(row.score.choice == others[row.trial.id].score.choice for row in decided), len(decided)


def _credits(rows: Sequence[Scored]) -> list[Observation]:
    return [(row.trial.factors["item"], row.score.credit) for row in rows if row.score.outcome in COUNTED]


def _split(rows: Sequence[Scored], side: Callable[[Scored], bool]) -> tuple[list[Observation], list[Observation]]:
    return _credits([row for row in rows if side(row)]), _credits([row for row in rows if not side(row)])


def _right(row: Scored) -> str:
    return row.trial.options[row.trial.answer].features["reading"]


def _shifted(row: Scored) -> bool:
    choice = row.score.choice
    return choice is not None and row.trial.options[choice].features["reading"] == "shifted"


def _share(rows: Sequence[Scored], test: Callable[[Scored], bool]) -> float | None:
    return sum(map(test, rows)) / len(rows) if rows else None
