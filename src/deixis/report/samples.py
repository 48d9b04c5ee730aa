"""Trials to look at in the page: one of each leading design, and the hardest, with their pictures and what was said."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from deixis.analysis.who import Kind, kind_of
from deixis.errors import SceneError
from deixis.experiments.showing import picture_of
from deixis.report.browser.entries import NOTHING, Entries
from deixis.report.browser.fragment import anchor
from deixis.report.browser.seen import thumbnail, words
from deixis.report.gather import GatheredDesign

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
    told: str
    """What is right and what was said."""


def sample(design: GatheredDesign) -> Sample | None:
    """Return the first trial of a design that stands in the page."""
    if not design.entries.count:
        return None
    name = design.entries.words[design.entries.ids[0]]
    rows = design.table[design.table["trial_id"] == name]
    return _shown(design, name, f"{design.signature['experiment']}, {design.signature['condition']}", rows)


def hardest(design: GatheredDesign) -> list[Sample]:
    """Return the hardest trial of each of the hardest items, by the mean of the models' credit, the hardest first.

    Of several that are as hard, the one in the page's browser, then the first.
    """
    kinds = {name: kind_of(str(name)) for name in design.table["participant"].cat.categories}
    own = design.table[design.table["participant"].map(kinds).astype(object) == Kind.MODEL]
    own = own[own["correct"].notna()]
    if own.empty:
        return []
    items = own.groupby("item", observed=True)["correct"].agg(["mean", "size"]).sort_values("mean", kind="stable")
    shown = {design.entries.words[word] for word in design.entries.ids}
    found = []
    for item, mean, size in items.head(_HARDEST).itertuples(name=None):
        rows = own[own["item"] == item]
        trials = rows.groupby("trial_id", observed=True, sort=False)["correct"].mean()
        order = sorted(trials.index, key=lambda name: (trials[name], name not in shown))
        name = str(order[0])
        title = f"{item}: {mean:.2f} right over {size} answers"
        found.append(_shown(design, name, title, rows[rows["trial_id"] == name]))
    return found


def _shown(design: GatheredDesign, name: str, title: str, rows: pd.DataFrame) -> Sample:
    try:
        seen = picture_of(design.signature, name)
    except SceneError:
        seen = None
    text = _asked(design.entries, name)
    return Sample(
        title,
        anchor(design.signature, name) if text else "",
        thumbnail(*seen) if seen else "",
        words(seen[0]) if seen else "",
        text,
        _told(rows),
    )


def _asked(entries: Entries, name: str) -> str:
    for place, word in enumerate(entries.ids):
        if entries.words[word] == name:
            return entries.words[entries.users[place]] if entries.users[place] != NOTHING else ""
    return ""


def _told(rows: pd.DataFrame) -> str:
    """Return what is right, and what models and people said instead of it."""
    if rows.empty:
        return ""
    right = str(rows["right"].iloc[0]) or "the right option"
    own = rows[[kind_of(str(name)) is not Kind.REFERENCE for name in rows["participant"]]]
    said = Counter(
        str(words) or ("another option" if choice >= 0 else str(outcome))
        for words, choice, outcome in zip(own["said"], own["choice"], own["outcome"], strict=True)
    )
    told = ", ".join(f"{what} {count}" for what, count in said.most_common(_SAID))
    return f"right: {right}" + (f"; said: {told}" if told else "")


def samples(designs: Sequence[GatheredDesign]) -> list[Sample]:
    """Return a sample of each design that has one."""
    return [one for design in designs if (one := sample(design)) is not None]
