"""A comparison of two participants, design by design; nothing is pooled over designs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path

import numpy as np

from deixis.analysis.adjustment import over_family
from deixis.analysis.comparing.changes import Change, Level, changes, got_worse, levels
from deixis.analysis.comparing.pairing import Alone, Pair, Pairs, is_answered, join, pairs
from deixis.analysis.comparing.sides import Side, Signature, made_with, shared, sides
from deixis.errors import AnalysisError
from deixis.scoring.results import DesignResults, Result, Scored, read_design
from deixis.scoring.ways import Way


@dataclass(frozen=True, slots=True)
class Own:
    """What one side has of a design by itself, whatever the other has answered."""

    asked: int
    """Trials that it was to answer."""
    unanswered: Counter[str]
    """How many are *errored* and *missing*."""
    accuracy: float | None
    """Its accuracy over all others; ``None`` where there are none."""


@dataclass(frozen=True, slots=True)
class DesignComparison:
    """A and B on one design."""

    name: str
    """Experiment and condition."""
    signature: Signature
    """What was asked of A, and but for the seed of B."""
    made_with: tuple[str, ...]
    """In what the signatures of the answers differ."""
    a: Own
    """A by itself."""
    b: Own
    """B by itself."""
    shared: int
    """Trials that both were asked."""
    pairs: Pairs
    """Both, on the trials that both have answered."""
    only_a: tuple[Alone, ...]
    """Trials that A alone has answered."""
    only_b: tuple[Alone, ...]
    """Trials that B alone has answered."""
    levels: tuple[Level, ...]
    """The pairs by level of every factor."""
    changes: tuple[Change, ...]
    """From what to what answers changed, over the trials that both were asked."""
    worse: tuple[Pair, ...]
    """The trials on which B earns less, every kind of change in turn."""
    p_adjusted: float = nan
    """McNemar's exact p, adjusted by Holm over the designs of the comparison."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A and B on every design that both were asked."""

    a: Side
    """The one from which."""
    b: Side
    """The one to which."""
    designs: tuple[DesignComparison, ...]
    """One entry a design."""

    @property
    def only_a(self) -> list[str]:
        """Designs that A alone was asked."""
        return [name for name in self.a.designs if name not in self.b.designs]

    @property
    def only_b(self) -> list[str]:
        """Designs that B alone was asked."""
        return [name for name in self.b.designs if name not in self.a.designs]


def compare(
    runs: tuple[Path, Path],
    named: Sequence[str] = (),
    experiments: Sequence[str] = (),
    conditions: Sequence[str] = (),
    way: Way | None = None,
) -> Comparison:
    """Read two runs and compare one participant of each, trial by trial; a run may be compared with itself.

    Raises what :func:`deixis.analysis.comparing.sides.sides` and :func:`~deixis.analysis.comparing.sides.shared` do,
    and :class:`AnalysisError` where no trial was asked of both.
    """
    a, b = sides(runs, named, experiments, conditions)
    found = []
    for name in shared(a, b):
        first = read_design(a.run, name, way or Way())
        second = first if a.run == b.run else read_design(b.run, name, way or Way())
        found.append(compare_design(first, _of(first, a.participant), _of(second, b.participant)))
    if not any(design.shared for design in found):
        raise AnalysisError("nothing to compare: no trial was asked of both A and B; ask more, or both with one seed")
    return Comparison(a, b, with_holm(found))


def _of(design: DesignResults, participant: str) -> Result:
    return next(result for result in design.results if result.participant == participant)


def compare_design(design: DesignResults, a: Result, b: Result) -> DesignComparison:
    """Compare two participants on one design; ``design`` is the one of either, since their trials are the same."""
    joined = join(a.rows, b.rows)
    answered = joined.answered
    return DesignComparison(
        name=design.name,
        signature=design.signature,
        made_with=tuple(made_with(a.signature, b.signature, design.signature)),
        a=own(a.rows),
        b=own(b.rows),
        shared=len(joined.both),
        pairs=pairs(answered),
        only_a=joined.only_a,
        only_b=joined.only_b,
        levels=tuple(levels(answered)),
        changes=tuple(changes(joined.both)),
        worse=tuple(got_worse(answered)),
    )


def own(rows: Sequence[Scored]) -> Own:
    """Return what one participant has by itself."""
    earned = [row.score.credit for row in rows if is_answered(row)]
    lost = Counter(row.score.outcome.value for row in rows if not is_answered(row))
    return Own(len(rows), lost, sum(earned) / len(earned) if earned else None)


def with_holm(designs: Sequence[DesignComparison]) -> tuple[DesignComparison, ...]:
    """Adjust McNemar's exact p over designs by Holm; where no trial differs there is no test, and no member."""
    p = np.array([design.pairs.test.p_exact for design in designs], float)
    adjusted = over_family(np.log(np.maximum(p, np.finfo(float).tiny)))
    return tuple(replace(one, p_adjusted=float(found)) for one, found in zip(designs, adjusted, strict=True))
