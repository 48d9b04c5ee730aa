"""Two participants on the trials of one design, joined by id: pairs, and those that only one has answered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deixis.analysis.shares.paired import Paired, mcnemar
from deixis.records import COUNTED
from deixis.scoring.results import Scored

Pair = tuple[Scored, Scored]
"""A trial as A and as B answered it."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """A and B on trials that both have answered; what nobody could read counts as wrong."""

    counted: int
    """Trials that both have answered."""
    credit_a: float | None
    """A's mean credit on all of them, ties with their shares; ``None`` without any."""
    credit_b: float | None
    """B's."""
    accuracy_a: float | None
    """A's accuracy on those in which no tie earned a share, to which the test belongs."""
    accuracy_b: float | None
    """B's."""
    test: Paired
    """McNemar's tests of these, B first: ``only_first`` got better, ``only_second`` worse, the difference is B − A."""

    @property
    def ties(self) -> int:
        """Pairs in which a tie earned a share of an answer; they are in no test."""
        return self.counted - self.test.pairs

    @property
    def better(self) -> int:
        """Trials that B alone has right."""
        return self.test.only_first

    @property
    def worse(self) -> int:
        """Trials that A alone has right."""
        return self.test.only_second

    @property
    def change(self) -> float | None:
        """B's mean credit minus A's, ties with their shares: what a gate asks about."""
        return None if self.credit_a is None or self.credit_b is None else self.credit_b - self.credit_a


@dataclass(frozen=True, slots=True)
class Alone:
    """A trial that only one of the two has answered."""

    trial: str
    """Its id."""
    why: str
    """What the other has instead: *errored*, *missing*, or *not asked*."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Two participants' trials of one design, joined by id."""

    both: tuple[Pair, ...]
    """Trials that both were asked, in the order of the design."""
    only_a: tuple[Alone, ...]
    """Trials that A alone has answered."""
    only_b: tuple[Alone, ...]
    """Trials that B alone has answered."""

    @property
    def answered(self) -> list[Pair]:
        """The trials that both have answered."""
        return [(a, b) for a, b in self.both if is_answered(a) and is_answered(b)]


def is_answered(row: Scored) -> bool:
    """Whether the trial is in the denominator of headline accuracy: it was asked, and something came back."""
    return row.score.outcome in COUNTED


def join(a: Sequence[Scored], b: Sequence[Scored]) -> Joined:
    """Join two participants' trials by id."""
    of_a, of_b = ({row.trial.id: row for row in rows} for rows in (a, b))
    both = tuple((row, of_b[row.trial.id]) for row in a if row.trial.id in of_b)
    return Joined(both, _alone(a, of_b), _alone(b, of_a))


def _alone(rows: Iterable[Scored], others: dict[str, Scored]) -> tuple[Alone, ...]:
    found = []
    for row in rows:
        other = others.get(row.trial.id)
        if is_answered(row) and (other is None or not is_answered(other)):
            found.append(Alone(row.trial.id, "not asked" if other is None else other.score.outcome.value))
    return tuple(found)


def pairs(answered: Sequence[Pair]) -> Pairs:
    """Count and test trials that both have answered."""
    earned = [(a.score.credit, b.score.credit) for a, b in answered]
    plain = [(a, b) for a, b in earned if a in (0.0, 1.0) and b in (0.0, 1.0)]
    better, worse = (sum(pair == split for pair in plain) for split in ((0.0, 1.0), (1.0, 0.0)))
    return Pairs(
        len(earned),
        *_means(earned),
        *_means(plain),
        mcnemar(len(plain), better, worse, left_out=len(earned) - len(plain)),
    )


def _means(earned: Sequence[tuple[float, float]]) -> tuple[float | None, float | None]:
    if not earned:
        return None, None
    one, other = (sum(side) / len(earned) for side in zip(*earned, strict=True))
    return one, other
