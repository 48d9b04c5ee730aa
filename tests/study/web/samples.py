"""A small study of all three kinds of trials, as a manifest made by hand and as a folder that a browser can open."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from deixis.scenes.drawing import layout, signs
from deixis.scenes.drawing.artwork import artwork
from deixis.scenes.drawing.document import document
from deixis.scenes.picture import for_comprehension, for_people
from deixis.scenes.scene import Scene
from deixis.scenes.space import scenes
from deixis.study import web

Stimulus = dict[str, Any]
POLICY = web.POLICY.replace("; frame-ancestors 'none'", "")
"""The policy as a page can say it itself: only a header refuses frames."""
SIZE = [layout.WIDTH, layout.HEIGHT]
CONSENT = "<h1>Taking part</h1><p>You look at pictures. <strong>You may stop at any time.</strong></p>"
INSTRUCTIONS = (
    "<h1>What to do</h1><p>Choose the message that the child would send.</p><ul><li>One answer each.</li></ul>"
)


@cache
def some(task: str, number: int) -> tuple[Scene, ...]:
    """Scenes spread over a task's displays."""
    every = list(scenes(task))
    return tuple(every[:: len(every) // number][:number])


@cache
def drawn(scene: Scene, says: str = "") -> tuple[str, bytes]:
    """A picture without its gaze line, and the name of its file."""
    picture = for_comprehension(scene, says) if says else for_people(scene, line=False)
    data = document(picture, artwork("twemoji")).encode()
    return f"{hashlib.sha256(data).hexdigest()}.svg", data


def choice(scene: Scene, prompt: str = "") -> Stimulus:
    """A trial of production: the gaze line is not in the picture."""
    line = signs.gaze(
        scene.boy if scene.gazer == "boy" else {"left": "right", "right": "left"}[scene.boy], "even", scene.target
    )
    words = [f"{who} prefer the {name}" for who in ("I", "You") for name in scene.objects[:2]]
    return {
        "kind": "scene-choice",
        "picture": drawn(scene)[0],
        "gaze": [*line.start, *line.end],
        "size": SIZE,
        "title": "Two children and four objects on a table",
        "options": words,
        **({"prompt": prompt} if prompt else {}),
    }


def text(number: int) -> Stimulus:
    """A trial with a passage."""
    return {
        "kind": "text-choice",
        "picture": None,
        "gaze": None,
        "size": None,
        "title": "",
        "passage": f"I am Nora. My friend Ida likes to boast {number} times. Ida thinks that I will win.",
        "question": "According to the last sentence, who will win?",
        "options": ["Nora", "Ida"],
    }


def rating(scene: Scene) -> Stimulus:
    """A trial of comprehension."""
    return {
        "kind": "scene-rating",
        "picture": drawn(scene, "You prefer this one")[0],
        "gaze": None,
        "size": SIZE,
        "title": "Two children and four objects on a table",
        "options": list("ABCD"),
        "labels": list("ABCD"),
    }


def manifest(choices: int = 4, texts: int = 2, ratings: int = 2) -> tuple[dict[str, Any], dict[str, bytes]]:
    """A manifest with a block of each kind that has trials, and its picture files."""
    shown = some("demonstrative", choices + 2)
    rated = some("vocabulary", ratings + 1)
    stimuli: dict[str, Stimulus] = {f"production/{n}": choice(scene) for n, scene in enumerate(shown[:choices])}
    stimuli |= {f"reading/{n}": text(n) for n in range(texts)}
    stimuli |= {f"rating/{n}": rating(scene) for n, scene in enumerate(rated[:ratings])}
    stimuli["practice/production/1"] = choice(shown[choices])
    stimuli["check/production/1"] = {
        **choice(shown[choices + 1], "This is a check that you read. Please choose “You prefer that one”."),
        "options": ["You prefer this one", "You prefer that one"],
        "check": True,
    }
    kinds = {"production": "scene-choice", "reading": "text-choice", "rating": "scene-rating"}
    prompts = {
        "production": "Which message should the child with the speech bubble send?",
        "reading": "",
        "rating": "How likely is it that the child means each object?",
    }
    keys = {block: [key for key in stimuli if key.startswith(f"{block}/")] for block in kinds}
    blocks = {
        block: {
            "title": block.title(),
            "kind": kinds[block],
            "experiment": "demonstrative",
            "instructions": INSTRUCTIONS,
            "prompt": prompts[block],
            "practice": ["practice/production/1"] if block == "production" else [],
            "checks": ["check/production/1"] if block == "production" else [],
        }
        for block in kinds
        if keys[block]
    }
    written = {
        "version": 1,
        "study": "sample",
        "title": "Whose is it?",
        "study_info": {"contact": "lab@example.org", "researcher": "A. Researcher"},
        "design": "sample",
        "protocol": "corrected",
        "design_sha256": "0" * 64,
        "language": "en",
        "minutes": 6,
        "practice": 1,
        "blink": {"shown_ms": 700, "hidden_ms": 300, "cycles": 4},
        "blocks": blocks,
        "orders": {"only": list(blocks)},
        "lists": {"1": {block: keys[block] for block in blocks}},
        "stimuli": stimuli,
        "consent": CONSENT,
        "debriefing": "<h1>Thank you</h1><p>We asked how people choose between <em>this</em> and <em>that</em>.</p>",
        "scale": {"low": "not at all likely", "high": "very likely", "points": 7},
    }
    files = dict(drawn(scene) for scene in shown) | dict(drawn(scene, "You prefer this one") for scene in rated)
    return written, files


def folder(
    path: Path,
    made: tuple[dict[str, Any], dict[str, bytes]] | None = None,
    host: str = "static",
    script: str = "",
    policy: str = POLICY,
) -> Path:
    """Write a study that needs no server of ours and return its page; ``script`` comes first, as a host's own does."""
    written, files = made or manifest()
    (path / "pictures").mkdir(exist_ok=True)
    for name, data in files.items():
        (path / "pictures" / name).write_bytes(data)
    (path / "web").mkdir(exist_ok=True)
    for name, data in web.contents(host).items():
        (path / "web" / name).write_bytes(data)
    (path / "manifest.js").write_text(f"window.deixisManifest = {json.dumps(written)};", encoding="utf-8")
    (path / "host.js").write_text(script, encoding="utf-8")
    index = path / "index.html"
    index.write_text(web.page(host, "web/", ("host.js", "manifest.js"), policy), encoding="utf-8")
    return index
