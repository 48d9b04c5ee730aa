"""Having a participant judge answers: every reply kept as it comes, and nothing asked twice that holds a verdict.

What is asked, and what counts as a verdict, comes from outside (``deixis.scoring.judge``): who asks need not know.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from deixis import __version__
from deixis.errors import DeixisError, ParticipantError, Unfinished, UsageError
from deixis.participants.participant import Participant, check_abilities
from deixis.participants.registry import Setting, check_name, is_reference, model, participant_id
from deixis.records import AnswerMode, Prompt, Response
from deixis.runs.budget import Budget, Rationed
from deixis.runs.run import Asked, Progress
from deixis.store import AnswerFile, RunFolder

Fault = Callable[[Prompt, Response], str]
"""Says why a reply holds no verdict; nothing where it holds one."""


@dataclass(frozen=True, slots=True)
class Docket:
    """One participant's answers to one design, as they are put before a judge."""

    design: str
    """Name of the design in the run folder."""
    participant: str
    """Whose answers they are."""
    signature: Mapping[str, str | int]
    """What must be equal for verdicts to belong together, the judge's own identity aside."""
    prompts: Sequence[Prompt]
    """One an answer, under the name of its verdict."""


@dataclass(frozen=True, slots=True)
class Session:
    """Who judges, in which run, with what."""

    run: Path
    """The run folder."""
    judge: str
    """The judge's name on the command line."""
    setting: Setting
    """What engines need."""
    fault: Fault
    """What tells a verdict from a reply that is none."""
    budget: Budget = field(default_factory=Budget)
    """What may be spent."""

    def check(self) -> None:
        """Raise an error for a judge or a budget that cannot be, before anything is read."""
        check_name(self.judge)
        if is_reference(self.judge):
            raise ParticipantError(f"{self.judge!r} writes no text, so it cannot judge; name a model")
        self.budget.check([self.judge])
        if self.setting.threads is not None and self.setting.threads < 1:
            raise UsageError(f"--threads {self.setting.threads} cannot work; give 1 or more")
        if self.setting.client.connections < 1:
            raise UsageError(f"--connections {self.setting.client.connections} cannot work; give 1 or more")


def judge(asked: Session, dockets: Sequence[Docket], progress: Progress) -> list[Asked]:
    """Have a judge say what it has not said yet. Where nothing is left it is not even loaded.

    Raises :class:`~deixis.errors.SignatureError` for verdicts that were made otherwise, :class:`Unfinished` when
    interrupted.
    """
    return _judge(asked, dockets, progress, lambda: model(asked.judge, asked.setting))


def judge_with(participant: Participant, asked: Session, dockets: Sequence[Docket], progress: Progress) -> list[Asked]:
    """Do the same with a participant that is there already."""
    return _judge(asked, dockets, progress, lambda: participant)


def _judge(
    asked: Session, dockets: Sequence[Docket], progress: Progress, load: Callable[[], Participant]
) -> list[Asked]:
    folder = RunFolder.existing(asked.run)
    name = participant_id(asked.judge)
    with folder.locked():
        parts = [(docket, folder.design(docket.design).verdicts(docket.participant, name)) for docket in dockets]
        left = [(docket, kept, _left(docket, kept)) for docket, kept in parts]
        turns = [Asked(f"{name} on {d.participant}", len(d.prompts), 0, 0) for d, _, remaining in left if not remaining]
        waiting = [entry for entry in left if entry[2]]
        if waiting:
            with closing(load()) as participant:
                check_abilities(participant.id, participant.abilities, AnswerMode.GENERATE, ())
                for docket, kept, remaining in waiting:
                    signature = {**docket.signature, "deixis": __version__, **participant.identity}
                    kept.sign(signature, len(docket.prompts))
                    turns.append(_turn(asked, participant, docket, kept, remaining, progress))
    return turns


def _left(docket: Docket, kept: AnswerFile) -> list[Prompt]:
    """Return what has no verdict yet; verdicts on texts that are no longer there are left alone."""
    if kept.is_signed:
        kept.check(docket.signature)
    done = {name for name, reply in kept.read().items() if reply.error is None}
    return [prompt for prompt in docket.prompts if prompt.trial_id not in done]


def _turn(
    asked: Session,
    participant: Participant,
    docket: Docket,
    kept: AnswerFile,
    remaining: Sequence[Prompt],
    progress: Progress,
) -> Asked:
    who = f"{participant.id} on {docket.participant}"
    new = errored = 0
    first_error = ""
    progress.start(who, len(docket.prompts) - len(remaining), len(docket.prompts))
    try:
        with kept.appending():
            for reply in _replies(participant, remaining, asked):
                kept.append(asked.budget.paid(participant.id, reply))
                new += reply.error is None
                errored += reply.error is not None
                first_error = first_error or reply.error or ""
                progress.step()
    except KeyboardInterrupt:
        raise Unfinished(
            f"stopped: {who} has given {new} verdicts of {len(remaining)}, all kept in {str(kept.path)!r}; the same "
            "command goes on"
        ) from None
    finally:
        progress.end()
    left = 0 if asked.budget.left else len(remaining) - new - errored
    return Asked(who, len(docket.prompts), new, errored, first_error, left)


def _replies(participant: Participant, remaining: Sequence[Prompt], asked: Session) -> Iterator[Response]:
    """Yield one reply a question; one that holds no verdict comes as an error, so that it is asked again.

    A judge that breaks off is asked the rest one by one, so that no question pays for another.
    """
    waiting = {prompt.trial_id: prompt for prompt in remaining}
    try:
        for reply in participant.respond(Rationed(remaining, asked.budget), AnswerMode.GENERATE):
            if reply.trial_id in waiting:
                yield _told(waiting.pop(reply.trial_id), reply, asked.fault)
    except DeixisError:
        raise
    except Exception:  # noqa: BLE001  (whatever a judge raises belongs to one question)
        for prompt in Rationed(list(waiting.values()), asked.budget):
            yield _told(prompt, _alone(participant, prompt), asked.fault)


def _alone(participant: Participant, prompt: Prompt) -> Response:
    try:
        replies = list(participant.respond([prompt], AnswerMode.GENERATE))
    except DeixisError:
        raise
    except Exception as error:  # noqa: BLE001
        return Response(prompt.trial_id, error=f"{type(error).__name__}: {error}")
    return next((reply for reply in replies if reply.trial_id == prompt.trial_id), _silent(prompt))


def _silent(prompt: Prompt) -> Response:
    return Response(prompt.trial_id, error="the judge gave no reply")


def _told(prompt: Prompt, reply: Response, fault: Fault) -> Response:
    if reply.error is not None:
        return reply
    why = fault(prompt, reply)
    return replace(reply, text=None, reasoning=None, logprobs=(), error=why) if why else reply


def end(turns: Sequence[Asked]) -> None:
    """Raise :class:`Unfinished` where answers were left without a verdict that was asked for."""
    unasked = [turn for turn in turns if turn.unasked]
    if unasked:
        told = ", ".join(f"{turn.participant} {turn.unasked} of {turn.planned}" for turn in unasked)
        raise Unfinished(f"the budget is spent, and some answers were not judged ({told}); the same command goes on")
    failed = [turn for turn in turns if turn.errored]
    if failed:
        told = ", ".join(f"{turn.participant} {turn.errored} of {turn.planned}" for turn in failed)
        why = " ".join(failed[0].first_error.split())[:200]
        raise Unfinished(
            f"some answers got no verdict ({told}), the first: {why}; the same command asks for them again"
        )
