"""Comparisons of marginal means: all pairs, or those that were planned, as odds ratios or differences of probabilities.

Wald tests of the estimates, adjusted within a family; Holm's p has Bonferroni's limits beside it, since it has none of
its own. After a bias-reduced fit the profile of the penalised likelihood can be asked for instead, and should be where
a cell is all right or all wrong: there the likelihood is far from symmetric.
"""

import itertools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from scipy.special import expit, log_ndtr

from deixis.analysis.pvalues import (
    Adjustment,
    adjusted,
    critical,
    from_log,
    known,
    log_tukey,
    log_two_sided,
    standard_errors,
)
from deixis.analysis.regression.design_matrix import FloatArray
from deixis.analysis.regression.firth import profile
from deixis.analysis.regression.marginal import Label, Means
from deixis.errors import AnalysisError

Scale = Literal["logit", "probability"]
Interval = Literal["Wald", "profile"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A comparison that was written down before the data: weights of means, which add up to 0."""

    name: str
    """What tables call it."""
    weights: Mapping[Label, float]
    """Levels, of ``by`` first and then of ``of`` as in :class:`Means`, to their weight; what is not named has 0."""


def pair(name: str, plus: Hashable | Label, minus: Hashable | Label) -> Planned:
    """Return the comparison of two means, ``plus`` minus ``minus``; a single level stands for itself."""
    first, second = (label if isinstance(label, tuple) else (label,) for label in (plus, minus))
    return Planned(name, {first: 1.0, second: -1.0})


def contrasts(
    means: Means, adjust: Adjustment = "none", scale: Scale = "logit", interval: Interval = "Wald", level: float = 0.95
) -> pd.DataFrame:
    """Return all pairs of means within each family, in order: 1 - 2, 1 - 3, 2 - 3.

    Columns: those of ``by``, contrast, estimate, std_error, z, p, log_p, low, high, adjust, comparisons, planned,
    method, interval, note; on the logit scale also odds_ratio with ``_se``, ``_low``, ``_high``. ``interval="profile"``
    needs a bias-reduced fit and the logit scale; ``z`` is then the signed root of the penalised likelihood-ratio
    statistic.
    """
    known(adjust)
    tables = []
    for label, places in means.families:
        pairs = list(itertools.combinations(places, 2))
        weights = np.zeros((len(pairs), len(means.labels)))
        for line, (first, second) in enumerate(pairs):
            weights[line, first], weights[line, second] = 1.0, -1.0
        names = [f"{_text(means, first)} - {_text(means, second)}" for first, second in pairs]
        table = _compared(means, weights, names, adjust, len(places), scale, interval, level)
        for place, factor in enumerate(means.by):
            table.insert(place, factor, [label[place]] * len(table))
        tables.append(table.assign(planned=False))
    return _ordered(pd.concat(tables, ignore_index=True))


def planned_contrasts(
    means: Means,
    plan: Sequence[Planned],
    adjust: Adjustment = "none",
    scale: Scale = "logit",
    interval: Interval = "Wald",
    level: float = 0.95,
) -> pd.DataFrame:
    """Return the planned comparisons as one family, with the columns of :func:`contrasts` but those of ``by``.

    Tukey's adjustment is for all pairs and refused. Raises :class:`AnalysisError` for levels that have no mean and for
    weights that do not add up to 0.
    """
    known(adjust)
    if adjust == "tukey":
        raise AnalysisError("tukey is for all pairs of means: adjust planned contrasts by holm or bonferroni")
    weights = np.zeros((len(plan), len(means.labels)))
    for line, comparison in enumerate(plan):
        for label, weight in comparison.weights.items():
            if label not in means.labels:
                raise AnalysisError(f"planned contrast {comparison.name!r}: there is no mean of {label!r}")
            weights[line, means.labels.index(label)] = weight
        if abs(weights[line].sum()) > 1e-9 or not weights[line].any():
            raise AnalysisError(f"planned contrast {comparison.name!r}: its weights have to add up to 0, not all be 0")
    names = [comparison.name for comparison in plan]
    return _ordered(_compared(means, weights, names, adjust, 2, scale, interval, level).assign(planned=True))


def equivalence(table: pd.DataFrame, margin: float) -> pd.DataFrame:
    """Return contrasts with a test that they are smaller than ``margin``, on the scale they were made on.

    ``equivalence_z = (|estimate| - margin) / std_error`` and its lower tail ``equivalence_p``, as R's emmeans; p is for
    one contrast, not adjusted.
    """
    if margin <= 0:
        raise AnalysisError(f"the margin of equivalence has to be above 0, not {margin!r}")
    z = (table["estimate"].abs() - margin) / table["std_error"]
    return table.assign(margin=margin, equivalence_z=z, equivalence_p=from_log(log_ndtr(z.to_numpy(float))))


def _compared(
    means: Means, weights: FloatArray, names: list[str], adjust: Adjustment, size: int, scale: Scale,
    interval: Interval, level: float,
) -> pd.DataFrame:  # fmt: skip
    """Return the rows of one family; ``size`` is how many means Tukey's range is over."""
    values, covariance = means.logits, means.covariance
    if scale == "probability":
        values = expit(values)
        slopes = values * (1 - values)
        covariance = covariance * slopes[:, None] * slopes[None, :]
    elif scale != "logit":
        raise AnalysisError(f"scale {scale!r} does not exist; choose logit or probability")
    estimate, error = weights @ values, standard_errors(weights @ covariance @ weights.T)
    z = estimate / error
    log_p = log_tukey(z, size) if adjust == "tukey" else adjusted(log_two_sided(z), adjust)
    half = critical(adjust, len(names), size, level) * error
    low, high = estimate - half, estimate + half
    if interval == "profile":
        if scale != "logit" or adjust == "tukey":
            raise AnalysisError("profile limits are for the logit scale, with none, holm or bonferroni")
        z, log_p, low, high = _profiled(means, weights, adjust, level)
    notes = ["" if found > 0 else "the standard error is 0 or not defined: no test and no interval" for found in error]
    table = pd.DataFrame(
        {
            "contrast": names, "estimate": estimate, "std_error": error, "z": z, "p": from_log(log_p), "log_p": log_p,
            "low": low, "high": high, "adjust": adjust, "comparisons": len(names),
            "method": means.fit.method, "interval": interval,
            "note": ["; ".join(filter(None, [*means.notes, note])) for note in notes],
        }
    )  # fmt: skip
    if scale == "logit":
        ratio = np.exp(estimate)
        table = table.assign(
            odds_ratio=ratio, odds_ratio_se=ratio * error, odds_ratio_low=np.exp(low), odds_ratio_high=np.exp(high)
        )
    return table


def _profiled(
    means: Means, weights: FloatArray, adjust: Adjustment, level: float
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    if means.fit.method != "bias-reduced":
        raise AnalysisError("profile limits are for bias-reduced fits: this one is not")
    design = means.fit.design
    share = 1 if adjust == "none" else len(weights)
    found = [
        profile(design.cells, design.successes, design.trials, line @ means.rows, 1 - (1 - level) / share)
        for line in weights
    ]
    z = np.array([np.sign(one.estimate) * np.sqrt(one.chi_squared) for one in found])
    log_p = adjusted(np.array([one.log_p for one in found]), adjust)
    return z, log_p, np.array([one.low for one in found]), np.array([one.high for one in found])


def _text(means: Means, place: int) -> str:
    return " ".join(map(str, means.labels[place][len(means.by) :]))


def _ordered(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with its notes last."""
    last = ["adjust", "comparisons", "planned", "method", "interval", "note"]
    return table[[name for name in table.columns if name not in last] + last]
