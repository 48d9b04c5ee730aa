"""One scene in words, and its picture."""

from pathlib import Path

from deixis.errors import SceneError
from deixis.scenes.album import Wanted, picture_of
from deixis.scenes.drawing.artwork import artwork
from deixis.scenes.scene import CHILDREN, Scene, from_id
from deixis.scenes.studio import Studio
from deixis.scenes.truth import distance, near, owner, right


def described(scene: Scene) -> str:
    """Return in a few sentences what is the case, and what the speaker should say."""
    where = "" if scene.background == "room" else f", {scene.background}"
    return (
        f"From left to right: {', '.join(scene.objects)}; the boy stands at the {scene.boy}{where}. "
        f"The {scene.speaker} speaks, the {scene.gazer} looks at place {'ABCD'[scene.target]}. Right: {right(scene)}."
    )


def show_scene(name: str, wanted: Wanted, art: str, out: Path | None) -> list[str]:
    """Write a scene's picture, and return what there is to say of the scene, the picture's path last.

    Raises :class:`SceneError` for an id that no scene has, or where the picture cannot be written.
    """
    studio = Studio(artwork(art))
    scene = from_id(name, studio.art.things)
    key, content = studio.both(picture_of(scene, wanted))
    path = out or Path(f"{name.replace('/', '_')}.png")
    if path.suffix.lower() != ".png":
        raise SceneError(f"a picture is a PNG; end the name {path.name!r} in .png")
    try:
        if path.exists() and path.read_bytes() != content:
            raise SceneError(f"{str(path)!r} is another picture; name another with --picture or take it away")
        path.write_bytes(content)
    except OSError as error:
        raise SceneError(
            f"cannot write {str(path)!r}: {error.strerror or error}; name another with --picture"
        ) from None
    far = ", ".join(f"{distance(scene, child, scene.target)} from the {child}" for child in CHILDREN)
    facts = [f"near the {near(scene, scene.target)}", far]
    whose = owner(scene, scene.target)
    return [
        scene.id(studio.art.things),
        described(scene),
        f"target: {', '.join([*facts, f'belongs to the {whose}'] if whose else facts)}",
        f"picture: {key} ({wanted.version}, {studio.art.name})",
        str(path),
    ]
