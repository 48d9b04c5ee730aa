"""The trials of a study: which are on which list, and which key travels for which trial.

Lists are the experiments' own (condition ``people``): a Latin square over the four versions of a display, or, under the
published protocol and in comprehension, one list for everybody. The follow-up takes 16 of the 32 trials of a list, one
display of each group of objects, the same displays on every list. Which of the two is a fixed pattern, found by going
through all 65,536: with it every list has each right answer at each position once, each version at each place equally
often, and each arrangement in each version twice.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256

from deixis.errors import UsageError
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.records import Trial
from deixis.study.designs import Block
from deixis.study.manifest import TRIAL
from deixis.study.settings import Plan

Lists = Mapping[str, Mapping[str, tuple[Trial, ...]]]
"""List and block to trials."""
Given = tuple[tuple[str, str], ...]
"""Settings as pairs."""
ONE = "1"
"""The list where there is one only."""
_SECOND = {"possessive": "0101101010100101", "demonstrative": "0110100110010110"}
"""Of each group of a list in turn, whether its second display is taken instead of its first."""
_PUBLISHED = (0, 5, 2, 7)
"""Of the eight displays of a published list, those with all places and both arrangements or ends."""
_VERSIONS = 4


def designs(plan: Plan) -> Mapping[str, Design]:
    """Return the design of each block, by the block's id, with all of its lists."""
    return {block.id: _design(*_asked(plan, block)) for block in plan.design.blocks}


def lists_of(plan: Plan) -> Lists:
    """Return the trials of every list, block by block, in the order of the experiment.

    Raises :class:`UsageError` where the objects do not suffice for a list.
    """
    found: dict[str, dict[str, tuple[Trial, ...]]] = {}
    for block in plan.design.blocks:
        for name, trials in _lists(*_asked(plan, block)).items():
            found.setdefault(name, {})[block.id] = _taken(block, trials, plan.protocol)
    if any(len(parts) != len(plan.design.blocks) for parts in found.values()):
        raise UsageError(f"the blocks of {plan.design.name} have different lists; take another protocol")
    return dict(sorted(found.items(), key=lambda entry: int(entry[0])))


def trials_of(plan: Plan) -> Mapping[str, Trial]:
    """Return every trial that is on a list, by its key, keys in alphabetical order."""
    every = [trial for parts in lists_of(plan).values() for trials in parts.values() for trial in trials]
    return dict(sorted((key_of(plan, trial.id), trial) for trial in every))


def key_of(plan: Plan, trial_id: str) -> str:
    """Return the key that travels for a trial; it says nothing of the trial."""
    digest = sha256(f"{plan.seed}\x1f{trial_id}".encode()).hexdigest()
    return f"{TRIAL}/{digest[:16]}"


def _asked(plan: Plan, block: Block) -> tuple[str, str, int, Given]:
    return block.experiment, plan.protocol, plan.seed, tuple(sorted(plan.settings.items()))


@lru_cache(maxsize=16)
def _design(name: str, protocol: str, seed: int, given: Given) -> Design:
    settings = {**dict(given), "list": "all"}
    return experiment(name).design(condition="people", protocol=protocol, seed=seed, settings=settings)


@lru_cache(maxsize=16)
def _lists(name: str, protocol: str, seed: int, given: Given) -> Mapping[str, tuple[Trial, ...]]:
    found: dict[str, list[Trial]] = {}
    for trial in _design(name, protocol, seed, given).bare():
        found.setdefault(trial.stimulus.get("list", ONE), []).append(trial)
    return {name: tuple(trials) for name, trials in found.items()}


def _taken(block: Block, trials: Sequence[Trial], protocol: str) -> tuple[Trial, ...]:
    """Return the trials of a list that a block has: all, or one display of each group."""
    if len(trials) == 2 * block.trials and block.experiment in _SECOND:
        if protocol == "published":
            trials = [trials[_VERSIONS * display + version] for display in _PUBLISHED for version in range(_VERSIONS)]
        else:
            second = map(int, _SECOND[block.experiment])
            trials = [trials[2 * group + take] for group, take in enumerate(second)]
    if len(trials) != block.trials:
        raise UsageError(
            f"a list of {block.id} has {len(trials)} trials instead of {block.trials}: "
            "it takes pictures of at least 16 groups of objects, 18 with practice"
        )
    return tuple(trials)
