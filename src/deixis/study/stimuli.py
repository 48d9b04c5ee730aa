"""From a trial to what a page shows of it: the picture without its gaze line, and a neutral text alternative.

People see who speaks and who looks, and read it nowhere; a text alternative that said so would be another condition,
close to what models are told. So by default it is neutral, and a study that asks for a *description* has it in words.
"""

from dataclasses import replace
from hashlib import sha256

from deixis.records import Trial
from deixis.scenes.drawing import layout, signs
from deixis.scenes.drawing.artwork import Artwork
from deixis.scenes.drawing.document import document
from deixis.scenes.picture import Picture
from deixis.scenes.scene import SIDES
from deixis.study.designs import Block
from deixis.study.manifest import Stimulus

PROMPTS = {
    "scene-choice": "You are the child with the speech bubble. Which is the right message?",
    "text-choice": "",
    "scene-rating": "How likely is it that the child with the speech bubble means each of the objects?",
}
"""Kind of a block to what stands above each of its trials."""
NEUTRAL = "Two children stand at a table with four objects on it."
"""What is said of a picture to those who cannot see it, where nothing may be given away."""
_ORDINALS = ("first", "second", "third", "fourth")


def stimulus(block: Block, trial: Trial, seen: Picture | None, art: Artwork | None) -> tuple[Stimulus, bytes]:
    """Return what a page shows of a trial, and the file of its picture, without content where there is none."""
    options = tuple(option.text for option in trial.options)
    if seen is None or art is None:
        said = trial.stimulus
        return Stimulus(block.kind, options, passage=said["passage"], question=said["question"]), b""
    drawn = document(replace(seen, gazer="", target=None), art).encode()
    return (
        Stimulus(
            block.kind,
            options,
            picture=f"{sha256(drawn).hexdigest()}.svg",
            gaze=_line(seen),
            size=(layout.WIDTH, layout.HEIGHT),
            title=_neutral(seen),
            prompt=f"The child with the speech bubble says: “{seen.says}.” {_RATE}" if seen.says else "",
            labels=options if seen.labels else (),
        ),
        drawn,
    )


_RATE = "How likely is it that each of the objects is the one that is meant?"


def described(seen: Picture) -> str:
    """Return the scene in words: who stands where, who speaks, who looks at what."""
    left, right = ("boy", "girl") if seen.boy == SIDES[0] else ("girl", "boy")
    parts = [
        f"Two children stand at a table, the {left} at the left end and the {right} at the right end.",
        f"On it lie, from left to right: {', '.join(f'{place}: {name}' for place, name in _named(seen))}.",
        f"The {seen.speaker} has a speech bubble{f', which says: {seen.says}' if seen.says else ''}.",
    ]
    if seen.gazer and seen.target is not None:
        parts.append(f"The {seen.gazer} looks at the {_ORDINALS[seen.target]} object, the {seen.objects[seen.target]}.")
    return " ".join(parts)


def _neutral(seen: Picture) -> str:
    if not seen.says:
        return NEUTRAL
    return f"Two children stand at a table with four objects on it, A to D. One of them says: {seen.says}."


def _line(seen: Picture) -> tuple[int, int, int, int] | None:
    if not seen.gazer or seen.target is None:
        return None
    line = signs.gaze(_side(seen, seen.gazer), seen.row, seen.target)
    return (*line.start, *line.end)


def _side(seen: Picture, child: str) -> str:
    return seen.boy if child == "boy" else SIDES[1 - SIDES.index(seen.boy)]


def _named(seen: Picture) -> list[tuple[str, str]]:
    return [("ABCD"[place] if seen.labels else str(place + 1), name) for place, name in enumerate(seen.objects)]
