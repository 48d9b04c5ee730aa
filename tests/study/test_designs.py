"""The designs: numbers as in the paper, and lists whose balance is counted, arm by arm."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from deixis.errors import UsageError
from deixis.experiments import experiment
from deixis.records import Trial
from deixis.study.balance import display, told
from deixis.study.designs import DESIGNS, study_design
from deixis.study.practice import check_trials, practice_trials
from deixis.study.settings import Plan, protocols
from deixis.study.trials import key_of, lists_of, trials_of

EVERY = [(name, protocol) for name, design in DESIGNS.items() for protocol in protocols(design)]
PRODUCED = [(name, protocol) for name, protocol in EVERY if name not in {"comprehension", "indexicals"}]


def plan(name: str, protocol: str = "corrected", **settings: str) -> Plan:
    return Plan("pilot", "A study", DESIGNS[name], protocol, settings=settings)


def levels(trials: tuple[Trial, ...], *names: str) -> Counter[tuple[str, ...]]:
    return Counter(tuple({**trial.factors, **told(trial)}[name] for name in names) for trial in trials)


def test_designs_are_those_of_the_papers() -> None:
    trials = {name: [block.trials for block in design.blocks] for name, design in DESIGNS.items()}
    assert trials == {
        "production-vocabulary": [16],
        "production-possessive": [32],
        "production-demonstrative": [32],
        "follow-up": [16, 16, 16],
        "comprehension": [16],
        "indexicals": [40],
    }
    assert [design.people for design in DESIGNS.values()] == [120, 120, 120, 100, 100, 200]
    assert DESIGNS["follow-up"].order_ids == ("V-P-D", "V-D-P")


def test_an_unknown_design_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="no study 'folow-up'; nearest: follow-up"):
        study_design("folow-up")


@pytest.mark.parametrize(("name", "protocol"), EVERY)
def test_every_list_is_as_long_as_its_blocks(name: str, protocol: str) -> None:
    lists = lists_of(plan(name, protocol))
    many = 1 if protocol == "published" or name == "comprehension" else 4
    assert list(lists) == [str(n + 1) for n in range(40 if name == "indexicals" else many)]
    for blocks in lists.values():
        assert {block: len(trials) for block, trials in blocks.items()} == {
            block.id: block.trials for block in DESIGNS[name].blocks
        }


@pytest.mark.parametrize("settings", [{}, {"boy": "right"}], ids=["left", "right"])
@pytest.mark.parametrize(("name", "protocol"), PRODUCED)
def test_production_is_balanced_in_every_list(name: str, protocol: str, settings: dict[str, str]) -> None:
    for blocks in lists_of(plan(name, protocol, **settings)).values():
        for block, trials in blocks.items():
            many = len(trials)
            ends = 2 if block == "demonstrative" else 4
            for factor, count in {"speaker": 2, "perspective": 2, "position": 4, "place": ends}.items():
                assert set(levels(trials, factor).values()) == {many // count}, (block, factor)
                assert len(levels(trials, factor)) == count
            assert set(levels(trials, "speaker", "perspective", "place").values()) == {many // (4 * ends)}
            if block != "vocabulary":
                assert set(levels(trials, "answer").values()) == {many // 4}
                if many == 32 or protocol != "published":
                    assert set(levels(trials, "answer", "position").values()) == {many // 16}


def test_a_follow_up_shows_each_arrangement_in_each_version_and_no_group_twice_in_a_block() -> None:
    for blocks in lists_of(plan("follow-up")).values():
        assert set(levels(blocks["possessive"], "arrangement", "speaker", "gazer").values()) == {2}
        assert all(max(Counter(t.factors["group"] for t in trials).values()) == 1 for trials in blocks.values())


@pytest.mark.parametrize("name", [name for name, _ in PRODUCED])
def test_lists_hold_the_same_displays_each_in_another_version(name: str) -> None:
    lists = lists_of(plan(name))
    for block in lists["1"]:
        shown = [Counter(display(trial) for trial in lists[number][block]) for number in "1234"]
        assert all(one == shown[0] and set(one.values()) == {1} for one in shown)
        ids = [{trial.id for trial in lists[number][block]} for number in "1234"]
        assert not any(one & other for one, other in combinations(ids, 2))


def test_comprehension_has_eight_of_either_task_each_sentence_from_each_child() -> None:
    (blocks,) = lists_of(plan("comprehension")).values()
    for task in ("possessive", "demonstrative"):
        trials = tuple(trial for trial in blocks["comprehension"] if trial.factors["task"] == task)
        assert len(trials) == 8
        assert set(levels(trials, "speaker", "perspective", "word").values()) == {1}
        assert set(levels(trials, "half").values()) == {4}
        assert [option.text for option in trials[0].options] == list("ABCD")


@pytest.mark.parametrize("protocol", ["corrected", "published", "described"])
def test_indexicals_ask_every_question_on_one_list(protocol: str) -> None:
    lists = lists_of(plan("indexicals", protocol))
    asked = Counter(trial.id for blocks in lists.values() for trial in blocks["indexicals"])
    assert len(asked) == 1600
    assert set(asked.values()) == {1}
    assert set(asked) == {trial.id for trial in experiment("indexicals").design(condition="classic").trials}


def test_a_list_of_indexicals_is_balanced() -> None:
    for blocks in lists_of(plan("indexicals")).values():
        trials = blocks["indexicals"]
        assert len({trial.factors["item"] for trial in trials}) == 40
        assert set(levels(trials, "indexical").values()) == {10}
        assert set(levels(trials, "sentence_type", "context_prime").values()) == {10}
        each = levels(trials, "indexical", "sentence_type", "context_prime")
        assert len(each) == 16
        assert set(each.values()) == {2, 3}
        assert set(levels(trials, "sentence_type", "context_prime", "position").values()) == {5}


@pytest.mark.parametrize("name", DESIGNS)
def test_practice_and_checks_show_what_no_list_shows(name: str) -> None:
    made = replace(plan(name), practice=3, checks=4)
    extra = [*practice_trials(made).values(), *check_trials(made).values()]
    assert len(extra) == 3 * len(made.design.blocks) + 4
    listed = {display(trial) for trial in trials_of(made).values()}
    groups = {trial.factors.get("group", trial.id) for trial in trials_of(made).values()}
    for trial in extra:
        assert trial.factors.get("group", trial.id) not in groups
        assert not trial.factors or display(trial) not in listed


@pytest.mark.parametrize("name", DESIGNS)
def test_a_check_never_asks_for_what_is_right_anyway(name: str) -> None:
    made = plan(name)
    for key, trial in check_trials(made).items():
        block = made.design.block(key.split("/")[1])
        if block.kind == "text-choice":
            assert trial.answer in {0, 1}
        else:
            design = experiment(block.experiment).design(condition="people", settings={"list": "all"})
            assert design.find is not None
            pair = design.find(trial.id)
            assert pair is not None
            assert not pair[0].is_right(trial.answer)


def test_checks_are_spread_over_blocks() -> None:
    blocks = ("vocabulary", "possessive", "demonstrative")
    many = {checks: [replace(plan("follow-up"), checks=checks).checks_of(b) for b in blocks] for checks in range(5)}
    assert many == {0: [0, 0, 0], 1: [0, 0, 1], 2: [0, 1, 1], 3: [1, 1, 1], 4: [1, 1, 2]}


def test_keys_say_nothing_and_hang_on_the_seed() -> None:
    made = plan("production-possessive")
    keys = list(trials_of(made))
    assert keys == sorted(keys)
    assert not any(word in " ".join(keys) for word in ("boy", "girl", "possessive"))
    one = next(iter(trials_of(made).values())).id
    assert key_of(made, one) != key_of(replace(made, seed=1), one)
    assert trials_of(made)[key_of(made, one)].id == one
