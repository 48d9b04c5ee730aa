"""What the page says of one design: tables as plain values that a template can write."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from deixis.analysis.effects import Effect, effects
from deixis.analysis.errors import class_shares, classes
from deixis.analysis.estimates import CellEstimate, ceilings, cell, cells, confusion, leanings
from deixis.analysis.intervals import wilson
from deixis.analysis.who import Kind, group_of, kind_of
from deixis.experiments import experiment
from deixis.experiments.settings import SETTINGS
from deixis.published.printed import figure2
from deixis.report.error_tables import share_words
from deixis.report.figures import of_passages
from deixis.report.numbers import effect, number
from deixis.report.paper_figures.words import ranged
from deixis.scoring.error_classes import ErrorClass
from deixis.scoring.results import DesignResults


def groups(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rows of every participant in the order of the table, people of one study together."""
    if table.empty:
        return {}
    names = table["participant"].cat.categories
    people = [name for name in names if kind_of(str(name)) is Kind.PEOPLE]
    if not people:
        return {str(name): part for name, part in table.groupby("participant", observed=True, sort=False)}
    merged = table["participant"].map(group_of)
    found = {str(name): part for name, part in table.groupby(merged, observed=True, sort=False)}
    counted = pd.Series(list(names)).map(group_of).value_counts().to_dict()
    return {
        f"{name} ({counted[name]} people)" if name in counted and kind_of(name) is Kind.PEOPLE else name: part
        for name, part in found.items()
    }


def section(design: DesignResults, table: pd.DataFrame, *, leading: bool) -> dict[str, Any]:
    """Return the tables of a design; of one that is not ``leading``, without its cells, which are many."""
    asked = experiment(str(design.signature["experiment"]))
    passages = of_passages(design)
    parts = groups(table)
    first = next(iter(parts.values()), table)
    found = effects(first)
    taken = leanings(first)
    among = classes(table)
    modes = {group_of(result.participant): str(result.signature.get("answer", "")) for result in design.results}
    answered = {name: part for name, part in parts.items() if kind_of(name) is not Kind.REFERENCE}
    cells_of = list(asked.cells)
    return {
        "passages": passages,
        "experiment": asked.name,
        "people": any(kind_of(name) is Kind.PEOPLE for name in parts),
        "title": title(design.signature),
        "short": _short(answered),
        "settings": [f"{name} {design.signature[name]}" for name in SETTINGS if name in design.signature],
        "items": design.signature["items"],
        "question": asked.question,
        "prediction": asked.prediction,
        "ceilings": [(channel, number(value, 2)) for channel, value in ceilings(first).items()],
        "effects": list(found),
        "leanings": taken,
        "overall": [
            _overall(name, modes.get(name.partition(" (")[0], ""), part, list(found.values()), taken)
            for name, part in parts.items()
        ],
        "factors": [factor.replace("_", " ") for factor in cells_of],
        "per_bar": _per_bar(answered) if passages else "",
        "cells": [
            {**_counts(name, "run", one, taken), "levels": list(one.levels.values())}
            for name, part in answered.items()
            for one in cells(part, cells_of)
        ]
        + (_published() if passages else [])
        if leading
        else [],
        "confusion": [] if passages else [row for name, part in answered.items() for row in _confusion(name, part)],
        "classes": [(error.value, error.meaning) for error in among],
        "class_names": [error.value for error in among],
        "errors": [_errors(name, part, among) for name, part in parts.items()],
    }


def _per_bar(answered: Mapping[str, pd.DataFrame]) -> str:
    """Return how many answers a bar of the figure of passages stands for, as ``2`` or ``2 to 16``."""
    counts = [
        one.n
        for part in answered.values()
        for one in cells(part[part["marks"] == "plain"], ["indexical", "sentence_type", "context_prime"])
        if one.n
    ]
    return ranged(min(counts), max(counts)) if counts else ""


def _short(answered: Mapping[str, pd.DataFrame]) -> str:
    """Return the accuracy of the best few, for a line that stands for a design."""
    found = [(name, float(part["correct"].mean())) for name, part in answered.items() if part["correct"].notna().any()]
    if not found:
        return "no model and no person has an answer here that counts"
    ranked = sorted(found, key=lambda one: -one[1])
    told = ", ".join(f"{name} {share:.2f}" for name, share in ranked[:_BEST])
    return told + (f" and {len(ranked) - _BEST} more" if len(ranked) > _BEST else "")


_BEST = 4
"""So many participants stand in the line of a design."""


def title(signature: Mapping[str, str | int]) -> str:
    """Return what a design is called on the page."""
    return f"{signature['experiment']}, {signature['condition']}, {signature['protocol']}"


def _overall(
    name: str, mode: str, table: pd.DataFrame, found: Sequence[Effect], taken: Sequence[str]
) -> dict[str, Any]:
    whole = cell({}, table)
    estimates = [estimate(table) for estimate in found]
    return {
        **_counts(name, "run", whole, taken),
        "answer": mode,
        "se": number(whole.clustered.se),
        "effects": [(one.value, effect(one), one.note) for one in estimates],
        "first": number(whole.first_rate, 2),
    }


def _confusion(name: str, table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return what was said, by what was right, the most frequent first."""
    return [
        {"participant": name, "right": right, "said": ", ".join(f"{n} {count}" for n, count in said.most_common())}
        for right, said in confusion(table).items()
    ]


def _errors(name: str, table: pd.DataFrame, among: Sequence[ErrorClass]) -> dict[str, Any]:
    """Return how often each class of error occurred."""
    parts = class_shares(table, among)
    return {
        "participant": name,
        "kind": kind_of(name).value,
        "n": sum(part.count for part in parts),
        "shares": [(part.count, "" if part.share is None else part.share, share_words(part)) for part in parts],
    }


def _counts(name: str, source: str, part: CellEstimate, taken: Sequence[str]) -> dict[str, Any]:
    others = {outcome: count for outcome, count in part.outcomes.items() if count and outcome != "answered"}
    return {
        "participant": name,
        "kind": kind_of(name).value,
        "source": source,
        "n": part.n,
        "answered": part.answered,
        "accuracy": number(part.accuracy),
        "readable": number(part.accuracy_readable),
        "interval": f"{part.low:.2f}–{part.high:.2f}" if part.n else "–",
        "took": [number(part.leanings.get(word), 2) for word in taken],
        "others": ", ".join(f"{outcome} {count}" for outcome, count in others.items()),
        "ties": part.ties,
    }


def _published() -> list[dict[str, Any]]:
    return [
        {
            "participant": bar.model,
            "kind": "published",
            "source": "published",
            "levels": [bar.indexical, bar.sentence_type, bar.context_prime, "plain"],
            "n": bar.n,
            "answered": "",
            "accuracy": f"{bar.accuracy:.2f}",
            "readable": "",
            "interval": "{:.2f}–{:.2f}".format(*wilson(bar.accuracy * bar.n, bar.n)),
            "took": [""],
            "others": "",
            "ties": 0,
        }
        for bar in figure2()
    ]
