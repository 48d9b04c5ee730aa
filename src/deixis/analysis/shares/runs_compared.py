"""Two runs, as a paper's production and follow-up: compared as published, and as trials nested in people ask for."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from scipy import stats

from deixis.analysis.adjustment import Rule, over_family
from deixis.analysis.counting import answered, binary, cells
from deixis.analysis.pvalues import from_log, log_chi_squared, log_two_sided
from deixis.analysis.regression.design_matrix import Levels
from deixis.analysis.shares.clustered import clustered_difference, clustered_logistic
from deixis.analysis.shares.effect_sizes import cohens_h, odds_ratio
from deixis.analysis.shares.proportions import means, newcombe, welch
from deixis.errors import AnalysisError

NAN = math.nan


@dataclass(frozen=True, slots=True)
class TwoProportions:
    """Two shares of pooled trials, each trial taken as independent of the others."""

    k1: int
    """Right in the first run."""
    n1: int
    """Trials of the first run that count."""
    k2: int
    """Right in the second."""
    n2: int
    """Trials of the second that count."""
    p1: float
    """``k1 / n1``."""
    p2: float
    """``k2 / n2``."""
    difference: float
    """``p1 - p2``."""
    std_error: float
    """Its standard error, unpooled."""
    wald_low: float
    """Lower end of the interval from it."""
    wald_high: float
    """Upper end."""
    newcombe_low: float
    """Lower end of Newcombe's interval."""
    newcombe_high: float
    """Upper end."""
    chisq_yates: float
    """χ² with the continuity correction of Yates, as R's ``prop.test`` makes it and the published Table 3 has it."""
    p_yates: float
    """Its p."""
    chisq: float
    """χ² without correction."""
    p_chisq: float
    """Its p."""
    p_fisher: float
    """Fisher's exact p."""
    odds_ratio: float
    """Odds in the first over odds in the second; 0, infinite or NaN where a count is 0."""
    odds_low: float
    """Lower end of its interval."""
    odds_high: float
    """Upper end."""
    p_wald_logit: float
    """p of the log odds ratio over its standard error; NaN where a count is 0."""
    cohens_h: float
    """Cohen's h."""
    h_low: float
    """Lower end of its interval."""
    h_high: float
    """Upper end."""
    note: str = ""
    """Why a part is not defined."""


def two_proportions(k1: int, n1: int, k2: int, n2: int, *, level: float = 0.95) -> TwoProportions:
    """Compare ``k1`` of ``n1`` with ``k2`` of ``n2``; raises :class:`AnalysisError` if a side has no trial.

    Where the outcome is the same in all trials of both, χ² is not defined, and Fisher's p is 1.
    """
    if n1 < 1 or n2 < 1:
        raise AnalysisError(f"the runs have {n1} and {n2} trials: a comparison needs trials in both")
    table = np.array([[k1, n1 - k1], [k2, n2 - k2]])
    p1, p2 = k1 / n1, k2 / n2
    error = math.sqrt(p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)
    half = float(stats.norm.ppf((1 + level) / 2)) * error
    notes, yates, plain = [], NAN, NAN
    if 0 in table.sum(axis=0):
        notes.append("the outcome does not vary: χ² is not defined")
    else:
        yates, plain = (float(stats.chi2_contingency(table, correction=c).statistic) for c in (True, False))
    if error == 0:
        half = NAN
        notes.append("neither run varies: no Wald interval, Newcombe's stands")
    ratio, h = odds_ratio(k1, n1, k2, n2, level=level), cohens_h(k1, n1, k2, n2, level=level)
    logit_z = NAN
    if table.min() > 0:
        logit_z = math.log(ratio.estimate) / math.sqrt((1 / table).sum())
    else:
        notes.append(ratio.note)
    return TwoProportions(
        k1=k1,
        n1=n1,
        k2=k2,
        n2=n2,
        p1=p1,
        p2=p2,
        difference=p1 - p2,
        std_error=error,
        wald_low=p1 - p2 - half,
        wald_high=p1 - p2 + half,
        **dict(zip(("newcombe_low", "newcombe_high"), newcombe(k1, n1, k2, n2, level), strict=True)),
        chisq_yates=yates,
        p_yates=float(from_log(log_chi_squared(yates, 1))),
        chisq=plain,
        p_chisq=float(from_log(log_chi_squared(plain, 1))),
        p_fisher=max(float(stats.fisher_exact(table).pvalue), float(np.finfo(float).tiny)),
        odds_ratio=ratio.estimate,
        odds_low=ratio.low,
        odds_high=ratio.high,
        p_wald_logit=float(from_log(log_two_sided(logit_z))),
        cohens_h=h.estimate,
        h_low=h.low,
        h_high=h.high,
        note="; ".join(notes),
    )


def compare_runs(
    table: pd.DataFrame,
    run: str,
    runs: Sequence[Hashable],
    by: Levels,
    *,
    outcome: str = "correct",
    participant: str = "participant",
    level: float = 0.95,
    rule: Rule = "holm",
) -> pd.DataFrame:
    """Return a row for every cell of ``by``: the two ``runs`` (levels of the column ``run``), first minus second.

    Behind the factors come ``left_out`` (outcome or participant not known), the fields of :class:`TwoProportions`
    (pooled trials: what was published, and too sure), and what trials nested in people ask for:

    * ``welch_…``, means of participants: ``difference``, ``t``, ``df``, ``p``, ``low``, ``high``;
    * ``clustered_…``, difference of shares with errors by participant: ``std_error``, ``p``, ``low``, ``high``;
    * ``log_odds_…``, logistic regression with errors by participant, first over second: ``estimate``,
      ``std_error_model``, ``std_error``, ``p``; NaN where the outcome is separated;
    * ``p_yates_adjusted``, ``p_fisher_adjusted``, ``p_welch_adjusted``, ``p_clustered_adjusted``: cells as a family.

    Cells without a trial are left away. Raises :class:`AnalysisError` where a cell has trials in one run alone.
    """
    rows = []
    for named, part in cells(table, by):
        if part.empty:
            continue
        sides = [answered(side, outcome, participant)[0] for _, side in cells(part, {run: runs})]
        first, second = sides
        counts = [int(binary(side[outcome], outcome).sum()) for side in sides]
        pooled = two_proportions(counts[0], len(first), counts[1], len(second), level=level)
        people = asdict(welch(*(means(side, outcome=outcome, participant=participant) for side in sides), level=level))
        shares = asdict(clustered_difference(part, run, runs, (participant,), outcome=outcome, kind="hc1", level=level))
        notes = [pooled.note, people["note"], shares["note"]]
        odds, why = _odds(pooled, part, run, runs, outcome, participant)
        rows.append({
            **named,
            "left_out": len(part) - len(first) - len(second),
            **asdict(pooled),
            **{f"welch_{name}": people[name] for name in ("difference", "t", "df", "p", "low", "high")},
            **{f"clustered_{name}": shares[name] for name in ("std_error", "p", "low", "high")},
            **odds,
            "note": "; ".join(dict.fromkeys(note for note in [*notes, why] if note)),
        })  # fmt: skip
    if not rows:
        raise AnalysisError("no cell has a trial: there are no runs to compare")
    found = pd.DataFrame(rows)
    families = {"p_yates": "p_yates", "p_fisher": "p_fisher", "p_welch": "welch_p", "p_clustered": "clustered_p"}
    for name, column in families.items():
        found[f"{name}_adjusted"] = over_family(np.log(found[column].to_numpy(dtype=float)), rule)
    return found


def _odds(
    pooled: TwoProportions, part: pd.DataFrame, run: str, runs: Sequence[Hashable], outcome: str, participant: str
) -> tuple[dict[str, float], str]:
    """Return the clustered log odds ratio, and why there is none. The reference is the second run."""
    none = {f"log_odds_{name}": NAN for name in ("estimate", "std_error_model", "std_error", "p")}
    counts = (pooled.k1, pooled.n1 - pooled.k1, pooled.k2, pooled.n2 - pooled.k2)
    if min(counts) == 0:
        return none, "a run is all right or all wrong: the log odds ratio is infinite"
    try:
        fit = clustered_logistic(part, {run: list(reversed(runs))}, (participant,), outcome=outcome)
    except AnalysisError as fault:
        return none, str(fault)
    model, row = math.sqrt(sum(1 / count for count in counts)), fit.table().iloc[-1]
    values = (float(row["estimate"]), model, float(row["std_error"]), float(row["p"]))
    return dict(zip(none, values, strict=True)), ""
