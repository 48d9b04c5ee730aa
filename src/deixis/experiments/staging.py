"""From a scene to a trial and its prompt: what every experiment on scenes does alike."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
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
from deixis.experiments.selections import Shown, listed, lists, once, rated
from deixis.experiments.settings import ANSWERS, ART, BOY, CLAUSES, LIST, NAMING, ORDER, ROLE, Setting
from deixis.records import BETWEEN, Example, Prompt, Trial
from deixis.scenes.drawing.unrelated import POOL
from deixis.scenes.objects import GROUP_SIZE
from deixis.scenes.picture import Picture, empty, for_comprehension, for_models, for_people
from deixis.scenes.scene import Scene, from_id
from deixis.scenes.truth import near, owner, right

LONG = 512
"""Longest answer, in tokens, where a prompt does not ask for the sentence alone."""
_UNRELATED = tuple(POOL)


@dataclass(frozen=True, slots=True)
class _Examples:
    """Worked examples: the ids of their scenes, and what is shown of them."""

    ids: str = ""
    shown: tuple[Example, ...] = ()


class Stage:
    """One experiment under one condition, protocol and settings."""

    def __init__(self, task: Task, condition: Condition, setup: Setup) -> None:
        self.task = task
        self.condition = condition
        self.setup = setup
        self.pictures = pictures(setup.settings["art"])
        self.ground = Ground(self.pictures.art.things, setup.settings, setup.seed)
        self.wording = wording(task.name, condition.wording, setup.protocol, setup.settings)
        self._exemplars: dict[int, _Examples] = {}
        self._told = ", ".join(sorted(self.told))
        self._shown = ", ".join(sorted(self.shown or ()))

    def shown_scenes(self) -> Iterator[Shown]:
        """Yield the scenes of the condition, each with the order of its options."""
        if self.condition.trials == "once":
            yield from once(self.task, self.ground)
        elif self.condition.trials == "list":
            yield from listed(self.task, self.ground, self.setup.protocol)
        elif self.condition.trials == "rated":
            yield from rated(self.task, self.ground)
        else:
            for scene in self.ground.scenes(self.task.scenes):
                yield scene, self.task.order(scene, self.ground)

    def pairs(self) -> Iterator[Pair]:
        """Yield every trial with its prompt."""
        scenes = [(scene, order, self.picture(scene)) for scene, order in self.shown_scenes()]
        self.pictures.prepare(picture for _, _, picture in scenes if picture is not None)
        return itertools.starmap(self._pair, scenes)

    def trials(self) -> Iterator[Trial]:
        """Yield every trial without its prompt, for which pictures would have to be made."""
        return (self._trial(scene, order, self.picture(scene)) for scene, order in self.shown_scenes())

    def pair(self, scene: Scene, order: Order) -> Pair:
        """Return the trial of a scene, and its prompt."""
        return self._pair(scene, order, self.picture(scene))

    def _trial(self, scene: Scene, order: Order, picture: Picture | None) -> Trial:
        choices = self.task.choices(scene, self.ground)
        options, answer = choices.ordered(None if self.setup.settings.get("order") == "fixed" else order)
        examples = self._examples(scene) if self.condition.examples else _Examples()
        return Trial(
            id=self.trial_id(scene),
            experiment=self.task.name,
            condition=self.condition.id,
            protocol=self.setup.protocol,
            factors=self.task.factors(scene, self.ground),
            options=options,
            answer=answer,
            stimulus=self._facts(scene, choices.offered, picture, examples.ids),
        )

    def _pair(self, scene: Scene, order: Order, picture: Picture | None) -> Pair:
        trial = self._trial(scene, order, picture)
        texts = tuple(option.text for option in trial.options)
        examples = self._examples(scene) if self.condition.examples else _Examples()
        long = self.wording.then or "Do not explain" not in self.wording.text
        prompt = Prompt(
            trial_id=trial.id,
            system="",
            user=fill(self.wording.text, scene, texts),
            options=texts,
            picture=None if picture is None else self.pictures.key(picture),
            examples=examples.shown,
            then=fill(self.wording.then, scene, texts) if self.wording.then else "",
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
        scene = self.scene(trial_id)
        return None if scene is None else self.pair(scene, self._order(scene))

    def trial(self, trial_id: str) -> Trial | None:
        """Return the trial that :meth:`find` finds, without its prompt."""
        scene = self.scene(trial_id)
        return None if scene is None else self._trial(scene, self._order(scene), self.picture(scene))

    def _order(self, scene: Scene) -> Order:
        known = {} if self.condition.trials == "all" else dict(self.shown_scenes())
        return known.get(scene) or self.task.order(scene, self.ground)

    def scene(self, trial_id: str) -> Scene | None:
        """Return the scene of a trial, if there can be one with this id."""
        name = trial_id if self.task.name == self.task.scenes else trial_id.removeprefix(f"{self.task.name}/")
        try:
            scene = from_id(name, self.ground.things)
        except SceneError:
            return None
        if scene.task != self.task.scenes or self.trial_id(scene) != trial_id or not self.ground.holds(scene):
            return None
        return scene

    def seen(self, trial_id: str) -> Picture | None:
        """Return what is seen in the picture of a trial, without making it; nothing where there is none."""
        scene = self.scene(trial_id)
        return None if scene is None else self.picture(scene)

    def picture(self, scene: Scene) -> Picture | None:
        """Return what is shown with a scene."""
        kind = self.condition.picture
        if kind == "absent":
            return None
        if kind == "empty":
            return empty()
        if kind == "unrelated":
            group, member = self.ground.places[scene.objects[scene.target]]
            number = GROUP_SIZE * group + member
            return Picture(_UNRELATED[(number + number // len(_UNRELATED)) % len(_UNRELATED)])
        if kind == "comprehension":
            return for_comprehension(scene, str(right(scene)))
        return for_people(scene) if kind == "people" else for_models(scene, kind)

    @cached_property
    def lists(self) -> Mapping[Scene, str]:
        """On which person's list each scene is, where the design holds several."""
        return lists(self.task, self.ground, self.setup.protocol) if self.condition.trials == "list" else {}

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

    def _examples(self, scene: Scene) -> "_Examples":
        """Return the worked examples of a scene, which are those of its group."""
        group, _ = self.ground.places[scene.objects[scene.target]]
        if group not in self._exemplars:
            scenes = exemplars(scene, self.ground)
            text = wording(self.task.name, "example", self.setup.protocol, self.setup.settings).text
            self.pictures.prepare(map(for_models, scenes))
            self._exemplars[group] = _Examples(
                ", ".join(one.id(self.ground.things) for one in scenes),
                tuple(
                    Example(fill(text, one, sentence=str(right(one))), self.pictures.key(for_models(one)))
                    for one in scenes
                ),
            )
        return self._exemplars[group]

    def _facts(
        self, scene: Scene, offered: frozenset[str], picture: Picture | None, examples: str
    ) -> Mapping[str, str]:
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
            "picture_leaves": "" if self.shown is None else self._leaves(self.shown, scene, offered),
            "both_leaves": self._leaves(self.told | (self.shown or frozenset()), scene, offered),
        }
        if examples:
            facts["examples"] = examples
        if picture is not None and picture.says:
            facts["says"] = picture.says
        if scene in self.lists:
            facts["list"] = self.lists[scene]
        if picture is not None and picture.background in POOL:
            facts["unrelated"] = picture.background
        return facts

    def _leaves(self, facts: frozenset[str], scene: Scene, offered: frozenset[str]) -> str:
        return BETWEEN.join(self.beliefs.best(facts, scene, offered))


@lru_cache(maxsize=32)
def _beliefs(task: Task, deciding: tuple[tuple[str, str], ...]) -> Beliefs:
    settings = dict(deciding)
    ground = Ground(pictures(settings["art"]).art.things, settings, 0)
    return Beliefs((scene, task.every(scene, ground)) for scene in ground.situations(task.scenes))


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
        seen=made.seen,
        art=art,
        alone=made.trials,
        trial=made.trial,
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
