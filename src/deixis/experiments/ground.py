"""What an experiment on scenes stands on: the objects, the settings, the seed; and where an object belongs."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from deixis.experiments.choices import Choices, Order
from deixis.experiments.settings import Settings
from deixis.scenes.objects import Catalogue
from deixis.scenes.scene import ARRANGEMENTS, Scene
from deixis.scenes.space import scenes


@dataclass(frozen=True)
class Ground:
    """The objects and settings that trials are built from."""

    things: Catalogue
    """The objects."""
    settings: Settings
    """Every setting that has a say, with its value."""
    seed: int
    """Seed of the orders of objects, and of lists."""

    @cached_property
    def places(self) -> Mapping[str, tuple[int, int]]:
        """Name of an object to the index of its group and its index within the group, both from 0."""
        return {
            thing.name: (group, member)
            for group, members in enumerate(self.things.groups.values())
            for member, thing in enumerate(members)
        }

    def scenes(self, task: str) -> Iterator[Scene]:
        """Yield every scene of a task that trials are made of."""
        return self._scenes(task, self.seed)

    def situations(self, task: str) -> Iterator[Scene]:
        """Yield every scene of a task that could be, whichever orders of objects were drawn."""
        return self._scenes(task, None)

    def _scenes(self, task: str, seed: int | None) -> Iterator[Scene]:
        arrangement = self.settings.get("arrangement", "blocks")
        return scenes(task, self.things, arrangement=arrangement, boy=self.settings["boy"], seed=seed)

    def holds(self, scene: Scene) -> bool:
        """Whether a scene can be under these settings."""
        arranged = ARRANGEMENTS[self.settings.get("arrangement", "blocks")]
        return scene.boy == self.settings["boy"] and (scene.task != "possessive" or scene.pattern in arranged)


@dataclass(frozen=True, slots=True)
class Task:
    """What makes one experiment on scenes different from another."""

    name: str
    """Its name, that of the experiment."""
    scenes: str
    """The task whose scenes it shows."""
    choices: Callable[[Scene, Ground], Choices]
    """What a trial offers."""
    every: Callable[[Scene, Ground], Iterator[Choices]]
    """All that could be offered in a scene, equally often."""
    order: Callable[[Scene, Ground], Order]
    """In which order the options stand."""
    factors: Callable[[Scene, Ground], dict[str, str]]
    """Factor to level."""
