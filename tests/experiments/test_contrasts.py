"""What was planned exists: factors, levels and conditions are those of the experiments."""

import pytest

from deixis.experiments import EXPERIMENTS, experiment
from deixis.experiments.contrasts import BETWEEN, PLANNED, Contrast


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_its_plan(name: str) -> None:
    found = experiment(name)
    assert found.planned == PLANNED[name]
    assert len({contrast.id for contrast in found.planned}) == len(found.planned)
    levels = (
        {
            factor: {trial.factors[factor] for trial in found.design(None, found.conditions[0]).trials}
            for factor in found.factors
        }
        if any(contrast.by != "condition" for contrast in found.planned)
        else {}
    )
    for contrast in found.planned:
        _check(contrast, set(found.conditions), levels)


def _check(contrast: Contrast, conditions: set[str], levels: dict[str, set[str]]) -> None:
    known = conditions if contrast.by == "condition" else levels[contrast.by]
    assert {contrast.high, contrast.low} <= known, contrast
    assert contrast.high != contrast.low
    for factor, level in contrast.where.items():
        assert level in levels[factor]


def test_between_experiments() -> None:
    assert {level for contrast in BETWEEN for level in (contrast.high, contrast.low)} <= set(EXPERIMENTS)
