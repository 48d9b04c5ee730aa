"""The claim about people's ratings, which stand in a table of their own (Dong et al. 2026, section 4.1 and appendix I).

*Binary* is read as: both objects of the pair meant rate above those of the other, and ratings from the middle of the
scale are rare. *Graded* as: ratings change with distance, and come from the middle more often than those of
possessives. *Sharper*: the rating of *this one* falls more with a step of distance than that of *that one* rises.
"""

import math

import pandas as pd
from scipy.special import stdtrit

from deixis.analysis.claims.claim import Finding, together, untested
from deixis.analysis.claims.combining import Found
from deixis.analysis.claims.judging import above, below

MIDDLE = (3, 4, 5)
"""Ratings that say neither yes nor no."""
RARE = 0.25
"""Less than this share of ratings from the middle is few."""
_FEWEST = 2


def of_ratings(ratings: pd.DataFrame) -> Finding:
    """Judge P17 on a table as :func:`deixis.analysis.people.ratings.ratings` makes it.

    Every number is a mean over persons with its t interval; who lacks a part of it has no say in that number. Untested
    where fewer than two persons rated all that is compared.
    """
    rated = ratings.assign(middle=ratings["rating"].isin(MIDDLE).astype(float))
    kinds = {str(task): part for task, part in rated.groupby("task", observed=True)}
    if set(kinds) != {"possessive", "demonstrative"}:
        return untested("needs people's ratings of possessives and of demonstratives")
    pairs = kinds["possessive"].pivot_table(index="person", columns="role", values="rating", observed=True)
    middle = rated.pivot_table(index="person", columns="task", values="middle", observed=True)
    slopes = _slopes(kinds["demonstrative"])
    needed = ((pairs, ("target pair", "other pair")), (middle, tuple(kinds)), (slopes, ("this one", "that one")))
    for table, columns in needed:
        if len(table.reindex(columns=list(columns)).dropna()) < _FEWEST:
            return untested(f"needs at least two persons who rated {' and '.join(columns)}")
    parts = (
        above(_mean(pairs["target pair"] - pairs["other pair"]), 0, "points, target pair less other pair"),
        below(_mean(middle["possessive"]), RARE, "share of possessive ratings from the middle"),
        above(_mean(middle["demonstrative"] - middle["possessive"]), 0, "that share, demonstratives less possessives"),
        below(_mean(slopes["this one"]), 0, "points a step of distance, this one"),
        above(_mean(slopes["that one"]), 0, "points a step of distance, that one"),
        above(
            _mean(-slopes["this one"] - slopes["that one"]), 0, "points a step, fall of this one less rise of that one"
        ),
    )
    return Finding(together(part.verdict for part in parts), "; ".join(part.said for part in parts), parts=parts)


def _slopes(rated: pd.DataFrame) -> pd.DataFrame:
    """Return a person's least-squares change of rating with a step of distance: persons × words."""
    found: dict[tuple[str, str], float] = {}
    for (person, word), part in rated.groupby(["person", "word"], observed=True):
        steps, values = part["role"].astype(float).to_numpy(), part["rating"].to_numpy(dtype=float)
        away = steps - steps.mean()
        if (away**2).sum() > 0:
            found[str(person), str(word)] = float((away * values).sum() / (away**2).sum())
    return pd.Series(found, dtype=float).unstack() if found else pd.DataFrame()


def _mean(values: "pd.Series[float]") -> Found:
    known = values.dropna().to_numpy(dtype=float)
    average = float(known.mean())
    error = float(known.std(ddof=1)) / math.sqrt(len(known))
    half = float(stdtrit(len(known) - 1, 0.975)) * error
    return Found(average, average - half, average + half, len(known), exact=False, std_error=error, df=len(known) - 1.0)
