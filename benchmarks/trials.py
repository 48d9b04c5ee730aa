"""How fast all trials of all conditions are built, and in how much memory.

Builds every trial of every condition that a model is asked (no lists for people), as `deixis trials` streams them, and
keeps them all at once to measure the memory of the largest use. The alternative, measured in the same run on a sample:
the same trials with nothing shared, where each picture is put together and hashed for each trial.
"""

import resource
import time

from deixis.experiments import experiment
from deixis.experiments.staging import Stage

NAMES = ("vocabulary", "possessive", "demonstrative", "checks")
SAMPLE = 1000


def asked() -> list[tuple[str, str]]:
    """Return experiment and condition of everything that a model is asked."""
    return [
        (name, condition)
        for name in NAMES
        for condition in experiment(name).conditions_of("corrected")
        if "people" not in condition
    ]


def naive(stage: Stage, count: int) -> float:
    """Return the seconds a trial where no picture is shared."""
    scenes = [scene for scene, _ in zip(stage.ground.scenes(stage.task.scenes), range(count), strict=False)]
    start = time.perf_counter()
    for scene in scenes:
        stage.pictures._keys.clear()
        stage.pair(scene, stage.task.order(scene, stage.ground))
    return (time.perf_counter() - start) / len(scenes)


def main() -> None:
    """Build, measure, print."""
    start = time.perf_counter()
    kept = []
    for name, condition in asked():
        kept.append(list(experiment(name).design(None, condition).pairs()))
    took = time.perf_counter() - start
    trials = sum(map(len, kept))
    pictures = {prompt.picture for pairs in kept for _, prompt in pairs} - {None}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{trials:,} trials of {len(kept)} conditions, {len(pictures):,} pictures: {took:.1f} s (limit 30 s)")
    print(f"all kept at once: peak {memory:,.0f} MiB (limit 1,500 MB)")
    find = experiment("possessive").design().find
    stage = getattr(find, "__self__")  # noqa: B009
    each = naive(stage, SAMPLE)
    print(f"{trials / took:,.0f} trials/s; with a picture put together for every trial {1 / each:,.0f} trials/s")
    print(f"ratio {each / (took / trials):.1f}")


if __name__ == "__main__":
    main()
