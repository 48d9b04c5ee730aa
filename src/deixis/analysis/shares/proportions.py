"""Proportions with their intervals: of pooled trials, of a difference, and across participants."""

import math
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special, stats

from deixis.analysis.counting import answered, cells
from deixis.analysis.intervals import wilson
from deixis.analysis.pvalues import from_log
from deixis.analysis.regression.design_matrix import Levels
from deixis.errors import AnalysisError

NAN = math.nan


def exact(k: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson (1934) for ``k`` of ``n``, from quantiles of beta distributions.

    NaN where ``n`` is 0 or where ``k`` is not a whole number, as after ties that earn a share.
    """
    if n == 0 or k != int(k):
        return NAN, NAN
    tail = (1 - level) / 2
    low = 0.0 if k == 0 else float(special.betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(special.betaincinv(k + 1, n - k, 1 - tail))
    return low, high


def newcombe(k1: float, n1: int, k2: float, n2: int, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of ``k1/n1 - k2/n2`` from two Wilson intervals (Newcombe 1998, method 10).

    NaN without trials. It never has width 0, and it needs the trials to be independent of each other.
    """
    if n1 == 0 or n2 == 0:
        return NAN, NAN
    p1, p2 = k1 / n1, k2 / n2
    (low1, high1), (low2, high2) = wilson(k1, n1, level), wilson(k2, n2, level)
    return p1 - p2 - math.hypot(p1 - low1, high2 - p2), p1 - p2 + math.hypot(high1 - p1, p2 - low2)


@dataclass(frozen=True, slots=True)
class Proportion:
    """A share of pooled trials, each taken as independent of the others."""

    n: int
    """Trials that count."""
    left_out: int
    """Trials whose outcome is not known."""
    k: float
    """Sum of outcomes; whole unless ties earned a share."""
    estimate: float
    """``k / n``; NaN without trials."""
    std_error: float
    """Binomial standard error √(p(1 - p)/n), which is 0 at 0 and 1: intervals are not made from it."""
    wilson_low: float
    """Lower end of the Wilson interval."""
    wilson_high: float
    """Upper end."""
    exact_low: float
    """Lower end of the exact interval (Clopper and Pearson)."""
    exact_high: float
    """Upper end."""
    note: str = ""
    """Why a part is not defined."""


def proportion(k: float, n: int, *, left_out: int = 0, level: float = 0.95) -> Proportion:
    """Return ``k / n`` with its intervals; raises :class:`AnalysisError` unless 0 ≤ k ≤ n."""
    if not 0 <= k <= n:
        raise AnalysisError(f"{k:g} of {n} is no proportion")
    if n == 0:
        return Proportion(0, left_out, 0, NAN, NAN, NAN, NAN, NAN, NAN, "no trial with a known outcome")
    share = k / n
    note = "" if k == int(k) else "ties earned a share: no exact interval"
    if k in (0, n):
        note = "the outcome does not vary: the standard error of 0 says nothing, the intervals do"
    error = math.sqrt(share * (1 - share) / n)
    return Proportion(n, left_out, k, share, error, *wilson(k, n, level), *exact(k, n, level), note)


def proportions(table: pd.DataFrame, by: Levels, *, outcome: str = "correct", level: float = 0.95) -> pd.DataFrame:
    """Return a row for every cell, empty ones too, with the fields of :class:`Proportion` behind its levels."""
    rows = []
    for named, part in cells(table, by):
        kept, left_out = answered(part, outcome)
        rows.append({**named, **asdict(_of(kept[outcome], left_out, level))})
    return pd.DataFrame(rows)


def _of(values: pd.Series, left_out: int, level: float) -> Proportion:
    return proportion(float(values.sum()), len(values), left_out=left_out, level=level)


def means(table: pd.DataFrame, *, outcome: str = "correct", participant: str = "participant") -> NDArray[np.float64]:
    """Return the mean outcome of every participant that has a known one, in the order in which they come."""
    kept, _ = answered(table, outcome, participant)
    found = kept.groupby(participant, sort=False, observed=True)[outcome].mean()
    return found.to_numpy(dtype=float)


def across_participants(
    table: pd.DataFrame,
    by: Levels,
    *,
    outcome: str = "correct",
    participant: str = "participant",
    level: float = 0.95,
) -> pd.DataFrame:
    """Return, for every cell, the mean of the participants' means with the standard error across them.

    Columns: the factors, ``n`` (trials), ``left_out``, ``participants``, ``estimate``, ``sd``, ``std_error`` (sd/√N),
    ``low`` and ``high`` (Student's t with N - 1 degrees of freedom, not cut at 0 and 1), ``note``. With one participant
    there is no spread to see, and with no spread there is no interval: NaN, and the note says so.
    """
    rows = []
    for named, part in cells(table, by):
        kept, left_out = answered(part, outcome, participant)
        found = means(kept, outcome=outcome, participant=participant)
        rows.append({**named, "n": len(kept), "left_out": left_out, **_spread(found, participant, level)})
    return pd.DataFrame(rows)


def _spread(found: NDArray[np.float64], participant: str, level: float) -> dict[str, object]:
    count = len(found)
    sd = float(np.std(found, ddof=1)) if count > 1 else NAN
    error = sd / math.sqrt(count) if count > 1 else NAN
    half, note = NAN, ""
    if count < 2:
        note = f"{participant} has {count} level{'' if count == 1 else 's'}: no standard error across them"
    elif error == 0:
        note = f"every {participant} has the same mean: no interval"
    else:
        half = float(stats.t.ppf((1 + level) / 2, count - 1)) * error
    mean = float(found.mean()) if count else NAN
    return {
        "participants": count,
        "estimate": mean,
        "sd": sd,
        "std_error": error,
        "low": mean - half,
        "high": mean + half,
        "note": note,
    }


@dataclass(frozen=True, slots=True)
class Welch:
    """Two groups of participants compared by their means (Welch 1947)."""

    n1: int
    """Participants on the first side."""
    n2: int
    """Participants on the second."""
    difference: float
    """Mean of the first minus mean of the second."""
    std_error: float
    """Its standard error, with the variances of the sides apart."""
    t: float
    """``difference / std_error``."""
    df: float
    """Degrees of freedom after Satterthwaite."""
    p: float
    """Two-sided."""
    low: float
    """Lower end of the interval of the difference."""
    high: float
    """Upper end."""
    note: str = ""
    """Why a part is not defined."""


def welch(first: NDArray[np.float64], second: NDArray[np.float64], *, level: float = 0.95) -> Welch:
    """Compare two groups, one number a participant; NaN with a note where a side is too small or both are constant."""
    n1, n2 = len(first), len(second)
    if min(n1, n2) < 2:
        difference = float(first.mean() - second.mean()) if n1 and n2 else NAN
        note = f"participant has {n1} and {n2} levels on the two sides, and each side needs two"
        return Welch(n1, n2, difference, NAN, NAN, NAN, NAN, NAN, NAN, note)
    difference = float(first.mean() - second.mean())
    parts = np.array([np.var(first, ddof=1) / n1, np.var(second, ddof=1) / n2])
    error = math.sqrt(parts.sum())
    if error == 0:
        note = "no participant differs from the others on its side: no test"
        return Welch(n1, n2, difference, 0.0, NAN, NAN, NAN, NAN, NAN, note)
    df = float(parts.sum() ** 2 / (parts**2 / np.array([n1 - 1, n2 - 1])).sum())
    half = float(stats.t.ppf((1 + level) / 2, df)) * error
    t = difference / error
    return Welch(n1, n2, difference, error, t, df, _two_sided(t, df), difference - half, difference + half)


def _two_sided(t: float, df: float) -> float:
    return float(from_log(math.log(2) + stats.t.logsf(abs(t), df)))


def against(k: int, n: int, chance: float, *, alternative: str = "two-sided") -> float:
    """Return the exact binomial p of ``k`` of ``n`` against a known chance; ``greater`` asks only whether above it.

    NaN without trials. Raises :class:`AnalysisError` unless chance lies between 0 and 1.
    """
    if not 0 < chance < 1:
        raise AnalysisError(f"a chance of {chance:g} cannot be tested: it must lie between 0 and 1")
    return NAN if n == 0 else float(stats.binomtest(k, n, chance, alternative=alternative).pvalue)
