"""The experiments: one file each, with the same parts in the same order."""

from deixis.errors import UsageError
from deixis.experiments import checks, comprehension, demonstrative, indexicals, possessive, vocabulary
from deixis.experiments.experiment import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    module.EXPERIMENT.name: module.EXPERIMENT
    for module in (indexicals, vocabulary, possessive, demonstrative, comprehension, checks)
}
"""Every experiment by name."""


def experiment(name: str) -> Experiment:
    """Return the experiment called ``name``; raises :class:`UsageError` naming those there are."""
    if name not in EXPERIMENTS:
        raise UsageError(f"unknown experiment {name!r}; there is {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[name]
