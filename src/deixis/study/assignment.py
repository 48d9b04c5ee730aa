"""Which list a person gets: the one with fewest completes and live places, ties by seed.

Counting completes alone is worse than chance where people come one after the other: until somebody has finished,
everybody is sent to the same list. A place is live while its lease lasts; leaving or being returned frees it at once.
"""

from collections.abc import Mapping, Sequence

from deixis.seeds import generator


def taken(arms: Sequence[str], complete: Mapping[str, int], live: Mapping[str, int]) -> dict[str, int]:
    """Return how many places of each arm are taken: complete, or held by somebody at work."""
    return {arm: complete.get(arm, 0) + live.get(arm, 0) for arm in arms}


def choose(places: Mapping[str, int], people: int | None, seed: int, number: int) -> str | None:
    """Return the arm for the next person, or nothing where ``people`` places are taken.

    ``places`` are those taken by arm, in the order of the arms; ``number`` counts assignments from 0, so that with the
    same seed the same history gives the same arms.
    """
    if people is not None and sum(places.values()) >= people:
        return None
    fewest = min(places.values())
    return generator(seed, f"assignment/{number}").choice([arm for arm, count in places.items() if count == fewest])
