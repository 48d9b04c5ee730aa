"""The same trials under two conditions: McNemar's tests, paired by the trial's id and never by row."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from scipy import stats
from scipy.optimize import brentq

from deixis.analysis.counting import answered, binary, need
from deixis.analysis.pvalues import from_log, log_chi_squared
from deixis.analysis.shares.proportions import exact
from deixis.errors import AnalysisError

NAN = math.nan


@dataclass(frozen=True, slots=True)
class Paired:
    """Two conditions compared on the trials that both have."""

    pairs: int
    """Trials with a known outcome under both conditions."""
    left_out: int
    """Trials in both conditions whose outcome is unknown in one or both."""
    unpaired: int
    """Trials that only one condition has."""
    only_first: int
    """Right under the first condition alone."""
    only_second: int
    """Right under the second alone."""
    difference: float
    """Share right under the first minus under the second."""
    low: float
    """Lower end of its score interval (Tango 1998)."""
    high: float
    """Upper end."""
    statistic: float
    """McNemar's χ² with 1 degree of freedom, uncorrected (1947)."""
    p: float
    """Its large-sample p."""
    p_corrected: float
    """The same with the continuity correction of Edwards (1948)."""
    p_exact: float
    """Exact: are the trials that differ split like coin tosses?"""
    p_mid: float
    """Mid-p, which counts the observed split half: less cautious than exact, and still holds its level in practice."""
    odds_ratio: float
    """``only_first / only_second``; infinite or 0 where one of them is 0."""
    odds_low: float
    """Lower end of its exact conditional interval."""
    odds_high: float
    """Upper end."""
    note: str = ""
    """Why a part is not defined."""


def paired(
    first: pd.DataFrame,
    second: pd.DataFrame,
    key: Sequence[str] = ("participant", "trial_id"),
    *,
    outcome: str = "correct",
    level: float = 0.95,
) -> Paired:
    """Compare two tables by the trials that both have; ``key`` are the columns that make a trial the same.

    Raises :class:`AnalysisError` where a key comes twice in one table, since it then cannot be said which pairs with
    which, where no trial is in both, and for outcomes other than 1, 0 and NaN.
    """
    keys = list(key)
    for name, table in (("first", first), ("second", second)):
        need(table, outcome, *keys)
        twice = table[table.duplicated(keys)]
        if len(twice):
            said = "/".join(str(part) for part in twice.iloc[0][keys])
            raise AnalysisError(f"the {name} condition has {said} more than once ({len(twice)} rows too many)")
    both = first[[*keys, outcome]].merge(second[[*keys, outcome]], on=keys, suffixes=("_1", "_2"), validate="1:1")
    if both.empty:
        raise AnalysisError(f"no trial is in both conditions: they share no {'/'.join(keys)}")
    known, lost1 = answered(both, f"{outcome}_1")
    known, lost2 = answered(known, f"{outcome}_2")
    one, two = (binary(known[f"{outcome}_{side}"], outcome) for side in (1, 2))
    unpaired = len(first) + len(second) - 2 * len(both)
    counts = int(((one == 1) & (two == 0)).sum()), int(((one == 0) & (two == 1)).sum())
    return mcnemar(len(known), *counts, left_out=lost1 + lost2, unpaired=unpaired, level=level)


def mcnemar(
    pairs: int, only_first: int, only_second: int, *, left_out: int = 0, unpaired: int = 0, level: float = 0.95
) -> Paired:
    """Return all of McNemar from the counts; where no trial differs only the interval of the difference is defined."""
    b, c = only_first, only_second
    differing = b + c
    if pairs == 0:
        return Paired(0, left_out, unpaired, 0, 0, *(NAN,) * 11, note="no pair has both outcomes")
    low, high = tango(pairs, b, c, level=level)
    difference = (b - c) / pairs
    if differing == 0:
        note = "no trial differs between the conditions: no test"
        return Paired(pairs, left_out, unpaired, 0, 0, difference, low, high, *(NAN,) * 8, note=note)
    statistic = (b - c) ** 2 / differing
    corrected = max(0, abs(b - c) - 1) ** 2 / differing
    tail = stats.binom.cdf(min(b, c), differing, 0.5)
    mid = 2 * tail - stats.binom.pmf(min(b, c), differing, 0.5)
    odds_low, odds_high = (share / (1 - share) if share < 1 else math.inf for share in exact(b, differing, level))
    return Paired(
        pairs=pairs,
        left_out=left_out,
        unpaired=unpaired,
        only_first=b,
        only_second=c,
        difference=difference,
        low=low,
        high=high,
        statistic=statistic,
        p=float(from_log(log_chi_squared(statistic, 1))),
        p_corrected=float(from_log(log_chi_squared(corrected, 1))),
        p_exact=min(1.0, float(2 * tail)),
        p_mid=min(1.0, float(mid)),
        odds_ratio=b / c if c else math.inf,
        odds_low=odds_low,
        odds_high=odds_high,
    )


def tango(pairs: int, only_first: int, only_second: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the score interval of the difference of two paired shares (Tango 1998), which has a width always."""
    z = float(stats.norm.ppf((1 + level) / 2))
    b, c, n = only_first, only_second, pairs

    def score(d: float) -> float:
        linear = (2 * n - b + c) * d - b - c
        q = (math.sqrt(max(0.0, linear**2 + 8 * n * c * d * (1 - d))) - linear) / (4 * n)
        variance = n * (2 * q + d * (1 - d))
        gap = b - c - n * d
        return gap / math.sqrt(variance) if variance > 1e-300 else math.copysign(math.inf, gap) if gap else 0.0

    found = (b - c) / n
    edge = 1 - 1e-12
    low = -1.0 if score(-edge) < z else float(brentq(lambda d: _cut(score(d)) - z, -edge, found))
    high = 1.0 if score(edge) > -z else float(brentq(lambda d: _cut(score(d)) + z, found, edge))
    return low, high


def _cut(z: float) -> float:
    return max(-1e6, min(1e6, z))
