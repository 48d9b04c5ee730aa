"""Mixed logistic regression with crossed random intercepts."""

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from deixis.analysis.mixed import start
from deixis.analysis.mixed.crossed import Crossed, Floats
from deixis.analysis.mixed.families import Binomial, Family
from deixis.analysis.mixed.fitting import Fitted, Profiled, covariance, fit
from deixis.analysis.mixed.fixed_only import FixedOnly
from deixis.analysis.mixed.laplace import Laplace
from deixis.analysis.mixed.newton import minimise
from deixis.analysis.mixed.result import MixedFit
from deixis.analysis.mixed.rows import RandomFactors, Rows, alike, counted, refuse_separated, rows
from deixis.errors import AnalysisError


def logit_mixed(
    correct: ArrayLike, fixed: ArrayLike, names: Sequence[str], random: RandomFactors, *, thorough: bool = False
) -> MixedFit:
    """Fit ``logit P(correct) = fixed @ params + random intercepts`` by maximum likelihood, Laplace's approximation.

    ``correct`` is 1 or 0 a row (a share in a tie counts as such), NaN where it is missing; ``fixed`` is the design,
    ``(rows, columns)``, with its intercept; ``random`` maps a factor's name to each row's level and may be empty, which
    makes it logistic regression. Alike rows are counted together first, so time goes by distinct ones. ``thorough``
    searches from a second start even where the first gave no reason to.

    Raises :class:`AnalysisError` for a factor with a single level or one row a level, for fixed effects that depend on
    each other or separate the outcomes, for a response that does not vary.
    """
    table = rows(correct, fixed, names, random)
    if table.response.min() < 0 or table.response.max() > 1:
        raise AnalysisError("the response of a logistic model lies between 0 and 1")
    if table.response.min() == table.response.max():
        raise AnalysisError(f"the response does not vary: every row is {table.response[0]:g}")
    patterns = len(table.distinct)
    successes = counted(table.patterns, table.response, patterns)
    trials = counted(table.patterns, None, patterns)
    refuse_separated(table.distinct, table.names, successes, trials)
    scale = np.abs(table.distinct).max(axis=0)
    distinct = table.distinct / scale
    begin = start.logistic(distinct, successes, trials)
    if not table.factors:
        return without(table, Binomial(successes, trials), distinct, scale, begin, "logit")
    group, pattern, codes, _ = alike(table)
    size = len(pattern)
    family = Binomial(counted(group, table.response, size), counted(group, None, size))
    problem = Laplace(family, distinct[pattern], Crossed(codes, table.sizes))
    point = family.at(begin[:0], distinct[pattern] @ begin)
    spread = start.spreads(problem.crossed, point.score, point.weight)
    found = fit(problem, np.concatenate([start.stretched(begin, spread), spread]), thorough=thorough)
    note = "" if np.all(table.response % 1 == 0) else "shares of an answer count as such"
    return result(table, problem, found, scale, "logit", note=note)


def without(
    table: Rows, family: Family, fixed: Floats, scale: Floats, begin: Floats, kind: str, extra: tuple[str, ...] = ()
) -> MixedFit:
    """Fit the family without random effects."""
    problem = FixedOnly(family, fixed)
    free = np.ones(problem.size, bool)
    found = minimise(problem, begin, np.empty(0), free)
    if found is None:
        raise AnalysisError("the likelihood is not finite at the start: look for fixed effects of very different size")
    divide = np.concatenate([np.ones(family.extras), scale])
    return MixedFit(
        kind=kind,
        names=(*extra, *table.names),
        params=found.parameters / divide,
        covariance=covariance(found, free) / np.outer(divide, divide),
        factors=(),
        sd=np.empty(0),
        log_sd_error=np.empty(0),
        levels={},
        level_names=(),
        intercepts=np.empty(0),
        loglik=-found.deviance / 2,
        n=table.n,
        left_out=table.left_out,
        converged=found.converged,
        steps=found.steps,
        data=zlib.crc32(table.response.tobytes()),
        note="" if found.converged else "the search did not converge: estimates are where it stopped",
    )


def result(
    table: Rows, problem: Laplace, found: Fitted, scale: Floats, kind: str, extra: tuple[str, ...] = (), note: str = ""
) -> MixedFit:
    """Put a Laplace fit into words and the caller's units."""
    first = problem.first_sd
    divide = np.concatenate([np.ones(len(extra)), scale])
    sd = found.parameters[first:]
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(np.diag(found.covariance)[first:]) / sd
    intercepts = problem.crossed.scales(sd) * found.effects
    zero = [name for name, one in zip(table.factors, sd, strict=True) if one == 0]
    notes = [f"the variance of {name} is estimated as 0" for name in zero]
    return MixedFit(
        kind=kind,
        names=(*extra, *table.names),
        params=found.parameters[:first] / divide,
        covariance=found.covariance[:first, :first] / np.outer(divide, divide),
        factors=table.factors,
        sd=sd,
        log_sd_error=error,
        levels=dict(zip(table.factors, table.sizes, strict=True)),
        level_names=table.levels,
        intercepts=intercepts,
        loglik=-found.deviance / 2,
        n=table.n,
        left_out=table.left_out,
        converged=found.converged,
        steps=found.steps,
        data=zlib.crc32(table.response.tobytes()),
        note="; ".join(part for part in (*notes, found.note, note) if part),
        profiled=Profiled(problem, found.parameters, found.effects, found.deviance, tuple(range(first, problem.size))),
    )
