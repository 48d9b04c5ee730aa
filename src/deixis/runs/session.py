"""One call of ``deixis run``: which designs, which participants, into which folder."""

from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path

from deixis.errors import UsageError
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.experiments.settings import Settings
from deixis.participants.api import Draw
from deixis.participants.participant import Participant, check_abilities
from deixis.participants.people import CONDITION, MANY, SIMULATED, is_people
from deixis.participants.registry import (
    EMBEDDED,
    Setting,
    abilities,
    build,
    check_name,
    check_ready,
    fits,
    is_api,
    is_model,
    is_reference,
    participant_id,
    people,
    references,
    uses_gpu,
)
from deixis.records import AnswerMode
from deixis.runs.budget import Budget
from deixis.runs.canary import check_sight
from deixis.runs.cluster import Cluster, Place, on
from deixis.runs.run import Asked, Progress, ask
from deixis.store import RunFolder

TOUR = ("indexicals",)
"""The experiments of the quick tour."""
TOUR_TRIALS = 160
"""How many questions the embedded model is asked on the tour."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a user asks for, with every default filled in."""

    experiments: tuple[str, ...]
    """Experiments to run."""
    participants: tuple[str, ...]
    """Participants named; the reference participants come along."""
    conditions: tuple[str, ...]
    """Conditions of every experiment."""
    protocol: str
    """``published``, ``described`` or ``corrected``."""
    mode: AnswerMode
    """How models answer."""
    items: Path | None
    """A file of items instead of the bank."""
    limit: int | None
    """How many trials a model is asked, at most."""
    out: Path
    """The run folder."""
    seed: int
    """Seed of subsets and sampling."""
    settings: Settings
    """Named settings of the design that differ from the protocol's."""
    setting: Setting
    """What engines need."""
    budget: Budget = field(default_factory=Budget)
    """What may be spent."""
    canary: bool = True
    """Whether a model behind an API has to show that it sees before it is asked about pictures."""
    place: Place | None = None
    """The cluster that answers; by default this process."""


def request(
    *,
    experiments: Sequence[str],
    participants: Sequence[str],
    conditions: Sequence[str],
    protocol: str,
    mode: AnswerMode,
    items: Path | None,
    limit: int | None,
    out: Path | None,
    seed: int,
    settings: Settings,
    setting: Setting,
    budget: Budget | None = None,
    canary: bool = True,
    place: Place | None = None,
) -> Request:
    """Fill in what the user left open, and check every name before anything starts."""
    tour = not experiments and not participants and items is None
    if limit is None and tour:
        limit = TOUR_TRIALS
    if limit is not None and limit < 1:
        raise UsageError(f"--limit {limit} asks nothing; give 1 or more")
    if setting.threads is not None and setting.threads < 1:
        raise UsageError(f"--threads {setting.threads} cannot work; give 1 or more")
    chosen = tuple(dict.fromkeys(experiments or TOUR))
    for name in chosen:
        found = experiment(name)
        for condition in conditions or found.asked:
            found.setup(items, condition, protocol, seed)
    _check_settings(chosen, conditions, protocol, settings)
    asked = tuple(dict.fromkeys(participants or (EMBEDDED,)))
    for name in asked:
        check_name(name)
    check_fit(asked, [(name, condition) for name in chosen for condition in conditions or experiment(name).asked])
    ids = [participant_id(name) for name in asked]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        again = "name people once" if is_people(twice) else "rename one of the files"
        raise UsageError(f"two participants would both be called {twice!r}; {again}")
    named = [items.stem] if items is not None else ["bank"] * (chosen == TOUR)
    folder = out or Path("runs") / "-".join([*chosen, *named, protocol, mode.value])
    spend = budget or Budget()
    spend.check([name for name in asked if is_model(name)])
    if setting.client.connections < 1:
        raise UsageError(f"--connections {setting.client.connections} cannot work; give 1 or more")
    if setting.hf.batch < 1:
        raise UsageError(f"--batch-size {setting.hf.batch} cannot work; give 1 or more")
    wanted = tuple(conditions)
    return Request(
        chosen, asked, wanted, protocol, mode, items, limit, folder, seed, settings, setting, spend, canary, place
    )


def check_fit(participants: Sequence[str], parts: Sequence[tuple[str, str]]) -> None:
    """Raise :class:`UsageError` for a participant who has nothing to say; ``parts`` are experiments with conditions."""
    asked = {name: [condition for one, condition in parts if one == name] for name, _ in parts}
    for name in participants:
        for which, conditions in asked.items():
            if is_reference(name) and not fits(name, which):
                raise UsageError(f"{name!r} says nothing about {which}; 'deixis participants' says where each one fits")
            if is_people(name) and CONDITION not in conditions:
                known = CONDITION in experiment(which).conditions
                remedy = f"add --condition {CONDITION}" if known else f"leave {which} out"
                raise UsageError(
                    f"{name!r} answers the condition {CONDITION!r} only, which {which} lacks here; {remedy}"
                )
            if is_model(name) and experiment(which).rated:
                raise UsageError(
                    f"{which} has people rate objects, which models are not asked; name people, such as "
                    f"-p {SIMULATED}/{MANY}, or a reference participant"
                )


def _check_settings(chosen: Sequence[str], conditions: Sequence[str], protocol: str, settings: Settings) -> None:
    """Raise :class:`UsageError` for a setting that changes nothing of what is asked."""
    several = [experiment(name) for name in chosen]
    idle = set(settings).intersection(*(e.without_say(settings, conditions or e.asked, protocol) for e in several))
    if idle:
        raise UsageError(f"the setting {min(idle)!r} changes nothing here; leave it out")


def designs(asked: Request) -> list[Design]:
    """Prepare the trial tables asked for."""
    return [
        experiment(name).design(asked.items, condition, asked.protocol, asked.seed, asked.settings)
        for name in asked.experiments
        for condition in asked.conditions or experiment(name).asked
    ]


def run(asked: Request, planned: Sequence[Design], progress: Progress) -> list[Asked]:
    """Run or go on with a run: reference participants first, people made up, then the models, each asked what remains.

    Returns how each participant's turn ended. Raises a :class:`~deixis.errors.DeixisError` that ends the whole run.
    """
    folder = RunFolder(asked.out)
    turns: list[Asked] = []
    models = [name for name in asked.participants if is_model(name)]
    with on(asked.place) as cluster:
        ready = partial(_model, asked, planned, cluster)
        if cluster is None:
            _check_models(asked, planned, models)
        if len(models) > 1:
            for name in models:  # a model that cannot work is found before anybody is asked
                ready(name).close()
        with folder.locked():
            _check_sight(asked, planned, models, cluster)
            parts = [(design, folder.design(f"{design.experiment}-{design.condition}")) for design in planned]
            for design, part in parts:
                part.keep(design.signature, design.notes, design.trials, design.prompts)
                for name in dict.fromkeys((*references(design.experiment), *filter(is_reference, asked.participants))):
                    strategy = build(name, design.trials, asked.seed, asked.setting)
                    turns.append(ask(part, design, strategy, asked.mode, None, progress))
                for name in filter(is_people, asked.participants) if design.condition == CONDITION else ():
                    for one, own in people(name, design.trials, asked.seed):
                        turns.append(ask(part, design, one, asked.mode, asked.limit, progress, own=own))
                design.forget()  # of many designs only one has to be in memory
            for name in models:
                with closing(ready(name)) as model:
                    for design, part in parts:
                        turns.append(ask(part, design, model, asked.mode, asked.limit, progress, asked.budget))
                        design.forget()
    return turns


def _check_models(asked: Request, planned: Sequence[Design], models: Sequence[str]) -> None:
    """Raise an error for what cannot be done here, before anything is loaded or asked."""
    for name in models:
        check_ready(name, asked.setting)
        for design in planned:
            check_abilities(
                name, abilities(name, asked.setting), asked.mode, (prompt for _, prompt in islice(design.pairs(), 1))
            )


def _model(asked: Request, planned: Sequence[Design], cluster: Cluster | None, name: str) -> Participant:
    """Load a model, here or on every worker, once for all designs."""
    draw = _drawing(planned)
    if cluster is None:
        return build(name, (), asked.seed, asked.setting, draw)
    share = cluster.share(on_gpu=uses_gpu(name, asked.setting))
    there = replace(asked.setting, advance=None, threads=asked.setting.threads or share.threads)
    return cluster.participant(name, partial(build, name, (), asked.seed, there), draw, share)


def _drawing(planned: Sequence[Design]) -> Draw:
    """Return what draws the pictures of several designs: one set of drawings, so a picture is the same in each."""

    def draw(key: str) -> bytes:
        for design in planned:
            if design.draw is not None:
                with suppress(KeyError):
                    return design.draw(key)
        raise KeyError(key)

    return draw


def _check_sight(asked: Request, planned: Sequence[Design], models: Sequence[str], cluster: Cluster | None) -> None:
    """Let models behind an API show that they see, where pictures are to come."""
    shown = any(prompt.picture for design in planned for _, prompt in islice(design.pairs(), 1))
    for name in models if shown and asked.canary else ():
        if is_api(name):
            check_sight(name, partial(_sighted, asked, cluster, name), asked.seed)


def _sighted(asked: Request, cluster: Cluster | None, name: str, checks: Design) -> Participant:
    return _model(asked, [checks], cluster, name)
