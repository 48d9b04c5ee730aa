"""People made up in a run: each has a list, is planned for it by name, and the same command adds people and goes on."""

import json
from pathlib import Path

import pytest

from deixis.analysis.people.ratings import ratings
from deixis.analysis.tidy import tidy
from deixis.errors import UsageError
from deixis.runs.planning import plan
from deixis.runs.run import Asked
from deixis.runs.session import designs, run
from deixis.scoring.results import read_results
from tests.runs.scripted import Quiet
from tests.runs.test_session import asked


def answered(out: Path, people: str, **changes: object) -> list[Asked]:
    wanted = asked(
        **{
            "experiments": ("possessive",),
            "conditions": ("people",),
            "participants": (people,),
            "settings": {"list": "all"},
            "out": out,
            **changes,
        }
    )
    return [turn for turn in run(wanted, designs(wanted), Quiet()) if turn.participant.startswith("people:")]


def outcomes(out: Path) -> dict[str, list[str]]:
    (found,) = read_results(out)
    return {
        result.participant.removeprefix("people:simulated/"): [row.score.outcome.value for row in result.rows]
        for result in found.models
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("people")
    turns = answered(out, "people:simulated/5")
    assert [(turn.planned, turn.new) for turn in turns] == [(32, 32)] * 5
    return out


def test_each_has_one_list_and_nothing_else_counts_as_missing(folder: Path) -> None:
    (found,) = read_results(folder)
    lists = {result.participant: {row.trial.stimulus["list"] for row in result.rows} for result in found.models}
    assert list(lists.values()) == [{"1"}, {"2"}, {"3"}, {"4"}, {"1"}]
    assert all(said == ["answered"] * 32 for said in outcomes(folder).values())
    assert {len(result.rows) for result in found.references.values()} == {128}
    assert all(row.response and row.response.seconds > 0 for result in found.models for row in result.rows)
    assert {result.signature["answer"] for result in found.models} == {"choice"}
    assert {result.signature["simulated_by"] for result in found.models} == {"human-like-1"}


def test_the_plan_stands_by_name_beside_the_answers(folder: Path) -> None:
    (path,) = (folder / "possessive-people" / "answers").glob("people-simulated-002-*.json")
    kept = json.loads(path.read_text())
    (found,) = read_results(folder)
    rows = next(result.rows for result in found.models if result.participant.endswith("002"))
    assert kept["planned"] == 32
    assert set(kept["trials"]) == {row.trial.id for row in rows}


def test_more_people_can_come_and_nobody_is_asked_twice(tmp_path: Path) -> None:
    answered(tmp_path, "people:simulated/2", limit=8)
    assert [len(said) for said in outcomes(tmp_path).values()] == [8, 8]
    before = {
        path.name: path.read_text() for path in (tmp_path / "possessive-people" / "answers").glob("people*.jsonl")
    }
    turns = answered(tmp_path, "people:simulated/3")
    assert [(turn.planned, turn.new) for turn in turns] == [(32, 24), (32, 24), (32, 32)]
    for name, text in before.items():
        assert (tmp_path / "possessive-people" / "answers" / name).read_text().startswith(text)
    assert answered(tmp_path, "people:simulated/3", limit=8)[0].new == 0
    assert [len(said) for said in outcomes(tmp_path).values()] == [32, 32, 32]


def test_an_answer_that_is_lost_is_missing_and_asked_again_the_same(tmp_path: Path) -> None:
    answered(tmp_path, "people:simulated/1")
    (path,) = (tmp_path / "possessive-people" / "answers").glob("people*.jsonl")
    whole = path.read_text()
    path.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    assert sorted(outcomes(tmp_path)["001"]) == ["answered"] * 31 + ["missing"]
    assert answered(tmp_path, "people:simulated/1")[0].new == 1
    assert path.read_text() == whole


def test_comprehension_is_rated(tmp_path: Path) -> None:
    changes = {"experiments": ("comprehension",), "settings": {}, "conditions": ()}
    assert [turn.new for turn in answered(tmp_path, "people:simulated/3", **changes)] == [16] * 3
    found = list(read_results(tmp_path))
    table = ratings(found)
    assert len(table) == 3 * 16 * 4
    assert table.groupby("task").role.unique().map(set).to_dict() == {
        "possessive": {"target pair", "other pair"},
        "demonstrative": {"0", "1", "2", "3"},
    }
    assert {result.signature["answer"] for result in found[0].models} == {"rating"}
    references = {name: sum(row.score.credit for row in r.rows) / 16 for name, r in found[0].references.items()}
    whole = tidy(found, references=True)
    assert whole.groupby("participant", observed=True).correct.mean().filter(like="strategy:").to_dict() == {
        f"strategy:{name}": pytest.approx(share) for name, share in references.items()
    }
    assert whole[["text_ceiling", "picture_ceiling", "both_ceiling"]].mean().tolist() == [0.5, 1.0, 1.0]
    assert references["oracle"] == references["picture-only"] == 1.0
    assert references["text-only"] == 0.5
    assert references["first-option"] == 0.5  # A is of the pair in half of the trials, and at the right end in half
    assert references["second-option"] == 0.25  # B is of the pair in half, and never at an end


def test_a_named_strategy_comes_along_only_where_it_is_named(tmp_path: Path) -> None:
    answered(tmp_path, "strategy:human-like")
    (found,) = read_results(tmp_path)
    assert "human-like" in found.references
    assert len(found.references["human-like"].rows) == 128


PEOPLE = {"participants": ("people:simulated/4",)}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"experiments": ("possessive",), **PEOPLE},
            "answers the condition 'people' only, which possessive lacks here",
        ),
        ({"experiments": ("checks",), **PEOPLE}, "which checks lacks here; leave checks out"),
        ({"experiments": ("comprehension",)}, "comprehension has people rate objects, which models are not asked"),
        ({"experiments": ("comprehension",), "participants": ("strategy:human-like",)}, "says nothing about comp"),
        (
            {"experiments": ("comprehension",), "participants": ("people:simulated/4", "people:simulated/5")},
            "two participants would both be called 'people:simulated/001'; name people once",
        ),
    ],
)
def test_what_does_not_fit_is_refused_at_once(changes: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        asked(**changes)
    assert words in str(caught.value)


def test_a_plan_knows_people() -> None:
    made = plan(experiments=("comprehension",), participants=("people:simulated/4",))
    assert made.parts == (("comprehension", "people"),)
    with pytest.raises(UsageError, match="comprehension has people rate objects"):
        plan(experiments=("comprehension",), participants=("openai/gpt-4o",))
