"""How large a difference is, with its interval: risk difference, odds ratio, Cohen's h, Cramér's V."""

import math
from dataclasses import dataclass

from scipy import special, stats
from scipy.optimize import brentq

from deixis.analysis.shares.proportions import newcombe
from deixis.errors import AnalysisError

NAN = math.nan


@dataclass(frozen=True, slots=True)
class EffectSize:
    """An effect size with its interval."""

    name: str
    """What it is."""
    estimate: float
    """NaN where it is not defined."""
    low: float
    """Lower end of its interval; NaN where there is none."""
    high: float
    """Upper end."""
    note: str = ""
    """Why a part is missing, or what to keep in mind."""


def risk_difference(k1: float, n1: int, k2: float, n2: int, *, level: float = 0.95) -> EffectSize:
    """Return ``k1/n1 - k2/n2`` with Newcombe's interval."""
    if not (n1 and n2):
        return EffectSize("risk difference", NAN, NAN, NAN, "one side has no trial")
    return EffectSize("risk difference", k1 / n1 - k2 / n2, *newcombe(k1, n1, k2, n2, level))


def odds_ratio(k1: float, n1: int, k2: float, n2: int, *, level: float = 0.95) -> EffectSize:
    """Return the odds of the first over the odds of the second, with Woolf's interval (1955).

    Where a count is 0 the ratio is 0, infinite or not defined, as the table has it, and Woolf's interval does not
    exist: it then is that of the table with ½ added everywhere (Haldane 1956), as the note says.
    """
    table = (k1, n1 - k1, k2, n2 - k2)
    if not (n1 and n2):
        return EffectSize("odds ratio", NAN, NAN, NAN, "one side has no trial")
    above, below = table[0] * table[3], table[1] * table[2]
    estimate = above / below if below else math.inf if above else NAN
    note = ""
    if min(table) == 0:
        table = (table[0] + 0.5, table[1] + 0.5, table[2] + 0.5, table[3] + 0.5)
        note = "a count is 0: the interval is that with ½ added to every count"
    log_ratio = math.log(table[0] * table[3] / (table[1] * table[2]))
    half = _z(level) * math.sqrt(sum(1 / count for count in table))
    return EffectSize("odds ratio", estimate, math.exp(log_ratio - half), math.exp(log_ratio + half), note)


def cohens_h(k1: float, n1: int, k2: float, n2: int, *, level: float = 0.95) -> EffectSize:
    """Return ``2 asin √p1 - 2 asin √p2`` (Cohen 1988), between -π and π; its variance is about 1/n1 + 1/n2."""
    if not (n1 and n2):
        return EffectSize("Cohen's h", NAN, NAN, NAN, "one side has no trial")
    estimate = 2 * math.asin(math.sqrt(k1 / n1)) - 2 * math.asin(math.sqrt(k2 / n2))
    half = _z(level) * math.sqrt(1 / n1 + 1 / n2)
    edge = k1 in (0, n1) or k2 in (0, n2)
    note = "a share is 0 or 1, where the interval of h is only rough" if edge else ""
    return EffectSize("Cohen's h", estimate, max(-math.pi, estimate - half), min(math.pi, estimate + half), note)


def cramers_v(statistic: float, n: int, rows: int, columns: int, *, level: float = 0.95) -> EffectSize:
    """Return Cramér's V of a table with this χ² and ``n`` trials, and the interval of the population's V.

    The interval turns the non-central χ² round (Steiger 2004): its ends are those V for which so large, or so small, a
    statistic has probability (1 - level)/2. V itself is too large by chance alone (about √(df/(n·m)) where nothing is
    to be found, m the smaller of rows and columns less 1), so it can lie above the interval; the note says so.
    """
    df, least = (rows - 1) * (columns - 1), min(rows, columns) - 1
    if math.isnan(statistic) or df < 1 or n < 1:
        return EffectSize("Cramér's V", NAN, NAN, NAN, "the table has one row, one column or no trial")
    tail = (1 - level) / 2
    estimate = math.sqrt(statistic / (n * least))
    low, high = (math.sqrt(_noncentrality(statistic, df, p) / (n * least)) for p in (1 - tail, tail))
    note = ""
    if high == 0:
        note = "the groups are more alike than chance makes them: the interval shrinks to 0"
    elif estimate > high:
        note = "chance alone makes V this large: the population's lies below it"
    return EffectSize("Cramér's V", estimate, min(1.0, low), min(1.0, high), note)


def cramers_v_corrected(statistic: float, n: int, rows: int, columns: int) -> float:
    """Return Cramér's V corrected for what chance adds (Bergsma 2013); NaN where it is not defined."""
    if math.isnan(statistic) or n < 2 or min(rows, columns) < 2:
        return NAN
    excess = max(0.0, statistic / n - (rows - 1) * (columns - 1) / (n - 1))
    shrunk = min(size - (size - 1) ** 2 / (n - 1) for size in (rows, columns)) - 1
    return math.sqrt(excess / shrunk) if shrunk > 0 else NAN


def _noncentrality(statistic: float, df: int, below: float) -> float:
    """Return the non-centrality at which a statistic up to this has probability ``below``; 0 where none is so small."""
    if special.chdtr(df, statistic) <= below:
        return 0.0
    most = statistic + 1
    while special.chndtr(statistic, df, most) > below:
        most *= 2
    return float(brentq(lambda nc: special.chndtr(statistic, df, nc) - below, 0.0, most, xtol=1e-12, rtol=1e-13))


def _z(level: float) -> float:
    if not 0 < level < 1:
        raise AnalysisError(f"a level of {level:g} makes no interval: it must lie between 0 and 1")
    return float(stats.norm.ppf((1 + level) / 2))
