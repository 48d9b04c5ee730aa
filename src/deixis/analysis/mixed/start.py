"""Where the search begins: fixed effects without random ones, and a moment estimate of each standard deviation."""

import numpy as np
from scipy.linalg import lapack

from deixis.analysis.mixed.crossed import Crossed, Floats
from deixis.analysis.mixed.families import Cumulative
from deixis.analysis.mixed.fixed_only import FixedOnly
from deixis.analysis.mixed.newton import Optimum, minimise

LEAST, MOST = 0.1, 2.0
"""The standard deviation to begin with lies between these."""


def logistic(distinct: Floats, successes: Floats, trials: Floats) -> Floats:
    """Return rough logistic coefficients from counts by pattern: empirical logits, then one weighted step."""
    eta = np.log((successes + 0.5) / (trials - successes + 0.5))
    share = (successes + 0.5) / (trials + 1)
    fixed = np.zeros(distinct.shape[1])
    for _ in range(2):
        weight = trials * share * (1 - share) + 1e-9
        weighted = distinct.T * weight
        fixed = lapack.dposv(weighted @ distinct, weighted @ eta)[1]
        linear = distinct @ fixed
        share = 1 / (1 + np.exp(-linear))
        eta = linear + (successes / trials - share) / np.maximum(share * (1 - share), 1e-6)
    return fixed


def cumulative(family: Cumulative, fixed: Floats) -> Optimum | None:
    """Return the fit without random effects, begun from the categories' shares."""
    counts = np.bincount(family.categories, family.counts, family.extras + 1)
    below = np.cumsum(counts)[:-1] / counts.sum()
    start = np.concatenate([np.log(below / (1 - below)), np.zeros(fixed.shape[1])])
    problem = FixedOnly(family, fixed)
    return minimise(problem, start, np.empty(0), np.ones(problem.size, bool))


def spreads(crossed: Crossed, score: Floats, weight: Floats) -> Floats:
    """Return a standard deviation for each factor from how far the levels' summed scores go beyond chance.

    A level's score has variance ``c + σ²c²`` to first order, with c its summed weight.
    """
    sums, totals = crossed.gather(score) ** 2, crossed.gather(weight)
    excess = [(sums[block] - totals[block]).sum() / (totals[block] ** 2).sum() for block in crossed.blocks]
    return np.asarray(np.clip(np.sqrt(np.maximum(excess, 0)), LEAST, MOST))


def stretched(fixed: Floats, spread: Floats) -> Floats:
    """Return coefficients that hold at a level from those that hold on average (Zeger, Liang & Albert 1988)."""
    return np.asarray(fixed * np.sqrt(1 + 0.346 * (spread**2).sum()))
