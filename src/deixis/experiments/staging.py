"""From a scene to a trial and its prompt: what every experiment on scenes does alike."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache

from deixis.errors import SceneError
from deixis.experiments.beliefs import Beliefs, shown
from deixis.experiments.choices import Order
from deixis.experiments.conditions import VARIANTS, Condition
from deixis.experiments.exemplars import exemplars
from deixis.experiments.experiment import Ceiling, Design, Pair, Setup
from deixis.experiments.ground import Ground, Task
from deixis.experiments.pictures import pictures
from deixis.experiments.prompts import fill, wording
from deixis.experiments.selections import Shown, listed, once
from deixis.experiments.settings import ANSWERS, ART, BOY, CLAUSES, LIST, NAMING, ORDER, ROLE, Setting
from deixis.records import BETWEEN, Example, Prompt, Trial
from deixis.scenes.drawing.unrelated import POOL
from deixis.scenes.picture import Picture, empty, for_models, for_people
from deixis.scenes.scene import Scene, from_id
from deixis.scenes.truth import near, owner, right

LONG = 512
"""Longest answer, in tokens, where a prompt does not ask for the sentence alone."""
_UNRELATED = tuple(POOL)


class Stage:
    """One experiment under one condition, protocol and settings."""

    def __init__(self, task: Task, condition: Condition, setup: Setup) -> None:
        self.task = task
        self.condition = condition
        self.setup = setup
        self.pictures = pictures(setup.settings["art"])
        self.ground = Ground(self.pictures.art.things, setup.settings, setup.seed)
        self.wording = wording(task.name, condition.wording, setup.protocol, setup.settings)
        self._told = ", ".join(sorted(self.told))
        self._shown = ", ".join(sorted(self.shown or ()))

    def shown_scenes(self) -> Iterator[Shown]:
        """Yield the scenes of the condition, each with the order of its options."""
        if self.condition.trials == "once":
            yield from once(self.task, self.ground)
        elif self.condition.trials == "list":
            yield from listed(self.task.scenes, self.ground, self.setup.protocol)
        else:
            for scene in self.ground.scenes(self.task.scenes):
                yield scene, self.task.order(scene, self.ground)

    def pairs(self) -> Iterator[Pair]:
        """Yield every trial with its prompt."""
        scenes = list(self.shown_scenes())
        self.pictures.prepare(picture for scene, _ in scenes for picture in self._seen(scene))
        return (self.pair(scene, order) for scene, order in scenes)

    def pair(self, scene: Scene, order: Order) -> Pair:
        """Return the trial of a scene, and its prompt."""
        choices = self.task.choices(scene, self.ground)
        options, answer = choices.ordered(None if self.setup.settings["order"] == "fixed" else order)
        texts = tuple(option.text for option in options)
        examples = exemplars(scene, self.ground) if self.condition.examples else []
        name = self.trial_id(scene)
        trial = Trial(
            id=name,
            experiment=self.task.name,
            condition=self.condition.id,
            protocol=self.setup.protocol,
            factors=self.task.factors(scene, self.ground),
            options=options,
            answer=answer,
            stimulus=self._facts(scene, choices.offered, examples),
        )
        picture = self.picture(scene)
        long = self.wording.then or "Do not explain" not in self.wording.text
        prompt = Prompt(
            trial_id=name,
            system="",
            user=fill(self.wording.text, scene, texts),
            options=texts,
            picture=None if picture is None else self.pictures.key(picture),
            examples=tuple(map(self._example, examples)),
            then=fill(self.wording.then, scene, texts),
            temperature=0.0,
            max_tokens=LONG if long else 64,
        )
        return trial, prompt

    def trial_id(self, scene: Scene) -> str:
        """Return the id of a scene's trial: the scene's own, within its experiment."""
        name = scene.id(self.ground.things)
        return name if self.task.name == self.task.scenes else f"{self.task.name}/{name}"

    def find(self, trial_id: str) -> Pair | None:
        """Return the trial with an id, of any scene of the task that can be, or nothing."""
        name = trial_id if self.task.name == self.task.scenes else trial_id.removeprefix(f"{self.task.name}/")
        try:
            scene = from_id(name, self.ground.things)
        except SceneError:
            return None
        if scene.task != self.task.scenes or self.trial_id(scene) != trial_id:
            return None
        known = {} if self.condition.trials == "all" else dict(self.shown_scenes())
        return self.pair(scene, known.get(scene) or self.task.order(scene, self.ground))

    def picture(self, scene: Scene) -> Picture | None:
        """Return what is shown with a scene."""
        kind = self.condition.picture
        if kind == "absent":
            return None
        if kind == "empty":
            return empty()
        if kind == "unrelated":
            group, member = self.ground.places[scene.objects[scene.target]]
            return Picture(_UNRELATED[(group // 4 + 5 * (group % 4) + 7 * member) % len(_UNRELATED)])
        return for_people(scene) if kind == "people" else for_models(scene, kind)

    @property
    def told(self) -> frozenset[str]:
        """The facts that the text tells."""
        return self.wording.facts

    @cached_property
    def shown(self) -> frozenset[str] | None:
        """The facts that the picture shows; ``None`` where there is none."""
        picture = self.picture(next(iter(self.ground.scenes(self.task.scenes))))
        return None if picture is None else shown(picture)

    @cached_property
    def beliefs(self) -> Beliefs:
        """What each state of knowledge leaves possible in this task."""
        settings = self.setup.settings
        deciding = {name: settings[name] for name in ("answers", "arrangement", "boy", "art") if name in settings}
        return _beliefs(self.task, tuple(deciding.items()))

    def ceilings(self) -> tuple[Ceiling, ...]:
        """Return the best accuracy that text, picture and both allow."""
        channels = {"text": self.told}
        if self.shown is not None:
            channels["picture"] = self.shown
        channels["both"] = self.told | (self.shown or frozenset())
        return tuple(
            Ceiling(channel, self.beliefs.ceiling(facts), tuple(sorted(facts))) for channel, facts in channels.items()
        )

    def _seen(self, scene: Scene) -> Iterator[Picture]:
        picture = self.picture(scene)
        if picture is not None:
            yield picture
        if self.condition.examples:
            yield from map(for_models, exemplars(scene, self.ground))

    def _example(self, scene: Scene) -> Example:
        text = wording(self.task.name, "example", self.setup.protocol, self.setup.settings).text
        return Example(fill(text, scene, sentence=str(right(scene))), self.pictures.key(for_models(scene)))

    def _facts(self, scene: Scene, offered: frozenset[str], examples: list[Scene]) -> Mapping[str, str]:
        """Everything about a trial that scoring, strategies and reports need; no model sees it."""
        whose = owner(scene, scene.target)
        facts = {
            "speaker": scene.speaker,
            "gazer": scene.gazer,
            "object": scene.objects[scene.target],
            "near": near(scene, scene.target),
            **({"owner": whose} if whose else {}),
            "objects": ", ".join(scene.objects),
            "told": self._told,
            "shown": self._shown,
            "text_leaves": self._leaves(self.told, scene, offered),
            "picture_leaves": self._leaves(self.shown or frozenset(), scene, offered),
        }
        if examples:
            facts["examples"] = ", ".join(example.id(self.ground.things) for example in examples)
        picture = self.picture(scene)
        if picture is not None and picture.background in POOL:
            facts["unrelated"] = picture.background
        return facts

    def _leaves(self, facts: frozenset[str], scene: Scene, offered: frozenset[str]) -> str:
        return BETWEEN.join(self.beliefs.best(facts, scene, offered))


@lru_cache(maxsize=32)
def _beliefs(task: Task, deciding: tuple[tuple[str, str], ...]) -> Beliefs:
    settings = dict(deciding)
    ground = Ground(pictures(settings["art"]).art.things, settings, 0)
    return Beliefs((scene, task.every(scene, ground)) for scene in ground.scenes(task.scenes))


def stage(task: Task, conditions: Mapping[str, Condition], setup: Setup) -> Stage:
    """Return the stage of a condition; where it fixes a setting, that is added."""
    condition = conditions[setup.condition]
    own = {"answers": "four"} if condition.picture == "people" and task.name == "vocabulary" else {}
    return Stage(task, condition, replace(setup, settings={**setup.settings, **own}))


def build(task: Task, conditions: Mapping[str, Condition], setup: Setup) -> Design:
    """Return the trial table of an experiment on scenes."""
    made = stage(task, conditions, setup)
    art = made.pictures.art
    return Design(
        experiment=task.name,
        setup=setup,
        source=f"{art.name} ({art.version})",
        pairs=made.pairs,
        draw=made.pictures.png,
        find=made.find,
    )


def ceilings(task: Task, conditions: Mapping[str, Condition], setup: Setup) -> tuple[Ceiling, ...]:
    """Return what text, picture and both allow under a condition."""
    return stage(task, conditions, setup).ceilings()


def only(conditions: Mapping[str, Condition]) -> dict[str, str]:
    """Return the conditions that the corrected protocol alone has."""
    return {condition.id: "corrected" for condition in conditions.values() if condition.corrected_only}


def knows(
    task: Task,
    conditions: Mapping[str, Condition],
    own: tuple[Setting, ...],
    condition: str,
    protocol: str,
) -> tuple[Setting, ...]:
    """Return the settings that have a say under a condition and protocol: ``own`` of the experiment, and the common."""
    asked = conditions[condition]
    found = [setting for setting in own if setting is not ANSWERS or asked.picture != "people"] + [ORDER, BOY, ART]
    if asked.id in VARIANTS and protocol == "corrected":
        found.append(CLAUSES)
    if asked.id == "perspective" and protocol == "published":
        found.append(ROLE)
    if asked.trials == "list" and protocol == "corrected":
        found.append(LIST)
    if _has_name(task.name, asked, protocol):
        found.append(NAMING)
    return tuple(found)


def _has_name(name: str, condition: Condition, protocol: str) -> bool:
    return wording(name, condition.wording, protocol, {}).names
