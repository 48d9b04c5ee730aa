"""Answers counted in columns are what scoring says of each."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from deixis.experiments import experiment
from deixis.records import OptionScore, Response
from deixis.scoring.columns import Columns, TrialTable, of_rows
from deixis.scoring.counting import counted
from deixis.scoring.reading import read_answer
from deixis.scoring.score import score
from deixis.store import response_to

DESIGN = experiment("possessive").design(condition="picture-none")
TEXTS = ["I prefer mine", "you prefer yours.", "I cannot tell.", "", "mine or yours", "I prefer mine " * 12, "mine"]


def answers() -> list[Response]:
    """Every kind of answer in turn, with errors before and after answers, copies, and a trial without any."""
    found = []
    for place, trial in enumerate(DESIGN.trials[1:60]):
        kinds = {
            8: Response(trial.id, choice=place % 4),
            9: Response(trial.id),
            10: Response(trial.id, error="502"),
            11: Response(trial.id, scores=tuple(OptionScore(float(-(i == place % 4)), 2) for i in range(4))),
            12: Response(trial.id, scores=tuple(OptionScore(float(i == place % 4), 2) for i in range(4))),
        }
        finish = ["stop", "length", "refusal"][place % 3]
        found.append(kinds.get(place % 13, Response(trial.id, text=TEXTS[place % 7], finish=finish)))
    healed = Response(found[0].trial_id, error="late")
    return [Response(found[1].trial_id, error="early"), *found, healed, Response(found[2].trial_id, choice=3)]


def slowly(responses: list[Response], reader: str) -> Columns:
    """The same through a record for each trial."""
    kept: dict[str, Response] = {}
    for one in responses:
        before = kept.get(one.trial_id)
        if before is None or (before.error is not None and one.error is None):
            kept[one.trial_id] = one
    asked = [
        (place, trial, prompt)
        for place, (trial, prompt) in enumerate(zip(DESIGN.trials, DESIGN.prompts, strict=True))
        if place < 64
    ]
    rows = [(t, score(t, kept.get(t.id), reader, p.text), kept.get(t.id)) for _, t, p in asked]
    return of_rows([place for place, _, _ in asked], rows)


@pytest.mark.parametrize("reader", ["strict", "published"])
@pytest.mark.parametrize("only", ["all", "choices"])
def test_columns_are_those_of_scores(reader: str, only: str) -> None:
    responses = answers()
    if only == "choices":
        responses = [Response(trial.id, choice=place % 4) for place, trial in enumerate(DESIGN.trials[:50])]
    entries = [json.loads(json.dumps(response_to(response))) for response in responses]
    found = counted(TrialTable(DESIGN.trials), DESIGN.prompts, range(64), entries, reader)
    want = slowly(responses, reader)
    for name in ("place", "outcome", "choice", "credit", "tied", "error"):
        np.testing.assert_array_equal(getattr(found, name), getattr(want, name), err_msg=name)
    assert found.by_scores is (only == "all")


def test_the_order_of_options_says_nothing() -> None:
    lines = (Path(__file__).parent / "phrasings.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines[::9]:
        entry = json.loads(line)
        options = entry["options"]
        for order in list(permutations(range(len(options))))[:6]:
            read = read_answer(entry["text"], [options[at] for at in order], finish=entry.get("finish", ""))
            plain = read_answer(entry["text"], options, finish=entry.get("finish", ""))
            choice = None if read.choice is None else order[read.choice]
            assert (read.outcome, choice) == (plain.outcome, plain.choice), (entry["text"], order)
