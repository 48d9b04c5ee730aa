"""How alike two parties are, by item and by error: correlation under a noise ceiling, distance of profiles."""

from dataclasses import dataclass

import numpy as np

from deixis.analysis.strategies.predictions import Array
from deixis.seeds import derived

_NORMAL = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Alike:
    """A correlation or a distance with 95 % limits."""

    value: float
    """The estimate; NaN where it is not defined."""
    low: float
    """Lower limit."""
    high: float
    """Upper limit."""
    n: int
    """Items (correlation) or answers of the smaller party (distance) it rests on."""
    floor: float = float("nan")
    """Of a distance: what two samples of these sizes from one and the same profile have on average."""
    note: str = ""
    """Why something is missing."""


@dataclass(frozen=True, slots=True)
class Ceiling:
    """How well the people's item means would correlate with those of as many other people."""

    reliability: float
    """Spearman-Brown of the mean split-half correlation over participants; NaN where it is not defined."""
    halves: float
    """The mean correlation between halves."""
    splits: int
    """How many random splits were averaged."""
    items: int
    """Items that both halves of every split answered."""
    left_out: int
    """Items that too few participants answered."""
    note: str = ""
    """Why it is missing."""

    @property
    def correlation(self) -> float:
        """The highest correlation that a party without noise can be expected to have: the root of the reliability."""
        return float(np.sqrt(self.reliability)) if self.reliability > 0 else float("nan")


def split_half(people: Array, seed: int = 0, splits: int = 200) -> Ceiling:
    """Return the noise ceiling of ``people`` (participants × items, credit or NaN where not asked).

    Participants are dealt into two halves at random, the halves' item means correlated, the correlations averaged over
    ``splits`` and stepped up to the whole number of participants: ``2r / (1 + r)`` (Spearman 1910, Brown 1910). Items
    with fewer than four answers are left out, and in each split those that only one half answered.
    """
    (count, all_items), nan = people.shape, float("nan")
    if count < 4:
        return Ceiling(nan, nan, 0, 0, all_items, f"{count} participants cannot be split in halves; 4 are needed")
    people = people[:, (~np.isnan(people)).sum(axis=0) >= 4]
    seen, credit = (~np.isnan(people)).astype(float), np.nan_to_num(people)
    generator = np.random.default_rng(derived(seed, "alignment/halves"))
    half = np.zeros((splits, count))
    half[:, : count // 2] = 1
    half = generator.permuted(half, axis=1)
    asked = half @ seen, (1 - half) @ seen
    both = (asked[0] > 0) & (asked[1] > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = half @ credit / asked[0], (1 - half) @ credit / asked[1]
    found = np.array([correlation(a[k], b[k]) for a, b, k in zip(*means, both, strict=True)])
    left_out = all_items - people.shape[1]
    least = int(both.sum(axis=1).min()) if people.shape[1] else 0
    if np.isnan(found).any():
        return Ceiling(nan, nan, splits, least, left_out, "items or halves do not vary: no noise ceiling")
    r = float(found.mean())
    note = "" if r > 0 else "halves do not agree on which items are hard: no noise ceiling"
    return Ceiling(2 * r / (1 + r) if r > -1 else float("nan"), r, splits, least, left_out, note)


def correlation(one: Array, other: Array) -> float:
    """Return Pearson's r; NaN with fewer than three values or where a side does not vary."""
    if len(one) < 3 or np.ptp(one) < 1e-12 or np.ptp(other) < 1e-12:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])


def item_correlation(people: Array, model: Array, seed: int = 0, resamples: int = 1000) -> Alike:
    """Return the correlation over items of the people's and a model's mean credit.

    ``people`` is participants × items, ``model`` answers (repeats) × items, the items the same and NaN where not asked.
    Limits: Fisher's z with the standard deviation of z over ``resamples`` that draw participants and items again.
    """
    with np.errstate(invalid="ignore"):
        shared = (~np.isnan(people)).any(axis=0) & (~np.isnan(model)).any(axis=0)
    people, mean = people[:, shared], _means(model[:, shared])
    value, nan = correlation(_means(people), mean) if shared.any() else float("nan"), float("nan")
    if np.isnan(value):
        constant = shared.any() and np.ptp(mean) < 1e-12
        note = "the model scores the same on every item" if constant else "too few items, or people all alike on them"
        return Alike(nan, nan, nan, int(shared.sum()), note=f"{note}: no correlation")
    seen, credit = (~np.isnan(people)).astype(float), np.nan_to_num(people)
    generator = np.random.default_rng(derived(seed, "alignment/correlation"))
    times = generator.multinomial(len(people), np.full(len(people), 1 / len(people)), size=resamples).astype(float)
    asked = times @ seen
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = times @ credit / asked
    items = generator.integers(len(mean), size=(resamples, len(mean)))
    found = np.array([_on(row, mean, chosen) for row, chosen in zip(drawn, items, strict=True)])
    found = found[~np.isnan(found)]
    if len(found) < resamples / 2 or abs(value) > 1 - 1e-9:
        return Alike(value, nan, nan, len(mean), note="too little varies for limits")
    half = _NORMAL * float(np.std(np.arctanh(np.clip(found, -1 + 1e-9, 1 - 1e-9)), ddof=1))
    centre = np.arctanh(value)
    return Alike(value, float(np.tanh(centre - half)), float(np.tanh(centre + half)), len(mean))


def _means(values: Array) -> Array:
    seen = ~np.isnan(values)
    return np.asarray(np.where(seen, values, 0).sum(axis=0) / np.maximum(1, seen.sum(axis=0)))


def _on(row: Array, mean: Array, items: Array) -> float:
    chosen = row[items]
    known = ~np.isnan(chosen)
    return correlation(chosen[known], mean[items][known])


def jensen_shannon(one: Array, other: Array) -> Array:
    """Return the Jensen-Shannon distance between counts or shares along the last axis: 0 alike, 1 nothing in common.

    The root of the divergence in bits (Lin 1991; a metric, Endres and Schindelin 2003). NaN where a side is empty.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        p, q = one / one.sum(axis=-1, keepdims=True), other / other.sum(axis=-1, keepdims=True)
        middle = (p + q) / 2
        parts = [np.where(x > 0, x * np.log2(x / middle), np.where(np.isnan(x), np.nan, 0)) for x in (p, q)]
    return np.asarray(np.sqrt(np.clip((parts[0] + parts[1]).sum(axis=-1) / 2, 0, 1)))


def profile_distance(people: Array, model: Array, seed: int = 0, resamples: int = 1000) -> Alike:
    """Return the distance between two profiles of errors.

    ``people`` is participants × items × classes and ``model`` items × classes, counts of answers over the same items.
    Limits: percentiles over ``resamples`` that draw participants and items again (the same items for both), less the
    bias of the bootstrap, since a distance between samples is too great; ``floor`` says what chance alone makes of it.
    """
    ours, theirs = people.sum(axis=(0, 1)), model.sum(axis=0)
    n, nan = int(min(ours.sum(), theirs.sum())), float("nan")
    if n == 0:
        who = "people" if theirs.sum() else "the model"
        return Alike(nan, nan, nan, 0, note=f"{who} made none of these errors: no profile")
    value = float(jensen_shannon(ours, theirs))
    generator = np.random.default_rng(derived(seed, "alignment/profiles"))
    floor = _floor(generator, ours, theirs, resamples)
    count, items, classes = people.shape
    some = generator.multinomial(count, np.full(count, 1 / count), size=resamples).astype(float)
    times = generator.multinomial(items, np.full(items, 1 / items), size=resamples).astype(float)
    flat = people.reshape(count, items * classes)
    again = np.array(
        [t @ (s @ flat).reshape(items, classes) for s, t in zip(some, times, strict=True)],
    )
    found = jensen_shannon(again, times @ model)
    found = found[~np.isnan(found)]
    if len(found) < resamples / 2:
        return Alike(value, nan, nan, n, floor, "too few errors for limits")
    bias = float(found.mean()) - value
    low, high = (float(np.clip(end - bias, 0, 1)) for end in np.quantile(found, [0.025, 0.975]))
    note = "" if high - low > 1e-9 else "every resample is the same: no interval"
    return Alike(value, low if not note else nan, high if not note else nan, n, floor, note)


def _floor(generator: np.random.Generator, ours: Array, theirs: Array, resamples: int) -> float:
    pooled = (ours + theirs) / (ours + theirs).sum()
    drawn = [generator.multinomial(round(side.sum()), pooled, size=resamples).astype(float) for side in (ours, theirs)]
    return float(jensen_shannon(*drawn).mean())
