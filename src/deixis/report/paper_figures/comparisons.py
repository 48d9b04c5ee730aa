"""The asterisks: tasks, and ways of prompting, compared in pairs as the paper does.

A logistic regression a participant with one factor, then all pairs of its marginal means with Tukey's adjustment (Dong
et al. 2026, captions of Figures 2 and 4). Trials of people are clustered by person.
"""

import math
from collections.abc import Sequence
from itertools import combinations

import pandas as pd

from deixis.analysis.regression.contrasts import contrasts
from deixis.analysis.regression.design_matrix import design
from deixis.analysis.regression.logistic import logistic
from deixis.analysis.regression.marginal import marginal_means
from deixis.analysis.shares.sandwich import by_clusters
from deixis.analysis.who import Kind
from deixis.errors import AnalysisError

NONE = "n.s."
"""The mark of a difference that is not significant."""
_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
COLUMNS = ("name", "first", "second", "odds_ratio", "p", "mark")


def compared(tested: pd.DataFrame, factor: str, levels: Sequence[str]) -> pd.DataFrame:
    """Return one row a name and pair of levels: name, first, second, odds_ratio, p (Tukey's), mark.

    Without two levels there is no row; neither where nothing can be tested, as with a single person.
    """
    rows: list[tuple[object, ...]] = []
    for name, part in tested.groupby("name", sort=False):
        asked = [level for level in levels if (part[factor] == level).any()]
        try:
            found = _pairs(part, factor, asked) if len(asked) > 1 else []
        except AnalysisError:
            continue
        rows += [(name, *row, stars(row[-1])) for row in found if not math.isnan(row[-1])]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _pairs(part: pd.DataFrame, factor: str, asked: list[str]) -> list[tuple[str, str, float, float]]:
    used = part[part[factor].isin(asked)]
    people = (used["kind"] == Kind.PEOPLE).all()
    columns = design(used, "correct", {factor: asked})
    fit = logistic(columns, covariance=by_clusters(used, ["participant"]) if people else None)
    table = contrasts(marginal_means(fit, [factor]), "tukey")
    return [
        (first, second, float(ratio), float(p))
        for (first, second), ratio, p in zip(combinations(asked, 2), table["odds_ratio"], table["p"], strict=True)
    ]


def stars(p: float) -> str:
    """Return ``***`` below .001, ``**`` below .01, ``*`` below .05, else ``n.s.``."""
    return next((mark for below, mark in _STARS if p < below), NONE)
