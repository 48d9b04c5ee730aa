"""Reference participants: the oracle, chance, and the shortcuts that a score must be read against.

They answer from the trial table, which models never see. A shortcut that finds no difference between the
options abstains: its response has no choice, and counts as not right.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from deixis import __version__
from deixis.items.naming import mentions
from deixis.items.quotation import has_complementiser, has_mark
from deixis.participants.participant import Abilities
from deixis.records import AnswerMode, Prompt, Response, Trial
from deixis.seeds import generator

Rule = Callable[[Trial, int], int | None]
"""From a trial and a seed to the index of an option, or ``None`` where the rule does not decide."""


def _oracle(trial: Trial, _seed: int) -> int:
    """Follows the grammar: always right."""
    return trial.answer


def _chance(trial: Trial, seed: int) -> int:
    """Throws a seeded coin for every question."""
    return generator(seed, f"chance/{trial.id}").randrange(len(trial.options))


def _first_option(_trial: Trial, _seed: int) -> int:
    """Takes whatever is offered first."""
    return 0


def _last_option(trial: Trial, _seed: int) -> int:
    """Takes whatever is offered last."""
    return len(trial.options) - 1


def _most_mentioned(trial: Trial, _seed: int) -> int | None:
    """Takes the option that the passage names most often; abstains on a tie."""
    return _single_best([len(places) for places in _places(trial)])


def _last_mentioned(trial: Trial, _seed: int) -> int | None:
    """Takes the option that the passage names last; abstains where none is named."""
    return _single_best([max(places, default=0) for places in _places(trial)])


def _quotation_mark(trial: Trial, _seed: int) -> int:
    """Sees a quotation mark anywhere in the passage: shifted; else non-shifted."""
    return _reading(trial, shifted=has_mark(trial.stimulus["passage"]))


def _complementiser(trial: Trial, _seed: int) -> int:
    """Sees *that* after the last sentence's reporting verb: non-shifted; else shifted."""
    return _reading(trial, shifted=not has_complementiser(trial.stimulus["sentence"]))


def _prime_follower(trial: Trial, _seed: int) -> int:
    """Takes the reading that the context makes tempting."""
    return _reading(trial, shifted=trial.factors["context_prime"] == "shifted")


def _always_shifted(trial: Trial, _seed: int) -> int:
    """Always takes the reported speaker's point of view."""
    return _reading(trial, shifted=True)


def _never_shifted(trial: Trial, _seed: int) -> int:
    """Always takes the narrator's point of view."""
    return _reading(trial, shifted=False)


RULES: Mapping[str, Rule] = {
    "oracle": _oracle,
    "chance": _chance,
    "first-option": _first_option,
    "last-option": _last_option,
    "most-mentioned": _most_mentioned,
    "last-mentioned": _last_mentioned,
    "quotation-mark": _quotation_mark,
    "complementiser": _complementiser,
    "prime-follower": _prime_follower,
    "always-shifted": _always_shifted,
    "never-shifted": _never_shifted,
}
"""Every reference participant by name, without the prefix ``strategy:``."""


def _places(trial: Trial) -> list[list[int]]:
    return [mentions(trial.stimulus["passage"], option.text) for option in trial.options]


def _single_best(values: Sequence[int]) -> int | None:
    best = max(values)
    return values.index(best) if values.count(best) == 1 else None


def _reading(trial: Trial, *, shifted: bool) -> int:
    wanted = "shifted" if shifted else "non-shifted"
    return next(i for i, option in enumerate(trial.options) if option.features["reading"] == wanted)


class Strategy:
    """A reference participant, built from the trial table."""

    abilities = Abilities(choose=True)

    def __init__(self, name: str, trials: Iterable[Trial], seed: int) -> None:
        self.id = f"strategy:{name}"
        self.identity: Mapping[str, str] = {"deixis": __version__}
        self._rule = RULES[name]
        self._trials = {trial.id: trial for trial in trials}
        self._seed = seed

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:  # noqa: ARG002
        """Yield a choice for every prompt, whichever way it is asked."""
        for prompt in prompts:
            choice = self._rule(self._trials[prompt.trial_id], self._seed)
            yield Response(prompt.trial_id, choice=choice, finish="stop")

    def close(self) -> None:
        """Nothing is held."""
