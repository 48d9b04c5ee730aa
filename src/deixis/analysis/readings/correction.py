"""Accuracies corrected for how often a reader or a judge errs, with intervals that know how little is known of that."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Errors:
    """How a reading does against a person, on answers that both read."""

    right: int
    """Answers that are right, as the person reads them."""
    found_right: int
    """Those of them that the reading counts as right too; over ``right``, its sensitivity."""
    other: int
    """Answers that are not right, as the person reads them."""
    found_other: int
    """Those of them that the reading does not count as right either; over ``other``, its specificity."""

    @property
    def told(self) -> str:
        """Sensitivity and specificity, in words."""
        return (
            f"counts {self.found_right} of {self.right} right answers as right (sensitivity), {self.found_other} of "
            f"{self.other} others as not right (specificity)"
        )


def errors(pairs: Sequence[tuple[bool, bool]]) -> Errors:
    """Count from pairs: whether an answer is right as the person reads it, and as the reading does."""
    right = [found for truth, found in pairs if truth]
    other = [found for truth, found in pairs if not truth]
    return Errors(len(right), sum(right), len(other), len(other) - sum(other))


@dataclass(frozen=True, slots=True)
class Counted:
    """What a reading counts of one participant."""

    correct: float
    """Answers that are right."""
    n: int
    """Answers."""

    @property
    def variance(self) -> float:
        """Variance of ``correct``, as of so many throws."""
        return self.correct * (1 - self.correct / self.n) if self.n else 0.0


@dataclass(frozen=True, slots=True)
class Corrected:
    """An accuracy as it would be if a person had read every answer."""

    value: float | None
    """The estimate, within [0, 1]; ``None`` where nothing can be said."""
    low: float
    """Lower end of its 95 % interval; 0 where nothing can be said."""
    high: float
    """Upper end; 1 where nothing can be said."""
    note: str = ""
    """Why nothing can be said."""


def corrected(own: Counted, known: Errors, counted: Sequence[Counted]) -> Corrected:
    """Correct what a reading counts of one participant for its errors on a sheet drawn from all who are ``counted``.

    The estimate is ``(p + sp - 1) / (se + sp - 1)`` (Rogan and Gladen 1978). The interval is that of Lang and Reiczigel
    (2014), with their added counts and their shift, but for its variance: theirs supposes that sensitivity and
    specificity were counted on other answers, and is too wide where the sheet is a part of those it corrects. Here it
    is the variance, by the delta method, under the drawing that there was: a sheet in proportion to what the reading
    finds right and not (two-phase sampling, Tenenbein 1970). By simulation it covers 94 to 99 % (see the tests).
    """
    if not own.n:
        return Corrected(None, 0.0, 1.0, "no answer counted")
    if not known.right or not known.other:
        which = "right" if not known.right else "other"
        return Corrected(None, 0.0, 1.0, f"the person read no {which} answers, so the errors on them are not known")
    gain = known.found_right / known.right + known.found_other / known.other - 1
    if gain <= 0:
        return Corrected(None, 0.0, 1.0, "the reading does no better than a coin")
    value = min(1.0, max(0.0, (own.correct / own.n + known.found_other / known.other - 1) / gain))
    low, high = _interval(own, known, counted)
    return Corrected(value, min(low, value), max(high, value))


def _interval(own: Counted, known: Errors, counted: Sequence[Counted]) -> tuple[float, float]:
    right, other = known.right + 2, known.other + 2
    sure, quiet = (known.found_right + 1) / right, (known.found_other + 1) / other
    gain = sure + quiet - 1
    if gain <= 0:
        return 0.0, 1.0
    many = own.n + _Z**2
    share = (own.correct + _Z**2 / 2) / many
    centre = (share + quiet - 1) / gain
    # What one answer on the sheet adds to the estimate's error, by what the person and by what the reading says.
    adds = {
        (True, True): -centre * (1 - sure) / right / gain,
        (True, False): centre * sure / right / gain,
        (False, True): -(1 - centre) * quiet / other / gain,
        (False, False): (1 - centre) * (1 - quiet) / other / gain,
    }
    variance, means = 0.0, []
    for found, hits, misses in (
        (True, sure * right, (1 - quiet) * other),
        (False, (1 - sure) * right, quiet * other),
    ):
        true = hits / (hits + misses)
        variance += (hits + misses) * true * (1 - true) * (adds[True, found] - adds[False, found]) ** 2
        means.append(true * adds[True, found] + (1 - true) * adds[False, found])
    drawn = (means[0] - means[1]) * (known.right + known.other) / sum(one.n for one in counted)
    variance += many * share * (1 - share) * (1 / (many * gain) + drawn) ** 2
    variance += (sum(one.variance for one in counted) - own.variance) * drawn**2
    shift = 2 * _Z**2 * (centre * sure * (1 - sure) / right - (1 - centre) * quiet * (1 - quiet) / other)
    half = _Z * math.sqrt(variance)
    return min(1.0, max(0.0, centre + shift - half)), min(1.0, max(0.0, centre + shift + half))
