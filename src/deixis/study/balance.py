"""The balance of a study, counted from its trials: within each arm, and over all arms.

*Balanced* is exact: every level of a factor as often as the others, or, where the number of trials does not divide, one
more at most. *Aliased* are two factors of which one gives the other away: nobody could tell afterwards which of them
made a difference.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from deixis.records import Trial
from deixis.study.manifest import Arm, Manifest
from deixis.study.settings import Plan
from deixis.study.trials import lists_of

_BY_DESIGN = {("answer", "perspective"), ("cell", "sentence_type"), ("cell", "context_prime")}
"""Of these the first holds the second."""


@dataclass(frozen=True, slots=True)
class Row:
    """How often each level of one factor is in a block of an arm."""

    arm: str
    """Id of the arm; ``all`` for all of them together."""
    block: str
    """The block, or, in comprehension, its task."""
    factor: str
    """What is counted."""
    counts: Mapping[str, int]
    """Level to how often."""

    @property
    def even(self) -> bool:
        """Whether every level is there equally often, or, where that cannot be, one time more at most."""
        counts = self.counts.values()
        return max(counts) - min(counts) <= (1 if sum(counts) % len(counts) else 0)


def told(trial: Trial) -> dict[str, str]:
    """Return what of a trial has to be balanced: factor to level.

    Of ratings the options stand as the objects do, so their position is no factor, and of a target only its half of
    the table can be meant.
    """
    if trial.experiment == "indexicals":
        found = {name: trial.factors[name] for name in ("indexical", "sentence_type", "context_prime")}
        return {**found, "cell": "/".join([*found.values()][1:]), "position": str(trial.answer + 1)}
    said = trial.options[trial.answer].features
    found = {"speaker": trial.factors["speaker"], "perspective": trial.factors["perspective"]}
    place = int(trial.factors["target"])
    if trial.experiment == "comprehension":
        return {**found, "word": trial.factors["word"], "half": ("left", "right")[place // 2]}
    if "word" in said:  # of names of objects each is right once
        found["answer"] = f"{said['pronoun']} {said['word']}"
    return {**found, "position": str(trial.answer + 1), "place": str(place + 1)}


def rows(plan: Plan, manifest: Manifest) -> list[Row]:
    """Return the balance table: every arm, then all arms together."""
    every = lists_of(plan)
    found: list[Row] = []
    whole: dict[tuple[str, str], Counter[str]] = {}
    for arm in manifest.arms:
        for block, trials in parts(every[arm.list], manifest.orders[arm.order]):
            for factor, counts in _counted(trials).items():
                found.append(Row(arm.id, block, factor, counts))
                whole.setdefault((block, factor), Counter()).update(counts)
    return [*found, *(Row("all", block, factor, counts) for (block, factor), counts in whole.items())]


def parts(lists: Mapping[str, Sequence[Trial]], order: Sequence[str]) -> Iterator[tuple[str, list[Trial]]]:
    """Yield the parts of a list that are balanced each on its own: its blocks, of comprehension its two tasks."""
    for block in order:
        tasks: dict[str, list[Trial]] = {}
        for trial in lists[block]:
            tasks.setdefault(trial.factors.get("task", block), []).append(trial)
        yield from tasks.items()


def uneven(table: Sequence[Row]) -> list[str]:
    """Return one line for each factor that is not balanced where it stands."""
    return [
        f"{row.factor} is not balanced in {row.block}, arm {row.arm}: {_shown(row.counts)}"
        for row in table
        if not row.even
    ]


def aliased(plan: Plan, manifest: Manifest) -> list[str]:
    """Return one line for each pair of factors in an arm of which one gives the other away."""
    every = lists_of(plan)
    found: dict[str, list[str]] = {}
    for arm in manifest.arms:
        for block, trials in parts(every[arm.list], manifest.orders[arm.order]):
            for one, other in _given_away(trials):
                found.setdefault(f"{one} gives {other} away in {block}", []).append(arm.id)
    return [f"{line}, arms {', '.join(arms)}" for line, arms in found.items()]


def unsquare(plan: Plan, manifest: Manifest) -> list[str]:
    """Return what is wrong with the Latin square: a display twice on a list, or not in every version equally often."""
    every = lists_of(plan)
    if plan.protocol == "published" or len(every) == 1:
        return []
    found = []
    for name, blocks in every.items():
        for block, trials in blocks.items():
            shown = Counter(display(trial) for trial in trials)
            found += [f"list {name} of {block} has {one} {many} times" for one, many in shown.items() if many > 1]
    versions: Counter[str] = Counter(trial.id for arm in manifest.arms for t in every[arm.list].values() for trial in t)
    if len(set(versions.values())) > 1:
        found.append(f"over all arms, trials come from {min(versions.values())} to {max(versions.values())} times")
    return found


def display(trial: Trial) -> str:
    """Return what is the same in all versions of a trial: the objects shown, or the item."""
    return trial.factors.get("item") or trial.id.removeprefix("comprehension/").rsplit("/t", 1)[0]


def lines(table: Sequence[Row], arms: Sequence[Arm], *, every_arm: bool = False) -> list[str]:
    """Return the table as text: arms that count alike share a line, unless every arm is asked for."""
    if every_arm:
        return [f"{row.block:<14}{row.factor:<15}{row.arm:<18}{_shown(row.counts)}" for row in table]
    alike: dict[tuple[str, str, str], list[str]] = {}
    for row in table:
        alike.setdefault((row.block, row.factor, _shown(row.counts)), []).append(row.arm)
    names = [(block, factor, _arms(who, len(arms)), counts) for (block, factor, counts), who in alike.items()]
    return [f"{block:<14}{factor:<15}{who:<18}{counts}" for block, factor, who, counts in sorted(names, key=_first)]


def _first(entry: tuple[str, str, str, str]) -> tuple[str, bool]:
    return entry[0], entry[2] == "all together"


def _arms(who: Sequence[str], many: int) -> str:
    if list(who) == ["all"]:
        return "all together"
    own = [name for name in who if name != "all"]
    if len(own) == many:
        return "each arm" if many > 1 else "the arm"
    return ", ".join(own) if len(own) <= 2 else f"{len(own)} arms"


def _counted(trials: Sequence[Trial]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for trial in trials:
        for factor, level in told(trial).items():
            found.setdefault(factor, Counter())[level] += 1
    return found


def _given_away(trials: Sequence[Trial]) -> Iterator[tuple[str, str]]:
    levels = [told(trial) for trial in trials]
    for one, other in permutations(levels[0] if levels else (), 2):
        seen = {(entry[one], entry[other]) for entry in levels}
        sure = len(seen) == len({entry[one] for entry in levels}) < len(levels)
        if sure and len({entry[other] for entry in levels}) > 1 and (one, other) not in _BY_DESIGN:
            yield one, other


def _shown(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{level} {count}" for level, count in sorted(counts.items()))
