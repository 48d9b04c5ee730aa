"""Indexicals before people: the Latin square, what files of items it takes, and made-up people who read."""

from collections import Counter
from pathlib import Path

import pytest

from deixis.errors import ItemsError, UsageError
from deixis.experiments import experiment
from deixis.experiments.latin import lists
from deixis.items.bank import load_bank
from deixis.participants.registry import people
from deixis.records import AnswerMode
from tests.conftest import item_rows, write_csv


def test_every_question_is_on_one_of_forty_lists_and_asked_as_in_classic() -> None:
    trials = experiment("indexicals").design(condition="people").trials
    assert Counter(trial.stimulus["list"] for trial in trials) == {str(number): 40 for number in range(1, 41)}
    classic = {trial.id: trial for trial in experiment("indexicals").design(condition="classic").trials}
    for trial in trials:
        assert trial.options == classic[trial.id].options
        assert {**classic[trial.id].stimulus, "list": trial.stimulus["list"]} == trial.stimulus


def test_an_item_is_on_four_lists_in_four_versions() -> None:
    found = lists(load_bank())
    for item in ("I/001", "here/100", "tomorrow/055"):
        where = [found[f"{item}/{sentence}/{prime}"] for sentence in ("non-quoted", "quoted") for prime in
                 ("non-shifted", "shifted")]  # fmt: skip
        assert len(set(where)) == 4
        assert len({(int(one) - 1) // 4 for one in where}) == 1


def test_items_have_to_come_in_tens(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "few.csv", item_rows(1) + item_rows(2))
    with pytest.raises(ItemsError, match="needs tens of items, as many of each indexical; there is 2 of"):
        list(experiment("indexicals").design(path, "people").pairs())


def test_made_up_readers_have_a_list_each_and_follow_the_grammar() -> None:
    trials = experiment("indexicals").design(condition="people").trials
    by_id = {trial.id: trial for trial in trials}
    prompts = {prompt.trial_id: prompt for prompt in experiment("indexicals").design(condition="people").prompts}
    right, seen, seconds = [], set(), []
    for one, own in people("people:simulated/40", trials, 0):
        assert len(own) == 40
        seen |= {trial.id for trial in own}
        for response in one.respond([prompts[trial.id] for trial in own], AnswerMode.CHOOSE):
            assert response.choice is not None
            right.append(by_id[response.trial_id].is_right(response.choice))
            seconds.append(response.seconds)
    assert len(seen) == 1600
    assert 0.90 < sum(right) / len(right) < 0.97
    assert 20 < sorted(seconds)[800] < 30


def test_settings_have_no_say() -> None:
    with pytest.raises(UsageError, match="the setting 'list' changes nothing"):
        experiment("indexicals").settled_design(None, "people", "corrected", 0, {"list": "2"})
