"""The comparisons planned with each experiment, carried out on a tidy table."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd

from deixis.analysis.adjustment import over_family
from deixis.analysis.pvalues import p_text
from deixis.analysis.shares.clustered import clustered_difference
from deixis.analysis.shares.effect_sizes import cohens_h, odds_ratio
from deixis.experiments import EXPERIMENTS
from deixis.experiments.contrasts import BETWEEN, Contrast

_MAIN = ("main", "classic")
"""Conditions that experiments are compared in, and that factors are compared within, the first that a table has."""


def planned(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row a participant and planned comparison that the table allows.

    ``estimate`` is ``share_1``, at the level that is predicted to be higher, minus ``share_2``, cluster-robust by item
    (``hc0``); ``holds`` is *yes* where the interval lies above 0, *no* where it lies below, *open* where it holds 0;
    without a predicted direction it says *differ* or *open*. ``p_adjusted`` is Holm's over the comparisons of one
    participant. Comparisons whose levels were not both asked are left out.
    """
    rows = [row for _, part in table.groupby("participant", sort=False) for row in _of_one(part)]
    found = pd.DataFrame(rows)
    if not found.empty:
        found["p_adjusted"] = np.nan
        for _, part in found.groupby("participant", sort=False):
            known = part.p.notna()
            logs = np.log(part.p[known].clip(lower=1e-300).to_numpy())
            found.loc[part.index[known], "p_adjusted"] = over_family(logs)
        found["p_text"] = [p_text(p) for p in found.p]
    return found


def _of_one(table: pd.DataFrame) -> Iterator[dict[str, object]]:
    for name, part in table.groupby("experiment", sort=False):
        for contrast in EXPERIMENTS[str(name)].planned:
            yield from _compared(_rows(part, contrast), contrast, str(name), ["item"])
    main = table[table.condition == "main"].assign(unit=lambda one: one.experiment + "/" + one["item"].astype(str))
    for contrast in BETWEEN:
        yield from _compared(main, contrast, "between", ["unit"])


def _rows(part: pd.DataFrame, contrast: Contrast) -> pd.DataFrame:
    """Return the rows that a comparison is held to: levels of other factors, one condition unless it compares those."""
    for factor, level in contrast.where.items():
        part = part[part[factor] == level]
    if contrast.by == "condition":
        return part
    asked = [condition for condition in _MAIN if (part.condition == condition).any()]
    return part[part.condition == asked[0]] if asked else part.iloc[:0]


def _compared(
    part: pd.DataFrame, contrast: Contrast, experiment: str, clusters: Sequence[str]
) -> Iterator[dict[str, object]]:
    sides = [part[part[contrast.by] == level] for level in (contrast.high, contrast.low)]
    if any(side.empty for side in sides):
        return
    both = pd.concat(sides)
    found = clustered_difference(both, contrast.by, (contrast.high, contrast.low), clusters, outcome=contrast.of)
    counts = [(float(side[contrast.of].sum()), int(side[contrast.of].notna().sum())) for side in sides]
    sizes = {"odds_ratio": np.nan, "cohens_h": np.nan}
    if all(n for _, n in counts):
        (k1, n1), (k2, n2) = counts
        sizes = {"odds_ratio": odds_ratio(k1, n1, k2, n2).estimate, "cohens_h": cohens_h(k1, n1, k2, n2).estimate}
    yield {
        "participant": part.participant.iloc[0],
        "experiment": experiment,
        "contrast": contrast.id,
        "of": contrast.of,
        "level_1": contrast.high,
        "level_2": contrast.low,
        "share_1": counts[0][0] / counts[0][1] if counts[0][1] else np.nan,
        "share_2": counts[1][0] / counts[1][1] if counts[1][1] else np.nan,
        **asdict(found),
        **sizes,
        "holds": _holds(found.low, found.high, directed=contrast.directed),
        "planned": True,
        "claim": contrast.claim,
        "source": contrast.source,
    }


def _holds(low: float, high: float, *, directed: bool) -> str:
    if np.isnan(low) or low <= 0 <= high:
        return "open"
    if not directed:
        return "differ"
    return "yes" if low > 0 else "no"
