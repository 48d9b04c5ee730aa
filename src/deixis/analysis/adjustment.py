"""Tests that belong together, adjusted together: what was not tested is no member of the family."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deixis.analysis.pvalues import adjusted, from_log

Rule = Literal["none", "holm", "bonferroni", "benjamini-hochberg"]
"""Holm and Bonferroni hold the chance of one false alarm, Benjamini and Hochberg (1995) the share of false ones."""


def over_family(log_p: ArrayLike, rule: Rule = "holm") -> NDArray[np.float64]:
    """Return adjusted p for the logarithms of a family's p; NaN stays NaN and does not make the family larger."""
    raw = np.asarray(log_p, dtype=float)
    found = np.full(raw.shape, np.nan)
    tested = ~np.isnan(raw)
    if tested.any():
        found[tested] = _stepped(raw[tested]) if rule == "benjamini-hochberg" else adjusted(raw[tested], rule)
    return from_log(found)


def _stepped(raw: NDArray[np.float64]) -> NDArray[np.float64]:
    """Benjamini and Hochberg: the rank-th smallest p times m/rank, and never above that of a larger p."""
    order = np.argsort(raw)[::-1]
    steps = raw[order] + np.log(len(raw) / np.arange(len(raw), 0, -1))
    found = np.empty_like(raw)
    found[order] = np.minimum(0.0, np.minimum.accumulate(steps))
    return found
