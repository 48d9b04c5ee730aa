"""How evenly lists are filled where people leave: our rule against three others, 400 studies each.

    python -m benchmarks.study_balance [--studies N]

People come one after the other, answer for six minutes or so, and leave anywhere on the way; seven in ten of those are
returned at once, the others are noticed when their time is up. Prints for every rule the spread (most less fewest
completes of a list) in the median and at the 95th percentile.
"""

import argparse
import heapq
import itertools
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from deixis.seeds import generator
from deixis.study.assignment import choose, taken

MAXIMUM, RETURNED = 23.0, 0.7


@dataclass(frozen=True)
class Setting:
    """One kind of study."""

    name: str
    lists: int
    people: int
    dropout: tuple[float, ...]
    """One for every list, or one for all."""
    a_minute: float

    def leaving(self, place: int) -> float:
        """Return the dropout of a list."""
        return self.dropout[place % len(self.dropout)]


SETTINGS = (
    Setting("4 lists, 120 people, 20 % leave, 10 a minute", 4, 120, (0.2,), 10),
    Setting("the same, 60 a minute", 4, 120, (0.2,), 60),
    Setting("2 lists, 100 people, 10 % leave", 2, 100, (0.1,), 10),
    Setting("16 lists, 120 people, 20 % leave", 16, 120, (0.2,), 10),
    Setting("2 lists, 100 people, 5 % and 30 % leave", 2, 100, (0.05, 0.3), 10),
    Setting("8 lists, 120 people, 35 % leave, 60 a minute", 8, 120, (0.35,), 60),
)
Rule = Callable[[Sequence[str], dict[str, int], dict[str, int], int, int, int], str | None]


def ours(
    arms: Sequence[str], complete: dict[str, int], live: dict[str, int], people: int, seed: int, number: int
) -> str | None:
    """Fewest completes and live places."""
    return choose(taken(arms, complete, live), people, seed, number)


def by_chance(
    arms: Sequence[str], complete: dict[str, int], live: dict[str, int], people: int, seed: int, number: int
) -> str | None:
    """Any list."""
    full = sum(complete.values()) + sum(live.values()) >= people
    return None if full else generator(seed, f"chance/{number}").choice(list(arms))


def in_turn(
    arms: Sequence[str],
    complete: dict[str, int],
    live: dict[str, int],
    people: int,
    seed: int,  # noqa: ARG001
    number: int,
) -> str | None:
    """Round robin."""
    return None if sum(complete.values()) + sum(live.values()) >= people else arms[number % len(arms)]


def fewest(
    arms: Sequence[str], complete: dict[str, int], live: dict[str, int], people: int, seed: int, number: int
) -> str | None:
    """Fewest completes, whoever is at work."""
    if sum(complete.values()) + sum(live.values()) >= people:
        return None
    return choose(taken(arms, complete, {}), None, seed, number)


RULES: dict[str, Rule] = {"by chance": by_chance, "round robin": in_turn, "fewest completes": fewest, "ours": ours}


def spread(setting: Setting, rule: Rule, seed: int) -> int:
    """Return how far apart the lists of one study end."""
    arms = [str(place) for place in range(setting.lists)]
    complete, live = dict.fromkeys(arms, 0), dict.fromkeys(arms, 0)
    chance = generator(seed, "people")
    ending: list[tuple[float, int, str, bool]] = []
    now = 0.0
    number = 0
    for turn in itertools.count():
        if sum(complete.values()) >= setting.people:
            break
        now += chance.expovariate(setting.a_minute)
        while ending and ending[0][0] <= now:
            _, _, arm, done = heapq.heappop(ending)
            live[arm] -= 1
            complete[arm] += done
        arm_or_none = rule(arms, complete, live, setting.people, seed, number)
        if arm_or_none is None:
            continue
        number += 1
        live[arm_or_none] += 1
        minutes = 6 * 2.718281828 ** chance.gauss(0, 0.3)
        leaves = chance.random() < setting.leaving(arms.index(arm_or_none))
        if leaves:
            minutes = minutes * chance.random() if chance.random() < RETURNED else MAXIMUM
        heapq.heappush(ending, (now + minutes, turn, arm_or_none, not leaves))
    return max(complete.values()) - min(complete.values())


def spreads(setting: Setting, rule: Rule, studies: int) -> tuple[float, int]:
    """Return the median spread of some studies, and the one that 95 in 100 do not exceed."""
    found = sorted(spread(setting, rule, seed) for seed in range(studies))
    return statistics.median(found), found[min(studies - 1, int(0.95 * studies))]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=400)
    studies = parser.parse_args().studies
    for setting in SETTINGS:
        found = {name: spreads(setting, rule, studies) for name, rule in RULES.items()}
        print(f"{setting.name}: " + "; ".join(f"{name} {middle:g} / {most}" for name, (middle, most) in found.items()))


if __name__ == "__main__":
    main()
