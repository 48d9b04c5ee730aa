"""One row a trial: what each column holds for answers, faults, gaps and ties."""

import numpy as np
import pandas as pd
import pytest

from deixis.analysis.tidy import LEADING, tidy
from deixis.errors import AnalysisError
from deixis.records import Option, OptionScore, Response, Trial
from deixis.scoring.results import DesignResults, Result, Scored
from deixis.scoring.score import score

SIGNATURE: dict[str, str | int] = {"experiment": "indexicals", "condition": "main", "protocol": "corrected", "seed": 0}


def passage(number: int, answer: int = 0) -> Trial:
    options = (Option("Nora", {"reading": "non-shifted"}), Option("Ida", {"reading": "shifted"}))
    factors = {"indexical": "I", "item": f"I/{number:03}", "sentence_type": "quoted" if answer else "non-quoted"}
    return Trial(
        f"I/{number:03}/x", "indexicals", "main", "corrected", factors, options, answer, {"question": "Who will win?"}
    )


def results(responses: dict[str, list[Response | None]], answers: tuple[int, ...]) -> DesignResults:
    trials = [passage(number + 1, answer) for number, answer in enumerate(answers)]
    made = []
    for name, given in responses.items():
        rows = tuple(Scored(t, score(t, r, "strict"), r) for t, r in zip(trials, given, strict=True))
        made.append(Result(name, {}, rows))
    return DesignResults("indexicals-main", SIGNATURE, (), (), tuple(made))


def said(number: int, text: str, **more: str) -> Response:
    return Response(f"I/{number:03}/x", text=text, finish="stop", **more)


def tie(number: int) -> Response:
    return Response(f"I/{number:03}/x", scores=(OptionScore(-1.0, 1), OptionScore(-1.0, 1)))


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    given = [said(1, "Nora"), said(2, "Nora"), said(3, "Ida"), said(4, "Hm."), said(5, ""), None]
    given += [Response("I/007/x", error="down"), tie(8)]
    both = {"strategy:oracle": given, "m": given}
    return tidy([results(both, (0, 1, 1, 0, 0, 0, 0, 0))])


def test_columns_begin_alike_and_factors_follow(table: pd.DataFrame) -> None:
    assert list(table.columns) == [*LEADING, "indexical", "sentence_type"]
    first = table.iloc[0]
    assert tuple(first[["participant", "experiment", "condition", "protocol", "trial_id", "item"]]) == (
        "m", "indexicals", "main", "corrected", "I/001/x", "I/001",
    )  # fmt: skip
    assert list(table.sentence_type[:3]) == ["non-quoted", "quoted", "quoted"]


def test_what_was_not_asked_is_nan_and_what_says_nothing_is_0(table: pd.DataFrame) -> None:
    assert list(table.outcome) == [
        "answered", "answered", "answered", "unreadable", "empty", "missing", "errored", "answered",
    ]  # fmt: skip
    np.testing.assert_array_equal(table.correct, [1, 0, 1, 0, 0, np.nan, np.nan, 0.5])
    assert list(table.readable) == [True, True, True, False, False, False, False, True]
    assert list(table.choice) == [0, 0, 1, -1, -1, -1, -1, -1]


def test_shifted_is_known_only_of_a_choice(table: pd.DataFrame) -> None:
    np.testing.assert_array_equal(table.shifted, [0, 0, 1] + [np.nan] * 5)
    assert list(table.error) == ["Correct", "Unshift", "Correct", "NFI", "NFI", "", "", "Tie"]


def test_references_are_left_out_unless_asked_for() -> None:
    found = results({"m": [said(1, "Nora")], "strategy:oracle": [said(1, "Ida")]}, (0,))
    assert list(tidy([found]).participant) == ["m"]
    assert list(tidy([found], references=True).participant) == ["m", "strategy:oracle"]


def test_options_without_readings_are_not_shifted_and_scenes_have_their_objects_as_item() -> None:
    trial = Trial(
        "possessive/g01-drum/aabb", "possessive", "main", "corrected", {"group": "1", "speaker": "boy"},
        (Option("mine", {"pronoun": "mine"}), Option("yours", {"pronoun": "yours"})), 0, {},
    )  # fmt: skip
    response = Response(trial.id, text="mine", finish="stop")
    scene = DesignResults(
        "possessive-main", {**SIGNATURE, "experiment": "possessive"}, (), (),
        (Result("m", {}, (Scored(trial, score(trial, response, "strict"), response),)),),
    )  # fmt: skip
    found = tidy([scene, results({"m": [said(1, "Ida")]}, (0,))])
    assert list(found["item"]) == ["g01-drum", "I/001"]
    np.testing.assert_array_equal(found.shifted, [np.nan, 1])
    assert found.speaker.isna().tolist() == [False, True]
    assert found.indexical.isna().tolist() == [True, False]


@pytest.mark.parametrize("names", [[], ["strategy:oracle"]])
def test_nobody_is_refused(names: list[str]) -> None:
    with pytest.raises(AnalysisError, match="no participant but the references has answered"):
        tidy([results({name: [said(1, "Nora")] for name in names}, (0,))])
