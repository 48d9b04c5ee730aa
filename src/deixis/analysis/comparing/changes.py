"""Where two participants differ: by level of every factor, from what to what, and which trials got worse."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from deixis.analysis.comparing.pairing import Pair, Pairs, pairs
from deixis.analysis.sayings import kind
from deixis.records import Trial
from deixis.scoring.error_classes import ErrorClass, error_class
from deixis.scoring.results import Scored

_SINGLE = ("item", "group")
"""Factors that tell one item from another; they are what trials are drawn from, not what is compared."""
_MOST = 12
"""Levels above which a factor is no use to look at one by one, such as the 24 orders of four objects."""


@dataclass(frozen=True, slots=True)
class Level:
    """A and B at one level of one factor."""

    factor: str
    """A factor of the trial, or ``word``, ``verdict``, ``right`` for what the right option says."""
    level: str
    """Its level."""
    pairs: Pairs
    """The trials there."""


@dataclass(frozen=True, slots=True)
class Change:
    """How often one kind of answer became another."""

    before: str
    """A's: the error class, or the outcome of what is no choice."""
    after: str
    """B's."""
    count: int
    """Trials."""


def levels(answered: Sequence[Pair]) -> list[Level]:
    """Return A and B at every level of every factor that varies over the trials that both have answered."""
    groups: dict[str, dict[str, list[Pair]]] = {}
    for pair in answered:
        for factor, level in _looked_at(pair[0].trial).items():
            groups.setdefault(factor, {}).setdefault(level, []).append(pair)
    return [
        Level(factor, level, pairs(found[level]))
        for factor, found in groups.items()
        if 1 < len(found) <= _MOST
        for level in sorted(found)
    ]


def _looked_at(trial: Trial) -> dict[str, str]:
    says = trial.options[trial.answer].features
    found = {name: level for name, level in trial.factors.items() if name not in _SINGLE}
    found |= {name: says[name] for name in ("word", "verdict") if name in says}
    return {**found, "right": kind(says)} if "word" in says else found


def answer_kind(row: Scored) -> str:
    """Return the error class of an answer; the outcome where it is no choice, or nothing came back."""
    said = row.response.text if row.response is not None else None
    found = error_class(row.trial, row.score, said or "")
    return row.score.outcome.value if found is None or found is ErrorClass.NFI else found.value


def kinds(pair: Pair) -> tuple[str, str]:
    """Return what an answer was and what it is; *another option* is told where two are wrong in one way."""
    before, after = (answer_kind(row) for row in pair)
    same = before == after and pair[0].score.choice != pair[1].score.choice
    return before, f"{after}, another option" if same else after


def changes(both: Sequence[Pair]) -> list[Change]:
    """Return from what to what answers changed, most frequent first, over the trials that both were asked."""
    found = Counter(kinds(pair) for pair in both)
    return [
        Change(before, after, count)
        for (before, after), count in sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
        if before != after
    ]


def got_worse(answered: Sequence[Pair]) -> list[Pair]:
    """Return the trials on which B earns less than A, in an order in which every kind of change comes in turn."""
    met: Counter[tuple[str, str]] = Counter()
    turns = []
    for place, pair in enumerate(answered):
        if pair[1].score.credit < pair[0].score.credit:
            turns.append((met[kinds(pair)], place))
            met[kinds(pair)] += 1
    return [answered[place] for _, place in sorted(turns)]
