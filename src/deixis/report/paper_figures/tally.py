"""The tidy table counted once for all figures: what is left of a million rows is some hundreds."""

from dataclasses import dataclass

import pandas as pd

from deixis.analysis.intervals import wilson
from deixis.analysis.shares.proportions import across_participants
from deixis.analysis.who import Kind, group_of, kind_of
from deixis.report.paper_figures.who import short_names

TASKS = ("vocabulary", "possessive", "demonstrative")
"""The tasks of the paper, in the order of their predicted difficulty."""
APPROACHES = ("main", "in-context", "instruction", "instruction-reasoning")
"""The conditions that are ways of prompting; the last is not in the paper."""
_DESIGN = ["protocol", "experiment", "condition"]
_CEILINGS = ["text_ceiling", "picture_ceiling", "both_ceiling"]
_TESTED = ["participant", *_DESIGN, "correct"]


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of a tidy table. Every frame has the columns participant, group, kind, name, protocol, experiment.

    ``group`` is who is shown as one (people of a study together), ``name`` what the figure calls it; where the table
    holds several protocols the name says which, since what was asked under one is never put together with another.
    """

    cells: pd.DataFrame
    """One row a participant and condition: n, correct (the sum), accuracy, chance, text, picture, both (ceilings)."""
    errors: pd.DataFrame
    """One row a participant, condition and error class: error, count."""
    items: pd.DataFrame
    """One row a model and item in the main condition: item (of scenes the group of objects), n, correct."""
    tested: pd.DataFrame
    """The trials that tests are made from: correct, of people and of models under the ways of prompting."""
    objects: dict[str, str]
    """Group of objects (``g01``) to the names of its objects, as far as the table tells them."""


def tally(table: pd.DataFrame) -> Tally:
    """Count a tidy table (see :func:`deixis.analysis.tidy.tidy`)."""
    keys = ["participant", *_DESIGN]
    slim = table[[*keys, "item", "error", "correct", "options", *_CEILINGS]].copy(deep=False)
    for name in (*keys, "item", "error"):
        slim[name] = slim[name].astype("category")
    counted = slim[slim["correct"].notna()]
    by = counted.assign(chance=1 / counted["options"]).groupby(keys, observed=True, sort=False)
    cells = by.agg(
        n=("correct", "size"), correct=("correct", "sum"), chance=("chance", "mean"),
        text=("text_ceiling", "mean"), picture=("picture_ceiling", "mean"), both=("both_ceiling", "mean"),
    ).reset_index()  # fmt: skip
    cells["accuracy"] = cells["correct"] / cells["n"]
    errors = slim[slim["error"] != ""].groupby([*keys, "error"], observed=True, sort=False).size()
    names = _names(table)
    wanted = counted["condition"].isin([*APPROACHES, "people"]) & counted["experiment"].isin(TASKS)
    asked = counted.loc[wanted, _TESTED]
    asked = asked[asked["participant"].map(_is_tested).astype(bool)]
    return Tally(
        _named(cells, names),
        _named(errors.rename("count").reset_index(), names),
        _named(_items(counted), names),
        _named(asked, names),
        _objects(slim),
    )


def _is_tested(participant: str) -> bool:
    return kind_of(participant) is not Kind.REFERENCE


def _names(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row a participant and protocol: group, kind and name."""
    pairs = table[["participant", "protocol"]].drop_duplicates().astype(str)
    pairs["group"] = pairs["participant"].map(group_of)
    pairs["kind"] = pairs["participant"].map(lambda name: kind_of(name).value)
    short = short_names(list(dict.fromkeys(pairs["group"])))
    several = pairs["protocol"].nunique() > 1
    called = [short[group] + (f" [{protocol}]" if several else "") for group, protocol in zip(
        pairs["group"], pairs["protocol"], strict=True
    )]  # fmt: skip
    order = pairs.assign(
        name=called,
        first=pairs["kind"].map({kind.value: at for at, kind in enumerate(Kind)}),
        then=pd.factorize(pairs["group"])[0],
    )
    ranked = order.sort_values(["first", "then"], kind="stable", ignore_index=True)
    return ranked.drop(columns=["first", "then"])


def _named(frame: pd.DataFrame, names: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with group, kind and name, ordered as the names are."""
    rank = names.assign(rank=range(len(names)))
    text = [name for name in frame.columns if isinstance(frame[name].dtype, pd.CategoricalDtype)]
    joined = frame.astype(dict.fromkeys(text, object)).merge(rank, on=["participant", "protocol"], how="left")
    return joined.sort_values("rank", kind="stable").drop(columns="rank").reset_index(drop=True)


def _items(counted: pd.DataFrame) -> pd.DataFrame:
    main = counted[(counted["condition"] == "main") & (counted["experiment"] != "checks")]
    models = [name for name in main["participant"].cat.categories if kind_of(str(name)) is Kind.MODEL]
    main = main[main["participant"].isin(models)]
    keys = ["participant", "protocol", "experiment", "item"]
    found = main.groupby(keys, observed=True, sort=False)["correct"].agg(["size", "sum"])
    flat = found.set_axis(["n", "correct"], axis=1).reset_index()
    scenes = flat["experiment"].isin(TASKS).to_numpy()
    whole = list(map(str, flat["item"]))
    flat["item"] = [item.partition("-")[0] if scene else item for item, scene in zip(whole, scenes, strict=True)]
    return flat.groupby(keys, observed=True, sort=False)[["n", "correct"]].sum().reset_index()


def _objects(slim: pd.DataFrame) -> dict[str, str]:
    """Return the names in each group of objects; only the items of the demonstratives are single objects."""
    items = slim.loc[slim["experiment"] == "demonstrative", "item"].unique()
    found: dict[str, list[str]] = {}
    for item in sorted(map(str, items)):
        group, _, name = item.partition("-")
        if name:
            found.setdefault(group, []).append(name)
    return {group: ", ".join(names) for group, names in found.items()}


def shown(cells: pd.DataFrame) -> pd.DataFrame:
    """Return accuracies as they are drawn, one row a name, experiment and condition, of people and models.

    Columns: name, kind, group, protocol, experiment, condition, n (trials), people, accuracy, low, high, chance, text,
    picture, both. Of people ``accuracy`` is the mean of the persons' accuracies and ``low`` to ``high`` one standard
    error around it, NaN of a single person; of models it is a share of trials with its Wilson interval.
    """
    rows = []
    by = ["name", "kind", "group", *_DESIGN]
    for label, part in cells[cells["kind"] != Kind.REFERENCE].groupby(by, sort=False):
        told: dict[str, object] = dict(zip(by, label, strict=True))
        n = int(part["n"].sum())
        if told["kind"] == Kind.PEOPLE:
            means = part[["participant"]].assign(correct=part["accuracy"])
            spread = across_participants(means, {}).iloc[0]
            at, error = float(spread["estimate"]), float(spread["std_error"])
            told |= {"people": len(part), "accuracy": at, "low": at - error, "high": at + error}
        else:
            at = float(part["correct"].sum()) / n
            low, high = wilson(float(part["correct"].sum()), n)
            told |= {"people": 0, "accuracy": at, "low": low, "high": high}
        levels = {name: float(part[name].mean()) for name in ("chance", "text", "picture", "both")}
        rows.append({**told, "n": n, **levels})
    columns = [*by, "people", "accuracy", "low", "high", "n", "chance", "text", "picture", "both"]
    return pd.DataFrame(rows, columns=columns)
