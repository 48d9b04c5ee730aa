"""The gallery: one page with sample trials like the paper's figures, arrangements, backgrounds, and every object."""

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from deixis import __version__
from deixis.errors import SceneError
from deixis.scenes.drawing.artwork import Artwork
from deixis.scenes.drawing.unrelated import POOL
from deixis.scenes.objects import Thing
from deixis.scenes.picture import Picture, empty, for_comprehension, for_models, for_people
from deixis.scenes.scene import BACKGROUNDS, Scene
from deixis.scenes.studio import Studio
from deixis.scenes.truth import right


@dataclass(frozen=True, slots=True)
class Shown:
    """One picture of the gallery."""

    title: str
    """What it is like, such as a figure of the paper."""
    words: str
    """What there is to see, for who cannot see it; and the right sentence where there is one."""
    data: str
    """The picture, as a data URL."""


def write_gallery(art: Artwork, out: Path) -> Path:
    """Write ``gallery.html``, which needs nothing beside it, into a folder; or to a file that ends in ``.html``.

    Raises :class:`SceneError` where it cannot be written.
    """
    import jinja2  # noqa: PLC0415  (heavy)

    page = out if out.suffix.lower() == ".html" else out / "gallery.html"
    studio = Studio(art)
    template = files("deixis.scenes").joinpath("gallery.html.j2").read_text(encoding="utf-8")
    text = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(template)
    rendered = text.render(
        sections=[(title, list(shown)) for title, shown in _sections(studio)],
        groups=[(group, [_thing(studio, t) for t in members]) for group, members in art.things.groups.items()],
        art=art,
        version=__version__,
    )
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(rendered, encoding="utf-8")
    except OSError as error:
        raise SceneError(f"cannot write {str(page)!r}: {error.strerror or error}; name another with --out") from None
    return page


def samples(things: tuple[Thing, ...]) -> dict[str, Scene]:
    """Return a scene a task, from the objects of one group."""
    names = tuple(thing.name for thing in things)
    return {
        "vocabulary": Scene("vocabulary", names, "abcd", 2, "boy", "girl"),
        "possessive": Scene("possessive", names[:2], "aabb", 3, "girl", "girl"),
        "demonstrative": Scene("demonstrative", names[:1], "aaaa", 0, "boy", "boy", "park"),
    }


def _sections(studio: Studio) -> Iterator[tuple[str, Iterator[Shown]]]:
    groups = iter(studio.art.things.groups.values())
    scenes = samples(next(groups))
    possessive, demonstrative = scenes["possessive"], scenes["demonstrative"]
    alternating = replace(possessive, pattern="abab")
    yield "For people", _shown(studio, {f"{_figure(5, task)}": (s, for_people(s)) for task, s in scenes.items()})
    yield "For models", _shown(studio, {f"{_figure(8, task)}": (s, for_models(s)) for task, s in scenes.items()})
    ablations = {
        f"{task}, squares on {squares} (like Figure {figure})": (scene, for_models(scene, squares))
        for task, scene, first in (("possessive", possessive, 11), ("demonstrative", demonstrative, 13))
        for figure, squares in enumerate(("all", "none"), start=first)
    }
    yield "Ablations", _shown(studio, ablations)
    rated = {
        f"{task} (like Figure {figure})": (scene, for_comprehension(scene, str(right(scene))))
        for figure, (task, scene) in enumerate((("possessive", possessive), ("demonstrative", demonstrative)), start=15)
    }
    yield "Comprehension", _shown(studio, rated)
    both = {
        "AA|BB (blocks)": possessive,
        "AB|AB (alternating)": alternating,
        "boy at the right": replace(possessive, boy="right"),
    }
    yield "Arrangements", _shown(studio, {title: (s, for_models(s)) for title, s in both.items()})
    where = {name: replace(demonstrative, background=name) for name in BACKGROUNDS}
    yield "Backgrounds", _shown(studio, {title: (s, for_models(s)) for title, s in where.items()})
    yield "Baselines", _shown(studio, {"empty": (None, empty()), **{name: (None, Picture(name)) for name in POOL}})


def _figure(first: int, task: str) -> str:
    return f"{task} (like Figure {first + ('vocabulary', 'possessive', 'demonstrative').index(task)})"


def _shown(studio: Studio, wanted: Mapping[str, tuple[Scene | None, Picture]]) -> Iterator[Shown]:
    for title, (scene, picture) in wanted.items():
        yield Shown(title, described(scene) if scene else "nothing of a scene", _data(studio.png(picture)))


def described(scene: Scene) -> str:
    """Return in a few sentences what is the case, and what the speaker should say."""
    where = "" if scene.background == "room" else f", {scene.background}"
    return (
        f"From left to right: {', '.join(scene.objects)}; the boy stands at the {scene.boy}{where}. "
        f"The {scene.speaker} speaks, the {scene.gazer} looks at place {'ABCD'[scene.target]}. Right: {right(scene)}."
    )


def _thing(studio: Studio, thing: Thing) -> tuple[str, str]:
    """Return an object's name, and its tile as a data URL."""
    return thing.name, _data(studio.tile_png(thing.name))


def _data(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()
