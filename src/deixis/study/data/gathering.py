"""What a study's people answered, put together with what they were asked, and who is left out by the declared rules.

A person's rows are the answers that are there, and one for each trial of their list without an answer. Only people of
one mode stand together: those of the preview (*test*) never count, made-up ones never stand beside real ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from deixis.errors import UsageError
from deixis.experiments import experiment
from deixis.records import Response, Score, Trial
from deixis.scoring.score import score
from deixis.study.data.chance import chance_of
from deixis.study.database.records import COMPLETE, MODES, Person, StoredAnswer
from deixis.study.exclusions import Given, reason
from deixis.study.manifest import Arm, Manifest
from deixis.study.practice import check_trials, passed, practice_trials
from deixis.study.settings import Plan
from deixis.study.trials import trials_of


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer, scored."""

    trial: Trial
    stored: StoredAnswer
    response: Response
    score: Score


@dataclass(frozen=True, slots=True)
class Answered:
    """One person: what was planned, what was answered, and whether it counts."""

    person: Person
    arm: Arm | None
    """Nothing before a list was assigned."""
    planned: tuple[str, ...]
    """Keys of the trials of the list, block by block."""
    replies: Mapping[str, Reply]
    """By key."""
    complete: bool
    """Whether everything asked was answered, checks included."""
    excluded: str
    """Why the declared rules leave this person out; empty where they do not."""

    def of(self, *parts: str) -> list[tuple[str, Reply]]:
        """Return key and reply of what belongs to some parts, in the order in which it was asked."""
        found = [(key, reply) for key, reply in self.replies.items() if reply.stored.part in parts]
        return sorted(found, key=lambda one: (parts.index(one[1].stored.part), one[1].stored.answer.order))


@dataclass(frozen=True)
class Gathering:
    """A study with its people of one mode."""

    plan: Plan
    manifest: Manifest
    mode: str
    people: tuple[Answered, ...]
    """In the order of their arrival."""
    aside: Mapping[str, int]
    """Other modes with how many people they have."""
    trials: Mapping[str, Trial]
    """Key to trial, of all parts."""

    @property
    def excluded(self) -> list[Answered]:
        """The people whom a rule leaves out."""
        return [one for one in self.people if one.excluded]


def trials_by_key(plan: Plan) -> Mapping[str, Trial]:
    """Return every trial of a study by its key: those on lists, practice and checks."""
    return {**trials_of(plan), **practice_trials(plan), **check_trials(plan)}


def gather(
    plan: Plan,
    manifest: Manifest,
    people: Iterable[Person],
    answers: Iterable[StoredAnswer],
    mode: str = "",
    trials: Mapping[str, Trial] | None = None,
) -> Gathering:
    """Put people and answers of a study together.

    ``mode`` is whose: *live*, *simulated* or *test*; where nothing is said, live people, or simulated ones where nobody
    live has arrived. ``trials`` are those of :func:`trials_by_key`, where they are at hand. Raises :class:`UsageError`
    for another mode, or for an answer to what the study does not ask.
    """
    every = list(people)
    if mode and mode not in MODES:
        raise UsageError(f"no mode {mode!r}; there is {', '.join(MODES)}")
    found = mode or next((name for name in ("live", "simulated") if any(p.mode == name for p in every)), "live")
    by_person: dict[str, list[StoredAnswer]] = {}
    for answer in answers:
        by_person.setdefault(answer.person, []).append(answer)
    known = trials_by_key(plan) if trials is None else trials
    own = sorted((person for person in every if person.mode == found), key=lambda one: (one.arrived_at, one.code))
    gathered = tuple(_answered(plan, manifest, known, one, by_person.get(one.code, [])) for one in own)
    aside = {name: sum(one.mode == name for one in every) for name in MODES if name != found}
    return Gathering(plan, manifest, found, gathered, {name: many for name, many in aside.items() if many}, known)


def reply_to(trial: Trial, stored: StoredAnswer) -> Reply:
    """Return an answer with its score; a check is right where it was answered as it asks."""
    answer = stored.answer
    response = Response(
        trial.id, choice=answer.choice, ratings=answer.ratings, seconds=answer.rt_ms / 1000, date=stored.server_at
    )
    readers = experiment(trial.experiment).readers
    found = score(trial, response, readers.get(trial.protocol, next(iter(readers.values()))))
    if stored.part == "check":
        found = replace(found, credit=float(passed(trial.answer, answer.choice, answer.ratings)))
    return Reply(trial, stored, response, found)


def _answered(
    plan: Plan, manifest: Manifest, trials: Mapping[str, Trial], person: Person, answers: Sequence[StoredAnswer]
) -> Answered:
    strange = next((one.answer.key for one in answers if one.answer.key not in trials), None)
    if strange is not None:
        raise UsageError(
            f"{person.code} answered {strange!r}, which {plan.id} does not ask; the folder is not that of the database"
        )
    try:
        arm = manifest.arm(person.arm) if person.arm else None
    except KeyError:
        raise UsageError(f"{person.code} has the list {person.arm!r}, which {plan.id} does not have") from None
    planned = tuple(key for _, key in manifest.trials_of(arm)) if arm else ()
    replies = {one.answer.key: reply_to(trials[one.answer.key], one) for one in answers}
    asked = {key for _, key in manifest.order_of(arm, person.seed, person.code)} if arm else set()
    complete = person.status == COMPLETE or (bool(asked) and asked <= set(replies))
    excluded = reason(plan.rules, [_given(one) for one in replies.values()], complete=complete) if arm else ""
    return Answered(person, arm, planned if answers or not _gone(person) else (), replies, complete, excluded)


def _gone(person: Person) -> bool:
    """Whether somebody has had everything erased, so that not even rows without an answer stay."""
    return person.status == "withdrawn"


def _given(reply: Reply) -> Given:
    stored = reply.stored
    return Given(
        block=stored.block,
        part=stored.part,
        right=reply.score.credit == 1.0,
        chance=chance_of(reply.trial, rated=bool(stored.answer.ratings)),
        rt_ms=stored.answer.rt_ms,
        choice=stored.answer.choice,
        ratings=stored.answer.ratings,
    )
