"""Trials to look at in the page: one of each leading design, and the hardest, with their pictures and what was said."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from deixis.analysis.who import Kind, kind_of
from deixis.errors import SceneError
from deixis.experiments.showing import picture_of
from deixis.report.browser.entries import NOTHING, Column
from deixis.report.browser.fragment import anchor
from deixis.report.browser.seen import thumbnail, words
from deixis.report.gather import GatheredDesign
from deixis.scenes.drawing.artwork import Artwork
from deixis.scenes.picture import Picture

_HARDEST = 4
"""So many of the hardest items of a design are shown."""
_SAID = 3
"""So many different answers to a trial are told."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One trial as the page shows it."""

    title: str
    """Which it is."""
    link: str
    """Where in the page's browser it stands; nothing where it is not there."""
    picture: str
    """Its picture as a data URL; nothing without one."""
    alt: str
    """What is seen in the picture."""
    text: str
    """What was asked; nothing where the trial is not in the page's browser."""
    folded: bool
    """Whether what was asked is folded, since the picture tells more."""
    told: str
    """What is right and what was said."""


def sample(design: GatheredDesign) -> Sample | None:
    """Return the trial of the page's browser that most models and people were asked, the first of several."""
    if not design.entries.count:
        return None
    names = [design.entries.words[word] for word in design.entries.ids]
    own = _asked_of(design.table)
    counts = own["trial_id"].value_counts()
    name = max(names, key=lambda one: int(counts.get(one, 0)))
    title = f"{design.signature['experiment']}, {design.signature['condition']}"
    return _shown(design, name, title, own[own["trial_id"] == name], folded=False)


def _asked_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of models and people."""
    if table.empty:
        return table
    kept = [kind_of(str(name)) is not Kind.REFERENCE for name in table["participant"].cat.categories]
    return table[np.array(kept, bool)[table["participant"].cat.codes.to_numpy()]]


def hardest(design: GatheredDesign) -> list[Sample]:
    """Return the hardest trial of each of the hardest items, by the mean credit of models, the hardest first.

    People count where no model was asked; an item that nobody missed is not hard. Of several trials that are as hard,
    the one in the page's browser, then the first.
    """
    own = _asked_of(design.table)
    own = own[own["correct"].notna()] if len(own) else own
    models = [not str(name).startswith("people:") for name in own["participant"]] if len(own) else []
    own = own[models] if any(models) else own
    if own.empty or own["item"].nunique() < 2:
        return []
    items = own.groupby("item", observed=True)["correct"].agg(["mean", "size"]).sort_values("mean", kind="stable")
    items = items[items["mean"] < 1]
    shown = {design.entries.words[word] for word in design.entries.ids}
    found = []
    for item, mean, size in items.head(_HARDEST).itertuples(name=None):
        rows = own[own["item"] == item]
        trials = rows.groupby("trial_id", observed=True, sort=False)["correct"].mean()
        order = sorted(trials.index, key=lambda name: (trials[name], name not in shown))
        name = str(order[0])
        title = f"{item}: {mean:.2f} right over {size} answer{'' if size == 1 else 's'}"
        found.append(_shown(design, name, title, rows[rows["trial_id"] == name], folded=True))
    return found


def _shown(design: GatheredDesign, name: str, title: str, rows: pd.DataFrame, *, folded: bool) -> Sample:
    try:
        seen = picture_of(design.signature, name)
    except SceneError:
        seen = None
    entries = design.entries
    place = next((place for place, word in enumerate(entries.ids) if entries.words[word] == name), None)
    if place is None:
        return Sample(title, "", _source(seen), words(seen[0]) if seen else "", "", False, _told(rows, [], []))
    user = _at(entries.users, place)
    options = [entries.words[word] for word in entries.offers[_at(entries.options, place)]]
    alike = _at(entries.alike, place)
    right = [one for one in range(len(options)) if alike >> one & 1] if alike > 0 else [_at(entries.answers, place)]
    return Sample(
        title,
        anchor(design.signature, name),
        _source(seen),
        words(seen[0]) if seen else "",
        "" if user == NOTHING else entries.words[user],
        folded and seen is not None,
        _told(rows, options, right),
    )


def _source(seen: tuple[Picture, Artwork] | None) -> str:
    return thumbnail(*seen) if seen else ""


def _at(column: Column, place: int) -> int:
    """Return what stands in a column, which is left out where it has nothing anywhere."""
    return column[place] if column else NOTHING


def _told(rows: pd.DataFrame, options: Sequence[str], answers: Sequence[int]) -> str:
    """Return what is right, and what models and people said."""
    right = " or ".join(f"“{options[one]}”" for one in answers)
    if rows.empty:
        return f"right: {right}" if right else ""
    right = right or str(rows["right"].iloc[0]) or "the right option"
    said = Counter(
        _said(options, int(choice), str(words), str(outcome))
        for words, choice, outcome in zip(rows["said"], rows["choice"], rows["outcome"], strict=True)
    )
    told = ", ".join(f"{what} {count} time{'s' if count > 1 else ''}" for what, count in said.most_common(_SAID))
    left = len(said) - _SAID
    return f"right: {right}; said: {told}{f' and {left} more' if left > 0 else ''}"


def _said(options: Sequence[str], choice: int, words: str, outcome: str) -> str:
    if choice < 0:
        return {"answered": "no option alone", "errored": "failed", "missing": "not yet"}.get(outcome, outcome)
    return f"“{options[choice]}”" if choice < len(options) else words or "another option"


def samples(designs: Sequence[GatheredDesign]) -> list[Sample]:
    """Return a sample of each design that has one."""
    return [one for design in designs if (one := sample(design)) is not None]
