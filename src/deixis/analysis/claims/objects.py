"""The claim about object groups (Dong et al. 2026, appendix D, Table 4)."""

import math
from collections.abc import Sequence

import numpy as np

from deixis.analysis.claims.claim import Claim, Finding, Part, Verdict
from deixis.analysis.claims.hierarchy import TASKS
from deixis.analysis.claims.judging import of_all
from deixis.analysis.claims.source import LackingError, Source
from deixis.analysis.published_tests import table4
from deixis.analysis.pvalues import from_log, log_chi_squared
from deixis.analysis.shares.effect_sizes import cramers_v
from deixis.analysis.shares.groups import monte_carlo_p
from deixis.seeds import derived

NEGLIGIBLE = 0.1
"""Cramér's V below which object groups do not matter."""
_DRAWN = 999
"""Tables drawn where expected counts are small."""


def _printed() -> list[Finding]:
    found = table4()
    few = found["p"] < 0.05
    meant = found["task"] == "vocabulary"
    follows = int(found["follows"].sum())
    verdict = Verdict.HOLDS if bool((few == meant).all()) and follows == len(found) else Verdict.FAILS
    others = found.loc[~meant, "p"].min()
    evidence = (
        f"{follows} of {len(found)} p follow from the printed χ²; vocabulary: largest p "
        f"{found.loc[meant, 'p'].max():.4f} in {int(meant.sum())} models; other tasks: smallest p {others:.3f}"
    )
    remark = (
        f"χ² is not to be relied on above an accuracy of {found['accuracy_limit'].iloc[0]:.3f}, where fewer than five "
        "errors are expected in a group; and no p above .05 shows that groups do not matter"
    )
    return [Finding(verdict, evidence, remark=remark)]


def _each(source: Source, who: str) -> Sequence[Part]:
    return [_task(source, who, task) for task in TASKS]


def _task(source: Source, who: str, task: str) -> Part:
    right, total = source.groups(who, task)
    n, correct = total.sum(), right.sum()
    if len(total) < 2:
        raise LackingError(f"more than one group of objects of {task} in main")
    if correct in (0, n):
        verdict = Verdict.OPEN if task == "vocabulary" else Verdict.HOLDS
        return Part(verdict, task, f"every answer {'right' if correct else 'wrong'}, n = {int(n):,}")
    expected = np.concatenate([total * correct / n, total * (n - correct) / n])
    observed = np.concatenate([right, total - right])
    statistic, df = float(((observed - expected) ** 2 / expected).sum()), len(total) - 1
    p, how = float(from_log(log_chi_squared(statistic, df))), "p"
    if expected.min() < 5:
        counts, seed = total.astype(np.int64), derived(0, f"claims/{who}/{task}")
        p, how = monte_carlo_p(counts, int(correct), statistic, _DRAWN, seed), "Monte Carlo p"
    size = cramers_v(statistic, int(n), len(total), 2)
    small = not math.isnan(size.high) and size.high < NEGLIGIBLE
    told = f"χ²({df}) = {statistic:.1f}, {how} = {p:.3g}, n = {int(n):,}, "
    told += f"Cramér's V {size.estimate:.3f}, of the population [{size.low:.3f}, {size.high:.3f}]"
    if task == "vocabulary":
        return Part(Verdict.HOLDS if p < 0.05 else Verdict.FAILS if small else Verdict.OPEN, task, told)
    return Part(Verdict.FAILS if p < 0.05 else Verdict.HOLDS if small else Verdict.OPEN, task, told)


def _p13(source: Source) -> list[Finding]:
    return _printed() if source.printed else of_all(_each)(source)


CLAIMS = (
    Claim(
        "P13", "D, Table 4", "The group of objects matters for vocabulary in all models, and for no other task.", _p13
    ),
)
