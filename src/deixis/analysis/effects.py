"""Effects: how much more often one participant is right on one side of a factor than on the other."""

from collections.abc import Callable, Mapping, Sequence

from deixis.analysis.estimates import kind, observed
from deixis.analysis.intervals import Estimate, difference
from deixis.scoring.results import Scored


def prime_effect(rows: Sequence[Scored]) -> Estimate:
    """Return accuracy under the helpful prime minus accuracy under the misleading one."""
    return _between(rows, lambda row: row.trial.factors["context_prime"] == _right(row)["reading"])


def quotation_effect(rows: Sequence[Scored]) -> Estimate:
    """Return accuracy in quoted minus accuracy in non-quoted sentences."""
    return _between(rows, lambda row: row.trial.factors["sentence_type"] == "quoted")


def marks_effect(rows: Sequence[Scored]) -> Estimate:
    """Return accuracy with plain marks minus accuracy where quotation marks stand around something else."""
    return _between(rows, lambda row: row.trial.factors["marks"] == "plain")


def pronoun_effect(rows: Sequence[Scored]) -> Estimate:
    """Return accuracy where *I* is right minus accuracy where *You* is."""
    return _between(rows, lambda row: row.trial.factors["perspective"] == "I")


def word_effect(rows: Sequence[Scored]) -> Estimate:
    """Return accuracy where *mine* or *this one* is right minus accuracy where *yours* or *that one* is."""
    return _between(rows, lambda row: _right(row)["word"] in ("mine", "this one"))


def speaker_effect(rows: Sequence[Scored]) -> Estimate:
    """Return accuracy where the boy speaks minus accuracy where the girl does."""
    return _between(rows, lambda row: row.trial.factors["speaker"] == "boy")


def position_effect(rows: Sequence[Scored]) -> Estimate:
    """Return accuracy with the right option first minus accuracy with it later.

    Where the order of options never varies within a kind of right answer, position cannot be told from it, and the
    estimate says so.
    """
    orders: dict[str, set[int]] = {}
    for row in rows:
        orders.setdefault(kind(_right(row)), set()).add(row.trial.answer)
    if not any(len(places) > 1 for places in orders.values()):
        return Estimate(None, None, None, None, len(rows), 0, "position does not vary within a right answer")
    return _between(rows, lambda row: row.trial.answer == 0)


Effect = Callable[[Sequence[Scored]], Estimate]
_OF_FACTORS: Mapping[str, tuple[str, Effect]] = {
    "prime": ("context_prime", prime_effect),
    "quotation": ("sentence_type", quotation_effect),
    "marks": ("marks", marks_effect),
    "pronoun": ("perspective", pronoun_effect),
    "speaker": ("speaker", speaker_effect),
}


def effects(rows: Sequence[Scored]) -> dict[str, Effect]:
    """Return the effects that the factors and options of these trials allow, by name, position last."""
    if not rows:
        return {}
    trial = rows[0].trial
    found = {name: effect for name, (factor, effect) in _OF_FACTORS.items() if factor in trial.factors}
    if "word" in trial.options[0].features:
        found["word"] = word_effect
    return {**found, "position": position_effect}


def _between(rows: Sequence[Scored], side: Callable[[Scored], bool]) -> Estimate:
    return difference(observed([row for row in rows if side(row)]), observed([row for row in rows if not side(row)]))


def _right(row: Scored) -> Mapping[str, str]:
    return row.trial.options[row.trial.answer].features
