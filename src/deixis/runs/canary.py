"""Before a run with pictures: three pictures of known content, to see whether a participant sees at all."""

from collections.abc import Callable

from deixis.errors import ParticipantError
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.experiments.subsets import subset
from deixis.participants.participant import Participant
from deixis.records import AnswerMode, Response, Trial

SHOWN = 3
"""How many pictures are shown."""
_ENOUGH = 2
"""How many objects have to be named rightly; by guessing, one participant in six gets so far."""


def check_sight(name: str, make: Callable[[Design], Participant], seed: int) -> None:
    """Ask which object is in the green square; raise :class:`ParticipantError` where a participant does not see."""
    design = experiment("checks").design(None, "object", "corrected", seed)
    trials = subset(design.trials, SHOWN, seed)
    asked = {trial.id for trial in trials}
    participant = make(design)
    try:
        prompts = [prompt for prompt in design.prompts if prompt.trial_id in asked]
        answers = {response.trial_id: response for response in participant.respond(prompts, AnswerMode.GENERATE)}
    finally:
        participant.close()
    failed = next((answer.error for answer in answers.values() if answer.error is not None), None)
    if failed is not None:
        raise ParticipantError(f"{name!r} could not be asked about a picture: {failed}")
    right = sum(_right(trial, answers.get(trial.id)) for trial in trials)
    if right < _ENOUGH:
        said = "; ".join(
            f"{trial.options[trial.answer].text!r} was called {(answers[trial.id].text or '')[:40]!r}"
            for trial in trials
            if trial.id in answers
        )
        raise ParticipantError(
            f"{name!r} seems not to see: it named {right} of {SHOWN} objects ({said}); --no-canary asks it all the same"
        )


def _right(trial: Trial, answer: Response | None) -> bool:
    """Whether the right object is named and no other is."""
    text = ((answer.text if answer else None) or "").lower()
    return [option.text for option in trial.options if option.text in text] == [trial.options[trial.answer].text]
