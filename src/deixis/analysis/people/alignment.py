"""People and models in one table: how far apart, hard on the same items or not, wrong in the same way or not.

The tables are tidy, one row a trial: ``participant``, ``item`` (what people and models share), ``task``, ``correct``
(credit from 0 to 1; NaN where not asked) and, for profiles of errors, ``error`` (the error class).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import t as student

from deixis.analysis.people.likeness import item_correlation, profile_distance, split_half
from deixis.analysis.strategies.predictions import Array
from deixis.errors import AnalysisError

COLUMNS = ("participant", "item", "task", "correct")


@dataclass(frozen=True, slots=True)
class Share:
    """A share of right answers with 95 % limits that hold where everything is right too."""

    value: float
    """Mean credit."""
    low: float
    """Lower limit."""
    high: float
    """Upper limit."""
    n: int
    """Trials."""
    clusters: int
    """Participants or items they come from."""
    note: str = ""
    """How the limits came about, where not by the clusters' variation."""


def clustered_share(credit: Array, clusters: Sequence[str], what: str = "cluster") -> Share:
    """Return the mean credit with Wilson limits on the effective number of trials.

    The effective number is ``p (1 - p) / SE²`` with the cluster-robust SE (G / (G - 1), as for a mean), and Student's t
    with G - 1 degrees of freedom in place of z. Where clusters do not vary, each counts as one observation. Raises
    :class:`AnalysisError` with fewer than two clusters.
    """
    names, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    groups, n = len(names), len(credit)
    if groups < 2:
        raise AnalysisError(f"{groups} {what}: limits across {what}s need two or more")
    mean = float(credit.mean())
    influence = np.bincount(cluster, credit - mean, groups) / n
    variance = groups / (groups - 1) * float(influence @ influence)
    note, spread = "", mean * (1 - mean)
    if variance < 1e-15 or spread < 1e-15:
        effective, note = float(groups), "no variation: each cluster counts as one observation"
    else:
        effective = spread / variance
    z2 = float(student.ppf(0.975, groups - 1)) ** 2
    centre = (mean + z2 / (2 * effective)) / (1 + z2 / effective)
    half = np.sqrt(z2 * (spread / effective + z2 / (4 * effective**2))) / (1 + z2 / effective)
    return Share(mean, max(0.0, float(centre - half)), min(1.0, float(centre + half)), n, groups, note)


def gap(model: Share, people: Share) -> tuple[float, float, float]:
    """Return model minus people with limits put together from those of both (MOVER; Newcombe 1998, method 10)."""
    apart = model.value - people.value
    down = np.hypot(model.value - model.low, people.high - people.value)
    up = np.hypot(model.high - model.value, people.value - people.low)
    return apart, max(-1.0, float(apart - down)), min(1.0, float(apart + up))


def alignment(
    people: pd.DataFrame,
    models: pd.DataFrame,
    tasks: Sequence[str],
    errors: Sequence[str] = (),
    *,
    seed: int = 0,
    resamples: int = 1000,
    splits: int = 200,
) -> pd.DataFrame:
    """Return one row a task and model, tasks in the order given, models as they come.

    Accuracy: people clustered by participant, a model by item; ``gap`` is model minus people. ``correlation`` runs over
    the items that both answered; ``reliability`` and ``ceiling`` come from the people alone; ``corrected`` is the
    correlation divided by the ceiling (it may exceed 1; the ceiling is held fixed in its limits). ``distance`` compares
    profiles over ``errors``, the classes in their order: leave *Correct* out to compare how people and models err,
    not how often; ``distance_floor`` is what chance makes of it. ``left_out_people`` and ``left_out_model`` count rows
    without credit. What is not defined is NaN, and ``note`` says why.

    Raises :class:`AnalysisError` for a missing column, or a task that one side lacks.
    """
    for who, table in (("people", people), ("models", models)):
        lacking = [name for name in (*COLUMNS, *(["error"] if errors else [])) if name not in table.columns]
        if lacking:
            raise AnalysisError(f"the table of {who} has no column {lacking[0]!r}")
    rows = []
    for task in tasks:
        ours = people[people.task == task]
        if not ours.correct.notna().any():
            raise AnalysisError(f"no answers of people to the task {task!r}")
        asked = models[models.task == task]
        if not asked.correct.notna().any():
            raise AnalysisError(f"no answers of models to the task {task!r}")
        rows += [
            {
                "task": task,
                "model": name,
                **_row(ours, asked[asked.participant == name], errors, seed, resamples, splits),
            }
            for name in dict.fromkeys(asked.participant)
        ]
    return pd.DataFrame(rows)


def _row(
    people: pd.DataFrame, model: pd.DataFrame, errors: Sequence[str], seed: int, resamples: int, splits: int
) -> dict[str, object]:
    ours, theirs = people.dropna(subset=["correct"]), model.dropna(subset=["correct"])
    if theirs.empty:
        raise AnalysisError(f"{model.participant.iloc[0]!r} has answered nothing of {model.task.iloc[0]!r}")
    person = clustered_share(ours.correct.to_numpy(float), ours["participant"].tolist(), "participant")
    machine = clustered_share(theirs.correct.to_numpy(float), theirs["item"].tolist(), "item")
    apart, low, high = gap(machine, person)
    items = list(dict.fromkeys([*ours["item"], *theirs["item"]]))
    wide = _wide(ours, items, "participant")
    ceiling = split_half(wide, seed, splits)
    alike = item_correlation(wide, _wide(theirs.assign(one=""), items, "one"), seed, resamples)
    row = {
        "n_people": person.n,
        "participants": person.clusters,
        "left_out_people": len(people) - person.n,
        "people": person.value,
        "people_low": person.low,
        "people_high": person.high,
        "n_model": machine.n,
        "items": machine.clusters,
        "left_out_model": len(model) - machine.n,
        "accuracy": machine.value,
        "accuracy_low": machine.low,
        "accuracy_high": machine.high,
        "gap": apart,
        "gap_low": low,
        "gap_high": high,
        "items_shared": alike.n,
        "correlation": alike.value,
        "correlation_low": alike.low,
        "correlation_high": alike.high,
        "reliability": ceiling.reliability,
        "ceiling": ceiling.correlation,
        "corrected": alike.value / ceiling.correlation,
        "corrected_low": alike.low / ceiling.correlation,
        "corrected_high": alike.high / ceiling.correlation,
    }
    notes = {"people": person.note, "model": machine.note, "ceiling": ceiling.note, "correlation": alike.note}
    if errors:
        shared = list(dict.fromkeys(ours["item"][ours["item"].isin(theirs["item"])]))
        profile = profile_distance(
            _counts(ours, shared, errors, list(dict.fromkeys(ours.participant))),
            _counts(theirs, shared, errors, [str(theirs.participant.iloc[0])])[0],
            seed,
            resamples,
        )
        row |= {
            "errors": profile.n,
            "distance": profile.value,
            "distance_low": profile.low,
            "distance_high": profile.high,
            "distance_floor": profile.floor,
        }
        notes["distance"] = profile.note
    return row | {"note": "; ".join(f"{name}: {note}" for name, note in notes.items() if note)}


def _wide(table: pd.DataFrame, items: Sequence[str], by: str) -> Array:
    """Return mean credit, rows by first occurrence of ``by``, columns the items in their order; NaN where not asked."""
    means = table.groupby([by, "item"], sort=False)["correct"].mean().unstack("item")
    return means.reindex(columns=pd.Index(items)).to_numpy(float)


def _counts(table: pd.DataFrame, items: Sequence[str], errors: Sequence[str], people: Sequence[str]) -> Array:
    """Return participants × items × classes: how often; rows of other items and classes count for nothing."""
    places = [
        pd.Index(levels).get_indexer(pd.Index(table[column]))
        for column, levels in (("participant", people), ("item", items), ("error", errors))
    ]
    known = np.all([place >= 0 for place in places], axis=0)
    found = np.zeros((len(people), len(items), len(errors)))
    np.add.at(found, tuple(place[known] for place in places), 1)
    return found
