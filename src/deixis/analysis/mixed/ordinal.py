"""Cumulative-logit mixed models of ratings, with crossed random intercepts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from deixis.analysis.mixed import start
from deixis.analysis.mixed.crossed import Codes, Crossed, Floats
from deixis.analysis.mixed.families import Cumulative
from deixis.analysis.mixed.fitting import fit
from deixis.analysis.mixed.laplace import Laplace
from deixis.analysis.mixed.logit import result, without
from deixis.analysis.mixed.result import MixedFit
from deixis.analysis.mixed.rows import RandomFactors, Rows, alike, counted, refuse_separated, rows
from deixis.errors import AnalysisError


def ordinal_mixed(
    rating: ArrayLike,
    fixed: ArrayLike,
    names: Sequence[str],
    random: RandomFactors,
    *,
    categories: Sequence[float],
    thorough: bool = False,
) -> MixedFit:
    """Fit ``logit P(rating ≤ c) = threshold_c - (fixed @ params + random intercepts)``, Laplace's approximation.

    ``categories`` are the ratings there are, lowest first; ``fixed`` has no intercept, which the thresholds are. A
    larger coefficient means higher ratings, as in R's ``ordinal``. ``params`` begin with the thresholds, named ``1|2``
    and so on. Other arguments and errors as of :func:`deixis.analysis.mixed.logit.logit_mixed`; a rating that is no
    category, or a category that nobody chose, is an error as well. An empty ``random`` makes it a cumulative-logit
    model without random effects.
    """
    table = rows(rating, fixed, names, random)
    codes = _coded(table.response, categories)
    number = len(categories)
    extra = tuple(f"{low:g}|{high:g}" for low, high in zip(categories[:-1], categories[1:], strict=True))
    _refuse_separated(table, codes, extra)
    scale = np.abs(table.distinct).max(axis=0)
    distinct = table.distinct / scale
    # Without random effects only the patterns matter: few rows, however many trials.
    counts = np.bincount(table.patterns * number + codes, minlength=len(distinct) * number)
    present = np.flatnonzero(counts)
    plain = Cumulative(present % number, counts[present].astype(float), number)
    begin = start.cumulative(plain, distinct[present // number])
    if begin is None:
        raise AnalysisError("the likelihood is not finite at the start: look for fixed effects of very different size")
    if not table.factors:
        return without(table, plain, distinct[present // number], scale, begin.parameters, "ordinal", extra)
    group, pattern, levels, category = alike(table, codes, number)
    family = Cumulative(category, counted(group, None, len(pattern)), number)
    problem = Laplace(family, distinct[pattern], Crossed(levels, table.sizes))
    point = family.at(begin.parameters[: number - 1], distinct[pattern] @ begin.parameters[number - 1 :])
    spread = start.spreads(problem.crossed, point.score, point.weight)
    found = fit(problem, np.concatenate([start.stretched(begin.parameters, spread), spread]), thorough=thorough)
    return result(table, problem, found, scale, "ordinal", extra)


def _coded(response: Floats, categories: Sequence[float]) -> Codes:
    known = np.asarray(categories, float)
    if len(known) < 2 or np.any(np.diff(known) <= 0):
        raise AnalysisError(f"categories go from low to high: {list(categories)!r} do not")
    codes = np.searchsorted(known, response)
    strange = (codes == len(known)) | (known[np.minimum(codes, len(known) - 1)] != response)
    if strange.any():
        raise AnalysisError(f"rating {response[strange][0]:g} is none of the categories {list(categories)!r}")
    unused = np.flatnonzero(np.bincount(codes, minlength=len(known)) == 0)
    if len(unused):
        raise AnalysisError(
            f"nobody chose category {known[unused[0]]:g}: leave it out of the categories, or join it to one"
        )
    return np.asarray(codes, np.intp)


def _refuse_separated(table: Rows, codes: Codes, extra: tuple[str, ...]) -> None:
    """Refuse what separates ratings: a row is likelier the higher its upper threshold and the lower its lower one."""
    number, cuts = len(extra) + 1, np.eye(len(extra))
    cells = np.unique(table.patterns * number + codes)
    patterns, categories = cells // number, cells % number
    both = np.bincount(patterns, categories == 0) * np.bincount(patterns, categories == number - 1)
    if np.all(both > 0):
        return  # every pattern has the lowest and the highest rating
    upper, lower = categories < number - 1, categories > 0
    rise = np.column_stack([cuts[categories[upper]], -table.distinct[patterns[upper]]])
    fall = np.column_stack([-cuts[categories[lower] - 1], table.distinct[patterns[lower]]])
    lines = np.concatenate([rise, fall])
    refuse_separated(lines, (*extra, *table.names), np.ones(len(lines)), np.ones(len(lines)))
