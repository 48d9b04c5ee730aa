"""Answers counted as they are parsed, without a record for each: what scoring says of them, several times as quick."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from deixis.records import Outcome, Prompt
from deixis.scoring.columns import CLASSES, OUTCOMES, Columns, TrialTable
from deixis.scoring.error_classes import ErrorClass, error_class
from deixis.scoring.reading import read_answer
from deixis.scoring.score import first_tested, score
from deixis.store import response_from

_MISSING, _ERRORED, _ANSWERED = (OUTCOMES.index(one) for one in (Outcome.MISSING, Outcome.ERRORED, Outcome.ANSWERED))
_UNREADABLE = OUTCOMES.index(Outcome.UNREADABLE)
_CORRECT, _TIE = CLASSES.index(ErrorClass.CORRECT), CLASSES.index(ErrorClass.TIE)


def counted(
    table: TrialTable,
    prompts: Sequence[Prompt],
    planned: Iterable[int],
    entries: Iterable[Mapping[str, Any]],
    reader: str,
) -> Columns:
    """Return the columns of answers as JSON has them.

    The same as scoring every answer with :func:`deixis.scoring.score.score`: an answer outlives errors before and after
    it, its first copy counts, a choice stands as it is and its absence is a tie, a text is read.
    """
    given: dict[int, Mapping[str, Any]] = {}
    for entry in entries:
        at = table.index.get(entry["trial_id"])
        if at is not None:
            before = given.get(at)
            if before is None or ("error" in before and "error" not in entry):
                given[at] = entry
    places = sorted({*planned, *given})
    if all("choice" in entry for entry in given.values()) and not any(map(_more, given.values())):
        return _chosen(table, places, [given[at]["choice"] if at in given else -1 for at in places], given)
    outcomes: list[int] = []
    choices: list[int] = []
    ties: list[bool] = []
    odd: list[bool] = []
    shares: dict[int, float] = {}
    for at in places:
        found = given.get(at)
        outcome, choice, tied = _MISSING, -1, False
        if found is not None and "error" in found:
            outcome = _ERRORED
        elif found is not None and "text" in found:
            reading = read_answer(
                found["text"],
                table.offers[at],
                reader=reader,
                finish=found.get("finish", ""),
                first=first_tested(table.trials[at]) if reader == "published" else 0,
                prompt=prompts[at].text,
            )
            outcome = OUTCOMES.index(reading.outcome)
            choice = -1 if reading.choice is None else reading.choice
        elif found is not None and ("scores" in found or "ratings" in found):
            scored = score(table.trials[at], response_from(dict(found)), reader)
            outcome, tied = OUTCOMES.index(scored.outcome), scored.tied
            choice = -1 if scored.choice is None else scored.choice
            shares[len(outcomes)] = scored.credit
        elif found is not None:
            choice = found.get("choice", -1)
            outcome, tied = (_UNREADABLE, True) if choice < 0 else (_ANSWERED, False)
        odd.append(choice < 0 and outcome not in (_MISSING, _ERRORED) and not tied)
        outcomes.append(outcome)
        choices.append(choice)
        ties.append(tied)
    place, choice_of = np.array(places, np.int32), np.array(choices, np.int8)
    has, tied_of = choice_of >= 0, np.array(ties, np.bool_)
    error = np.full(len(places), -1, np.int8)
    error[has] = table.option_classes[place[has], choice_of[has]]
    error[tied_of] = _TIE
    for row in np.flatnonzero(odd).tolist():
        error[row] = _without_choice(table, places[row], given[places[row]], reader, prompts[places[row]].text)
    credit = (error == _CORRECT).astype(float)
    credit[list(shares)] = list(shares.values())
    return Columns(place, np.array(outcomes, np.int8), choice_of, credit, tied_of, error, by_scores=bool(shares))


def _more(entry: Mapping[str, Any]) -> bool:
    """Whether an answer is more than a choice."""
    return "text" in entry or "scores" in entry or "ratings" in entry or "error" in entry


def _chosen(table: TrialTable, places: Sequence[int], choices: Sequence[int], given: Collection[int]) -> Columns:
    """Return the columns of trials that were chosen on or have no answer."""
    place, choice = np.array(places, np.int32), np.array(choices, np.int8)
    has = np.array([at in given for at in places], np.bool_)
    error = np.where(has, table.option_classes[place, choice], -1).astype(np.int8)
    outcome = np.where(has, _ANSWERED, _MISSING).astype(np.int8)
    credit = (error == _CORRECT).astype(float)
    return Columns(place, outcome, choice, credit, np.zeros(len(places), np.bool_), error, by_scores=False)


def _without_choice(table: TrialTable, at: int, entry: Mapping[str, Any], reader: str, asked: str) -> int:
    """Return the class of a text that settled on no option."""
    trial = table.trials[at]
    response = response_from(dict(entry))
    found = error_class(trial, score(trial, response, reader, asked), response.text or "")
    return -1 if found is None else CLASSES.index(found)
