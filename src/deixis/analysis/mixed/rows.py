"""From a table of trials to what a mixed model needs: rows counted, levels numbered, alike rows put together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.linalg import lapack

from deixis.analysis.mixed.crossed import Codes, Crossed, Floats
from deixis.analysis.regression.separation import separation
from deixis.errors import AnalysisError

DENSE = 8
"""Combinations are counted in a full table up to this many a row, and sorted out one by one beyond."""

RandomFactors = Mapping[str, ArrayLike]
"""Random intercepts: the factor's name and each row's level."""


@dataclass(frozen=True)
class Rows:
    """The rows of a model, missing ones left out."""

    response: Floats
    fixed: Floats
    """One column a fixed effect, ``(rows, columns)``."""
    names: tuple[str, ...]
    codes: tuple[Codes, ...]
    """Each row's level, factors from many levels to few."""
    sizes: tuple[int, ...]
    factors: tuple[str, ...]
    levels: tuple[pd.Index, ...]
    """By factor the name of each level."""
    left_out: int
    """Rows with a missing response, level or column."""
    patterns: Codes
    """Which distinct row of ``fixed`` each row has."""
    distinct: Floats
    """The distinct rows of ``fixed``."""

    @property
    def n(self) -> int:
        """Rows that the model uses."""
        return len(self.response)

    def crossed(self, codes: Sequence[Codes] | None = None) -> Crossed:
        """Return the random factors, of these rows or of others with the same levels."""
        return Crossed(self.codes if codes is None else codes, self.sizes)


def rows(response: ArrayLike, fixed: ArrayLike, names: Sequence[str], random: RandomFactors) -> Rows:
    """Check and number the rows.

    Raises :class:`AnalysisError` where lengths differ, where nothing is left, where a factor has one level or one row a
    level (naming it), and where columns of ``fixed`` depend on each other (naming one).
    """
    y, columns = np.asarray(response, float), np.asarray(fixed, float)
    if columns.ndim != 2 or columns.shape != (len(y), len(names)):
        raise AnalysisError(
            f"fixed effects have shape {columns.shape}: expected {len(y)} rows and {len(names)} named columns"
        )
    numbered = {name: _numbered(labels) for name, labels in random.items()}
    for name, (codes, _) in numbered.items():
        if len(codes) != len(y):
            raise AnalysisError(f"random factor {name!r} has {len(codes)} rows, the response {len(y)}")
    keep = np.isfinite(y) & np.isfinite(columns.sum(axis=1))
    for codes, _ in numbered.values():
        keep &= codes >= 0
    kept = int(keep.sum())
    if not kept:
        raise AnalysisError("no row is left: every one misses its response, a level or a fixed effect")
    if kept < len(keep):
        y, columns = y[keep], columns[keep]
        numbered = {name: (codes[keep], levels) for name, (codes, levels) in numbered.items()}
    numbered = {name: _present(codes, levels) for name, (codes, levels) in numbered.items()}
    for name, (_, levels) in numbered.items():
        _refuse_small(name, len(levels), kept)
    order = sorted(numbered, key=lambda name: -len(numbered[name][1]))
    patterns, distinct = _patterns(columns)
    _refuse_dependent(distinct, names)
    return Rows(
        response=y,
        fixed=columns,
        names=tuple(names),
        codes=tuple(numbered[name][0] for name in order),
        sizes=tuple(len(numbered[name][1]) for name in order),
        factors=tuple(order),
        levels=tuple(numbered[name][1] for name in order),
        left_out=len(keep) - kept,
        patterns=patterns,
        distinct=distinct,
    )


def alike(
    table: Rows, category: Codes | None = None, categories: int = 1
) -> tuple[Codes, Codes, tuple[Codes, ...], Codes]:
    """Put together rows with the same levels and fixed effects (and category).

    Returns each row's group, and by group its fixed-effects pattern, its levels and its category.
    """
    parts = [*table.codes, table.patterns, *([] if category is None else [category])]
    shape = [*table.sizes, len(table.distinct), *([] if category is None else [categories])]
    total = int(np.prod(shape, dtype=object))
    if total >= 2**62:
        raise AnalysisError(f"too many combinations of levels: {' × '.join(map(str, shape))}")
    combined = np.ravel_multi_index(tuple(parts), tuple(shape))
    if total <= DENSE * table.n:
        present = np.flatnonzero(np.bincount(combined, minlength=total))
        places = np.empty(total, np.intp)
        places[present] = np.arange(len(present))
        group = places[combined]
    else:
        present, group = np.unique(combined, return_inverse=True)
    split = [np.ascontiguousarray(part, np.intp) for part in np.unravel_index(present, tuple(shape))]
    factors = len(table.codes)
    last = split[-1] if category is not None else np.zeros(len(present), np.intp)
    return np.asarray(group, np.intp), split[factors], tuple(split[:factors]), last


def _numbered(labels: ArrayLike) -> tuple[Codes, pd.Index]:
    """Number the levels, -1 where one is missing."""
    kept = labels.array if isinstance(labels, pd.Series) else labels
    if isinstance(kept, pd.Categorical):
        return np.asarray(kept.codes, np.intp), kept.categories
    codes, levels = pd.factorize(labels if isinstance(labels, pd.Series) else np.asarray(labels))
    return np.asarray(codes, np.intp), pd.Index(levels)


def _present(codes: Codes, levels: pd.Index) -> tuple[Codes, pd.Index]:
    """Leave out levels without a row: they are no levels of this model."""
    used = np.bincount(codes, minlength=len(levels)) > 0
    if used.all():
        return codes, levels
    return (np.cumsum(used) - 1)[codes], levels[used]


def _refuse_small(name: str, levels: int, n: int) -> None:
    if levels < 2:
        raise AnalysisError(
            f"random factor {name!r} has a single level: its variance cannot be estimated; leave it out"
        )
    if levels == n:
        raise AnalysisError(f"random factor {name!r} has one row a level: it cannot be told from chance; leave it out")


def _patterns(columns: Floats) -> tuple[Codes, Floats]:
    """Number the distinct rows: by a weighted sum that tells them apart, and by sorting where it does not."""
    weights = np.sqrt(np.arange(2.0, 2 + columns.shape[1]) + 0.1)
    codes, _ = pd.factorize(columns @ weights)
    codes = np.asarray(codes, np.intp)
    first = np.empty(int(codes.max()) + 1, np.intp)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    distinct = columns[first]
    if not np.array_equal(distinct[codes], columns):
        distinct, codes = np.unique(columns, axis=0, return_inverse=True)
    return codes.ravel(), distinct


def _refuse_dependent(distinct: Floats, names: Sequence[str]) -> None:
    size = np.sqrt((distinct**2).sum(axis=0))
    if size.all():
        unit = distinct / size
        root, fault = lapack.dpotrf(unit.T @ unit)
        if not fault and root.diagonal().min() > 1e-4:
            return  # plainly of full rank; what is in doubt is looked at more closely
    if np.linalg.matrix_rank(distinct) == len(names):
        return
    for k in range(1, len(names) + 1):
        if np.linalg.matrix_rank(distinct[:, :k]) < k:
            raise AnalysisError(f"fixed effect {names[k - 1]!r} is a combination of those before it: leave it out")


def counted(group: Codes, weights: Floats | None, size: int) -> Floats:
    """Return sums of ``weights`` by group, or how many rows each group has."""
    return np.bincount(group, weights, size).astype(float)


def refuse_separated(lines: Floats, names: Sequence[str], successes: Floats, trials: Floats) -> None:
    """Raise :class:`AnalysisError` where parameters have no finite estimate, naming them.

    ``lines`` has one row a distinct combination of columns. A line with both outcomes cannot be predicted without
    fault, so nothing needs to be asked where all are like that.
    """
    if np.all((successes > 0) & (successes < trials)):
        return
    found = separation(lines, successes, trials)
    if found.found:
        away = ", ".join(names[place] for place in found.columns)
        raise AnalysisError(f"no finite estimate of {away}: the outcomes are separated; use a bias-reduced fit instead")
