"""Prompt texts: the published ones are the paper's, and every text tells what it declares and no more."""

import re
import tomllib
from importlib.resources import files
from itertools import islice
from typing import Any

import pytest

from deixis.experiments import experiment
from deixis.experiments.beliefs import shown
from deixis.experiments.prompts import FACTS, Wording, fill, wording
from deixis.scenes.picture import Picture, empty, for_models, for_people
from deixis.scenes.scene import TASKS as SCENES
from deixis.scenes.scene import Scene
from deixis.scenes.space import scenes
from tests.conftest import SHARED
from tests.experiments.test_perspectives import EVERY, PROTOCOLS, TASKS, staged, table

PAPER = SHARED / "papers" / "001_7895a000c228fc16.txt"
STRUCK = ("Spatial cue removal (linguistic only", "Spatial cue removal (linguistic and visual)")
PRINTED = {
    "vocabulary.main": ("F.1 Main Experiment", "Vocabulary Task"),
    "possessive.main": ("F.1 Main Experiment", "Possessive Task"),
    "demonstrative.main": ("F.1 Main Experiment", "Demonstrative Task"),
    "every.context-first": ("F.2 Prompt Variation Experiment", "Context-First"),
    "every.condensed": ("F.2 Prompt Variation Experiment", "Condensed"),
    "every.simple": ("F.2 Prompt Variation Experiment", "Simple"),
    "possessive.spatial-linguistic": ("Appendix G", "Possessive Task Ablation", STRUCK[0]),
    "possessive.spatial-both": ("Appendix G", "Possessive Task Ablation", STRUCK[1]),
    "possessive.perspective": ("Appendix G", "Possessive Task Ablation", "Perspectival cue removal"),
    "demonstrative.spatial-linguistic": ("Appendix G", "Demonstrative Task Ablation", STRUCK[0]),
    "demonstrative.spatial-both": ("Appendix G", "Demonstrative Task Ablation", STRUCK[1]),
    "demonstrative.perspective": ("Appendix G", "Demonstrative Task Ablation", "Perspectival cue removal"),
    "every.example": ("H.1 In-context Learning",),
    "possessive.instruction": ("H.2 Instruction-based prompting", "Possessive Task"),
    "demonstrative.instruction": ("H.2 Instruction-based prompting", "Demonstrative Task"),
}
"""Where the paper prints each text: the headings that lead to it."""


def texts(file: str) -> dict[str, dict[str, Any]]:
    """The data file of a protocol, by ``part.name``."""
    read = tomllib.loads(files("deixis.experiments").joinpath("wordings", f"{file}.toml").read_text(encoding="utf-8"))
    return {f"{part}.{name}": entry for part, entries in read.items() for name, entry in entries.items()}


def printed(*headings: str) -> str:
    """The first paragraph in quotation marks after the headings, without them."""
    if not PAPER.exists():
        pytest.skip("the paper is not beside the repository")
    lines = iter(PAPER.read_text(encoding="utf-8").splitlines())
    for heading in headings:
        next(line for line in lines if line.startswith(heading))
    found = next(line.strip() for line in lines if line.startswith(('"', "“")))
    return found[1:-1]


def test_every_published_text_has_its_place_in_the_paper() -> None:
    assert set(texts("published")) == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_published_texts_are_the_papers_letter_by_letter(name: str) -> None:
    """What the paper strikes out, which its text file prints, stands under ``struck``."""
    entry = texts("published")[name]
    place = "in the green square"
    text = entry["text"].replace(place, place + entry["struck"]) if "struck" in entry else entry["text"]
    assert text == printed(*PRINTED[name])
    assert PRINTED[name][0].startswith((entry["source"], f"Appendix {entry['source']}"))


def test_corrected_texts_differ_only_where_they_say_so() -> None:
    published, corrected = texts("published"), texts("corrected")
    for name, entry in corrected.items():
        before = published.get(name) or published.get(f"every.{name.partition('.')[2]}")
        assert ("change" in entry) == (before is None or before["text"] != entry["text"]), name
    assert {name.partition(".")[2] for name in published} <= {name.partition(".")[2] for name in corrected}


WORDINGS = [
    (name, protocol, condition, naming)
    for name, protocol, condition in EVERY
    for naming in (("name", "word") if staged(name, condition, protocol, naming="name").wording.names else ("",))
]


def sample(task: str) -> list[Scene]:
    """All scenes of two groups, the boy at either end: every fact crossed with the others as far as it can be."""
    return [scene for boy in ("left", "right") for scene in islice(scenes(task, boy=boy), 2 * 192)]


def true_of(scene: Scene) -> dict[str, str]:
    """The facts, from the geometry alone: the left half of the table is the left child's."""
    left, right = ("boy", "girl") if scene.boy == "left" else ("girl", "boy")
    beside = left if scene.target < 2 else right
    target = scene.kinds["abcd".index(scene.pattern[scene.target])]
    return {"speaker": scene.speaker, "gazer": scene.gazer, "object": target, "owner": beside, "near": beside}


def filled(found: Wording, scene: Scene) -> str:
    return f"{fill(found.text, scene)}\n{fill(found.then, scene)}"


@pytest.mark.parametrize(("name", "protocol", "condition", "naming"), WORDINGS)
def test_a_text_tells_the_facts_it_declares_and_no_more(name: str, protocol: str, condition: str, naming: str) -> None:
    """Two scenes have the same text exactly where all declared facts are the same."""
    found = staged(name, condition, protocol, **({"naming": naming} if naming else {}))
    assert found.told <= set(FACTS)
    told: dict[str, set[tuple[str, ...]]] = {}
    for scene in sample(found.task.scenes):
        facts = true_of(scene)
        told.setdefault(filled(found.wording, scene), set()).add(tuple(facts[fact] for fact in sorted(found.told)))
    assert all(len(facts) == 1 for facts in told.values())
    assert len({facts for several in told.values() for facts in several}) == len(told)


@pytest.mark.parametrize(("name", "protocol", "condition", "naming"), WORDINGS)
def test_each_declared_fact_alone_changes_the_text(name: str, protocol: str, condition: str, naming: str) -> None:
    """Owner and near are one here: where there is an owner, it is the child who is near."""
    found = staged(name, condition, protocol, **({"naming": naming} if naming else {}))
    told = {"near" if fact == "owner" else fact for fact in found.told}
    first, *others = sample(found.task.scenes)
    for fact in ("speaker", "gazer", "object", "near"):
        rest = {"speaker", "gazer", "object", "near"} - {fact}
        twin = next(s for s in others if {f for f in (fact, *rest) if true_of(s)[f] == true_of(first)[f]} == rest)
        assert (filled(found.wording, first) != filled(found.wording, twin)) is (fact in told)


@pytest.mark.parametrize(("name", "protocol", "condition", "naming"), WORDINGS)
def test_words_occur_where_they_are_told(name: str, protocol: str, condition: str, naming: str) -> None:
    found = staged(name, condition, protocol, **({"naming": naming} if naming else {}))
    for scene in sample(found.task.scenes)[::5]:
        text, facts = filled(found.wording, scene), true_of(scene)
        for fact in found.told:
            assert re.search(rf"\bthe {re.escape(facts[fact])}\b", text, re.IGNORECASE)
        if "object" not in found.told:
            assert not re.search(rf"\b{re.escape(facts['object'])}\b", text)
        if not found.told:
            assert not re.search(r"\b(boy|girl)\b", text)


@pytest.mark.parametrize("name", TASKS[1:])
def test_without_perspective_nothing_changes_with_the_speaker(name: str) -> None:
    corrected, published = staged(name, "perspective").wording, staged(name, "perspective", "published").wording
    for scene in sample(name):
        other = scene.swapped("speaker")
        assert fill(corrected.text, scene) == fill(corrected.text, other)
        assert fill(published.text, scene) != fill(published.text, other)


@pytest.mark.parametrize(("name", "protocol", "condition"), EVERY)
def test_no_slot_is_left_open(name: str, protocol: str, condition: str) -> None:
    found = staged(name, condition, protocol)
    for scene, order in islice(found.shown_scenes(), 0, 16, 5):
        trial, prompt = found.pair(scene, order)
        assert not re.search(r"\[|\]", prompt.text)
        assert all(f'"{option.text}"' in (prompt.then or prompt.user) for option in trial.options)
        assert prompt.system == ""
        assert prompt.temperature == 0


def prompt_of(name: str, condition: str, protocol: str) -> str:
    found = table(name.partition("/")[0], condition, protocol).find
    assert found is not None
    pair = found(name)
    assert pair is not None
    return pair[1].text


def test_a_published_prompt_whole() -> None:
    """Slips included: *which belong to*."""
    assert prompt_of("possessive/g03-broom-ring/aabb/t2/boy-speaks/girl-gazes", "main", "published") == (
        "You’ll play the role of the boy in the scene. The boy is talking about his or the girl’s preferences of the "
        "objects on the table. The girl is gazing at the ring in the green square, which belong to the girl. The "
        "gazing shows the preference. Your task is to select the right message as the boy. IMPORTANT: Respond with "
        'ONLY ONE SENTENCE from "I prefer yours", "You prefer mine", "I prefer mine", "You prefer yours". Do not '
        "explain. Do not add any words. Just type the words."
    )


def test_a_corrected_prompt_without_perspective_whole() -> None:
    assert prompt_of("demonstrative/g03-ring/park/t0/girl-speaks/girl-gazes", "perspective", "corrected") == (
        "You’ll play the role of one of the two children. You are talking about your own or the other child’s "
        "preferences of the objects on the table. The girl is gazing at the object in the green square, which is close "
        "to the boy. The gazing shows the preference. Your task is to select the right message. IMPORTANT: Respond "
        'with ONLY ONE SENTENCE from "I prefer this one", "You prefer this one", "You prefer that one", "I prefer '
        'that one". Do not explain. Do not add any words. Just type the words.'
    )


def test_an_example_whole() -> None:
    scene = Scene("possessive", ("broom", "ring"), "aabb", 2, "boy", "girl")
    said = {
        p: fill(wording("possessive", "example", p, {}).text, scene, sentence="You prefer yours") for p in PROTOCOLS
    }
    told = (
        "In this picture, the boy is speaking and the girl is gazing at the object in the green square, and the boy "
        "says "
    )
    assert said == {"published": f"{told}’You prefer yours’", "corrected": f"{told}‘You prefer yours’."}


SEEN = {"target": ("objects", "sides", "target"), "all": ("objects", "sides"), "none": ("objects", "sides")}


@pytest.mark.parametrize("task", SCENES)
@pytest.mark.parametrize("squares", SEEN)
def test_models_pictures_show_the_facts_that_are_read_from_them(task: str, squares: str) -> None:
    """Two scenes before one background have the same picture exactly where all facts shown are the same."""
    assert_shown({scene: for_models(scene, squares) for scene in sample(task)}, SEEN[squares])


@pytest.mark.parametrize("task", SCENES)
def test_peoples_pictures_show_everything(task: str) -> None:
    facts = ("gazer", "objects", "sides", "speaker", "target")
    assert_shown({scene: for_people(scene) for scene in sample(task)}, facts)
    assert {shown(for_people(scene, line=False)) for scene in sample(task)} == {
        frozenset({"objects", "sides", "speaker"})
    }


def assert_shown(pictures: dict[Scene, Picture], facts: tuple[str, ...]) -> None:
    assert {shown(picture) for picture in pictures.values()} == {frozenset(facts)}
    alike: dict[Picture, set[tuple[object, ...]]] = {}
    for scene, picture in pictures.items():
        value = {**true_of(scene), "objects": scene.objects, "target": scene.target, "sides": scene.boy}
        alike.setdefault(picture, set()).add((scene.background, *(value[fact] for fact in facts)))
    assert all(len(values) == 1 for values in alike.values())
    assert len({values for several in alike.values() for values in several}) == len(alike)


@pytest.mark.parametrize("name", TASKS[1:])
def test_the_other_pictures_show_nothing(name: str) -> None:
    assert shown(empty()) == frozenset()
    for condition in ("picture-empty", "picture-unrelated"):
        found = staged(name, condition)
        for scene, _ in found.shown_scenes():
            picture = found.picture(scene)
            assert picture is not None
            assert shown(picture) == frozenset()
            assert picture == Picture(picture.background)
            assert found.picture(scene.swapped("speaker")) == found.picture(scene.swapped("gazer")) == picture
    assert staged(name, "picture-none").picture(scene) is None
    assert experiment(name).setup(None, "picture-none").condition == "picture-none"
