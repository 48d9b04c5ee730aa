"""Asking participants what they have not answered yet, and keeping every answer as it comes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from deixis import __version__
from deixis.errors import Unfinished
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.experiments.subsets import subset
from deixis.participants.participant import Participant, check_abilities
from deixis.participants.people import is_people
from deixis.participants.registry import is_model, is_reference
from deixis.records import AnswerMode, Prompt, Response, Trial
from deixis.runs.budget import Budget, Rationed
from deixis.seeds import derived
from deixis.store import AnswerFile, DesignFolder


class Progress(Protocol):
    """Is told how far a participant is."""

    def start(self, participant: str, done: int, total: int) -> None:
        """A participant begins, with some trials answered before."""

    def step(self) -> None:
        """One more answer is kept."""

    def end(self) -> None:
        """The participant is through."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How one participant's turn ended."""

    participant: str
    """Its id."""
    planned: int
    """Trials it was to be asked."""
    new: int
    """Answers that came in this run."""
    errored: int
    """Trials that ended in an error, to be asked again next time."""
    first_error: str = ""
    """What the first of them said."""
    unasked: int = 0
    """Trials that were not asked because the budget was spent."""


def ask(
    folder: DesignFolder,
    design: Design,
    participant: Participant,
    mode: AnswerMode,
    limit: int | None,
    progress: Progress,
    budget: Budget | None = None,
    own: Sequence[Trial] = (),
) -> Asked:
    """Ask one participant what remains of its part of the design.

    Reference participants answer the whole design, models a seeded subset of ``limit`` trials, as far as ``budget``
    goes; whoever has trials of its ``own``, such as a person with a list, only those, and they are remembered by name.
    Raises :class:`Unfinished` when interrupted or when an answer cannot be kept.
    """
    if is_reference(participant.id):
        limit = None
    planned = {trial.id: None for trial in subset(own or design.trials, limit, design.seed)}
    prompts = [_seeded(prompt, design.seed) for prompt in design.prompts if prompt.trial_id in planned]
    check_abilities(participant.id, participant.abilities, mode, prompts)
    answers = folder.answers(participant.id)
    answers.sign(_signature(design, participant, mode), len(planned), tuple(planned) if own else ())
    done = {trial for trial, response in answers.read().items() if response.error is None}
    remaining = [prompt for prompt in prompts if prompt.trial_id not in done]
    progress.start(participant.id, len(prompts) - len(remaining), len(prompts))
    try:
        if budget is not None and is_model(participant.id):
            return _ask(participant, answers, Rationed(remaining, budget), len(prompts), mode, progress, budget)
        return _ask(participant, answers, remaining, len(prompts), mode, progress, Budget())
    finally:
        progress.end()


def _ask(
    participant: Participant,
    answers: AnswerFile,
    remaining: Sequence[Prompt],
    planned: int,
    mode: AnswerMode,
    progress: Progress,
    budget: Budget,
) -> Asked:
    new = errored = 0
    first_error = ""
    try:
        with answers.appending():
            for response in _expected(participant, remaining, mode):
                answers.append(budget.paid(participant.id, response))
                new += response.error is None
                errored += response.error is not None
                first_error = first_error or response.error or ""
                progress.step()
    except KeyboardInterrupt:
        raise Unfinished(
            f"stopped: {participant.id} has {planned - len(remaining) + new} of {planned} answers, all kept in "
            f"{str(answers.path)!r}; run the same command to go on"
        ) from None
    left = 0 if budget.left else len(remaining) - new - errored
    return Asked(participant.id, planned, new, errored, first_error, left)


def _expected(participant: Participant, remaining: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
    """Yield the responses to what was asked, each trial once, whatever order they come in."""
    if not remaining:
        return
    open_trials = {remaining[place].trial_id for place in range(len(remaining))}
    for response in participant.respond(remaining, mode):
        if response.trial_id in open_trials:
            open_trials.discard(response.trial_id)
            yield response


def _seeded(prompt: Prompt, seed: int) -> Prompt:
    """Give a prompt the seed of its sampling, fixed by the run's seed and the trial."""
    return replace(prompt, seed=derived(seed, prompt.trial_id) & 0x7FFFFFFF)


def _signature(design: Design, participant: Participant, mode: AnswerMode) -> dict[str, str | int]:
    chosen = "rating" if is_people(participant.id) and experiment(design.experiment).rated else "choice"
    answer = mode.value if is_model(participant.id) else chosen
    return {
        **design.signature,
        "participant": participant.id,
        "answer": answer,
        "deixis": __version__,
        **participant.identity,
    }
