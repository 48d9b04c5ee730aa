"""Reference participants at the table: the exact scores that enumeration says, and which errors they make."""

from collections.abc import Sequence
from functools import cache
from itertools import islice

import pytest

from deixis.participants.perspectives import BLIND
from deixis.participants.strategies import RULES, Strategy
from deixis.records import AnswerMode, Outcome, Prompt, Score, Trial
from deixis.scoring import score
from tests.experiments.test_perspectives import EVERY, LISTS, ONCE, PROTOCOLS, TASKS, VARIED, staged, table

POSITIONS = ("first-option", "second-option", "third-option", "last-option")
_PRONOUNS = dict.fromkeys(("always-I", "always-You", "speaker-blind", "gazer-blind"), 0.5)
EXACT = {
    "vocabulary": _PRONOUNS,
    "possessive": {**_PRONOUNS, "owner-is-me": 0.5},
    "demonstrative": {**_PRONOUNS, "always-this": 0.5, "always-that": 0.5, "distance-from-listener": 0.0},
}
"""Accuracy over the main trials, the others being .25 for every position, 1 for the oracle, or the ceiling."""


def scored(name: str, trials: Sequence[Trial], prompts: Sequence[Prompt]) -> list[Score]:
    """What a participant earns, in the order of the trials."""
    given = {response.trial_id: response for response in Strategy(name, trials, 0).respond(prompts, AnswerMode.CHOOSE)}
    return [score(trial, given[trial.id], "strict") for trial in trials]


@cache
def scores(
    strategy: str, name: str, condition: str = "main", protocol: str = "corrected", **settings: str
) -> list[Score]:
    design = table(name, condition, protocol, **settings)
    return scored(strategy, design.trials, design.prompts)


def accuracy(found: Sequence[Score]) -> float:
    return sum(one.credit for one in found) / len(found)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("name", "condition"), [*((name, "main") for name in TASKS), *ONCE, *LISTS])
def test_the_oracle_is_always_right(name: str, condition: str, protocol: str) -> None:
    assert {one.credit for one in scores("oracle", name, condition, protocol)} == {1.0}


@pytest.mark.parametrize(("name", "strategy"), [(name, strategy) for name in EXACT for strategy in EXACT[name]])
def test_blindness_costs_what_enumeration_says(name: str, strategy: str) -> None:
    for protocol in PROTOCOLS:
        found = scores(strategy, name, "main", protocol)
        assert {one.outcome for one in found} == {Outcome.ANSWERED}
        assert accuracy(found) == EXACT[name][strategy]


@pytest.mark.parametrize(("name", "settings"), VARIED)
def test_every_position_is_right_in_a_quarter(name: str, settings: dict[str, str]) -> None:
    assert [accuracy(scores(position, name, **settings)) for position in POSITIONS] == [0.25] * 4


@pytest.mark.parametrize(("name", "condition"), [*ONCE, *LISTS])
def test_every_position_is_right_equally_often_in_smaller_sets(name: str, condition: str) -> None:
    count = len(table(name, condition).trials[0].options)
    for position in ("first-option", "last-option"):
        assert accuracy(scores(position, name, condition)) == 1 / count
    silent = scores("third-option", name, condition)
    assert {one.outcome for one in silent} == {Outcome.ANSWERED if count == 4 else Outcome.UNREADABLE}


def test_the_noun_is_copied_where_it_is_named() -> None:
    assert accuracy(scores("copy-the-noun", "vocabulary", "main", "published")) == 0.5
    assert accuracy(scores("copy-the-noun", "vocabulary", "main", "published", answers="four")) == 1.0
    silent = scores("copy-the-noun", "vocabulary")
    assert {(one.outcome, one.choice, one.credit) for one in silent} == {(Outcome.UNREADABLE, None, 0.0)}


@pytest.mark.parametrize("channel", ["text", "picture"])
@pytest.mark.parametrize(("name", "protocol", "condition"), EVERY)
def test_one_channel_alone_earns_its_ceiling(name: str, protocol: str, condition: str, channel: str) -> None:
    """Over the scenes of one group of objects, which is the same for all groups."""
    found = staged(name, condition, protocol)
    scenes = islice(found.ground.scenes(found.task.scenes), 192)
    trials, prompts = zip(*(found.pair(scene, found.task.order(scene, found.ground)) for scene in scenes), strict=True)
    ceilings = {row.channel: row.ceiling for row in found.ceilings()}
    given = accuracy(scored(f"{channel}-only", trials, prompts))
    if channel in ceilings:
        assert given == pytest.approx(ceilings[channel], abs=1e-12)


@pytest.mark.parametrize("channel", ["text", "picture"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("name", "condition"), [*((name, "main") for name in TASKS), *ONCE, *LISTS])
def test_one_channel_alone_earns_its_ceiling_in_whole_designs(
    name: str, condition: str, protocol: str, channel: str
) -> None:
    ceilings = {row.channel: row.ceiling for row in staged(name, condition, protocol).ceilings()}
    if channel in ceilings:
        assert accuracy(scores(f"{channel}-only", name, condition, protocol)) == pytest.approx(
            ceilings[channel], abs=1e-12
        )


def errors(strategy: str, name: str) -> dict[str, set[tuple[str, ...]]]:
    """Speaker and perspective to the features in which answers differ from the right one."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for trial, one in zip(table(name).trials, scores(strategy, name), strict=True):
        assert one.choice is not None
        said, right = trial.options[one.choice].features, trial.options[trial.answer].features
        situation = f"{trial.factors['speaker']}, {trial.factors['perspective']}"
        found.setdefault(situation, set()).add(tuple(name for name in right if said[name] != right[name]))
    return found


@pytest.mark.parametrize("name", TASKS)
def test_who_is_blind_to_the_speaker_errs_in_everything_when_the_girl_speaks(name: str) -> None:
    wrong = ("pronoun",) if name == "vocabulary" else ("pronoun", "word")
    assert errors("speaker-blind", name) == {
        "boy, I": {()},
        "boy, You": {()},
        "girl, I": {wrong},
        "girl, You": {wrong},
    }


@pytest.mark.parametrize("name", TASKS)
def test_who_is_blind_to_the_gazer_errs_in_the_pronoun(name: str) -> None:
    for strategy, wrong in (("gazer-blind", "You"), ("always-I", "You"), ("always-You", "I")):
        for situation, found in errors(strategy, name).items():
            assert found == ({("pronoun",)} if situation.endswith(wrong) else {()})


@pytest.mark.parametrize(
    ("name", "strategy", "wrong"),
    [
        ("possessive", "owner-is-me", "yours"),
        ("demonstrative", "always-this", "that one"),
        ("demonstrative", "always-that", "this one"),
        ("demonstrative", "distance-from-listener", ""),
    ],
)
def test_who_is_blind_to_places_errs_in_the_word(name: str, strategy: str, wrong: str) -> None:
    assert {tuple(found) for found in map(sorted, errors(strategy, name).values())} <= {((), ("word",)), (("word",),)}
    for trial, one in zip(table(name).trials, scores(strategy, name), strict=True):
        assert one.credit == float(wrong not in trial.options[trial.answer].features["word"])


@pytest.mark.parametrize("name", [*TASKS, "checks"])
def test_each_experiment_has_its_participants(name: str) -> None:
    assert set(RULES[name]) == {"oracle", "chance", *POSITIONS, *BLIND[name]}
    assert set(BLIND[name]) == {*EXACT.get(name, ()), "text-only", "picture-only"} | (
        {"copy-the-noun"} if name == "vocabulary" else set()
    )
    assert all(rule.__doc__ for rule in RULES[name].values())
