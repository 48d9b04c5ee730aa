"""Rules, declared before launch, by which a person's answers are left out of the analysis; the rows themselves stay.

The papers name none: one person a vocabulary run was left out *for random performance* (Dong et al. 2026, appendix
B.3). *Below chance* makes that a rule: who answers at random passes with a probability of ``alpha`` at most, exactly
(8 right of 16 and 13 of 32 with four options, 12 of 16 with two). Pure functions of answers; what counts as one is
:class:`Given`. A person who left out nothing wrong has the reason ``""``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Given:
    """One answer, as far as a rule looks at it."""

    block: str
    """Its block."""
    part: str
    """``trial``, ``check`` or ``practice``; practice never counts."""
    right: bool
    """Whether it is the right one; of ratings, whether nothing but right objects is rated highest."""
    chance: float
    """How probable that is for who answers at random, .25 with four options."""
    rt_ms: float
    """How long it took."""
    choice: int | None = None
    """The place of the option chosen, where one was."""
    ratings: tuple[int, ...] = ()
    """The ratings in the order shown, where objects were rated."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One declared rule; which fields have a say is in :data:`FIELDS`."""

    rule: str
    """Its name, one of :data:`FIELDS`."""
    block: str = ""
    """The block that it looks at; all of them together where it is empty."""
    alpha: float = 0.05
    """*below-chance*: how often who answers at random may pass."""
    more_than: int = 1
    """*failed-checks*: how many checks may be failed."""
    median_below_ms: float = 1000.0
    """*fast*: the median time under which somebody is too fast."""
    share: float = 0.9
    """*straight-lining*: the share of answers that must not all be at one place."""


FIELDS: Mapping[str, tuple[str, ...]] = {
    "below-chance": ("block", "alpha"),
    "failed-checks": ("more_than",),
    "fast": ("block", "median_below_ms"),
    "straight-lining": ("block", "share"),
    "incomplete": (),
}
"""Name of a rule to the fields it has."""


def reasons(rules: Iterable[Rule], given: Sequence[Given], *, complete: bool) -> tuple[str, ...]:
    """Return why a person is left out, one text a rule that says so, in the order declared; none who is kept.

    ``complete`` is whether everything asked of the person was answered.
    """
    found = (_RULES[rule.rule](rule, _looked_at(rule, given), complete) for rule in rules)
    return tuple(reason for reason in found if reason)


def reason(rules: Iterable[Rule], given: Sequence[Given], *, complete: bool) -> str:
    """Return the entry of the column ``excluded_reason``: the texts of :func:`reasons`, with semicolons between."""
    return "; ".join(reasons(rules, given, complete=complete))


def least_right(chances: Sequence[float], alpha: float = 0.05) -> int:
    """Return the smallest number of right answers that is above chance, by the exact distribution of a sum.

    ``chances``: how probable each answer is right at random; all alike, that is the binomial distribution. One more
    than there are answers where even all right is not enough.
    """
    tail = 0.0
    distribution = _right_at_random(chances)
    for right in range(len(chances), -1, -1):
        tail += distribution[right]
        if tail > alpha:
            return right + 1
    return 0


def _right_at_random(chances: Sequence[float]) -> list[float]:
    found = [1.0]
    for chance in chances:
        wrong, right = [part * (1 - chance) for part in found], [part * chance for part in found]
        found = [a + b for a, b in zip([*wrong, 0.0], [0.0, *right], strict=True)]
    return found


def _looked_at(rule: Rule, given: Sequence[Given]) -> list[Given]:
    part = "check" if rule.rule == "failed-checks" else "trial"
    return [one for one in given if one.part == part and rule.block in ("", one.block)]


def _where(rule: Rule) -> str:
    return f" in {rule.block}" if rule.block else ""


def _below_chance(rule: Rule, given: Sequence[Given], _complete: bool) -> str:
    right, wanted = sum(one.right for one in given), least_right([one.chance for one in given], rule.alpha)
    if not given or right >= wanted:
        return ""
    return f"below-chance{_where(rule)}: {right} of {len(given)} right, {wanted} needed"


def _failed_checks(rule: Rule, given: Sequence[Given], _complete: bool) -> str:
    failed = sum(not one.right for one in given)
    return f"failed-checks: {failed} of {len(given)}" if failed > rule.more_than else ""


def _fast(rule: Rule, given: Sequence[Given], _complete: bool) -> str:
    middle = median(one.rt_ms for one in given) if given else rule.median_below_ms
    if middle >= rule.median_below_ms:
        return ""
    return f"fast{_where(rule)}: median {middle:.0f} ms, under {rule.median_below_ms:g}"


def _straight_lining(rule: Rule, given: Sequence[Given], _complete: bool) -> str:
    """Say so where one place was chosen, or all objects were rated alike, in nearly every of at least eight answers."""
    if len(given) < _FEW:
        return ""
    alike = sum(len(set(one.ratings)) == 1 for one in given)
    places = [one.choice for one in given if one.choice is not None]
    most = max(alike, *(places.count(place) for place in set(places)), 0)
    if most < rule.share * len(given):
        return ""
    return f"straight-lining{_where(rule)}: {most} of {len(given)} alike"


def _incomplete(_rule: Rule, _given: Sequence[Given], complete: bool) -> str:
    return "" if complete else "incomplete"


_FEW = 8
"""Of fewer answers nobody can say that they lie on a line."""
_RULES: Mapping[str, Callable[[Rule, Sequence[Given], bool], str]] = {
    "below-chance": _below_chance,
    "failed-checks": _failed_checks,
    "fast": _fast,
    "straight-lining": _straight_lining,
    "incomplete": _incomplete,
}
