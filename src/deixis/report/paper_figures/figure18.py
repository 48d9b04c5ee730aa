"""Figure 18: what people and models answered, right and wrong, by task."""

from typing import Any

import numpy as np
import pandas as pd

from deixis.analysis.who import Kind
from deixis.report.paper_figures.sketch import Sketch
from deixis.report.paper_figures.stacks import most_frequent, shares, stacked
from deixis.report.paper_figures.tally import TASKS, Tally, tally
from deixis.scoring.error_classes import ErrorClass


def shares18(counts: Tally) -> pd.DataFrame:
    """Return the shares (see :func:`shares`) with panel (task), heading (who) and an empty row."""
    errors = counts.errors
    condition = np.where(errors["kind"] == Kind.PEOPLE, "people", "main")
    asked = (errors["condition"] == condition) & errors["experiment"].isin(TASKS)
    found = shares(errors[asked & (errors["kind"] != Kind.REFERENCE)])
    return found.assign(panel=found["experiment"], heading=found["name"], row="")


def sketch18(counts: Tally) -> Sketch | None:
    """Return Figure 18, ``None`` where no task was asked of people or in its main condition of models."""
    found = shares18(counts)
    if found.empty:
        return None
    caption = (
        "What was answered in each task, by people in their own condition and by models in the main one. PPE: the "
        "personal pronoun is wrong; ONE, PoPE and DPE: the noun, the possessive or the demonstrative; Double: both; "
        "NFI: no option was named. Of people, the mean of the persons' shares."
    )
    people = found[(found["kind"] == Kind.PEOPLE) & (found["error"] == ErrorClass.CORRECT)]
    told = [f"{name} are right in " + ", ".join(f"{share:.2f} ({task})" for task, share in
            zip(part["panel"], part["share"], strict=True)) + "."
            for name, part in people.groupby("name", sort=False)]  # fmt: skip
    often = most_frequent(found)
    told += [f"The most frequent error of models on average: {often}."] if often else []
    return Sketch(
        "figure18",
        "Answers by task: right, and kinds of error",
        caption,
        " ".join(["Bars of shares that sum to 1.", *told]),
        lambda: stacked(found, TASKS, lambda name, _: name),
    )


def figure18(table: pd.DataFrame) -> Any:
    """Return the plot of a tidy table, ``None`` where the data are not at hand."""
    found = sketch18(tally(table))
    return found and found.plot()
