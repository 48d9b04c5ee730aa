"""Error classes: every option of every trial has one, and participants with known errors make just those."""

from collections import Counter
from functools import cache

import pytest

from deixis.experiments import EXPERIMENTS, experiment
from deixis.experiments.experiment import Design
from deixis.participants.strategies import Strategy
from deixis.records import COUNTED, AnswerMode, Option, OptionScore, Outcome, Response, Score, Trial
from deixis.scenes.truth import DEMONSTRATIVES, POSSESSIVES
from deixis.scoring.error_classes import ErrorClass, error_class, option_class
from deixis.scoring.score import score
from tests.experiments.test_perspectives import table

SCENES = ("vocabulary", "possessive", "demonstrative")
FOUR = {
    "vocabulary": ["Correct", "PPE", "ONE", "Double"],
    "possessive": ["Correct", "PPE", "PoPE", "Double"],
    "demonstrative": ["Correct", "PPE", "DPE", "Double"],
}


def built(name: str, condition: str = "main", **settings: str) -> Design:
    return _bank() if name == "indexicals" else table(name, condition, **settings)


@cache
def _bank() -> Design:
    return experiment("indexicals").design(None, "main", "corrected", 0)


def answered(trial: Trial, choice: int | None, outcome: Outcome = Outcome.ANSWERED, *, tied: bool = False) -> Score:
    return Score(trial.id, outcome, choice, 0.0, "", "", tied)


def made_by(strategy: str, design: Design) -> Counter[str]:
    given = Strategy(strategy, design.trials, 0).respond(design.prompts, AnswerMode.CHOOSE)
    pairs = zip(design.trials, given, strict=True)
    return Counter(str(error_class(trial, score(trial, response, "strict"))) for trial, response in pairs)


def test_names_and_order_are_those_of_the_paper() -> None:
    """Figure 18: PPE, ONE, PoPE, DPE, Double, NFI, Correct; ours come between Double and NFI."""
    names = [error.value for error in ErrorClass]
    assert [name for name in names if name in {"PPE", "ONE", "PoPE", "DPE", "Double", "NFI", "Correct"}] == [
        *("Correct", "PPE", "ONE", "PoPE", "DPE", "Double", "NFI")
    ]
    assert names[6:14] == [
        *("Shift", "Unshift", "Other name", "Other child", "Other object", "Verdict", "Wrong", "Tie")
    ]
    assert all(error.meaning and "\n" not in error.meaning for error in ErrorClass)


@pytest.mark.parametrize("name", SCENES)
def test_the_four_options_of_a_scene_are_one_of_each(name: str) -> None:
    for trial in built(name).trials:
        found = [option_class(trial, choice).value for choice in range(4)]
        assert sorted(found) == sorted(FOUR[name])


@pytest.mark.parametrize(("name", "condition"), [(e.name, c) for e in EXPERIMENTS.values() for c in e.asked])
def test_every_option_has_a_class_of_its_experiment(name: str, condition: str) -> None:
    asked = condition.removesuffix("-people")
    allowed = {
        **{task: set(classes) for task, classes in FOUR.items()},
        "indexicals": {"Correct", "Shift", "Unshift"},
        "comprehension": {"Correct", "Other object"},
        "checks": {"Correct", {"object": "ONE", "control": "Verdict"}.get(asked, "Other child")},
    }
    for trial in built(name, condition).trials:
        found = [option_class(trial, choice).value for choice in range(len(trial.options))]
        right = {place for place, name in enumerate(found) if name == "Correct"}
        assert trial.answer in right
        assert right == set(trial.meant)
        assert len(right) == (2 if trial.factors.get("task") == "possessive" else 1)
        assert set(found) <= allowed[name]


def test_four_nouns_leave_no_pronoun_to_get_wrong() -> None:
    for trial in built("vocabulary", answers="four").trials[:200]:
        assert sorted(option_class(trial, choice).value for choice in range(4)) == ["Correct", "ONE", "ONE", "ONE"]


def test_every_word_of_the_scenes_is_known() -> None:
    for words, error in ((POSSESSIVES, ErrorClass.POPE), (DEMONSTRATIVES, ErrorClass.DPE)):
        for right, taken in (words, words[::-1]):
            options = tuple(Option("", {"pronoun": "I", "word": word}) for word in (right, taken))
            assert option_class(Trial("t", "x", "m", "c", {}, options, 0, {}), 1) is error


def test_features_that_say_nothing_leave_a_wrong_option_wrong() -> None:
    options = (Option("Ida", {}), Option("Nora", {}), Option("Eve", {"noun": "x", "word": "y"}))
    trial = Trial("t", "x", "m", "c", {}, options, 0, {})
    assert [option_class(trial, choice).value for choice in range(3)] == ["Correct", "Wrong", "Wrong"]


@pytest.mark.parametrize("choice", [None, 0, 1])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_has_one_class_or_counts_as_not_asked(
    outcome: Outcome, choice: int | None, *, tied: bool
) -> None:
    trial = built("possessive").trials[0]
    found = error_class(trial, answered(trial, choice, outcome, tied=tied))
    if outcome not in COUNTED:
        assert found is None
    elif outcome is Outcome.ANSWERED and choice is not None:
        assert found is option_class(trial, choice)
    else:
        assert found is (ErrorClass.TIE if tied or outcome is Outcome.ANSWERED else ErrorClass.NFI)


def test_a_tie_of_log_probabilities_is_nobody_s_error() -> None:
    trial = built("possessive").trials[0]
    even = Response(trial.id, scores=(OptionScore(-1.0, 1),) * 4)
    assert error_class(trial, score(trial, even, "strict")) is ErrorClass.TIE


@pytest.mark.parametrize(
    ("name", "strategy", "expected"),
    [
        *((name, "oracle", {"Correct": 6144}) for name in SCENES),
        *((name, "first-option", dict.fromkeys(FOUR[name], 1536)) for name in SCENES),
        *((name, "last-option", dict.fromkeys(FOUR[name], 1536)) for name in SCENES),
        *((name, "always-You", {"Correct": 3072, "PPE": 3072}) for name in SCENES),
        *((name, "gazer-blind", {"Correct": 3072, "PPE": 3072}) for name in SCENES),
        ("vocabulary", "speaker-blind", {"Correct": 3072, "PPE": 3072}),
        ("vocabulary", "copy-the-noun", {"Tie": 6144}),
        ("possessive", "speaker-blind", {"Correct": 3072, "Double": 3072}),
        ("possessive", "owner-is-me", {"Correct": 3072, "PoPE": 3072}),
        ("demonstrative", "speaker-blind", {"Correct": 3072, "Double": 3072}),
        ("demonstrative", "always-that", {"Correct": 3072, "DPE": 3072}),
        ("demonstrative", "distance-from-listener", {"DPE": 6144}),
        ("indexicals", "oracle", {"Correct": 3200}),
        ("indexicals", "always-shifted", {"Correct": 1600, "Shift": 1600}),
        ("indexicals", "never-shifted", {"Correct": 1600, "Unshift": 1600}),
        ("indexicals", "prime-follower", {"Correct": 1600, "Shift": 800, "Unshift": 800}),
    ],
)
def test_known_errors_have_their_classes(name: str, strategy: str, expected: dict[str, int]) -> None:
    assert made_by(strategy, built(name)) == expected


@pytest.mark.parametrize("name", SCENES)
def test_chance_makes_each_in_about_a_quarter(name: str) -> None:
    """A standard deviation is √(6144 · ¼ · ¾) = 34."""
    found = made_by("chance", built(name))
    assert sorted(found) == sorted(FOUR[name])
    assert all(abs(count - 1536) < 4 * 34 for count in found.values())


PASSAGE = "I am Nora. Last week I met Ida in New York with Tom. Tom said that Ida would call Eve."
NAMED = Trial(
    "t",
    "indexicals",
    "main",
    "corrected",
    {},
    (Option("Nora", {"reading": "non-shifted"}), Option("Ida", {"reading": "shifted"})),
    0,
    {"passage": PASSAGE.replace("I am", "People call me")},
)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Tom.", ErrorClass.OTHER_NAME),
        ("The answer is **Tom**", ErrorClass.OTHER_NAME),
        ("in New York", ErrorClass.OTHER_NAME),
        ("Tom, yes, Tom", ErrorClass.OTHER_NAME),
        ("Eve or Tom", ErrorClass.NFI),
        ("Zoe", ErrorClass.NFI),
        ("not Nora but Tom", ErrorClass.NFI),
        ("the narrator", ErrorClass.NFI),
        ("Last week", ErrorClass.NFI),
        ("The passage is a story about somebody called Tom who calls people", ErrorClass.NFI),
        ("", ErrorClass.NFI),
    ],
)
def test_another_name_is_known_as_far_as_the_text_says(said: str, expected: ErrorClass) -> None:
    assert error_class(NAMED, answered(NAMED, None, Outcome.UNREADABLE), said) is expected


def test_only_an_unreadable_answer_names_somebody_else() -> None:
    assert error_class(NAMED, answered(NAMED, None, Outcome.REFUSED), "Tom") is ErrorClass.NFI
    assert error_class(NAMED, answered(NAMED, 0), "Tom") is ErrorClass.CORRECT
    scene = built("possessive").trials[0]
    assert error_class(scene, answered(scene, None, Outcome.UNREADABLE), "Tom") is ErrorClass.NFI
