"""What a pilot says of people and items: shares right and standard deviations in logits, by the method of moments.

Two answers of one person to different items agree more than chance as far as people differ; two answers of different
people to one item, as far as items differ. Those covariances, within and across conditions, are matched to what normal
logits imply, which needs no balanced table.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from deixis.analysis.planning.studies import NODES, WEIGHTS, centre, share
from deixis.analysis.strategies.predictions import Array, Whole
from deixis.errors import AnalysisError

COLUMNS = ("participant", "item", "condition", "correct")


@dataclass(frozen=True, slots=True)
class Pilot:
    """Parameters for :class:`~deixis.analysis.planning.studies.Study`, as a pilot gives them."""

    base: float
    """Share right under the first condition."""
    difference: float
    """Share right under the second condition less ``base``."""
    sd_people: float
    """Standard deviations, in logits; 0 where people agree no more than chance."""
    sd_items: float
    """Of items."""
    sd_people_effect: float
    """Of the people's own effects of the condition."""
    sd_items_effect: float
    """Of the items' own effects."""
    people: int
    """Participants of the pilot."""
    items: int
    """Its items."""
    n: int
    """Its trials."""
    left_out: int
    """Trials without credit."""


def pilot(table: pd.DataFrame, conditions: tuple[str, str]) -> Pilot:
    """Return what a tidy table (``participant, item, condition, correct``) says; ``conditions``: first and second.

    Effects of their own are 0 where nobody, or no item, has both conditions. Raises :class:`AnalysisError` for a
    missing column, a condition without answers, or one where all or none are right.
    """
    lacking = next((name for name in COLUMNS if name not in table.columns), None)
    if lacking is not None:
        raise AnalysisError(f"the pilot has no column {lacking!r}; it needs {', '.join(COLUMNS)}")
    known = table.dropna(subset=["correct"])
    known = known[known["condition"].isin(conditions)]
    shares = [known["correct"][known["condition"] == name].mean() for name in conditions]
    for name, right in zip(conditions, shares, strict=True):
        if not 0 < right < 1:
            told = "no answers" if np.isnan(right) else "all right" if right == 1 else "none right"
            raise AnalysisError(f"the pilot has {told} under {name!r}; assume a base instead")
    second = (known["condition"] == conditions[1]).to_numpy()
    rest = known["correct"].to_numpy(float) - np.where(second, shares[1], shares[0])
    variances = [
        _shared(rest, second, known[by].astype(str).to_numpy(), known[other].astype(str).to_numpy())
        for by, other in (("participant", "item"), ("item", "participant"))
    ]
    (people, people_effect), (items, items_effect) = _logits(shares[0], shares[1], variances[0], variances[1])
    return Pilot(
        *(float(shares[0]), float(shares[1] - shares[0]), people, items, people_effect, items_effect),
        people=known["participant"].nunique(),
        items=known["item"].nunique(),
        n=len(known),
        left_out=len(table) - len(known),
    )


def _shared(
    rest: Array, second: NDArray[np.bool_], by: NDArray[np.object_], other: NDArray[np.object_]
) -> tuple[float, float]:
    """Return the mean product of two residuals of one unit on different others: same condition, different condition.

    The second is NaN where no unit has both conditions.
    """
    _, unit = np.unique(by, return_inverse=True)
    _, them = np.unique(other, return_inverse=True)
    _, both = np.unique(unit * (them.max() + 1) + them, return_inverse=True)

    def totals(index: Whole) -> tuple[Array, Array]:
        """Sums of residuals, and how many: condition × unit, or condition × unit and other."""
        found = np.zeros((2, 2, index.max() + 1))
        np.add.at(found[0], (second.astype(int), index), rest)
        np.add.at(found[1], (second.astype(int), index), 1)
        return found[0], found[1]

    # products of all answers of a unit, less those on one and the same other
    ours, own = totals(unit), totals(both)
    same, same_pairs = (float((x**2).sum() - (y**2).sum()) for x, y in zip(ours, own, strict=True))
    across, across_pairs = (float((x[0] * x[1]).sum() - (y[0] * y[1]).sum()) for x, y in zip(ours, own, strict=True))
    return (same / same_pairs if same_pairs else 0.0), (across / across_pairs if across_pairs else float("nan"))


def _logits(
    first: float, second: float, people: tuple[float, float], items: tuple[float, float]
) -> list[tuple[float, float]]:
    """Return standard deviations in logits, of intercepts and effects, of people and of items."""
    shared = {"people": (0.0, 0.0), "items": (0.0, 0.0)}
    for _ in range(30):
        before = dict(shared)
        sd = float(np.sqrt(shared["people"][0] + shared["items"][0]))
        middles = centre(first, sd), centre(second, sd)
        for name, (same, across) in (("people", people), ("items", items)):
            total = sd**2
            within = _matched(same, [(middles[0], middles[0]), (middles[1], middles[1])], total)
            between = within if np.isnan(across) else min(within, _matched(across, [middles], total))
            shared[name] = within, between
        if np.allclose(list(before.values()), list(shared.values()), atol=1e-5):
            break
    return [(float(np.sqrt(max(0.0, (x + y) / 2))), float(np.sqrt(max(0.0, 2 * (x - y))))) for x, y in shared.values()]


def _matched(wanted: float, pairs: list[tuple[float, float]], total: float) -> float:
    """Return the covariance of two logits at which the right answers covary as wanted, 0 or more, averaged over pairs.

    ``total`` is the variance of one logit; where it is still too small, the covariance takes its place.
    """
    if wanted <= 0:
        return 0.0

    def off(shared: float) -> float:
        rest, sd = float(np.sqrt(max(0.0, total - shared))), float(np.sqrt(max(total, shared)))
        found = [
            float(WEIGHTS @ np.prod([_shares(m + np.sqrt(shared) * NODES, rest) for m in pair], axis=0))
            - share(pair[0], sd) * share(pair[1], sd)
            for pair in pairs
        ]
        return float(np.mean(found)) - wanted

    most = 100.0
    return most if off(most) < 0 else float(brentq(off, 0.0, most, xtol=1e-6))


def _shares(middles: Array, sd: float) -> Array:
    return np.asarray(expit(middles[:, None] + sd * NODES) @ WEIGHTS)
