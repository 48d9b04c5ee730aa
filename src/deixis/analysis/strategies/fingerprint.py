"""Which named strategies explain a participant's answers: weights with intervals, a check of fit, an honest no.

Model: on every trial, whatever came before, one strategy or noise is drawn with fixed weights and its answer given.
Differences between items that no strategy predicts therefore count as misfit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from deixis.analysis.strategies.fitness import Fitness, fitness
from deixis.analysis.strategies.identify import Identifiability, identifiability, merged
from deixis.analysis.strategies.mixture import fit, log_likelihood, profile_limits, ranges
from deixis.analysis.strategies.predictions import (
    NOISE,
    Array,
    Predictions,
    Whole,
    choices_of,
    items_of,
    predictions_of,
)
from deixis.errors import AnalysisError
from deixis.records import BETWEEN
from deixis.scoring.results import DesignResults, Result
from deixis.seeds import derived

ENOUGH = 0.05
"""A misfit of at most this share of the answers, above what sampling gives, still counts as a description."""
FEW = 5
"""Fewer answers than this for each independent column say too little: almost any mixture would fit."""
_KNOWN = 0.005
"""Weights that could differ by more than this are said to be known only together."""


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """The mixture that explains a participant best, and whether it does."""

    weights: pd.DataFrame
    """One row a column of ``identifiability``, noise first: ``strategy``, ``estimate``, ``low``, ``high``, ``least``,
    ``most``, ``note``. ``low`` and ``high`` are 95 % limits; all from ``least`` to ``most`` fit just as well."""
    n: int
    """Trials with a choice."""
    left_out: int
    """Trials without one: ties, unreadable, missing."""
    items: int
    """Items among the trials with a choice."""
    log_likelihood: float
    """Of the weights, in nats."""
    fitness: Fitness
    """How far the mixture is from the answers."""
    verdict: str
    """``explained``, ``roughly explained``, ``none of these``, ``guessing``, ``too few answers`` or ``cannot be told``
    (where all strategies predict the same)."""
    identifiability: Identifiability
    """What these trials can tell apart."""

    def lines(self) -> list[str]:
        """Return the fingerprint in words."""
        shown = self.weights[(self.weights.estimate > 0.0005) | (self.weights.low > 0)]
        parts = [f"{row.strategy} {row.estimate:.2f} [{row.low:.2f}, {row.high:.2f}]" for row in shown.itertuples()]
        told = f"{self.verdict} ({self.n:,} answers, {self.left_out:,} left out): {', '.join(parts)}"
        return [f"{told}; {self.fitness.told()}", *self.identifiability.lines()]


def fingerprint(
    table: Predictions,
    choices: Whole,
    items: Sequence[str],
    cells: Sequence[str] | None = None,
    *,
    seed: int = 0,
    resamples: int = 500,
    simulations: int = 200,
) -> Fingerprint:
    """Fit a mixture of strategies and noise to one participant's choices.

    ``choices``: index of the option chosen on each trial of ``table``, -1 for none (left out, counted). ``items``: the
    cluster of each trial. A limit is the wider one of two: that of a percentile bootstrap of ``resamples`` over items,
    which cannot move from 0 or 1, and that of the profile likelihood, which takes trials as independent. Weights that
    are 0 in truth are estimated at 0 or more, at the cost of noise: its estimate is low rather than high. ``cells``: a
    label a trial; the mixture is then held against each cell's own frequencies, so it must fit in all of them at once.

    Raises :class:`AnalysisError` where the lengths differ, a choice is not offered, or nothing was chosen.
    """
    chosen = _checked(table, choices, items, cells)
    labels = np.asarray(cells if cells is not None else [""] * len(choices))[chosen]
    answered, picked = table.take(chosen), choices[chosen]
    found = identifiability(answered)
    parts = merged(answered, found)
    kinds = answered.kind[np.arange(len(picked)), picked]
    counts = np.bincount(kinds, minlength=len(parts)).astype(float)
    weights = fit(parts, counts)
    clusters, cluster = np.unique(np.asarray(items)[chosen], return_inverse=True)
    by_item = np.zeros((len(clusters), len(parts)))
    np.add.at(by_item, (cluster, kinds), 1)
    limits = _limits(parts, by_item, weights, seed, resamples)
    held = fitness(answered, picked, labels, parts, weights, seed, simulations)
    return Fingerprint(
        weights=_weights(found, weights, limits, ranges(parts, counts, weights)),
        n=len(picked),
        left_out=int((~chosen).sum()),
        items=len(clusters),
        log_likelihood=log_likelihood(parts, counts, weights),
        fitness=held,
        verdict=_verdict(found, weights, held, len(picked)),
        identifiability=found,
    )


def fingerprints(
    table: Predictions,
    choices: Whole,
    items: Sequence[str],
    cells: Sequence[str],
    *,
    seed: int = 0,
    resamples: int = 500,
    simulations: int = 200,
) -> dict[str, Fingerprint]:
    """Fit every cell by itself, in the order of the trials; a cell without any choice is left out.

    Within a cell more strategies predict the same than in the whole: see each one's ``identifiability``.
    """
    labels, names = np.asarray(cells), np.asarray(items)
    found = {}
    for cell in dict.fromkeys(cells):
        inside = labels == cell
        if (choices[inside] >= 0).any():
            found[cell] = fingerprint(
                table.take(inside),
                choices[inside],
                names[inside].tolist(),
                seed=derived(seed, f"cell/{cell}"),
                resamples=resamples,
                simulations=simulations,
            )
    return found


def fingerprint_of(
    design: DesignResults,
    subject: Result,
    cells: Sequence[str] = (),
    *,
    seed: int = 0,
    resamples: int = 500,
    simulations: int = 200,
) -> Fingerprint:
    """Fit the reference participants of a run to one of its participants; ``cells`` names factors of its trials."""
    return fingerprint(
        predictions_of(design, subject),
        choices_of(subject),
        items_of(subject),
        [BETWEEN.join(trial.factors[factor] for factor in cells) for trial in subject.trials],
        seed=seed,
        resamples=resamples,
        simulations=simulations,
    )


def _checked(
    table: Predictions, choices: Whole, items: Sequence[str], cells: Sequence[str] | None
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    lengths = {len(table.trials), len(choices), len(items), len(choices if cells is None else cells)}
    if len(lengths) > 1:
        raise AnalysisError(f"{len(table.trials)} trials, but {len(choices)} choices and {len(items)} items")
    wrong = np.flatnonzero(choices >= table.options)
    if len(wrong):
        raise AnalysisError(f"option {choices[wrong[0]]} of {table.trials[wrong[0]]!r} is not offered")
    if not (choices >= 0).any():
        raise AnalysisError("the participant chose on no trial")
    return np.asarray(choices >= 0)


def _limits(parts: Array, by_item: Array, weights: Array, seed: int, resamples: int) -> list[tuple[float, float]]:
    """Return the limits of every weight."""
    counts = by_item.sum(axis=0)
    if parts.shape[1] == 1:
        return [(1.0, 1.0)]
    drawn = weights[None]
    if len(by_item) > 1 and resamples:
        generator = np.random.default_rng(derived(seed, "fingerprint/items"))
        times = generator.multinomial(len(by_item), np.full(len(by_item), 1 / len(by_item)), size=resamples)
        drawn = np.array([fit(parts, row, weights) for row in times @ by_item])
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    profiles = [profile_limits(parts, counts, weights, column) for column in range(parts.shape[1])]
    return [
        (min(float(a), profile[0]), max(float(b), profile[1]))
        for a, b, profile in zip(low, high, profiles, strict=True)
    ]


def _weights(
    found: Identifiability, weights: Array, limits: Sequence[tuple[float, float]], spread: Array
) -> pd.DataFrame:
    group = {name: group for group in found.groups for name in group}
    rows = []
    for name, estimate, (low, high), (least, most) in zip(found.names, weights, limits, spread, strict=True):
        note = ""
        if most - least > _KNOWN:
            others = [other for other in group.get(name, ()) if other != name]
            note = f"known only together with {', '.join(others)}" if others else "not fixed by these answers"
        rows.append((name, estimate, low, high, least, most, note))
    columns = ["strategy", "estimate", "low", "high", "least", "most", "note"]
    return pd.DataFrame(rows, columns=columns)


def _verdict(found: Identifiability, weights: Array, held: Fitness, n: int) -> str:
    if found.rank < 2:
        return "cannot be told"
    if n < FEW * found.rank:
        return "too few answers"
    if not held.p < 0.05:
        return "guessing" if weights[0] > 0.95 and NOISE in found.columns[0] else "explained"
    return "roughly explained" if held.excess <= ENOUGH else "none of these"
