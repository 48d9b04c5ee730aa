"""People as participants: names, lists, and people made up with the published error rates."""

from collections import Counter
from statistics import NormalDist, fmean, median

import pytest

from deixis.errors import ParticipantError
from deixis.participants.human_like import ACCURACY, human_like, produced, skilled
from deixis.participants.listing import listing
from deixis.participants.people import made_up, own
from deixis.participants.registry import Setting, abilities, check_name, fits, is_model, model, participant_id, people
from deixis.participants.simulated import Simulated, person
from deixis.published.printed import printed
from deixis.records import AnswerMode, Option, Prompt, Response, Trial
from deixis.scenes.truth import DEMONSTRATIVES
from deixis.seeds import generator

OPTIONS = tuple(Option(f"{p} {w}", {"pronoun": p, "word": w}) for p in ("I", "You") for w in DEMONSTRATIVES)


def production(number: int, stimulus: dict[str, str] | None = None) -> Trial:
    return Trial(f"t{number}", "demonstrative", "people", "corrected", {}, OPTIONS, number % 4, stimulus or {})


def rated(number: int, word: str) -> Trial:
    task = "possessive" if word in ("mine", "yours") else "demonstrative"
    roles = ("target pair", "target pair", "other pair", "other pair") if task == "possessive" else "0123"
    options = tuple(Option(label, {"role": role}) for label, role in zip("ABCD", roles, strict=True))
    return Trial(f"r{number}", "comprehension", "people", "corrected", {"task": task, "word": word}, options, 0, {})


def answers(name: str, trials: list[Trial], seed: int = 0) -> list[Response]:
    prompts = [Prompt(trial.id, "", "", ("a",) * 4) for trial in trials]
    return list(Simulated(person(name, seed), trials, seed).respond(prompts, AnswerMode.GENERATE))


def attentive(count: int) -> list[str]:
    return [name for name in made_up(f"people:simulated/{count}") if not person(name, 0).careless]


def test_a_name_stands_for_so_many_people() -> None:
    assert made_up("people:simulated/2") == ["people:simulated/001", "people:simulated/002"]
    assert len(made_up("people:simulated")) == 40
    assert made_up("people:simulated/1200")[-1] == "people:simulated/1200"
    assert participant_id("people:simulated/24") == "people:simulated/001"
    assert abilities("people:simulated/3", Setting()).pictures
    assert not is_model("people:pilot/017")
    assert is_model("openai/gpt-4o")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("people:simulated/0", "cannot make up '0' people; give a number from 1 to 9999"),
        ("people:simulated/many", "cannot make up 'many' people"),
        ("people:simulated/", "cannot make up '' people"),
        ("people:pilot/017", "'people:pilot/017' cannot be asked by a run: people answer in a study"),
        ("people:", "cannot be asked by a run"),
    ],
)
def test_people_who_cannot_be_asked_are_refused(name: str, words: str) -> None:
    with pytest.raises(ParticipantError) as caught:
        check_name(name)
    assert words in str(caught.value)


def test_people_are_no_model() -> None:
    with pytest.raises(ParticipantError, match="'people:simulated/3' is no model"):
        model("people:simulated/3", Setting())


def test_lists_are_dealt_in_turn() -> None:
    trials = [production(number, {"list": str(1 + number % 4)}) for number in range(8)]
    assert [[trial.id for trial in own(trials, number)] for number in (1, 2, 4, 5)] == [
        ["t0", "t4"],
        ["t1", "t5"],
        ["t3", "t7"],
        ["t0", "t4"],
    ]
    assert own([production(1)], 3) == [production(1)]
    asked = {one.id: [trial.id for trial in listed] for one, listed in people("people:simulated/2", trials, 0)}
    assert asked == {"people:simulated/001": ["t0", "t4"], "people:simulated/002": ["t1", "t5"]}


def test_a_person_hangs_on_seed_and_name_alone() -> None:
    trials = [production(number) for number in range(20)]
    assert person("people:simulated/007", 0) == person("people:simulated/007", 0) != person("people:simulated/007", 1)
    whole = answers("people:simulated/007", trials)
    assert answers("people:simulated/007", trials[10:]) == whole[10:]
    assert answers("people:simulated/008", trials) != whole


def test_accuracies_are_the_published_ones() -> None:
    """Table 3, production; the mean over people of every skill is the accuracy."""
    table = {row["task"]: float(row["production"]) for row in printed("table3")}
    assert table == ACCURACY
    for task, accuracy in ACCURACY.items():
        skills = (NormalDist().inv_cdf((step + 0.5) / 1000) for step in range(1000))
        assert fmean(skilled(task, skill) for skill in skills) == pytest.approx(accuracy, abs=5e-4)
        assert skilled(task, 1) > skilled(task, 0) > skilled(task, -1)


def test_errors_are_of_the_word_first_then_of_pronoun_or_both() -> None:
    chance = generator(0, "test")
    taken = Counter(produced(production(0), 0.83, chance) for _ in range(8000))
    right, word, pronoun, both = (taken[place] / 8000 for place in (0, 1, 2, 3))
    assert right == pytest.approx(0.83, abs=0.015)
    assert [word, pronoun, both] == pytest.approx([0.17 * 0.6, 0.17 * 0.25, 0.17 * 0.15], abs=0.012)


def test_many_people_are_right_as_often_as_published_and_differ() -> None:
    trials = [production(number) for number in range(32)]
    shares = [
        fmean(response.choice == trial.answer for trial, response in zip(trials, answers(name, trials), strict=True))
        for name in attentive(200)
    ]
    assert fmean(shares) == pytest.approx(0.83, abs=0.025)
    assert max(shares) - min(shares) > 0.3


def test_one_in_forty_is_careless_random_and_fast() -> None:
    careless = [name for name in made_up("people:simulated/120") if person(name, 0).careless]
    assert len(careless) == 3
    assert [sum(int(name[-3:]) - 1 in range(start, start + 40) for name in careless) for start in (0, 40, 80)] == [
        1
    ] * 3
    trials = [production(number) for number in range(400)]
    found = answers(careless[0], trials)
    assert fmean(r.choice == t.answer for t, r in zip(trials, found, strict=True)) == pytest.approx(0.25, abs=0.07)
    assert median(r.seconds for r in found) < 2.5 < median(r.seconds for r in answers(attentive(9)[0], trials))
    ratings = [rating for r in answers(careless[0], [rated(n, "mine") for n in range(100)]) for rating in r.ratings]
    assert all(40 < ratings.count(value) < 80 for value in range(1, 8))


def means(word: str) -> list[float]:
    """Mean rating by place, the careless left out."""
    trials = [rated(number, word) for number in range(8)]
    ratings = [response.ratings for name in attentive(40) for response in answers(name, trials)]
    assert all(len(each) == 4 and set(each) <= set(range(1, 8)) for each in ratings)
    return [fmean(place) for place in zip(*ratings, strict=True)]


def test_possessives_are_binary() -> None:
    for word in ("mine", "yours"):
        found = means(word)
        assert found[0] == found[1] > 5.8
        assert found[2] == found[3] < 2.2


def test_demonstratives_are_graded_and_this_one_is_sharper() -> None:
    this, that = means("this one"), means("that one")
    assert this == sorted(this, reverse=True)
    assert that == sorted(that)
    assert this[0] - this[1] > that[3] - that[2] + 0.5
    assert that[3] - that[2] < 1.5


def test_human_like_answers_only_where_it_is_named() -> None:
    assert fits("strategy:human-like", "possessive")
    assert not fits("strategy:human-like", "comprehension")
    assert human_like(production(1), 0) == human_like(production(1), 0)
    right = fmean(human_like(production(number), 0) == number % 4 for number in range(2000))
    assert right == pytest.approx(0.83, abs=0.03)
    lines = "\n".join(listing())
    assert "(vocabulary, possessive, demonstrative; only where named)" in lines
    assert "people:simulated/N" in lines
