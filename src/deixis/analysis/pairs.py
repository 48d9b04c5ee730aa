"""Participants in pairs, on the trials that both were asked."""

from dataclasses import asdict
from itertools import combinations

import numpy as np
import pandas as pd

from deixis.analysis.adjustment import over_family
from deixis.analysis.shares.paired import paired
from deixis.errors import AnalysisError


def pairs(table: pd.DataFrame) -> pd.DataFrame:
    """Return McNemar's tests of every two participants within each experiment and condition, paired by trial.

    ``estimate`` is the share right of the first minus that of the second, with Tango's limits; a tie's share of an
    answer is left out, and counted. ``p_adjusted`` is Holm's over the pairs of one condition. Raises
    :class:`AnalysisError` with a single participant.
    """
    found = []
    for (experiment, condition), part in table.groupby(["experiment", "condition"], sort=False):
        whole = part.assign(correct=part.correct.where(part.correct.isin((0.0, 1.0))))
        rows = []
        for first, second in combinations(dict.fromkeys(whole.participant), 2):
            one, other = (whole[whole.participant == name] for name in (first, second))
            try:
                told = asdict(paired(one, other, ("trial_id",)))
            except AnalysisError as error:
                told = {"pairs": 0, "note": str(error)}
            rows.append({"experiment": experiment, "condition": condition, "first": first, "second": second, **told})
        if rows:
            made = pd.DataFrame(rows)
            known = made.p_exact.notna() if "p_exact" in made else pd.Series(data=False, index=made.index)
            logs = np.log(made.p_exact[known].clip(lower=1e-300).to_numpy()) if known.any() else np.array([])
            made["p_adjusted"] = np.nan
            made.loc[known, "p_adjusted"] = over_family(logs)
            found.append(made)
    if not found:
        raise AnalysisError("participant has a single level in every condition: two are needed to compare")
    return pd.concat(found, ignore_index=True)
