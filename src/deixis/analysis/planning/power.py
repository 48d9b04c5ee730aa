"""How often a planned study finds a difference: by simulation, with the error of the simulation stated.

Every simulated study is analysed as the difference between shares right, against its variation across people, items or
both: with mean squares of people, items and residual within each block of equal conditions, the variance is
``(MS_people + MS_items - MS_residual) / n`` with Satterthwaite's degrees of freedom (Clark 1973, quasi-F; the mean
squares are those of a linear mixed model with crossed people and items).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.special import expit, stdtr

from deixis.analysis.intervals import wilson
from deixis.analysis.planning.studies import Study
from deixis.analysis.strategies.predictions import Array
from deixis.errors import AnalysisError
from deixis.seeds import derived

_AT_ONCE = 4_000_000
"""Answers simulated at a time."""


@dataclass(frozen=True, slots=True)
class Power:
    """What simulations of one study found."""

    study: Study
    """The study."""
    power: float
    """Share of simulated studies that found the difference, in either direction."""
    error: float
    """Monte Carlo standard error of ``power``."""
    low: float
    """Lower end of its 95 % Wilson interval."""
    high: float
    """Upper end."""
    false_alarms: float
    """The same share where the conditions are alike on average: near alpha if the test keeps what it promises."""
    false_alarms_error: float
    """Its Monte Carlo standard error."""
    simulations: int
    """How many studies were simulated, with a difference and without one."""


def power(study: Study, alpha: float = 0.05, simulations: int = 1000, seed: int = 0) -> Power:
    """Return the power of a study.

    Raises :class:`AnalysisError` for an alpha or a number of simulations that says nothing.
    """
    check(alpha, simulations)
    found = int((p_values(study, simulations, seed) < alpha).sum())
    alarms = int((p_values(study.without_difference(), simulations, seed, "alike") < alpha).sum())
    rate, alarm_rate = found / simulations, alarms / simulations
    return Power(
        study,
        rate,
        _error(rate, simulations),
        *wilson(found, simulations),
        alarm_rate,
        _error(alarm_rate, simulations),
        simulations,
    )


def check(alpha: float, simulations: int) -> None:
    """Raise :class:`AnalysisError` for an alpha or a number of simulations that says nothing."""
    if not 0 < alpha < 1:
        raise AnalysisError(f"alpha of {alpha:g} decides nothing; give a probability, such as 0.05")
    if not 1 <= simulations <= 1_000_000:
        raise AnalysisError(f"{simulations} simulations tell nothing; give 1 to 1,000,000, such as 1000")


def power_table(studies: Iterable[Study], alpha: float = 0.05, simulations: int = 1000, seed: int = 0) -> pd.DataFrame:
    """Return one row a study: its size, shares, power with its Monte Carlo error and interval, false alarms."""
    rows = []
    for study in studies:
        found = power(study, alpha, simulations, seed)
        first, second = study.shares
        rows.append(
            {
                "people": study.people,
                "items": study.items,
                "repeats": study.repeats,
                "trials": study.trials,
                "first": first,
                "second": second,
                "power": found.power,
                "error": found.error,
                "low": found.low,
                "high": found.high,
                "false_alarms": found.false_alarms,
                "false_alarms_error": found.false_alarms_error,
                "simulations": simulations,
            }
        )
    return pd.DataFrame(rows)


def sizes(study: Study, people: Sequence[int], items: Sequence[int], repeats: Sequence[int]) -> list[Study]:
    """Return the study in every combination of sizes, repeats slowest, people fastest."""
    return [replace(study, people=p, items=i, repeats=r) for r in repeats for i in items for p in people]


def p_values(study: Study, simulations: int, seed: int = 0, name: str = "") -> Array:
    """Return the two-sided p of each simulated study; 1 where nothing varies and there is no difference, else 0."""
    drawn = derived(seed, f"power/{name}/{study.people}/{study.items}/{study.repeats}")
    generator = np.random.default_rng(drawn)
    at_once = max(1, _AT_ONCE // (2 * study.people * study.items))
    parts = []
    for begin in range(0, simulations, at_once):
        blocks = _blocks(study, generator, min(at_once, simulations - begin))
        parts.append(_test(blocks, study))
    return np.concatenate(parts)


def _blocks(study: Study, generator: np.random.Generator, count: int) -> list[Array]:
    """Return shares right of every person (rows) on every item (columns), as blocks under one sign.

    ``crossed``: one block of differences. Otherwise blocks of second condition (times 2) and first (times -2), so that
    their mean, weighted by size, is the difference.
    """
    first, second = study.logits
    shape = (count, study.people, 1), (count, 1, study.items)
    person, own_person = (generator.normal(0, sd, shape[0]) for sd in (study.sd_people, study.sd_people_effect))
    item, own_item = (generator.normal(0, sd, shape[1]) for sd in (study.sd_items, study.sd_items_effect))
    common, half = person + item, (own_person + own_item) / 2

    def answered(middle: float, sign: int, people: slice, items: slice) -> Array:
        chance = expit(middle + common[:, people, items] + sign * half[:, people, items])
        if study.repeats == 1:
            return np.asarray((generator.random(chance.shape) < chance).astype(float))
        return np.asarray(generator.binomial(study.repeats, chance) / study.repeats)

    everything = slice(None)
    if study.pairing == "crossed":
        return [answered(second, 1, everything, everything) - answered(first, -1, everything, everything)]
    one, other = slice(None, study.people // 2), slice(study.people // 2, None)
    if study.pairing == "between":
        return [2 * answered(second, 1, one, everything), -2 * answered(first, -1, other, everything)]
    these, those = slice(None, study.items // 2), slice(study.items // 2, None)
    return [
        2 * answered(second, 1, one, these),
        -2 * answered(first, -1, one, those),
        -2 * answered(first, -1, other, these),
        2 * answered(second, 1, other, those),
    ]


def _test(blocks: list[Array], study: Study) -> Array:
    """Return p of the mean of all blocks."""
    estimate = np.mean([block.mean(axis=(1, 2)) for block in blocks], axis=0)
    people, items, residual = _squares(blocks, study)
    n = study.people * study.items
    parts = {"people": [people], "items": [items], "both": [people, items, residual]}[study.test]
    signs = (1, 1, -1)
    variance = sum(sign * square / n for sign, (square, _) in zip(signs, parts, strict=False))
    spread = sum((square / n) ** 2 / df for square, df in parts)
    if study.test == "both":
        # a variance between people or items is not negative: at least what residual noise alone would give
        variance = np.maximum(variance, residual[0] / n)
    with np.errstate(invalid="ignore", divide="ignore"):
        t, df = estimate / np.sqrt(variance), np.asarray(variance**2 / spread)
        least = min(d for _, d in parts)
        p = 2 * stdtr(np.clip(np.nan_to_num(df, nan=least), least, None), -np.abs(t))
    return np.asarray(np.where(variance > 1e-15, p, np.where(np.abs(estimate) > 1e-12, 0.0, 1.0)))


def _squares(blocks: list[Array], study: Study) -> tuple[tuple[Array, int], tuple[Array, int], tuple[Array, int]]:
    """Return mean squares and degrees of freedom of people, items and residual, each on the scale of one answer.

    People and items are totals over all blocks they stand in, less the mean of those who stand in the same: a list's
    items or a group's people differ for reasons that cancel out of the difference.
    """
    people, items = study.people, study.items
    if study.pairing == "crossed":
        (block,) = blocks
        person, item = [block.mean(axis=2)], [block.mean(axis=1)]
    elif study.pairing == "between":
        person, item = [block.mean(axis=2) for block in blocks], [(blocks[0].mean(axis=1) + blocks[1].mean(axis=1)) / 2]
    else:
        a, b, c, d = blocks
        person = [(x.mean(axis=2) + y.mean(axis=2)) / 2 for x, y in ((a, b), (c, d))]
        item = [(x.mean(axis=1) + y.mean(axis=1)) / 2 for x, y in ((a, c), (b, d))]
    inner = [
        x - x.mean(axis=2, keepdims=True) - x.mean(axis=1, keepdims=True) + x.mean(axis=(1, 2), keepdims=True)
        for x in blocks
    ]
    dfs = people - len(person), items - len(item), sum((x.shape[1] - 1) * (x.shape[2] - 1) for x in blocks)
    return (
        (items * _around(person) / max(1, dfs[0]), max(1, dfs[0])),
        (people * _around(item) / max(1, dfs[1]), max(1, dfs[1])),
        (np.asarray(sum((x**2).sum(axis=(1, 2)) for x in inner)) / max(1, dfs[2]), max(1, dfs[2])),
    )


def _around(groups: list[Array]) -> Array:
    """Return the sum of squares around each group's mean."""
    return np.asarray(sum(((x - x.mean(axis=1, keepdims=True)) ** 2).sum(axis=1) for x in groups))


def _error(rate: float, simulations: int) -> float:
    return float(np.sqrt(rate * (1 - rate) / simulations))
