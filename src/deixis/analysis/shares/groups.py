"""Does accuracy depend on which objects are shown? χ² and G of object groups, and a p that holds for small counts."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from deixis.analysis.adjustment import Rule, over_family
from deixis.analysis.counting import answered, binary, cells
from deixis.analysis.pvalues import from_log, log_chi_squared
from deixis.analysis.regression.design_matrix import Levels
from deixis.analysis.shares.effect_sizes import cramers_v, cramers_v_corrected
from deixis.errors import AnalysisError
from deixis.seeds import derived

NAN = math.nan
_CHUNK = 4_000_000
"""Numbers held at once while tables are drawn."""


@dataclass(frozen=True, slots=True)
class GroupTest:
    """A test of whether the outcome depends on the group."""

    n: int
    """Trials that count."""
    left_out: int
    """Trials whose outcome or group is not known."""
    groups: int
    """Groups with a trial."""
    statistic: float
    """Pearson's χ², without continuity correction."""
    df: float
    """Groups less 1."""
    p: float
    """Upper tail of χ²; large-sample."""
    log_p: float
    """Its natural logarithm."""
    g_statistic: float
    """Likelihood-ratio statistic G."""
    g_p: float
    """Upper tail of χ² beyond it."""
    min_expected: float
    """Smallest expected count."""
    expected_below_5: int
    """Expected counts below 5, of two for each group."""
    share_below_5: float
    """The same as a share of all."""
    expected_warning: bool
    """Whether any is below 5, so that ``p`` and ``g_p`` are not to be relied on; ``p_monte_carlo`` is."""
    p_monte_carlo: float
    """Share of drawn tables with the same margins whose χ² is as large, the observed one among them."""
    drawn: int
    """Tables drawn."""
    cramers_v: float
    """Cramér's V."""
    cramers_v_low: float
    """Lower end of the interval of the population's V."""
    cramers_v_high: float
    """Upper end."""
    cramers_v_corrected: float
    """V with what chance adds taken off (Bergsma 2013)."""
    defined: bool
    """Whether there is a test at all."""
    note: str = ""
    """Why not, or what to keep in mind."""


def group_test(
    table: pd.DataFrame,
    group: str = "object_group",
    *,
    outcome: str = "correct",
    seed: int,
    name: str = "object groups",
    drawn: int = 20_000,
) -> GroupTest:
    """Test one participant's outcomes (1, 0 or NaN) by ``group``.

    Where the outcome never varies there is no test: a table of one column would turn into another test with p = 1.
    ``seed`` and ``name`` fix the tables drawn. Raises :class:`AnalysisError` for outcomes other than 0 and 1 and for a
    group column with fewer than two levels.
    """
    right, total, left_out = _counts(table, group, outcome)
    n, correct = int(total.sum()), int(right.sum())
    if len(total) < 2:
        raise AnalysisError(f"{group} has {len(total)} level{'' if len(total) == 1 else 's'}: groups need at least two")
    if correct in (0, n):
        return _undefined(n, left_out, len(total))
    share = correct / n
    observed = np.column_stack([right, total - right])
    expected = np.column_stack([total * share, total * (1 - share)])
    statistic = float(((observed - expected) ** 2 / expected).sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        g = 2 * float(np.where(observed > 0, observed * np.log(observed / expected), 0.0).sum())
    df = len(total) - 1
    small = int((expected < 5).sum())
    size = cramers_v(statistic, n, len(total), 2)
    notes = [f"{small} of {expected.size} expected counts are below 5: rely on the Monte Carlo p"] if small else []
    log_p = log_chi_squared(statistic, df)
    return GroupTest(
        n=n,
        left_out=left_out,
        groups=len(total),
        statistic=statistic,
        df=df,
        p=float(from_log(log_p)),
        log_p=log_p,
        g_statistic=g,
        g_p=float(from_log(log_chi_squared(g, df))),
        min_expected=float(expected.min()),
        expected_below_5=small,
        share_below_5=small / expected.size,
        expected_warning=small > 0,
        p_monte_carlo=monte_carlo_p(total, correct, statistic, drawn, derived(seed, name)),
        drawn=drawn,
        cramers_v=size.estimate,
        cramers_v_low=size.low,
        cramers_v_high=size.high,
        cramers_v_corrected=cramers_v_corrected(statistic, n, len(total), 2),
        defined=True,
        note="; ".join([*notes, *([size.note] if size.note else [])]),
    )


def group_tests(
    table: pd.DataFrame,
    by: Levels,
    group: str = "object_group",
    *,
    outcome: str = "correct",
    seed: int,
    drawn: int = 20_000,
    rule: Rule = "holm",
) -> pd.DataFrame:
    """Return a row for every cell of ``by`` that has trials, with the fields of :class:`GroupTest` behind its levels.

    ``p_adjusted`` and ``p_monte_carlo_adjusted`` take the tests that are defined as one family.
    """
    rows = []
    for named, part in cells(table, by):
        if len(part):
            name = "/".join(["object groups", *map(str, named.values())])
            found = group_test(part, group, outcome=outcome, seed=seed, name=name, drawn=drawn)
            rows.append({**named, **asdict(found)})
    if not rows:
        raise AnalysisError("no cell has a trial: there are no groups to test")
    tests = pd.DataFrame(rows)
    tests["p_adjusted"] = over_family(tests["log_p"].to_numpy(), rule)
    tests["p_monte_carlo_adjusted"] = over_family(np.log(tests["p_monte_carlo"].to_numpy()), rule)
    return tests


def residuals(
    table: pd.DataFrame, group: str = "object_group", *, levels: Sequence[Hashable], outcome: str = "correct"
) -> pd.DataFrame:
    """Return which groups stand out: ``group``, ``n``, ``observed`` and ``expected`` correct, ``residual``.

    The residual is adjusted (Haberman 1973): about standard normal where accuracy does not depend on the group; NaN
    where the outcome does not vary. Groups come in the order of ``levels``, those without trials with an ``n`` of 0.
    """
    rows = []
    for named, part in cells(table, {group: levels}):
        kept, _ = answered(part, outcome)
        rows.append({**named, "n": len(kept), "observed": float(binary(kept[outcome], outcome).sum())})
    found = pd.DataFrame(rows)
    n = int(found["n"].sum())
    share = float(found["observed"].sum()) / n if n else NAN
    found["expected"] = found["n"] * share
    spread = found["expected"] * (1 - share) * (1 - found["n"] / max(1, n))
    found["residual"] = (found["observed"] - found["expected"]) / np.sqrt(spread.where(spread > 0))
    return found


def _counts(table: pd.DataFrame, group: str, outcome: str) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Return correct and all trials of every group that has one, and how many trials are left out."""
    kept, left_out = answered(table, outcome, group)
    codes, present = pd.factorize(kept[group])
    right = np.bincount(codes, weights=binary(kept[outcome], outcome), minlength=len(present))
    return right.astype(np.int64), np.bincount(codes, minlength=len(present)), left_out


def monte_carlo_p(total: NDArray[np.int64], correct: int, statistic: float, drawn: int, seed: int) -> float:
    """Return (1 + tables at least as uneven) / (1 + tables drawn), tables with both margins as they are.

    With two outcomes such a table is one draw of the correct trials from the groups without putting back.
    """
    generator = np.random.default_rng(seed)
    n = int(total.sum())
    expected = total * (correct / n)
    weight = 1 / expected + 1 / (total - expected)
    at_least, left = 0, drawn
    while left:
        size = min(left, max(1, _CHUNK // len(total)))
        tables = generator.multivariate_hypergeometric(total, correct, size=size, method="marginals")
        at_least += int(((((tables - expected) ** 2) @ weight) >= statistic * (1 - 1e-9)).sum())
        left -= size
    return (1 + at_least) / (1 + drawn)


def _undefined(n: int, left_out: int, groups: int) -> GroupTest:
    return GroupTest(
        n=n,
        left_out=left_out,
        groups=groups,
        statistic=NAN,
        df=NAN,
        p=NAN,
        log_p=NAN,
        g_statistic=NAN,
        g_p=NAN,
        min_expected=0.0,
        expected_below_5=groups,
        share_below_5=0.5,
        expected_warning=True,
        p_monte_carlo=NAN,
        drawn=0,
        cramers_v=NAN,
        cramers_v_low=NAN,
        cramers_v_high=NAN,
        cramers_v_corrected=NAN,
        defined=False,
        note="not defined, the outcome does not vary",
    )
