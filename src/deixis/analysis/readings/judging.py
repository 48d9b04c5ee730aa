"""What there is to say of a judge: how much it settled, what it left, and whether it has a favourite place."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from deixis.scoring.judged import UNSCORED
from deixis.scoring.kinship import kin_warning
from deixis.scoring.results import Result, Scored
from deixis.scoring.verdicts import letters

_FEW = 8
"""Verdicts below which a judge that always takes one place is not remarked on."""


@dataclass(frozen=True, slots=True)
class Judging:
    """What a judge made of one participant's answers."""

    asked: int
    """Answers that were to be judged."""
    words: Counter[str]
    """How often each kind of verdict came: ``option``, ``several``, ``refused``, ``none``."""
    unscored: Counter[str]
    """Why answers have no verdict, to how many."""
    places: tuple[int, ...]
    """How often it took the option shown at each place; their order is drawn anew for every trial."""
    p: float | None
    """How likely places so uneven are for a judge without a favourite (χ²); ``None`` where there are too few."""

    @property
    def favourite(self) -> int | None:
        """The one place that it always takes, if it does so over enough answers."""
        taken = [place for place, count in enumerate(self.places) if count]
        return taken[0] if len(taken) == 1 and sum(self.places) >= _FEW else None


def judging(rows: Sequence[Scored]) -> Judging | None:
    """Sum up a judge's verdicts on one participant; ``None`` where it was to give none."""
    judged = [(row, row.verdict) for row in rows if row.verdict is not None]
    if not judged:
        return None
    most = max(len(row.trial.options) for row, _ in judged)
    taken = Counter(verdict.place for _, verdict in judged if verdict.place is not None)
    places = tuple(taken[place] for place in range(most))
    words = Counter("option" if v.place is not None else v.word.lower() for _, v in judged if not v.fault)
    unscored = Counter(_kind(row.score.rule) for row, verdict in judged if verdict.fault)
    even = all(len(row.trial.options) == most for row, _ in judged)
    return Judging(len(judged), words, unscored, places, _uneven(places) if even else None)


def _kind(rule: str) -> str:
    """Return why there is no verdict, without what the judge said."""
    return rule.removeprefix(UNSCORED).partition(":")[0]


def _uneven(places: Sequence[int]) -> float | None:
    from scipy.special import chdtrc  # noqa: PLC0415  (heavy)

    expected = sum(places) / len(places)
    if expected < 5 or len(places) < 2:
        return None
    return float(chdtrc(len(places) - 1, sum((count - expected) ** 2 / expected for count in places)))


def judging_lines(result: Result, judge: str) -> list[str]:
    """Return what there is to say of a judge on one participant."""
    found = judging(result.rows)
    if found is None:
        return []
    said = ", ".join(f"{word} {found.words[word]}" for word in ("option", "several", "refused", "none"))
    left = ", ".join(f"{why} {count}" for why, count in found.unscored.most_common())
    settled = (
        f"{judge} on {result.participant}: of {found.asked} answers {found.words.total()} got a verdict ({said}), "
        f"{found.unscored.total()} none{f' ({left})' if left else ''}"
    )
    lines = [settled]
    if sum(found.places):
        counts = ", ".join(f"{mark} {n}" for mark, n in zip(letters(len(found.places)), found.places, strict=True))
        odds = "" if found.p is None else f"; places as uneven by chance: p = {found.p:.3g}"
        lines.append(f"  taken by the place shown: {counts}{odds}")
    if found.favourite is not None:
        lines.append(_always(found.favourite))
    warning = kin_warning(result.participant, judge)
    return [*lines, f"  {warning}"] if warning else lines


def _always(place: int) -> str:
    return (
        f"  it always takes the option shown at {letters(26)[place]}: the order is drawn anew for every trial, so its "
        "verdicts say nothing of the answers"
    )
