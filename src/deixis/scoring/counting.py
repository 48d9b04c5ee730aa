"""Answers counted as they are parsed, without a record for each: what scoring says of them, several times as quick."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from deixis.records import Outcome, Prompt
from deixis.scoring.columns import CLASSES, OUTCOMES, Columns, TrialTable
from deixis.scoring.error_classes import ErrorClass, error_class
from deixis.scoring.reading import alone, read_answer
from deixis.scoring.score import first_tested, score
from deixis.store import response_from

Entry = Mapping[str, Any]
"""An answer as JSON has it."""
_MISSING, _ERRORED, _ANSWERED = (OUTCOMES.index(one) for one in (Outcome.MISSING, Outcome.ERRORED, Outcome.ANSWERED))
_UNREADABLE = OUTCOMES.index(Outcome.UNREADABLE)
_CORRECT, _TIE = CLASSES.index(ErrorClass.CORRECT), CLASSES.index(ErrorClass.TIE)


class _Found(NamedTuple):
    """What one answer comes to."""

    outcome: int
    choice: int = -1
    tied: bool = False
    credit: float | None = None
    """Where it is not 1 for a right choice and 0 for all else."""


def counted(
    table: TrialTable, prompts: Sequence[Prompt], planned: Iterable[int], entries: Iterable[Entry], reader: str
) -> Columns:
    """Return the columns of answers as JSON has them.

    The same as scoring every answer with :func:`deixis.scoring.score.score`: an answer outlives errors before and after
    it, its first copy counts, a choice stands as it is and its absence is a tie, a text is read.
    """
    given: dict[int, Entry] = {}
    for entry in entries:
        at = table.index.get(entry["trial_id"])
        if at is not None:
            before = given.get(at)
            if before is None or ("error" in before and "error" not in entry):
                given[at] = entry
    places = sorted({*planned, *given})
    if all("choice" in entry and not _more(entry) for entry in given.values()):
        return _chosen(table, places, [given[at]["choice"] if at in given else -1 for at in places], given)
    judge = _Counter(table, prompts, reader)
    found = [judge.of(at, given.get(at)) for at in places]
    place = np.array(places, np.int32)
    outcome = np.array([one.outcome for one in found], np.int8)
    choice = np.array([one.choice for one in found], np.int8)
    tied = np.array([one.tied for one in found], np.bool_)
    has = choice >= 0
    error = np.full(len(places), -1, np.int8)
    error[has] = table.option_classes[place[has], choice[has]]
    error[tied] = _TIE
    for row in np.flatnonzero(~has & ~tied & (outcome != _MISSING) & (outcome != _ERRORED)).tolist():
        error[row] = judge.without_choice(places[row], given[places[row]])
    credit = (error == _CORRECT).astype(float)
    shares = {row: one.credit for row, one in enumerate(found) if one.credit is not None}
    credit[list(shares)] = list(shares.values())
    return Columns(place, outcome, choice, credit, tied, error, by_scores=bool(shares))


class _Counter:
    """Reads the answers of one participant; a short text is read once for all trials that offer the same."""

    def __init__(self, table: TrialTable, prompts: Sequence[Prompt], reader: str) -> None:
        self._table, self._prompts, self._reader = table, prompts, reader
        self._read: dict[tuple[str, int, str], _Found] = {}

    def of(self, at: int, entry: Entry | None) -> _Found:
        """Return what the answer to a trial comes to."""
        if entry is None:
            return _Found(_MISSING)
        if "error" in entry:
            return _Found(_ERRORED)
        if "scores" in entry or "ratings" in entry:
            scored = score(self._table.trials[at], response_from(dict(entry)), self._reader)
            choice = -1 if scored.choice is None else scored.choice
            return _Found(OUTCOMES.index(scored.outcome), choice, scored.tied, scored.credit)
        if "text" in entry:
            return self._of_text(at, entry["text"], entry.get("finish", ""))
        choice = entry.get("choice", -1)
        return _Found(_UNREADABLE, tied=True) if choice < 0 else _Found(_ANSWERED, choice)

    def _of_text(self, at: int, text: str, finish: str) -> _Found:
        offered = self._table.offers[at]
        if self._reader != "strict" or not alone(text):
            first = first_tested(self._table.trials[at])
            return self._reading(text, offered, finish, first, self._prompts[at].text)
        key = text, id(offered), finish
        found = self._read.get(key)
        if found is None:
            found = self._read[key] = self._reading(text, offered, finish)
        return found

    def _reading(self, text: str, offered: Sequence[str], finish: str, first: int = 0, asked: str = "") -> _Found:
        found = read_answer(text, offered, reader=self._reader, finish=finish, first=first, prompt=asked)
        return _Found(OUTCOMES.index(found.outcome), -1 if found.choice is None else found.choice)

    def without_choice(self, at: int, entry: Entry) -> int:
        """Return the class of an answer that settled on no option."""
        trial, response = self._table.trials[at], response_from(dict(entry))
        found = error_class(trial, score(trial, response, self._reader, self._prompts[at].text), response.text or "")
        return -1 if found is None else CLASSES.index(found)


def _more(entry: Entry) -> bool:
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
