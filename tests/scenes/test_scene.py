"""Scenes as data: what is legal, how many there are, ids that say what they are."""

from collections import Counter
from dataclasses import replace

import pytest

from deixis.errors import SceneError, UsageError
from deixis.scenes.objects import Catalogue, Thing, catalogue
from deixis.scenes.picture import for_models
from deixis.scenes.scene import BACKGROUNDS, TASKS, Scene, check, from_id
from deixis.scenes.space import orders, sample, scenes

POSSESSIVE = Scene("possessive", ("broom", "ring"), "aabb", 2, "boy", "girl")
GROUP_3 = ("apple", "broom", "paperclip", "ring")


@pytest.mark.parametrize("task", TASKS)
def test_a_task_has_6144_scenes_and_1536_pictures(task: str) -> None:
    """Dong et al., Appendix D: 6,144 trials; models see neither speaker nor gazer, so a quarter as many pictures."""
    every = list(scenes(task))
    assert len(every) == len(set(every)) == 6144
    assert len({scene.id() for scene in every}) == 6144
    assert len({for_models(scene) for scene in every}) == 1536
    for scene in every:
        check(scene)
        assert from_id(scene.id()) == scene


@pytest.mark.parametrize("task", TASKS)
def test_roles_are_crossed(task: str) -> None:
    every = list(scenes(task))
    assert set(Counter((s.speaker, s.gazer) for s in every).values()) == {1536}
    assert set(Counter(s.target for s in every).values()) == {6144 // (2 if task == "demonstrative" else 4)}


def test_pictures_of_the_ablations() -> None:
    """Without a single square the target cannot be seen: 384 pictures of pairs, 768 of four alike."""
    for squares in ("all", "none"):
        assert len({for_models(s, squares) for s in scenes("possessive")}) == 384
        assert len({for_models(s, squares) for s in scenes("demonstrative")}) == 768
    with pytest.raises(SceneError, match="no squares 'some'; there is target, all, none"):
        for_models(POSSESSIVE, "some")


def test_orders_put_every_object_everywhere_three_times() -> None:
    for group in (1, 7, 32):
        drawn = orders(group, 0)
        assert len(set(drawn)) == 12
        for place in range(4):
            assert Counter(order[place] for order in drawn) == dict.fromkeys("abcd", 3)
    assert orders(1, 0) == orders(1, 0)
    assert any(orders(group, 0) != orders(group, 1) for group in range(1, 9))


def test_arrangements_are_a_setting() -> None:
    assert {s.pattern for s in scenes("possessive")} == {"aabb", "bbaa"}
    assert {s.pattern for s in scenes("possessive", arrangement="alternating")} == {"abab", "baba"}
    assert {s.boy for s in scenes("demonstrative", boy="right")} == {"right"}
    with pytest.raises(UsageError, match="no arrangement 'mixed'; there is blocks, alternating"):
        list(scenes("possessive", arrangement="mixed"))
    with pytest.raises(UsageError, match="no boy 'middle'; there is left, right"):
        list(scenes("possessive", boy="middle"))
    with pytest.raises(UsageError, match="no task 'possesive'"):
        list(scenes("possesive"))


def test_samples_are_seeded_and_nested() -> None:
    every = list(scenes("possessive"))
    small, large = sample(every, "possessive", 10, 0), sample(every, "possessive", 20, 0)
    assert large[:10] == small
    assert len(set(large)) == 20
    assert sample(every, "possessive", 10, 1) != small
    with pytest.raises(SceneError, match="cannot draw 7000 of 6144"):
        sample(every, "possessive", 7000, 0)


@pytest.mark.parametrize(
    ("scene", "name"),
    [
        (POSSESSIVE, "possessive/g03-broom-ring/aabb/t2/boy-speaks/girl-gazes"),
        (replace(POSSESSIVE, boy="right"), "possessive/g03-broom-ring/aabb/t2/boy-speaks/girl-gazes/boy-right"),
        (replace(POSSESSIVE, background="snow"), "possessive/g03-broom-ring/aabb/t2/snow/boy-speaks/girl-gazes"),
        (Scene("vocabulary", GROUP_3, "bdac", 0, "girl", "girl"), "vocabulary/g03/bdac/t0/girl-speaks/girl-gazes"),
        (
            Scene("demonstrative", ("magnifying glass",), "aaaa", 3, "girl", "boy", "park"),
            "demonstrative/g05-magnifying-glass/park/t3/girl-speaks/boy-gazes",
        ),
    ],
)
def test_ids_say_what_they_are_and_lead_back(scene: Scene, name: str) -> None:
    assert scene.id() == name
    assert from_id(name) == scene


def test_objects_lie_as_the_pattern_says() -> None:
    assert POSSESSIVE.objects == ("broom", "broom", "ring", "ring")
    assert Scene("vocabulary", GROUP_3, "bdac", 0, "boy", "boy").objects == ("broom", "ring", "apple", "paperclip")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"task": "possesive"}, "no task 'possesive'; there is vocabulary"),
        ({"speaker": "cat"}, "no speaker 'cat'; there is boy, girl"),
        ({"gazer": ""}, "no gazer ''"),
        ({"background": "moon"}, f"no background 'moon'; there is {', '.join(BACKGROUNDS)}"),
        ({"boy": "middle"}, "no boy 'middle'"),
        ({"pattern": "abba"}, "'abba' is no arrangement of the possessive task"),
        ({"target": 4}, "no place 4; give 0 to 3"),
        ({"task": "demonstrative", "pattern": "aaaa", "kinds": ("ring",), "target": 1}, "no target at place 1"),
        ({"kinds": ("ring", "broom")}, "takes 2 kinds of objects in alphabetical order"),
        ({"kinds": ("broom",)}, "takes 2 kinds"),
        ({"kinds": ("accordion", "broom")}, "are of several groups"),
        ({"kinds": ("brom", "ring")}, "no object 'brom' in the catalogue; it has 128"),
    ],
)
def test_what_is_no_scene_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(SceneError) as caught:
        check(replace(POSSESSIVE, **change))  # type: ignore[arg-type]
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "possessive",
        "possessive/g99-broom-ring/aabb/t2/boy-speaks/girl-gazes",
        "possessive/g03-ring-broom/aabb/t2/boy-speaks/girl-gazes",
        "possessive/g03-brom-ring/aabb/t2/boy-speaks/girl-gazes",
        "possessive/g03-broom-ring/abba/t2/boy-speaks/girl-gazes",
        "possessive/g03-broom-ring/aabb/t2/room/boy-speaks/girl-gazes",
        "vocabulary/g03-broom/bdac/t0/girl-speaks/girl-gazes",
        "demonstrative/g03-broom/moon/t0/girl-speaks/girl-gazes",
        "demonstrative/g03-broom/park/t1/girl-speaks/girl-gazes",
        f"demonstrative/g{'9' * 5000}-broom/park/t0/girl-speaks/girl-gazes",
    ],
)
def test_ids_of_no_scene_are_refused(name: str) -> None:
    with pytest.raises(SceneError):
        from_id(name)


def test_the_catalogue_is_the_papers_size_and_sound() -> None:
    assert len(catalogue().things) == 128
    assert len(catalogue().groups) == 32
    assert catalogue().thing("apple").article == "an"
    letters = [{thing.name[0] for thing in members} for members in catalogue().groups.values()]
    assert all(len(first) == 4 for first in letters)


def thing(name: str, group: int = 1) -> Thing:
    return Thing(name, f"{name}s", "a", "x", group)


@pytest.mark.parametrize(
    ("things", "words"),
    [
        ([], "has no objects"),
        ([thing("cup"), thing("pen"), thing("hat")], "has 3 objects in group 1; a group has 4"),
        ([thing("cup"), thing("pen"), thing("hat"), thing("cup")], "has the object 'cup' twice"),
        *(
            ([thing(name)], f"has the object {name!r}; write names in letters")
            for name in ("Cup", "a/b", "3d", "éclair")
        ),
        ([thing("car"), thing("pen"), thing("hat"), thing("carrot")], "has 'car' inside 'carrot' in group 1"),
    ],
)
def test_names_that_clash_are_refused(things: list[Thing], words: str) -> None:
    with pytest.raises(SceneError) as caught:
        Catalogue(things, "mine")
    assert words in str(caught.value)
