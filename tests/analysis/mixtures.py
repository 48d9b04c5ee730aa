"""Trial tables of the real designs, with what the reference participants answer, and participants made of them."""

from functools import cache

import numpy as np

from deixis.analysis.strategies.predictions import NO_STRATEGY, Array, Predictions, Whole, predictions
from deixis.experiments import EXPERIMENTS, experiment
from deixis.experiments.experiment import Design
from deixis.participants.strategies import RULES


@cache
def design_of(name: str) -> Design:
    """The main condition under the corrected protocol, built once."""
    return experiment(name).design()


def table(design: Design) -> Predictions:
    trials = design.trials
    answers = {
        name: [rule(trial, 0) for trial in trials]
        for name, rule in RULES[design.experiment].items()
        if name not in NO_STRATEGY
    }
    return predictions(answers, [len(trial.options) for trial in trials], [trial.id for trial in trials])


def items(design: Design) -> list[str]:
    return [trial.factors.get("item") or trial.factors["group"] for trial in design.trials]


def cells(design: Design) -> list[str]:
    factors = EXPERIMENTS[design.experiment].cells
    return ["/".join(trial.factors[factor] for factor in factors) for trial in design.trials]


def weights(made: Predictions, **mixture: float) -> Array:
    """Weights by name, with ``_`` for ``-``; noise takes the rest."""
    found = np.zeros(len(made.strategies))
    for name, weight in mixture.items():
        found[made.strategies.index(name.replace("_", "-"))] = weight
    found[0] += 1 - found.sum()
    return found


def answers(made: Predictions, mixture: Array, seed: int) -> Whole:
    """One choice a trial, drawn from a mixture."""
    likely = (made.probabilities @ mixture).cumsum(axis=1)
    drawn = np.random.default_rng(seed).random((len(likely), 1))
    return (drawn >= likely[:, :-1]).sum(axis=1)
