"""What people answer besides the trials: practice, and attention checks.

Both show objects, or passages, that are on no list. Practice trials differ from one another in pronoun and word. A
check shows an ordinary trial and says in so many words what to choose, which is never what the scene or the text makes
right; nothing has to be remembered, and nothing is in small print.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

from deixis.errors import UsageError
from deixis.experiments.experiment import Design
from deixis.records import Option, Trial
from deixis.scenes.drawing.artwork import artwork
from deixis.scenes.scene import Scene
from deixis.scenes.space import scenes
from deixis.scenes.truth import right
from deixis.seeds import generator
from deixis.study.designs import Block
from deixis.study.manifest import CHECK, PRACTICE
from deixis.study.settings import Plan
from deixis.study.trials import designs, lists_of


def practice_trials(plan: Plan) -> Mapping[str, Trial]:
    """Return every practice trial by its key, ``practice/BLOCK/1`` and so on."""
    return {key: trial for key, trial in _extra(plan).items() if key.startswith(PRACTICE)}


def check_trials(plan: Plan) -> Mapping[str, Trial]:
    """Return every attention check by its key, ``check/BLOCK/1`` and so on; its answer is what it asks to choose."""
    return {key: trial for key, trial in _extra(plan).items() if key.startswith(CHECK)}


def checks_right(plan: Plan) -> Mapping[str, int]:
    """Return the place of the option that each check asks for; of ratings, of the object to be rated highest."""
    return {key: trial.answer for key, trial in check_trials(plan).items()}


def passed(wanted: int, choice: int | None, ratings: tuple[int, ...] = ()) -> bool:
    """Whether a check was answered as it asks: this option chosen, or this object alone rated highest."""
    if ratings:
        return ratings[wanted] == max(ratings) and ratings.count(max(ratings)) == 1
    return choice == wanted


def asks(block: Block, trial: Trial) -> str:
    """Return what stands above an attention check."""
    wanted = trial.options[trial.answer].text
    if block.kind == "scene-rating":
        return f"This is a check that you read. Please rate object {wanted} with 7 and the other three with 1."
    shown = "text" if block.kind == "text-choice" else "picture"
    return f"This is a check that you read. Please choose “{wanted}”, whatever the {shown} says."


def _extra(plan: Plan) -> Mapping[str, Trial]:
    found: dict[str, Trial] = {}
    for block in plan.design.blocks:
        keys = [f"{PRACTICE}/{block.id}/{number + 1}" for number in range(plan.practice)]
        keys += [f"{CHECK}/{block.id}/{number + 1}" for number in range(plan.checks_of(block.id))]
        made = _passages(keys) if block.kind == "text-choice" else _shown(plan, block, keys)
        found |= {key: _asking(key, trial, plan.seed) for key, trial in made.items()}
    return found


def _asking(key: str, trial: Trial, seed: int) -> Trial:
    """Return a check that asks for another option than the right one; practice as it is."""
    if not key.startswith(CHECK):
        return trial
    wrong = [place for place in range(len(trial.options)) if place not in trial.meant]
    return replace(trial, answer=generator(seed, key).choice(wrong))


def _shown(plan: Plan, block: Block, keys: list[str]) -> dict[str, Trial]:
    design = designs(plan)[block.id]
    groups = _unused(plan, block, design, len(keys))
    found: dict[str, Trial] = {}
    before: Scene | None = None
    for place, key in enumerate(keys):
        task = block.experiment if block.experiment != "comprehension" else ("possessive", "demonstrative")[place % 2]
        scene = _unlike(before, task, groups[place], plan, key)
        before = scene
        assert design.art is not None  # noqa: S101  (every experiment on scenes has drawings)
        name = scene.id(design.art.things)
        found[key] = _trial(design, name if block.experiment == task else f"{block.experiment}/{name}")
    return found


def _unlike(before: Scene | None, task: str, group: int, plan: Plan, key: str) -> Scene:
    """Return a scene with objects of a group, drawn by key; pronoun and word are others than in the one before."""
    art = plan.settings.get("art", "twemoji")
    names = {thing.name for thing in artwork(art).things.groups[group]}
    known = {"arrangement": plan.settings.get("arrangement", "blocks"), "boy": plan.settings.get("boy", "left")}
    every = [scene for scene in _scenes(task, art, plan.seed, **known) if scene.kinds[0] in names]
    generator(plan.seed, key).shuffle(every)
    said = None if before is None else right(before)
    fits = (s for s in every if said is None or (right(s).pronoun != said.pronoun and right(s).word != said.word))
    return next(fits)


@lru_cache(maxsize=16)
def _scenes(task: str, art: str, seed: int, *, arrangement: str, boy: str) -> tuple[Scene, ...]:
    return tuple(scenes(task, artwork(art).things, arrangement=arrangement, boy=boy, seed=seed))


def _unused(plan: Plan, block: Block, design: Design, many: int) -> list[int]:
    """Return groups of objects that no list of the study has, drawn by seed."""
    assert design.art is not None  # noqa: S101
    used = {
        int(trial.factors["group"])
        for parts in lists_of(plan).values()
        for trials in parts.values()
        for trial in trials
    }
    free = [group for group in design.art.things.groups if group not in used]
    if len(free) < many:
        raise UsageError(
            f"{len(free)} groups of objects are on no list, and practice and checks of {block.id} take {many}; "
            "ask fewer, or take pictures of more objects"
        )
    return generator(plan.seed, f"practice/{block.id}").sample(free, many)


def _trial(design: Design, trial_id: str) -> Trial:
    assert design.trial is not None  # noqa: S101
    trial = design.trial(trial_id)
    assert trial is not None, trial_id  # noqa: S101
    return trial


def _passages(keys: list[str]) -> dict[str, Trial]:
    """Return passages of our own, without any of the four words that are asked about."""
    text = files("deixis.study").joinpath("templates", "practice.toml").read_text(encoding="utf-8")
    written = tomllib.loads(text)["passage"]
    found = {}
    for place, key in enumerate(keys):
        one = written[place % len(written)]
        found[key] = Trial(
            id=key,
            experiment="indexicals",
            condition="people",
            protocol="",
            factors={},
            options=tuple(Option(option, {"place": str(number)}) for number, option in enumerate(one["options"])),
            answer=one["answer"],
            stimulus={"passage": one["passage"], "question": one["question"]},
        )
    return found
