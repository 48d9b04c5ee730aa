"""Effects: how much more often one participant is right on one side of a factor than on the other."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from deixis.analysis.estimates import observed, saying
from deixis.analysis.intervals import Estimate, Observed, difference


def prime_effect(table: pd.DataFrame) -> Estimate:
    """Return accuracy under the helpful prime minus accuracy under the misleading one."""
    return _between(table, _texts(table, "context_prime") == _texts(table, "right"))


def quotation_effect(table: pd.DataFrame) -> Estimate:
    """Return accuracy in quoted minus accuracy in non-quoted sentences."""
    return _between(table, _at(table, "sentence_type", "quoted"))


def marks_effect(table: pd.DataFrame) -> Estimate:
    """Return accuracy with plain marks minus accuracy where quotation marks stand around something else."""
    return _between(table, _at(table, "marks", "plain"))


def pronoun_effect(table: pd.DataFrame) -> Estimate:
    """Return accuracy where *I* is right minus accuracy where *You* is."""
    return _between(table, _at(table, "perspective", "I"))


def word_effect(table: pd.DataFrame) -> Estimate:
    """Return accuracy where *mine* or *this one* is right minus accuracy where *yours* or *that one* is."""
    return _between(table, saying(table["right"], "mine") | saying(table["right"], "this one"))


def speaker_effect(table: pd.DataFrame) -> Estimate:
    """Return accuracy where the boy speaks minus accuracy where the girl does."""
    return _between(table, _at(table, "speaker", "boy"))


def position_effect(table: pd.DataFrame) -> Estimate:
    """Return accuracy with the right option first minus accuracy with it later.

    Where the order of options never varies within a kind of right answer, position cannot be told from it, and the
    estimate says so.
    """
    places = table.groupby("right", observed=True)["answer"].nunique()
    if not (places > 1).any():
        return Estimate(None, None, None, None, len(table), 0, "position does not vary within a right answer")
    return _between(table, table["answer"].to_numpy() == 0)


Effect = Callable[[pd.DataFrame], Estimate]
_OF_FACTORS: Mapping[str, tuple[str, Effect]] = {
    "prime": ("context_prime", prime_effect),
    "quotation": ("sentence_type", quotation_effect),
    "marks": ("marks", marks_effect),
    "pronoun": ("perspective", pronoun_effect),
    "speaker": ("speaker", speaker_effect),
}


def effects(table: pd.DataFrame) -> dict[str, Effect]:
    """Return the effects that the factors and options of these trials allow, by name, position last."""
    if table.empty:
        return {}
    found = {
        name: effect
        for name, (factor, effect) in _OF_FACTORS.items()
        if factor in table and table[factor].notna().any()
    }
    if saying(table["right"], "mine").any() or saying(table["right"], "this one").any():
        found["word"] = word_effect
    return {**found, "position": position_effect}


def _between(table: pd.DataFrame, side: NDArray[np.bool_]) -> Estimate:
    every = observed(table)
    counted = table["correct"].notna().to_numpy()
    plus = side[counted]
    return difference(
        Observed(every.clusters[plus], every.values[plus]), Observed(every.clusters[~plus], every.values[~plus])
    )


def _at(table: pd.DataFrame, factor: str, level: str) -> NDArray[np.bool_]:
    return (table[factor] == level).to_numpy(dtype=bool)


def _texts(table: pd.DataFrame, name: str) -> NDArray[np.object_]:
    return table[name].astype(object).to_numpy()
