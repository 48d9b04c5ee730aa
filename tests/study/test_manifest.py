"""The manifest: that it shows everything, and gives nothing away."""

import json
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from deixis.records import Trial
from deixis.study.designs import DESIGNS
from deixis.study.making import Pictures, manifest_of
from deixis.study.manifest import Arm, Manifest, part_of
from deixis.study.practice import check_trials, checks_right, passed, practice_trials
from deixis.study.settings import Plan
from deixis.study.starting import begin
from deixis.study.trials import lists_of, trials_of


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """From the name of a design to its plan, manifest and pictures."""

    @cache
    def find(name: str) -> tuple[Plan, Manifest, Pictures, Path]:
        folder = tmp_path_factory.mktemp(name)
        begin(folder, name, id="pilot", seed=0, people=None, protocol="corrected", settings={})
        plan = Plan("pilot", "A study", DESIGNS[name])
        return plan, *manifest_of(plan, folder), folder

    return find


def whole(plan: Plan) -> dict[str, Trial]:
    return {**trials_of(plan), **practice_trials(plan), **check_trials(plan)}


@pytest.mark.parametrize("name", DESIGNS)
def test_every_trial_is_shown_as_it_is(made, name: str) -> None:  # type: ignore[no-untyped-def]
    plan, manifest, pictures, _ = made(name)
    trials = whole(plan)
    assert set(manifest.stimuli) == set(trials)
    for key, stimulus in manifest.stimuli.items():
        assert stimulus.options == tuple(option.text for option in trials[key].options)
        assert stimulus.check == (part_of(key) == "check")
        if stimulus.kind == "text-choice":
            assert stimulus.passage == trials[key].stimulus["passage"]
            assert stimulus.question == trials[key].stimulus["question"]
        else:
            assert stimulus.picture in pictures
            assert stimulus.size == (896, 672)
        assert (stimulus.gaze is not None) == (stimulus.kind == "scene-choice")
    assert {stimulus.picture for stimulus in manifest.stimuli.values()} - {None} == set(pictures)


@pytest.mark.parametrize("name", DESIGNS)
def test_nothing_gives_the_answer_away(made, name: str) -> None:  # type: ignore[no-untyped-def]
    """No role, no factor, no id of a trial, no order: only what can be seen on the page."""
    plan, manifest, pictures, _ = made(name)
    text = json.dumps({**manifest.to_json(), "consent": "", "debriefing": ""})
    for trial in trials_of(plan).values():
        assert trial.id not in text
    outside = json.dumps({key: [one.title, one.prompt, one.picture] for key, one in manifest.stimuli.items()})
    assert not re.search(r"\b(boy|girl|gaze\w*|speaker|target|right|correct|answer|shifted)\b", outside)
    for parts in manifest.lists.values():
        assert all(keys == tuple(sorted(keys)) for keys in parts.values())
    assert list(manifest.to_json()["stimuli"]) == sorted(manifest.stimuli)
    for data in pictures.values():
        assert b"#D00000" not in data  # the colour of the gaze line, which the page draws
        assert b"<script" not in data


def test_what_stands_first_in_a_list_is_right_no_more_often_than_what_stands_last(made) -> None:  # type: ignore[no-untyped-def]
    """Keys are in the order of a hash: halves of a list of 32 have no more of one answer than chance gives."""
    plan, manifest, _, _ = made("production-possessive")
    trials = trials_of(plan)
    halves: list[Counter[int]] = [Counter(), Counter()]
    for parts in manifest.lists.values():
        for place, key in enumerate(parts["possessive"]):
            halves[place // 16][trials[key].answer] += 1
    assert all(6 <= count <= 26 for half in halves for count in half.values())


def test_lists_are_those_of_the_design(made) -> None:  # type: ignore[no-untyped-def]
    plan, manifest, _, _ = made("follow-up")
    trials = trials_of(plan)
    for name, parts in lists_of(plan).items():
        for block, wanted in parts.items():
            assert {trials[key].id for key in manifest.lists[name][block]} == {trial.id for trial in wanted}


def test_arms_are_lists_by_orders(made) -> None:  # type: ignore[no-untyped-def]
    _, manifest, _, _ = made("follow-up")
    assert [arm.id for arm in manifest.arms] == [f"{n}/{order}" for n in "1234" for order in ("V-P-D", "V-D-P")]
    assert manifest.arm("2/V-D-P") == Arm("2", "V-D-P", several=True)
    _, alone, _, _ = made("comprehension")
    assert [arm.id for arm in alone.arms] == ["1"]


def test_a_person_s_order_is_shuffled_within_blocks_and_drawn_again_the_same(made) -> None:  # type: ignore[no-untyped-def]
    _, manifest, _, _ = made("follow-up")
    arm = manifest.arm("3/V-D-P")
    order = manifest.order_of(arm, 5, "ABC")
    assert order == manifest.order_of(arm, 5, "ABC")
    assert order != manifest.order_of(arm, 5, "ABD")
    assert order != manifest.order_of(arm, 6, "ABC")
    assert [block for block, _ in order] == ["vocabulary"] * 16 + ["demonstrative"] * 17 + ["possessive"] * 17
    trials = [entry for entry in order if part_of(entry[1]) == "trial"]
    assert sorted(trials) == sorted(manifest.trials_of(arm))
    assert [place for place, (_, key) in enumerate(order) if part_of(key) == "check"] == [16 + 8, 33 + 8]


def test_checks_stand_after_a_third_and_two_thirds(made) -> None:  # type: ignore[no-untyped-def]
    _, manifest, _, _ = made("production-possessive")
    order = manifest.order_of(manifest.arms[0], 0, "A")
    assert [place for place, (_, key) in enumerate(order) if part_of(key) == "check"] == [11, 22]
    assert len(order) == 34


@pytest.mark.parametrize("name", DESIGNS)
def test_checks_say_what_to_choose(made, name: str) -> None:  # type: ignore[no-untyped-def]
    plan, manifest, _, _ = made(name)
    assert len(checks_right(plan)) == 2
    for key, place in checks_right(plan).items():
        stimulus = manifest.stimuli[key]
        assert stimulus.prompt.startswith("This is a check that you read. Please ")
        assert stimulus.options[place] in stimulus.prompt


def test_passing_a_check() -> None:
    assert passed(2, 2)
    assert not passed(2, 1)
    assert not passed(2, None)
    assert passed(2, None, (1, 1, 7, 1))
    assert not passed(2, None, (1, 7, 7, 1))
    assert not passed(2, None, (7, 1, 1, 1))


def test_the_file_is_read_back(made) -> None:  # type: ignore[no-untyped-def]
    for name in ("follow-up", "comprehension", "indexicals"):
        _, manifest, _, _ = made(name)
        assert Manifest.from_json(json.loads(json.dumps(manifest.to_json()))) == manifest


def test_a_description_is_another_study(made) -> None:  # type: ignore[no-untyped-def]
    plan, manifest, _, folder = made("production-vocabulary")
    told, _ = manifest_of(replace(plan, description=True), folder)
    assert told.design_sha256 != manifest.design_sha256
    key, trial = next(iter(trials_of(plan).items()))
    assert f"The {trial.stimulus['gazer']} looks at the " in told.stimuli[key].title
    assert f"The {trial.stimulus['speaker']} has a speech bubble." in told.stimuli[key].title
    assert manifest.stimuli[key].title == "Two children stand at a table with four objects on it."


def test_the_hash_hangs_on_rules_and_texts_and_not_on_codes(made) -> None:  # type: ignore[no-untyped-def]
    plan, manifest, _, folder = made("production-vocabulary")

    def changed(**values: object) -> bool:
        return manifest_of(replace(plan, **values), folder)[0].design_sha256 != manifest.design_sha256  # type: ignore[arg-type]

    assert changed(analysis=("all",))
    assert changed(per_hour=10.0)
    assert changed(seed=1)
    assert not changed(codes={"complete": "C1"})
    text = (folder / "debriefing.md").read_text()
    (folder / "debriefing.md").write_text(text + "More.\n")
    assert changed()
    (folder / "debriefing.md").write_text(text)
    assert not changed()
