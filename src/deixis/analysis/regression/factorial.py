"""Two factors crossed, such as quotation × prime: their effects, their interaction, and each within the other.

Every group of the table (a model, an indexical) has its own fit. Where a group is separated, its fit is bias-reduced,
with profile limits and penalised tests; the others are ordinary. A group that cannot be fitted is told with its reason.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from deixis.analysis.regression.contrasts import Interval, contrasts
from deixis.analysis.regression.design_matrix import Levels, design
from deixis.analysis.regression.logistic import LogisticFit, logistic
from deixis.analysis.regression.marginal import marginal_means
from deixis.analysis.regression.term_tests import likelihood_ratio_tests, wald_tests
from deixis.analysis.shares.sandwich import Kind, by_clusters
from deixis.errors import AnalysisError


@dataclass(frozen=True, slots=True, eq=False)
class Factorial:
    """The analysis of two crossed factors, one or more groups; every table begins with the columns of the group."""

    groups: pd.DataFrame
    """One row a group: n, left_out, method, clusters (NaN without), note; where refused, the reason is the note."""
    cells: pd.DataFrame
    """One row a cell, with the columns of :meth:`deixis.analysis.regression.marginal.Means.table`."""
    coefficients: pd.DataFrame
    """One row a coefficient in treatment coding, with the columns of :meth:`LogisticFit.table`."""
    tests: pd.DataFrame
    """One row a term: likelihood-ratio tests of Type III, and with clusters their robust Wald tests."""
    simple: pd.DataFrame
    """One row a comparison: effect (the factor), within (the other), level (of the other), contrast, odds ratio, …"""


def factorial(
    table: pd.DataFrame,
    factors: Levels,
    response: str = "correct",
    *,
    by: Sequence[str] = (),
    clusters: Sequence[str] = (),
    kind: Kind = "hc1",
    level: float = 0.95,
) -> Factorial:
    """Analyse ``response`` by two crossed factors with their interaction, in every group of ``by`` on its own.

    ``factors`` has two factors with their levels in order. ``clusters`` (one column, such as the sentence, or two) puts
    cluster-robust standard errors of ``kind`` in ordinary fits; likelihood-ratio tests and bias-reduced fits take
    trials as independent and say so. Groups come in the order of the table. Raises :class:`AnalysisError` unless there
    are two factors, and where no group can be fitted.
    """
    if len(factors) != 2:
        raise AnalysisError(f"a factorial analysis crosses two factors, not {len(factors)}")
    groups, cells, coefficients, tests, simple = [], [], [], [], []
    for label, part in _groups(table, by):
        named = dict(zip(by, label, strict=True))
        try:
            fit = _fit(part, factors, response, clusters, kind, level)
        except AnalysisError as fault:
            groups.append({**named, "n": 0, "left_out": len(part), "method": "refused", "note": str(fault)})
            continue
        count = min((part[name].iloc[fit.design.rows].nunique() for name in clusters), default=float("nan"))
        told = {"n": fit.n, "left_out": fit.left_out, "method": fit.method, "clusters": count}
        apart = ["a separated fit takes trials as independent, not by cluster"] if clusters and not fit.robust else []
        groups.append({**named, **told, "note": "; ".join([*fit.notes, *apart])})
        cells.append(_led(marginal_means(fit, list(factors)).table(level), named))
        coefficients.append(_led(fit.table(), named))
        found = [likelihood_ratio_tests(fit, "III"), *([wald_tests(fit)] if fit.robust else [])]
        tests.append(_led(pd.concat(found, ignore_index=True), named))
        simple.append(_led(simple_effects(fit, level), named))
    if not cells:
        raise AnalysisError(f"no group can be analysed: {groups[0]['note'] if groups else 'the table is empty'}")
    joined = (pd.concat(found, ignore_index=True) for found in (cells, coefficients, tests, simple))
    return Factorial(pd.DataFrame(groups), *joined)


def simple_effects(fit: LogisticFit, level: float = 0.95) -> pd.DataFrame:
    """Return each factor's pairwise comparisons within every level of the other, unadjusted, as odds ratios.

    Columns: effect, within, level, then those of :func:`contrasts`. After a bias-reduced fit
    limits and p are by the profile of the penalised likelihood.
    """
    first, second = fit.design.levels
    tables = []
    for effect, within in ((first, second), (second, first)):
        means = marginal_means(fit, [effect], [within])
        interval: Interval = "profile" if fit.method == "bias-reduced" else "Wald"
        found = contrasts(means, interval=interval, level=level).rename(columns={within: "level"})
        tables.append(found.assign(effect=effect, within=within))
    joined = pd.concat(tables, ignore_index=True)
    leading = ["effect", "within", "level"]
    return joined[leading + [name for name in joined.columns if name not in leading]]


def _fit(
    part: pd.DataFrame, factors: Levels, response: str, clusters: Sequence[str], kind: Kind, level: float
) -> LogisticFit:
    columns = design(part, response, factors, needed=clusters)
    plain = logistic(columns, level=level)
    if not clusters or plain.method == "bias-reduced":
        # A cell that is all right or all wrong has no residuals to cluster: its robust error would be near 0.
        return plain
    return logistic(columns, covariance=by_clusters(part, clusters, kind), level=level)


def _groups(table: pd.DataFrame, by: Sequence[str]) -> Iterator[tuple[tuple[Hashable, ...], pd.DataFrame]]:
    if not by:
        yield (), table
        return
    for label, part in table.groupby(list(by), sort=False, observed=True, dropna=False):
        yield tuple(label), part


def _led(table: pd.DataFrame, named: dict[str, Hashable]) -> pd.DataFrame:
    return pd.DataFrame({name: [value] * len(table) for name, value in named.items()}, index=table.index).join(table)
