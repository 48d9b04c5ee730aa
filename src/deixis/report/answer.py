"""The answer in three sentences: who is right how often, beside whom, and what to keep in mind of it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from deixis.analysis.intervals import wilson
from deixis.analysis.who import Kind, group_of, kind_of

_MAIN = ("main", "people", "classic")
"""Conditions that stand for an experiment, the first that a participant was asked."""
_ORDER = ("indexicals", "vocabulary", "possessive", "demonstrative", "comprehension", "checks")
_UNREAD = ("unreadable", "refused", "empty", "truncated")


@dataclass(frozen=True, slots=True)
class _Share:
    """How often somebody is right in one experiment under one protocol."""

    correct: float
    n: int

    @property
    def words(self) -> str:
        """The share with its interval and n."""
        low, high = wilson(self.correct, self.n)
        return f"{self.correct / self.n:.2f} [{low:.2f}, {high:.2f}]"


def answer(table: pd.DataFrame) -> list[str]:
    """Return three sentences with numbers about a table that holds reference participants too.

    Each experiment counts by its main condition, people by their own; protocols are never pooled, and are named where
    there are several.
    """
    if table.empty:
        return ["Nothing has been asked yet: these runs hold no answer of anybody.", *_EMPTY]
    found = _shares(table)
    models = {who: shares for who, shares in found.items() if kind_of(who) is Kind.MODEL}
    people = {who: shares for who, shares in found.items() if kind_of(who) is Kind.PEOPLE}
    if not models and not people:
        return ["No model and no person has given an answer that counts in these runs.", *_EMPTY]
    return [_first(models or people), _second(models, people, found), _third(table)]


_REFERENCES = (
    "What follows shows the reference participants, as far as they answered: what the oracle, chance and the shortcuts "
    "make of the same trials."
)
_EMPTY = (_REFERENCES, "'deixis run' on the same folder asks what has not been answered.")


def _shares(table: pd.DataFrame) -> dict[str, dict[tuple[str, str], _Share]]:
    """Return by participant, people of a study as one, the shares of each experiment and protocol."""
    counted = table.groupby(["participant", "experiment", "condition", "protocol"], observed=True, sort=False).agg(
        correct=("correct", "sum"), n=("correct", "count")
    )
    sums: dict[tuple[str, str, str], dict[str, _Share]] = {}
    for (participant, experiment, condition, protocol), correct, n in counted.itertuples(name=None):
        by = sums.setdefault((group_of(participant), experiment, protocol), {})
        before = by.get(condition, _Share(0.0, 0))
        by[condition] = _Share(before.correct + correct, before.n + n)
    found: dict[str, dict[tuple[str, str], _Share]] = {}
    for (who, experiment, protocol), by in sums.items():
        condition = next((name for name in (*_MAIN, *by) if name in by and by[name].n), None)
        if condition is not None:
            found.setdefault(who, {})[experiment, protocol] = by[condition]
    order = {name: place for place, name in enumerate(_ORDER)}
    return {
        who: dict(sorted(by.items(), key=lambda one: order.get(one[0][0], len(order)))) for who, by in found.items()
    }


def _first(found: Mapping[str, Mapping[tuple[str, str], _Share]]) -> str:
    several = len({protocol for shares in found.values() for _, protocol in shares}) > 1
    ranked = sorted(found, key=lambda who: -sum(s.correct / s.n for s in found[who].values()) / len(found[who]))
    best = ranked[0]
    told = ", ".join(
        f"{share.words} of {experiment}{f' ({protocol})' if several else ''}"
        for (experiment, protocol), share in found[best].items()
    )
    among = f"Of {len(ranked)} asked, {best} is right most often: on" if len(ranked) > 1 else f"{best} is right on"
    rest = ""
    if len(ranked) > 1:
        last = ranked[-1]
        worst = ", ".join(f"{s.correct / s.n:.2f} of {e}" for (e, _), s in found[last].items())
        rest = f"; {last} least often: on {worst}"
    return f"{among} {told}{rest} (95 % intervals in brackets)."


def _second(
    models: Mapping[str, Mapping[tuple[str, str], _Share]],
    people: Mapping[str, Mapping[tuple[str, str], _Share]],
    found: Mapping[str, Mapping[tuple[str, str], _Share]],
) -> str:
    if models and people:
        who, theirs = next(iter(people.items()))
        said = []
        for key, share in theirs.items():
            best = max((m[key].correct / m[key].n for m in models.values() if key in m), default=None)
            than = "" if best is None else f" (the best model {best:.2f})"
            said.append(f"{share.correct / share.n:.2f} of {key[0]}{than}")
        return f"People ({who.partition(':')[2]}) are right on {', '.join(said)}."
    beside: list[str] = []
    for key in next(iter((models or people).values())):
        marks = [
            f"{name} {share.correct / share.n:.2f}"
            for name in ("chance", "text-only", "picture-only", "oracle")
            for share in [found.get(f"strategy:{name}", {}).get(key)]
            if share is not None
        ]
        if marks:
            beside.append(f"{key[0]}: {', '.join(marks)}")
    told = "; ".join(dict.fromkeys(beside))
    return f"On the same trials the reference participants have these accuracies: {told}." if told else _ALONE


_ALONE = "No reference participant and no person stands beside them in these runs."


def _third(table: pd.DataFrame) -> str:
    answered = [kind_of(str(name)) is not Kind.REFERENCE for name in table["participant"].cat.categories]
    own = table[np.array(answered)[table["participant"].cat.codes.to_numpy()]]
    counts = own["outcome"].value_counts().to_dict()
    asked = sum(counts.values())
    unread = sum(int(counts.get(name, 0)) for name in _UNREAD)
    lost = int(counts.get("errored", 0)) + int(counts.get("missing", 0))
    chosen = own[own["choice"] >= 0]
    line = (
        f"Of {asked:,} trials asked {unread:,} came back without a readable answer and count as wrong, and {lost:,} "
        "failed or are still to be answered and count nowhere"
    )
    if chosen.empty:
        return f"{line}; no option was chosen at all."
    firsts = chosen.assign(first=chosen["choice"] == 0).groupby("participant", observed=True)["first"].mean()
    chance = float((1 / chosen["options"]).mean())
    far = str((firsts - chance).abs().idxmax())
    return f"{line}; the strongest taste for the option shown first has {far}, with {firsts[far]:.2f} of its choices."
