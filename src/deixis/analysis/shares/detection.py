"""Quotation as a signal: how well a participant hears it (d′), how it leans (criterion), and what the prime does.

Signal is a quoted sentence, the response that says so is the shifted reading: a hit is a shifted answer to a quoted
sentence, a false alarm a shifted answer to another. d′ above 0 means that quotation is heard; a criterion above 0 means
a leaning away from the shifted reading, whatever the sentence.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from deixis.analysis.counting import answered, binary, cells
from deixis.analysis.pvalues import from_log, log_two_sided
from deixis.analysis.regression.design_matrix import Levels
from deixis.analysis.shares.clustered import clustered_difference
from deixis.analysis.shares.sandwich import Kind
from deixis.errors import AnalysisError

NAN = math.nan
QUOTATION = ("non-quoted", "quoted")
"""Levels of ``sentence_type``: noise, signal."""
PRIME = ("non-shifted", "shifted")
"""Levels of ``context_prime``."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Signal detection from four counts; main values with the log-linear correction, ``raw`` ones without."""

    hits: int
    """Shifted answers to quoted sentences."""
    n_signal: int
    """Answers to quoted sentences."""
    false_alarms: int
    """Shifted answers to other sentences."""
    n_noise: int
    """Answers to other sentences."""
    hit_rate: float
    """``hits / n_signal``."""
    fa_rate: float
    """``false_alarms / n_noise``."""
    dprime: float
    """z(hits) - z(false alarms)."""
    dprime_se: float
    """Its standard error (Gourevitch and Galanter 1967), trials taken as independent."""
    dprime_low: float
    """Lower end of its interval, normal."""
    dprime_high: float
    """Upper end."""
    criterion: float
    """-(z(hits) + z(false alarms)) / 2."""
    criterion_se: float
    """Its standard error, half of that of d′."""
    criterion_low: float
    """Lower end of its interval."""
    criterion_high: float
    """Upper end."""
    dprime_raw: float
    """d′ of the rates as they are; NaN where one is 0 or 1."""
    dprime_raw_se: float
    """Its standard error."""
    criterion_raw: float
    """Criterion of the rates as they are."""
    criterion_raw_se: float
    """Its standard error."""
    note: str = ""
    """What is not defined, and why."""


def sensitivity(hits: int, n_signal: int, false_alarms: int, n_noise: int, *, level: float = 0.95) -> Sensitivity:
    """Return d′ and criterion; ½ is added to hits and false alarms and 1 to both kinds of trials (Hautus 1995).

    Raises :class:`AnalysisError` where there is no trial of one kind.
    """
    if n_signal < 1 or n_noise < 1:
        raise AnalysisError(f"quotation is too small: {n_signal} quoted and {n_noise} other sentences, both are needed")
    rates = hits / n_signal, false_alarms / n_noise
    plain = _indices(*rates, n_signal, n_noise)
    found = _indices((hits + 0.5) / (n_signal + 1), (false_alarms + 0.5) / (n_noise + 1), n_signal, n_noise)
    dprime, criterion, dprime_se, criterion_se = found
    z = float(stats.norm.ppf((1 + level) / 2))
    note = "" if not math.isnan(plain[0]) else "a rate is 0 or 1: only the corrected values are defined"
    if rates in ((1.0, 1.0), (0.0, 0.0)):
        note = f"every answer is {'' if rates[0] else 'not '}shifted: d′ says nothing, the criterion carries everything"
    return Sensitivity(
        hits=hits,
        n_signal=n_signal,
        false_alarms=false_alarms,
        n_noise=n_noise,
        hit_rate=rates[0],
        fa_rate=rates[1],
        dprime=dprime,
        dprime_se=dprime_se,
        dprime_low=dprime - z * dprime_se,
        dprime_high=dprime + z * dprime_se,
        criterion=criterion,
        criterion_se=criterion_se,
        criterion_low=criterion - z * criterion_se,
        criterion_high=criterion + z * criterion_se,
        dprime_raw=plain[0],
        dprime_raw_se=plain[2],
        criterion_raw=plain[1],
        criterion_raw_se=plain[3],
        note=note,
    )


def _indices(h: float, f: float, n_signal: int, n_noise: int) -> tuple[float, float, float, float]:
    if h in (0, 1) or f in (0, 1):
        return NAN, NAN, NAN, NAN
    z, v = _probits(np.array([h, f]), np.array([n_signal, n_noise]))
    error = math.sqrt(v.sum())
    return float(z[0] - z[1]), float(-z.mean()), error, error / 2


def _probits(rates: NDArray[np.float64], n: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the normal quantiles of rates and their variances by the delta method, r(1 - r) / (n φ(z)²)."""
    z = stats.norm.ppf(rates)
    return z, rates * (1 - rates) / (n * stats.norm.pdf(z) ** 2)


def sensitivities(
    table: pd.DataFrame,
    by: Levels,
    *,
    shifted: str = "shifted",
    quotation: str = "sentence_type",
    levels: Sequence[Hashable] = QUOTATION,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return a row for every cell of ``by`` that has trials: ``left_out``, then the fields of :class:`Sensitivity`.

    ``shifted`` is 1, 0 or NaN where no reading was chosen, which leaves the trial out; ``levels`` are noise and signal.
    """
    rows = []
    for named, part in cells(table, by):
        if len(part):
            (noise, signal), left_out = _sides(part, shifted, {quotation: levels})
            found = sensitivity(int(signal.sum()), len(signal), int(noise.sum()), len(noise), level=level)
            rows.append({**named, "left_out": left_out, **asdict(found)})
    return pd.DataFrame(rows)


def detection_by_prime(
    table: pd.DataFrame,
    *,
    shifted: str = "shifted",
    quotation: str = "sentence_type",
    quotations: Sequence[Hashable] = QUOTATION,
    prime: str = "context_prime",
    primes: Sequence[Hashable] = PRIME,
    level: float = 0.95,
) -> pd.DataFrame:
    """Return the probit model of shifted answers with quotation, prime and their product coded ± ½ (DeCarlo 1998).

    A row each for ``intercept`` (minus the criterion), ``quotation`` (d′, the mean over primes), ``prime`` (how much
    the shifted prime moves the criterion towards shifted answers) and ``quotation:prime`` (how much d′ grows under it):
    ``term``, ``estimate``, ``std_error``, ``z``, ``p``, ``low``, ``high``, ``n``, ``left_out``, ``note``. With four
    cells and four terms the fit is exact, so it is written down. Where a cell is at 0 or 1 all four take the
    log-linear correction, and the note says so. Raises :class:`AnalysisError` where a cell has no answer.
    """
    sides, left_out = _sides(table, shifted, {quotation: quotations, prime: primes})
    sizes = np.array([len(side) for side in sides])
    if sizes.min() < 1:
        raise AnalysisError(f"{quotation} by {prime} is too small: a cell of the four has no answer")
    counts = np.array([side.sum() for side in sides])
    edge = bool(((counts == 0) | (counts == sizes)).any())
    z, v = _probits((counts + 0.5) / (sizes + 1) if edge else counts / sizes, sizes)
    weights = np.array([[1, 1, 1, 1], [-2, -2, 2, 2], [-2, 2, -2, 2], [4, -4, -4, 4]]) / 4
    estimate, error = weights @ z, np.sqrt(weights**2 @ v)
    half = float(stats.norm.ppf((1 + level) / 2)) * error
    return pd.DataFrame({
        "term": ["intercept", "quotation", "prime", "quotation:prime"],
        "estimate": estimate,
        "std_error": error,
        "z": estimate / error,
        "p": from_log(log_two_sided(estimate / error)),
        "low": estimate - half,
        "high": estimate + half,
        "n": int(sizes.sum()),
        "left_out": left_out,
        "note": "a cell is at 0 or 1: log-linear correction in all four" if edge else "",
    })  # fmt: skip


def _sides(part: pd.DataFrame, shifted: str, levels: Levels) -> tuple[list[NDArray[np.float64]], int]:
    kept = [answered(side, shifted) for _, side in cells(part, levels)]
    return [binary(side[shifted], shifted) for side, _ in kept], sum(lost for _, lost in kept)


def prime_susceptibility(
    table: pd.DataFrame,
    by: Levels,
    *,
    shifted: str = "shifted",
    prime: str = "context_prime",
    primes: Sequence[Hashable] = PRIME,
    clusters: Sequence[str] = ("item",),
    kind: Kind = "hc0",
    level: float = 0.95,
) -> pd.DataFrame:
    """Return, for every cell of ``by``, the share of shifted answers under the shifted prime minus under the other.

    Behind the factors come the fields of :class:`deixis.analysis.shares.clustered.Clustered`; an item's cells are kept
    together. Who knows the words has 0: the prime is no part of the grammar.
    """
    rows = []
    for named, part in cells(table, by):
        found = clustered_difference(
            part, prime, tuple(reversed(primes)), clusters, outcome=shifted, kind=kind, level=level
        )
        rows.append({**named, **asdict(found)})
    return pd.DataFrame(rows)
