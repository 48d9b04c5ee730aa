"""Comprehension: eight sentences of either task, four objects with their roles, a picture that says who says what."""

from collections import Counter
from functools import cache

import pytest

from deixis.errors import UsageError
from deixis.experiments import experiment
from deixis.experiments.beliefs import shown
from deixis.experiments.comprehension import TASKS
from deixis.experiments.conditions import RATED
from deixis.experiments.experiment import Design
from deixis.experiments.staging import stage
from deixis.experiments.tables import described
from deixis.records import Trial
from deixis.scenes.scene import from_id


@cache
def table(protocol: str = "corrected", seed: int = 0, **settings: str) -> Design:
    return experiment("comprehension").design(None, "people", protocol, seed, settings)


def of(task: str, **settings: str) -> list[Trial]:
    return [trial for trial in table(**settings).trials if trial.factors["task"] == task]


def roles(trial: Trial) -> list[str]:
    return [option.features["role"] for option in trial.options]


@pytest.mark.parametrize(("task", "words"), [("possessive", "mine yours"), ("demonstrative", "this that")])
def test_each_child_says_each_sentence_once_and_no_object_comes_twice(task: str, words: str) -> None:
    trials = of(task)
    said = Counter((trial.factors["speaker"], trial.stimulus["says"]) for trial in trials)
    ends = words.split() if task == "possessive" else [f"{word} one" for word in words.split()]
    assert said == {
        (child, f"{who} prefer {end}"): 1 for child in ("boy", "girl") for who in ("I", "You") for end in ends
    }
    assert len({trial.factors["group"] for trial in trials}) == 8


def test_what_is_right_lies_at_every_place_equally_often() -> None:
    assert Counter(trial.answer for trial in of("possessive")) == {0: 2, 1: 2, 2: 2, 3: 2}
    assert Counter(trial.answer for trial in of("demonstrative")) == {0: 4, 3: 4}


def test_roles_follow_from_who_speaks() -> None:
    """The boy stands at the left: mine is A and B from him, C and D from the girl; distances run from the speaker."""
    wanted = {
        ("boy", "mine"): "target pair, target pair, other pair, other pair",
        ("girl", "mine"): "other pair, other pair, target pair, target pair",
        ("boy", "yours"): "other pair, other pair, target pair, target pair",
        ("girl", "yours"): "target pair, target pair, other pair, other pair",
        ("boy", "this one"): "0, 1, 2, 3",
        ("girl", "this one"): "3, 2, 1, 0",
        ("boy", "that one"): "0, 1, 2, 3",
        ("girl", "that one"): "3, 2, 1, 0",
    }
    for trial in table().trials:
        assert ", ".join(roles(trial)) == wanted[trial.factors["speaker"], trial.factors["word"]]
        right = roles(trial)[trial.answer]
        assert right == {"this one": "0", "that one": "3"}.get(trial.factors["word"], "target pair")


def test_both_objects_of_a_pair_are_right_and_one_place_is() -> None:
    assert {trial.meant for trial in of("possessive")} == {(0, 1), (2, 3)}
    assert {trial.meant for trial in of("demonstrative")} == {(0,), (3,)}
    trial, prompt = next(table().pairs())
    marked = [line for line in described(trial, prompt) if line.startswith("right")]
    assert [line.split(":")[1].split()[0] for line in marked] == ["A", "B"]


def test_the_settings_move_children_and_pairs() -> None:
    assert {trial.factors["distance"] for trial in of("demonstrative", boy="right")} == {"0", "3"}
    for trial in of("possessive", boy="right"):
        meant_left = trial.meant == (0, 1)
        assert meant_left == ((trial.factors["speaker"] == "girl") == (trial.factors["word"] == "mine"))
    alternating = of("possessive", arrangement="alternating")
    assert {trial.id.split("/")[3] for trial in alternating} == {"abab", "baba"}
    assert {trial.meant for trial in alternating} == {(0, 1), (2, 3)}


def test_the_picture_shows_the_sentence_and_no_look() -> None:
    for task in TASKS:
        made = stage(task, RATED, table().setup)
        for scene, _ in made.shown_scenes():
            picture = made.picture(scene)
            assert picture is not None
            assert picture.labels
            assert picture.says.split()[0] == ("I" if scene.gazer == scene.speaker else "You")
            assert shown(picture) == {"objects", "sides", "speaker", "says"}


def test_what_text_and_picture_leave() -> None:
    left = {trial.stimulus["picture_leaves"] for trial in of("possessive")}
    assert left == {"A | B", "C | D"}
    assert {trial.stimulus["picture_leaves"] for trial in of("demonstrative")} == {"A", "D"}
    assert {trial.stimulus["text_leaves"] for trial in of("possessive")} == {"A | B | C | D"}
    assert {prompt.user for prompt in table().prompts} == {table().prompts[0].user}


def test_protocols_ask_the_same_and_seeds_other_objects() -> None:
    assert [t.id for t in table("published").trials] == [t.id for t in table().trials]
    assert {t.factors["group"] for t in table(seed=1).trials} != {t.factors["group"] for t in table().trials}


def test_a_trial_is_found_by_its_id() -> None:
    design = table()
    assert design.find is not None
    assert design.seen is not None
    for trial, prompt in design.pairs():
        assert design.find(trial.id) == (trial, prompt)
        picture = design.seen(trial.id)
        assert picture is not None
        assert picture.objects == from_id(trial.id.removeprefix("comprehension/")).objects
    assert design.find("comprehension/possessive/g01") is None
    assert design.seen("possessive/g01") is None


def test_what_is_not_there_is_refused_in_one_line() -> None:
    found = experiment("comprehension")
    with pytest.raises(UsageError, match=r"^comprehension has no condition 'main'; there is people$"):
        found.design()
    with pytest.raises(UsageError, match="comprehension has no protocol 'described'"):
        found.design(None, "people", "described")
    with pytest.raises(UsageError, match="the setting 'order' changes nothing of comprehension"):
        found.settled_design(None, "people", "corrected", 0, {"order": "fixed"})
