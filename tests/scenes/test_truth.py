"""Truth from geometry and roles: by hand, and the laws of mirrors and swapped roles over every scene."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.scenes.scene import SIDES, TASKS, Scene
from deixis.scenes.space import scenes
from deixis.scenes.truth import distance, near, owner, right, sentences

EVERY = [scene for task in TASKS for scene in scenes(task)]
EVERY += [replace(scene, boy="right") for scene in EVERY[::7]]
PAIRS = Scene("possessive", ("broom", "ring"), "aabb", 2, "boy", "girl")

any_scene = st.sampled_from(EVERY)


@pytest.mark.parametrize(
    ("scene", "sentence"),
    [
        (PAIRS, "You prefer yours"),
        (replace(PAIRS, target=1), "You prefer mine"),
        (replace(PAIRS, gazer="boy"), "I prefer yours"),
        (replace(PAIRS, speaker="girl"), "I prefer mine"),
        (replace(PAIRS, boy="right"), "You prefer mine"),
        (Scene("demonstrative", ("ring",), "aaaa", 0, "boy", "boy"), "I prefer this one"),
        (Scene("demonstrative", ("ring",), "aaaa", 3, "boy", "girl"), "You prefer that one"),
        (Scene("demonstrative", ("ring",), "aaaa", 3, "girl", "girl"), "I prefer this one"),
        (
            Scene("vocabulary", ("apple", "broom", "paperclip", "ring"), "dcba", 1, "girl", "boy"),
            "You prefer the paperclip",
        ),
    ],
)
def test_sentences_by_hand(scene: Scene, sentence: str) -> None:
    assert str(right(scene)) == sentence
    assert right(scene) in sentences(scene)


def test_who_is_near_and_how_far() -> None:
    assert [distance(PAIRS, "boy", place) for place in range(4)] == [0, 1, 2, 3]
    assert [distance(PAIRS, "girl", place) for place in range(4)] == [3, 2, 1, 0]
    assert [near(PAIRS, place) for place in range(4)] == ["boy", "boy", "girl", "girl"]
    assert [owner(PAIRS, place) for place in range(4)] == ["boy", "boy", "girl", "girl"]
    assert owner(Scene("demonstrative", ("ring",), "aaaa", 0, "boy", "boy"), 0) is None


def test_demonstrative_targets_are_the_nearest_and_the_furthest() -> None:
    assert {distance(s, s.speaker, s.target) for s in EVERY if s.task == "demonstrative"} == {0, 3}


def test_every_answer_is_right_equally_often() -> None:
    for task in ("possessive", "demonstrative"):
        said = [str(right(scene)) for scene in scenes(task)]
        assert {sentence: said.count(sentence) for sentence in set(said)} == dict.fromkeys(set(said), 1536)
        assert len(set(said)) == 4


@given(any_scene)
def test_a_mirror_changes_no_sentence(scene: Scene) -> None:
    """The row reversed and the children at each other's ends: everybody stands to everything as before."""
    assert right(scene.mirrored()) == right(scene)
    assert scene.mirrored().mirrored() == scene
    assert scene.mirrored().boy != scene.boy


@given(any_scene)
def test_another_speaker_turns_the_words(scene: Scene) -> None:
    """Mine becomes yours, this that, and I You, and back; a name stays."""
    turned = {"mine": "yours", "this one": "that one", "I": "You"}
    turned |= {new: old for old, new in turned.items()}
    before, after = right(scene), right(scene.swapped("speaker"))
    assert after.pronoun == turned[before.pronoun]
    assert after.word == turned.get(before.word, before.word)


@given(any_scene)
def test_another_gazer_turns_the_pronoun_alone(scene: Scene) -> None:
    before, after = right(scene), right(scene.swapped("gazer"))
    assert (after.pronoun != before.pronoun, after.word) == (True, before.word)


@given(any_scene, st.integers(0, 3))
def test_the_children_share_the_table(scene: Scene, place: int) -> None:
    assert distance(scene, "boy", place) + distance(scene, "girl", place) == 3
    assert {scene.side("boy"), scene.side("girl")} == set(SIDES)
    assert distance(scene, near(scene, place), place) in (0, 1)


@given(any_scene)
def test_where_it_happens_and_what_lies_there_is_no_matter(scene: Scene) -> None:
    assert right(replace(scene, background="snow")) == right(scene)
    if scene.task == "possessive":
        assert right(replace(scene, pattern="abab")) == right(scene)
