"""The answer in three sentences: who is right how often, beside whom, and what to keep in mind of it."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from deixis.analysis.who import Kind, group_of, kind_of
from deixis.report.standings import EXPERIMENTS, MAIN, Key, Share, Shares, shares

_TASKS = {
    "indexicals": "I, you, here and tomorrow in passages",
    "vocabulary": "the noun",
    "possessive": "mine and yours",
    "demonstrative": "this one and that one",
    "comprehension": "which object is meant",
    "checks": "what is to be seen",
}
"""What each experiment asks about."""
_UNREAD = ("unreadable", "refused", "empty", "truncated")
_SHOWN = (
    "What follows shows the reference participants, as far as they answered: what the oracle, chance and the shortcuts "
    "make of the same trials."
)
_SILENT = (_SHOWN, "'deixis run' on the same folder asks what has not been answered.")


def answer(table: pd.DataFrame) -> list[str]:
    """Return three sentences with numbers about a table that holds reference participants too.

    Each experiment counts by its main condition, people by their own; protocols are never pooled, and are named where
    there are several.
    """
    if table.empty:
        return ["Nothing has been asked yet: these runs hold no answer of anybody.", *_SILENT]
    found = shares(table)
    of = {kind: {who: own for who, own in found.items() if kind_of(who) is kind} for kind in Kind}
    asked = of[Kind.MODEL] or of[Kind.PEOPLE]
    if not asked:
        return ["No model and no person has given an answer that counts in these runs.", *_SILENT]
    told = _Naming(found)
    first = _first(asked, told)  # explains what each experiment is about, which the second does not repeat
    beside = bool(of[Kind.MODEL] and of[Kind.PEOPLE])
    second = _people(of[Kind.PEOPLE], asked, found, told) if beside else _references(asked, found, told)
    return [first, second, _third(table)]


class _Naming:
    """How an experiment is called: with its protocol where there are several, and what it asks about the first time."""

    def __init__(self, found: Mapping[str, Shares]) -> None:
        self._several = len({protocol for own in found.values() for _, protocol in own}) > 1
        self._explained: set[str] = set()

    def __call__(self, key: Key, share: Share) -> str:
        experiment, protocol = key
        about = [] if experiment in self._explained else [_TASKS[experiment]]
        self._explained.add(experiment)
        about += [] if share.condition in MAIN else [f"condition {share.condition}"]
        about += [protocol] if self._several else []
        return experiment + (f" ({'; '.join(about)})" if about else "")


def _first(asked: Mapping[str, Shares], told: _Naming) -> str:
    """Rank by the mean over what everybody was asked alike; where there is no such thing, name the best of each."""
    if len(asked) == 1:
        ((who, own),) = asked.items()
        return (
            f"{who} is right in {_listed(f'{s[0].words} of {told(key, s[0])}' for key, s in own.items())} {_BRACKETS}."
        )
    many = f"{len(asked)} {'models' if kind_of(next(iter(asked))) is Kind.MODEL else 'groups of people'}"
    keys = sorted({key for own in asked.values() for key in own}, key=lambda key: (EXPERIMENTS.index(key[0]), key[1]))
    shared = [key for key in keys if _alike([own.get(key, ()) for own in asked.values()])]
    if not shared:
        best = {key: max(_asked_first(asked, key), key=lambda who: asked[who][key][0].value) for key in keys}
        each = (f"{who} in {asked[who][key][0].words} of {told(key, asked[who][key][0])}" for key, who in best.items())
        return f"The {many} were not asked the same; right most often are {_listed(each)} {_BRACKETS}."
    ranked = sorted(asked, key=lambda who: -sum(asked[who][key][0].value for key in shared))
    best_of, last = asked[ranked[0]], asked[ranked[-1]]
    high = _listed(f"{best_of[key][0].words} of {told(key, best_of[key][0])}" for key in shared)
    low = _listed(f"{last[key][0].value:.2f}" for key in shared)
    low += "" if len(shared) == 1 else " in the same order"
    return f"Of {many} {ranked[0]} is right most often, in {high}, and {ranked[-1]} least often, in {low} {_BRACKETS}."


_BRACKETS = "(95 % intervals in brackets)"


def _alike(own: Sequence[Sequence[Share]]) -> bool:
    """Whether the same condition stands for an experiment with everybody."""
    return all(own) and len({one[0].condition for one in own}) == 1


def _asked_first(asked: Mapping[str, Shares], key: Key) -> list[str]:
    """Return who was asked an experiment in the condition that stands for it before all others."""
    by: dict[str, list[str]] = {}
    for who, own in asked.items():
        if key in own:
            by.setdefault(own[key][0].condition, []).append(who)
    return by[next(name for name in (*MAIN, *by) if name in by)]


def _references(asked: Mapping[str, Shares], found: Mapping[str, Shares], told: _Naming) -> str:
    """Say what guessing and each channel earn in the conditions that stand for each experiment."""
    keys = {key: own[key][0] for own in asked.values() for key in own}
    said = []
    for name, words in _MARKS.items():
        values = {key: _same(found.get(f"strategy:{name}", {}), key, share) for key, share in keys.items()}
        there = {key: value for key, value in values.items() if value is not None}
        if len(there) > 1 and len({f"{value:.2f}" for value in there.values()}) == 1:
            said.append(f"{words} {next(iter(there.values())):.2f} of each")
        elif there:
            said.append(f"{words} {_listed(f'{value:.2f} of {told(key, keys[key])}' for key, value in there.items())}")
    if not said:
        return "No reference participant and no person stands beside them in these runs."
    return f"For comparison, over all trials of these kinds: {'; '.join(said)}."


_MARKS = {
    "chance": "one that guesses is right in",
    "text-only": "one that reads the text alone in",
    "picture-only": "one that sees the picture alone in",
    "oracle": "one that knows the words in",
}
"""Reference participants, and what each stands for."""


def _same(own: Mapping[Key, Sequence[Share]], key: Key, share: Share) -> float | None:
    return next((one.value for one in own.get(key, ()) if one.condition == share.condition), None)


def _people(
    people: Mapping[str, Shares], models: Mapping[str, Shares], found: Mapping[str, Shares], told: _Naming
) -> str:
    """Set people beside chance and the best of the models that were asked the main condition, by experiment."""
    each = []
    for who, own in people.items():
        said = []
        for key, (share, *_) in own.items():
            firsts = [own[0] for own in (model.get(key, ()) for model in models.values()) if own]
            best = max((one.value for one in firsts if one.condition in (*MAIN, share.condition)), default=None)
            chance = _same(found.get("strategy:chance", {}), key, share)
            beside = [] if best is None else [f"the best model {best:.2f}"]
            beside += [] if chance is None else [f"guessing {chance:.2f}"]
            than = f", against {_listed(beside)}" if beside else ""
            said.append(f"{share.value:.2f} of {told(key, share)}{than}")
        each.append(f"People ({who.partition(':')[2] or 'no study named'}) are right in {'; in '.join(said)}")
    return ". ".join(each) + "."


def _third(table: pd.DataFrame) -> str:
    """Say what is not in these numbers, and who leans most to or from what is shown first."""
    asked = [kind_of(str(name)) is not Kind.REFERENCE for name in table["participant"].cat.categories]
    own = table[np.array(asked)[table["participant"].cat.codes.to_numpy()]]
    counts = own["outcome"].value_counts().to_dict()
    unread = sum(int(counts.get(name, 0)) for name in _UNREAD)
    lost = int(counts.get("errored", 0)) + int(counts.get("missing", 0))
    line = (
        f"Of {len(own):,} questions {unread:,} came back without a readable answer and count as wrong, and "
        f"{lost or 'none':{',' if lost else ''}} failed or {'is' if lost == 1 else 'are'} still to be answered"
    )
    line += " and count nowhere" if lost > 1 else " and counts nowhere" if lost else ""
    chosen = own[own["choice"] >= 0]
    if chosen.empty:
        return f"{line}; no option was chosen at all."
    taken = chosen.assign(first=chosen["choice"] == 0, even=1 / chosen["options"], who=_grouped(chosen))
    by = taken.groupby("who", observed=True).agg(first=("first", "mean"), even=("even", "mean"), n=("first", "size"))
    return f"{line}; {_leaning(by)}."


def _leaning(by: pd.DataFrame) -> str:
    """Say who leans most, counted in standard errors: few choices lie far from even by luck alone."""
    far: pd.Series[float] = (by["first"] - by["even"]) / np.sqrt(by["even"] * (1 - by["even"]) / by["n"])
    place = int(far.abs().to_numpy().argmax())
    if abs(far.iloc[place]) < _SURE:
        return "nobody leans reliably to or away from the option shown first"
    share, even = by["first"].iloc[place], by["even"].iloc[place]
    to = "to" if share > even else "away from"
    numbers = f"with {share:.2f} of its choices instead of {even:.2f}"
    return f"{by.index[place]} leans most {to} the option shown first, {numbers}"


_SURE = 2.58
"""Standard errors that luck alone passes in one of a hundred cases."""


def _grouped(table: pd.DataFrame) -> pd.Series:
    return (
        table["participant"]
        .map({name: group_of(str(name)) for name in table["participant"].cat.categories})
        .astype(str)
    )


def _listed(words: Iterator[str] | Sequence[str]) -> str:
    found = list(words)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"
