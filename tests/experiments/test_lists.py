"""People's lists: one design can hold all four, each trial as it is on its own list."""

from collections import Counter
from dataclasses import replace

import pytest

from deixis.errors import UsageError
from deixis.experiments import experiment
from deixis.experiments.settings import read_settings
from tests.experiments.test_perspectives import LISTS, table


@pytest.mark.parametrize(("name", "condition"), LISTS)
def test_all_lists_are_the_four_one_after_another(name: str, condition: str) -> None:
    together = list(table(name, condition, list="all").pairs())
    single = [pair for number in "1234" for pair in table(name, condition, list=number).pairs()]
    assert [trial.stimulus["list"] for trial, _ in together] == [n for n in "1234" for _ in range(len(single) // 4)]
    for (trial, prompt), (alone, asked) in zip(together, single, strict=True):
        without = {part: text for part, text in trial.stimulus.items() if part != "list"}
        assert (replace(trial, stimulus=without), prompt) == (alone, asked)


@pytest.mark.parametrize("name", ["vocabulary", "possessive", "demonstrative"])
def test_every_display_comes_in_all_four_versions_once_on_each_list(name: str) -> None:
    shown = Counter[str]()
    met: dict[str, set[str]] = {}
    for trial in table(name, "people", list="all").trials:
        display = trial.id.rsplit("/", 2)[0]
        shown[display] += 1
        met.setdefault(display, set()).add(trial.stimulus["list"])
    assert set(shown.values()) == {4}
    assert all(lists == set("1234") for lists in met.values())


def test_a_single_list_says_nothing_of_lists() -> None:
    assert all("list" not in trial.stimulus for trial in table("possessive", "people").trials)
    assert all("list" not in trial.stimulus for trial in table("possessive", "people", "published").trials)


def test_the_setting_is_refused_where_there_is_one_list() -> None:
    with pytest.raises(UsageError, match="the setting 'list' cannot be '5'; it is 1 or 2 or 3 or 4 or all"):
        read_settings(["list=5"])
    with pytest.raises(UsageError, match="the setting 'list' changes nothing of possessive, people, published"):
        experiment("possessive").settled_design(None, "people", "published", 0, {"list": "all"})


def test_a_trial_of_any_list_is_found_by_its_id() -> None:
    design = table("possessive", "people", list="all")
    assert design.find is not None
    assert all(design.find(trial.id) == (trial, prompt) for trial, prompt in list(design.pairs())[::17])
