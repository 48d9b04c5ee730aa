"""What strategies predict: shares of undecided ones, abstention as guessing, and answers read from a run."""

from pathlib import Path

import numpy as np
import pytest

from deixis.analysis.strategies.fingerprint import fingerprint_of
from deixis.analysis.strategies.predictions import choices_of, items_of, predictions, predictions_of
from deixis.errors import AnalysisError
from deixis.participants.strategies import RULES, Strategy
from deixis.records import AnswerMode, Response
from deixis.scoring.results import DesignResults, Result, Scored
from deixis.scoring.score import score
from tests.analysis.mixtures import design_of


def test_an_undecided_strategy_shares_and_an_abstaining_one_guesses() -> None:
    made = predictions({"a": [0, (1, 2)], "b": [None, None]}, [2, 3], ["x", "y"])
    assert made.strategies == ("noise", "a", "b")
    assert made.probabilities[0].T.tolist() == [[0.5, 0.5, 0], [1, 0, 0], [0.5, 0.5, 0]]
    assert pytest.approx(np.array([[1 / 3] * 3, [0, 0.5, 0.5], [1 / 3] * 3])) == made.probabilities[1].T
    assert made.kind[0, 2] == -1
    assert made.kind[1, 1] == made.kind[1, 2]


@pytest.mark.parametrize("answer", [2, -1, (), (0, 5)])
def test_answers_that_are_not_offered_are_refused(answer: int | tuple[int, ...]) -> None:
    with pytest.raises(AnalysisError, match="'a' answers .* on 'x'"):
        predictions({"a": [answer]}, [2], ["x"])


def test_lengths_and_options_are_checked() -> None:
    with pytest.raises(AnalysisError, match="'a' answers 1 trials of 2"):
        predictions({"a": [0]}, [2, 2], ["x", "y"])
    with pytest.raises(AnalysisError, match="fewer than two"):
        predictions({}, [1], ["x"])
    with pytest.raises(AnalysisError, match="no trial"):
        predictions({}, [], [])


def test_a_run_read_back_says_the_same_as_the_rules(tmp_path: Path) -> None:
    """Ties come back as log-probabilities; an abstention as no choice; a reference is not explained by itself."""
    design = design_of("possessive")
    trials, prompts = design.trials[:64], design.prompts[:64]
    results = []
    for name in ("oracle", "chance", "text-only", "picture-only", "copy-the-noun"):
        if name not in RULES["possessive"]:
            continue
        responses = list(Strategy(name, trials, 0).respond(prompts, AnswerMode.CHOOSE))
        rows = tuple(Scored(t, score(t, r, "strict"), r) for t, r in zip(trials, responses, strict=True))
        results.append(Result(f"strategy:{name}", {}, rows))
    read = DesignResults("possessive-main", {}, (), prompts, tuple(results))
    subject = results[1]
    made = predictions_of(read, subject)
    direct = {name: [RULES["possessive"][name](t, 0) for t in trials] for name in made.strategies[1:]}
    assert made.strategies == ("noise", "oracle", "text-only", "picture-only")
    assert np.array_equal(made.probabilities, predictions(direct, [4] * 64, made.trials).probabilities)
    assert items_of(subject) == [trial.factors["group"] for trial in trials]
    assert (choices_of(subject) >= 0).all()
    found = fingerprint_of(read, results[0], ["speaker"], resamples=20, simulations=20)
    assert "oracle" not in found.identifiability.names
    assert found.fitness.cells > 1
    lost = Result("strategy:text-only", {}, results[2].rows[1:])
    with pytest.raises(AnalysisError, match="'text-only' has not answered"):
        predictions_of(DesignResults("d", {}, (), prompts, (lost, subject)), subject)
    with pytest.raises(AnalysisError, match="on no trial"):
        silent = tuple(
            Scored(r.trial, score(r.trial, Response(r.trial.id, text=""), "strict"), None) for r in subject.rows
        )
        fingerprint_of(read, Result("m", {}, silent))
