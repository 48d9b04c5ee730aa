"""What was seen in the trials of a run: pictures as data, found from what the run says of itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from deixis.errors import DeixisError, SceneError
from deixis.experiments import experiment
from deixis.experiments.settings import ART, SETTINGS
from deixis.records import Trial
from deixis.scenes.drawing.artwork import Artwork
from deixis.scenes.picture import Picture, for_models
from deixis.scenes.scene import from_id


@dataclass(frozen=True, slots=True)
class Showing:
    """The pictures of one design; none is drawn or hashed."""

    art: Artwork
    """The drawings of objects in them."""
    _seen: Callable[[str], Picture | None]

    def picture(self, trial_id: str) -> Picture | None:
        """Return what is seen in the picture of a trial; nothing where it has none."""
        return self._seen(trial_id)

    def examples(self, trial: Trial) -> list[Picture]:
        """Return what is seen in the pictures of a trial's worked examples, in their order."""
        told = trial.stimulus.get("examples", "")
        return [for_models(from_id(name, self.art.things)) for name in told.split(", ") if name]


def showing(signature: Mapping[str, str | int]) -> Showing | None:
    """Return the pictures of a run's design, found from its signature; nothing where the design shows none.

    Raises :class:`SceneError` where they cannot be made again as they were: the drawings are gone, of another version,
    or the signature names something that there is no more.
    """
    return None if ART.name not in signature else _showing(tuple(signature.items()))


@lru_cache(maxsize=64)
def _showing(signature: tuple[tuple[str, str | int], ...]) -> Showing | None:
    asked = dict(signature)
    try:
        design = experiment(str(asked["experiment"])).design(
            None,
            str(asked["condition"]),
            str(asked["protocol"]),
            int(asked["seed"]),
            {name: str(asked[name]) for name in SETTINGS if name in asked},
        )
    except SceneError:
        raise
    except (DeixisError, KeyError, ValueError) as error:
        raise SceneError(
            f"this deixis builds no such trials ({error}); read the run with the one that made it"
        ) from None
    if design.art is None or design.seen is None:
        return None
    if design.source != asked.get("items"):
        raise SceneError(f"the pictures were made with {asked.get('items')}, and here is {design.source}; install that")
    return Showing(design.art, design.seen)


def picture_of(signature: Mapping[str, str | int], trial_id: str) -> tuple[Picture, Artwork] | None:
    """Return what is seen in one trial of a run, with the drawings it is made of; nothing where there is no picture.

    Raises :class:`SceneError` as :func:`showing` does.
    """
    found = showing(signature)
    picture = None if found is None else found.picture(trial_id)
    return None if found is None or picture is None else (picture, found.art)
