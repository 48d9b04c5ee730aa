"""Tables 3 and 4 of the paper on perspectival words, recomputed from what they print, and what does not follow.

The numbers are in :mod:`deixis.published`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd

from deixis.analysis.adjustment import over_family
from deixis.analysis.pvalues import from_log, log_chi_squared
from deixis.analysis.shares.runs_compared import two_proportions
from deixis.published.printed import printed

TRIALS_A_GROUP = 192
"""Trials of each of the 32 object groups, of 6,144 a task."""
_PEOPLE = range(1, 201)
"""Numbers of people among which one is sought that would explain a row."""


def table3() -> pd.DataFrame:
    """Return Table 3 recomputed: a row a task.

    Columns: ``task``, ``printed_p``, the fields of :class:`TwoProportions` from the
    counts (those that print as the shares do, or else the nearest), ``counts_follow`` (whether such counts exist),
    ``follows`` (whether the p of Yates prints as the paper's), and a ``note``. The printed test is χ² with the
    correction of Yates on pooled trials, as R's ``prop.test`` makes it; it takes trials of one person as independent.
    """
    return pd.DataFrame([_row3(row) for row in printed("table3")])


def _row3(row: Mapping[str, str]) -> dict[str, object]:
    n1, n2 = (int(row[f"people{side}"]) * int(row[f"trials{side}"]) for side in (1, 2))
    share1, share2, printed_p = float(row["production"]), float(row["follow_up"]), row["printed_p"]
    found1, found2 = counts(share1, n1), counts(share2, n2)
    k1, k2 = (found1 or [round(share1 * n1)])[0], (found2 or [round(share2 * n2)])[0]
    tests = asdict(two_proportions(k1, n1, k2, n2))
    possible = bool(found1 and found2)
    follows = possible and prints_as(tests["p_yates"], printed_p)
    notes = []
    if len({tests[name] < 0.05 for name in ("p_yates", "p_chisq", "p_fisher")}) > 1:
        notes.append("whether p is below .05 depends on the correction")
    if not follows:
        notes += [
            f"no count out of {n} prints as {s:.2%}"
            for s, n, f in ((share1, n1, found1), (share2, n2, found2))
            if not f
        ]
        notes.append(f"the nearest counts give p = {tests['p_yates']:.4f}, not {printed_p}")
        fitting = people_that_fit(share1, int(row["trials1"]), k2, n2, printed_p)
        if fitting:
            notes.append(f"share and p would follow from {_either(fitting)} people in the first run, which is a guess")
    return {
        "task": row["task"],
        "printed_p": printed_p,
        **tests,
        "counts_follow": possible,
        "follows": follows,
        "note": "; ".join(notes),
    }


def counts(share: float, n: int, digits: int = 4) -> list[int]:
    """Return every count out of ``n`` whose share prints as ``share`` with so many digits; either way at a half."""
    near = 0.5 / 10**digits + 1e-12
    around = range(max(0, int(share * n) - 2), min(n, int(share * n) + 3) + 1)
    return [k for k in around if abs(k / n - share) <= near]


def people_that_fit(share: float, trials: int, k2: int, n2: int, printed_p: str) -> list[int]:
    """Return with how many people in the first run, up to 200, both its share and p would print as they do."""
    return [
        people
        for people in _PEOPLE
        if any(
            prints_as(two_proportions(k, people * trials, k2, n2).p_yates, printed_p)
            for k in counts(share, people * trials)
        )
    ]


def prints_as(p: float, text: str) -> bool:
    """Return whether ``p`` prints as ``text``: ``0.2037``, or ``<0.001``."""
    if text.startswith("<"):
        return p < float(text.removeprefix("<"))
    digits = len(text.partition(".")[2])
    return bool(abs(p - float(text)) <= 0.5 / 10**digits + 1e-12)


def table4() -> pd.DataFrame:
    """Return Table 4 recomputed: a row a task and model.

    Columns: ``task``, ``model``, ``statistic``, ``df``, ``printed_p``, ``p`` and ``log_p`` (upper tail of χ²),
    ``follows`` (whether p prints as the paper's), ``p_adjusted`` (Holm over the 21 tests, which the paper does not do),
    ``accuracy_limit`` and a ``note``. The statistics themselves cannot be recomputed, since the counts are not printed.
    Above ``accuracy_limit`` fewer than 5 errors are expected in each group, and this p is not to be relied on.
    """
    found = pd.DataFrame(printed("table4")).astype({"statistic": float, "df": int})
    found["log_p"] = [log_chi_squared(x, df) for x, df in zip(found["statistic"], found["df"], strict=True)]
    found["p"] = from_log(found["log_p"].to_numpy())
    found["follows"] = [prints_as(p, text) for p, text in zip(found["p"], found["printed_p"], strict=True)]
    found["p_adjusted"] = over_family(found["log_p"].to_numpy())
    limit = 1 - 5 / TRIALS_A_GROUP
    found["accuracy_limit"] = limit
    small = f"above an accuracy of {limit:.3f} this needs a Monte Carlo p, from counts that are not printed"
    found["note"] = np.where(found["task"] == "vocabulary", small, "")
    return found


def _either(people: Sequence[int]) -> str:
    said = [str(number) for number in people[:4]]
    return " or ".join(said) + (" or others" if len(people) > 4 else "")
