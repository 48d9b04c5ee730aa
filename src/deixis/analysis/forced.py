"""What forced choice leaves to say beside the choice: margins, and how much the options hold at all."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from deixis.records import OptionScore
from deixis.scoring.results import Scored


@dataclass(frozen=True, slots=True)
class ForcedSummary:
    """A participant's forced choices, summed up."""

    n: int
    """Questions answered by forced choice."""
    outside: float
    """Mean probability that the answer begins with none of the options."""
    margin: float
    """Median difference between the best and the next option, in natural log units."""
    otherwise: int
    """Questions where the mean log-probability per token would choose another option than the sum."""


def forced_summary(rows: Sequence[Scored]) -> ForcedSummary | None:
    """Sum up the rows that hold log-probabilities; ``None`` where there are none."""
    asked = [row.response.scores for row in rows if row.response is not None and row.response.scores]
    if not asked:
        return None
    margins = sorted(margin(scores) for scores in asked)
    return ForcedSummary(
        n=len(asked),
        outside=sum(outside(scores) for scores in asked) / len(asked),
        margin=margins[len(margins) // 2],
        otherwise=sum(_best([s.logprob for s in scores]) != _best([s.mean for s in scores]) for scores in asked),
    )


def outside(scores: Sequence[OptionScore]) -> float:
    """Return the probability that the options leave over."""
    return max(0.0, 1.0 - sum(math.exp(score.logprob) for score in scores))


def margin(scores: Sequence[OptionScore]) -> float:
    """Return the best sum of log-probabilities minus the next."""
    best, second, *_ = sorted((score.logprob for score in scores), reverse=True)
    return best - second


def _best(values: Sequence[float]) -> int:
    return max(range(len(values)), key=lambda index: values[index])


def told(summary: ForcedSummary) -> str:
    """Return the summary in words."""
    words = (
        f"forced choice: {summary.outside:.2f} of the probability lies outside the options, median margin "
        f"{summary.margin:.2f}, the mean per token would choose otherwise in {summary.otherwise} of {summary.n}"
    )
    return words + ("; the options hold so little that the choice says little" if summary.outside > 0.9 else "")
