"""Reference participants: the oracle, chance, and those whose scores a score must be read against.

They answer from the trial table, which models never see.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from deixis import __version__
from deixis.participants.human_like import human_like
from deixis.participants.participant import Abilities
from deixis.participants.passages import SHORTCUTS
from deixis.participants.perspectives import BLIND
from deixis.participants.rules import ALWAYS, BETWEEN, Rule
from deixis.records import AnswerMode, OptionScore, Prompt, Response, Trial

_NEVER = 1e-9
"""The probability of an option that a rule leaves out, where it does not decide between the others."""

RULES: Mapping[str, Mapping[str, Rule]] = {
    "indexicals": {**ALWAYS, **SHORTCUTS},
    **{name: {**ALWAYS, **BETWEEN, **rules} for name, rules in BLIND.items()},
}
"""Experiment to its reference participants by name, without the prefix ``strategy:``."""
ON_REQUEST: Mapping[str, Mapping[str, Rule]] = {
    name: {"human-like": human_like} for name in ("vocabulary", "possessive", "demonstrative")
}
"""Those that answer only where they are named: no shortcut, and nothing that scores have to be read against."""
EVERY: Mapping[str, Rule] = {
    name: rule for several in (RULES, ON_REQUEST) for rules in several.values() for name, rule in rules.items()
}
"""All of them by name."""


class Strategy:
    """A reference participant, built from the trial table."""

    abilities = Abilities(pictures=True, choose=True, constrained=True)
    """What a picture shows stands in the trial."""

    def __init__(self, name: str, trials: Iterable[Trial], seed: int) -> None:
        self.id = f"strategy:{name}"
        self.identity: Mapping[str, str] = {"deixis": __version__}
        self._rule = EVERY[name]
        self._trials = {trial.id: trial for trial in trials}
        self._seed = seed

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:  # noqa: ARG002
        """Yield a choice for every prompt, whichever way it is asked."""
        for prompt in prompts:
            trial = self._trials[prompt.trial_id]
            found = self._rule(trial, self._seed)
            if isinstance(found, tuple):
                yield Response(prompt.trial_id, scores=_undecided(found, len(trial.options)), finish="stop")
            else:
                yield Response(prompt.trial_id, choice=found, finish="stop")

    def close(self) -> None:
        """Nothing is held."""


def _undecided(among: Sequence[int], count: int) -> tuple[OptionScore, ...]:
    """Return equal probabilities for the options left; scoring gives such a tie its share."""
    left, out = OptionScore(-math.log(len(among)), 1), OptionScore(math.log(_NEVER), 1)
    return tuple(left if place in among else out for place in range(count))
