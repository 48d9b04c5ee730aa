"""Scoring: a trial and its response become a score, joined by id."""

from deixis.records import Outcome, Response, Score, Trial
from deixis.scoring.reading import VERSIONS, read_answer

TIE = 1e-9
"""Forced-choice scores nearer than this (natural log units) are a tie."""


def score(trial: Trial, response: Response | None, reader: str, asked: str = "") -> Score:
    """Score one response; without a response the outcome is *missing*.

    A choice stands as it is; forced-choice scores choose the option with the highest sum of log-probabilities;
    text is read by ``reader``, to whom a copy of what was ``asked`` is no answer.
    """
    version = VERSIONS[reader]
    if response is None:
        return Score(trial.id, Outcome.MISSING, None, 0.0, "no response", version)
    if response.error is not None:
        return Score(trial.id, Outcome.ERRORED, None, 0.0, "error", version)
    if response.scores:
        return _forced(trial, response, version)
    if response.text is None:
        return _chosen(trial, response, version)
    reading = read_answer(
        response.text,
        [option.text for option in trial.options],
        reader=reader,
        finish=response.finish,
        first=_shifted(trial),
        prompt=asked,
    )
    credit = float(reading.choice == trial.answer)
    return Score(trial.id, reading.outcome, reading.choice, credit, reading.rule, version)


def _chosen(trial: Trial, response: Response, version: str) -> Score:
    if response.choice is None:
        return Score(trial.id, Outcome.UNREADABLE, None, 0.0, "tie", version, tied=True)
    credit = float(response.choice == trial.answer)
    return Score(trial.id, Outcome.ANSWERED, response.choice, credit, "choice", version)


def _forced(trial: Trial, response: Response, version: str) -> Score:
    best = max(option.logprob for option in response.scores)
    winners = [i for i, option in enumerate(response.scores) if best - option.logprob <= TIE]
    if len(winners) == 1:
        credit = float(winners[0] == trial.answer)
        return Score(trial.id, Outcome.ANSWERED, winners[0], credit, "log-probability", version)
    credit = 1 / len(winners) if trial.answer in winners else 0.0
    return Score(trial.id, Outcome.ANSWERED, None, credit, "tie", version, tied=True)


def _shifted(trial: Trial) -> int:
    """Index of the option that the published reader tests first."""
    readings = [option.features.get("reading") for option in trial.options]
    return readings.index("shifted") if "shifted" in readings else 0
