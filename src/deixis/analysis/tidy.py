"""One row a trial and participant: the table that every test and model starts from."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from deixis.analysis.errors import row_class
from deixis.errors import AnalysisError
from deixis.records import COUNTED, Outcome
from deixis.scoring.results import DesignResults, Result, Scored

LEADING = (
    "participant", "experiment", "condition", "protocol", "trial_id", "item", "outcome", "choice", "correct",
    "readable", "shifted", "error",
)  # fmt: skip
"""The columns that every table has, before the factors of the experiments in it."""


_LABELS = frozenset(("participant", "experiment", "condition", "protocol", "outcome", "error"))
"""Columns with few different texts, held once each while designs are read."""


def tidy(designs: Iterable[DesignResults], *, references: bool = False) -> pd.DataFrame:
    """Return the trials of all participants, or of all but the reference ones.

    ``correct`` is the credit (1, 0, a share in a tie; an answer that says nothing readable is 0) and NaN where nothing
    was asked or came back (*errored*, *missing*); ``readable`` is whether an option was read; ``shifted`` is whether
    the shifted reading was chosen, NaN where there is none; ``choice`` is the option's place, -1 without one; ``item``
    is the item, or the pair or group of objects of a scene. Factors that an experiment does not have are empty. Raises
    :class:`AnalysisError` for a table without a row, and for one that has a participant's trial twice.
    """
    return joined([rows_of(design, references=references) for design in designs])


def rows_of(design: DesignResults, *, references: bool = False) -> pd.DataFrame:
    """Return the rows of one design; without any row, an empty table."""
    signature = design.signature
    same = {name: str(signature[name]) for name in ("experiment", "condition", "protocol")}
    results: Sequence[Result] = design.results if references else design.models
    found = [(result.participant, row) for result in results for row in result.rows]
    if not found:
        return pd.DataFrame()
    rows = [row for _, row in found]
    scores = [row.score for row in rows]
    factors = [name for name in rows[0].trial.factors if name != "item"]
    columns: dict[str, object] = {
        "participant": [name for name, _ in found],
        **{name: [level] * len(rows) for name, level in same.items()},
        "trial_id": [row.trial.id for row in rows],
        "item": [row.trial.factors.get("item") or row.trial.id.split("/")[1] for row in rows],
        "outcome": [score.outcome.value for score in scores],
        "choice": [-1 if score.choice is None else score.choice for score in scores],
        "correct": [score.credit if score.outcome in COUNTED else np.nan for score in scores],
        "readable": [score.outcome is Outcome.ANSWERED for score in scores],
        "shifted": [_shifted(row) for row in rows],
        "error": ["" if (error := row_class(row)) is None else error.value for row in rows],
        **{name: [row.trial.factors[name] for row in rows] for name in factors},
    }
    table = pd.DataFrame(columns)
    return table.astype({name: "category" for name in table.columns if name in _LABELS})


def joined(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Put the rows of several designs into one table, with the checks of :func:`tidy`."""
    filled = [one for one in parts if not one.empty]
    if not filled:
        raise AnalysisError("there are no trials to analyse: no participant but the references has answered")
    table = pd.concat([one.astype({name: object for name in one.columns if name in _LABELS}) for one in filled])
    table = table.reset_index(drop=True)
    twice = table[table.duplicated(["participant", "experiment", "condition", "trial_id"])]
    if len(twice):
        one = twice.iloc[0]
        raise AnalysisError(
            f"{one.participant} has answered {one.trial_id} of {one.experiment}-{one.condition} more than once; "
            "name runs that do not overlap"
        )
    factors = [name for name in table.columns if name not in LEADING]
    return table[[*LEADING, *factors]]


def _shifted(row: Scored) -> float:
    """Whether the shifted reading was chosen; NaN without a choice, or where no option has a reading."""
    if row.score.choice is None:
        return float("nan")
    reading = row.trial.options[row.score.choice].features.get("reading")
    return float("nan") if reading is None else float(reading == "shifted")
