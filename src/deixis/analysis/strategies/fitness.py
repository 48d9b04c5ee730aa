"""Whether a mixture fits: held against the frequencies of its own cells, which fit perfectly.

Trials of one cell on which the strategies predict the same are alike to the mixture; their answers have frequencies of
their own (the saturated model). The deviance G² between both has no χ² distribution here, since weights lie on the edge
and many counts are small, so it is simulated from the mixture, refitted each time.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deixis.analysis.strategies.mixture import fit
from deixis.analysis.strategies.predictions import Array, Predictions, Whole, alike
from deixis.seeds import derived


@dataclass(frozen=True, slots=True)
class Fitness:
    """How far a mixture is from the answers."""

    deviance: float
    """G² of the mixture against each cell's own frequencies."""
    p: float
    """Share of simulated deviances at least as great, ``(1 + greater) / (1 + simulations)``; NaN without any."""
    simulations: int
    """How many were simulated."""
    misfit: float
    """Share of the answers that would have to change for a perfect fit: the mean total variation distance."""
    excess: float
    """``misfit`` less its mean where the mixture is true: what is not sampling."""
    explained: float
    """Share of the deviance from guessing that the mixture takes away; NaN where the cells do not differ from it."""
    cells: int
    """Cells of alike trials."""

    def told(self) -> str:
        """Return it in words."""
        return (
            f"explains {self.explained:.0%} of the deviance from guessing; G² = {self.deviance:.1f} "
            f"in {self.cells} cells, p = {self.p:.3f} (simulated {self.simulations} times), "
            f"{max(0.0, self.excess):.1%} of the answers outside it"
        )


def fitness(
    table: Predictions,
    choices: Whole,
    labels: NDArray[np.str_],
    parts: Array,
    weights: Array,
    seed: int,
    simulations: int,
) -> Fitness:
    """Hold a mixture against the cells; every trial of ``table`` has a choice, ``labels`` cross the cells further."""
    cell, roles = _cells(table, labels)
    chosen = table.kind[np.arange(len(choices)), choices]
    sizes = np.bincount(cell).astype(np.int64)
    # the model's probability of each kind of option in each cell; kinds that a trial offers twice count twice
    model = roles * (parts @ weights)
    seen = np.zeros_like(roles)
    np.add.at(seen, (cell, chosen), 1)
    guess = roles / roles.sum(axis=1, keepdims=True)
    deviance, misfit = _distance(seen, model, sizes)
    from_guess, _ = _distance(seen, guess, sizes)
    generator = np.random.default_rng(derived(seed, "fingerprint/fit"))
    made = [_again(generator, sizes, model, roles, parts, weights) for _ in range(simulations)]
    greater = sum(other >= deviance * (1 - 1e-9) - 1e-9 for other, _ in made)
    return Fitness(
        deviance=deviance,
        p=(1 + greater) / (1 + simulations) if simulations else float("nan"),
        simulations=simulations,
        misfit=misfit,
        excess=misfit - float(np.mean([other for _, other in made])) if made else misfit,
        explained=1 - deviance / from_guess if from_guess > 1e-9 else float("nan"),
        cells=len(sizes),
    )


def _cells(table: Predictions, labels: NDArray[np.str_]) -> tuple[Whole, Array]:
    """Return the cell of each trial, and how often each kind of option (columns) is offered in each cell (rows)."""
    _, label = np.unique(labels, return_inverse=True)
    offers = np.column_stack([label, np.sort(table.kind, axis=1)])
    first, cell = alike(offers)
    cells = offers[first]
    roles = np.zeros((len(cells), len(table.rows)))
    for options in cells[:, 1:].T:
        offered = options >= 0
        np.add.at(roles, (np.flatnonzero(offered), options[offered]), 1)
    return cell, roles


def _again(
    generator: np.random.Generator, sizes: Whole, model: Array, roles: Array, parts: Array, weights: Array
) -> tuple[float, float]:
    """Simulate answers from the mixture, refit it, and return deviance and misfit."""
    drawn = generator.multinomial(sizes, model / model.sum(axis=1, keepdims=True)).astype(float)
    return _distance(drawn, roles * (parts @ fit(parts, drawn.sum(axis=0), weights)), sizes)


def _distance(seen: Array, model: Array, sizes: Whole) -> tuple[float, float]:
    """Return G² and the mean total variation distance between frequencies and probabilities."""
    where = seen > 0
    expected = (sizes[:, None] * model)[where]
    deviance = 2 * float(np.sum(seen[where] * np.log(seen[where] / np.maximum(expected, 1e-300))))
    apart = np.abs(seen - sizes[:, None] * model).sum() / 2
    return max(0.0, deviance), float(apart / sizes.sum())
