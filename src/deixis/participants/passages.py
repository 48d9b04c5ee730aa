"""The shortcuts through the indexicals experiment that a score must be read against.

A shortcut that finds no difference between the options abstains: its response has no choice, and counts as not right.
"""

from collections.abc import Mapping, Sequence

from deixis.items.naming import mentions
from deixis.items.quotation import has_complementiser, has_mark
from deixis.participants.rules import Rule
from deixis.records import Trial


def _most_mentioned(trial: Trial, _seed: int) -> int | None:
    """Takes the option that the passage names most often; abstains on a tie."""
    return _single_best([len(places) for places in _places(trial)])


def _last_mentioned(trial: Trial, _seed: int) -> int | None:
    """Takes the option that the passage names last; abstains where none is named."""
    return _single_best([max(places, default=0) for places in _places(trial)])


def _quotation_mark(trial: Trial, _seed: int) -> int:
    """Sees a quotation mark anywhere in the passage: shifted; else non-shifted."""
    return _reading(trial, shifted=has_mark(trial.stimulus["passage"]))


def _complementiser(trial: Trial, _seed: int) -> int:
    """Sees *that* after the last sentence's reporting verb: non-shifted; else shifted."""
    return _reading(trial, shifted=not has_complementiser(trial.stimulus["sentence"]))


def _prime_follower(trial: Trial, _seed: int) -> int:
    """Takes the reading that the context makes tempting."""
    return _reading(trial, shifted=trial.factors["context_prime"] == "shifted")


def _always_shifted(trial: Trial, _seed: int) -> int:
    """Always takes the reported speaker's point of view."""
    return _reading(trial, shifted=True)


def _never_shifted(trial: Trial, _seed: int) -> int:
    """Always takes the narrator's point of view."""
    return _reading(trial, shifted=False)


SHORTCUTS: Mapping[str, Rule] = {
    "most-mentioned": _most_mentioned,
    "last-mentioned": _last_mentioned,
    "quotation-mark": _quotation_mark,
    "complementiser": _complementiser,
    "prime-follower": _prime_follower,
    "always-shifted": _always_shifted,
    "never-shifted": _never_shifted,
}
"""The shortcuts through passages, by name."""


def _places(trial: Trial) -> list[list[int]]:
    return [mentions(trial.stimulus["passage"], option.text) for option in trial.options]


def _single_best(values: Sequence[int]) -> int | None:
    best = max(values)
    return values.index(best) if values.count(best) == 1 else None


def _reading(trial: Trial, *, shifted: bool) -> int:
    wanted = "shifted" if shifted else "non-shifted"
    return next(i for i, option in enumerate(trial.options) if option.features["reading"] == wanted)
