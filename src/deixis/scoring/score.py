"""Scoring: a trial and its response become a score, joined by id."""

from collections.abc import Sequence

from deixis.records import Outcome, Response, Score, Trial
from deixis.scoring.reading import VERSIONS, read_answer

TIE = 1e-9
"""Forced-choice scores nearer than this (natural log units) are a tie."""


def score(trial: Trial, response: Response | None, reader: str, asked: str = "") -> Score:
    """Score one response; without a response the outcome is *missing*.

    A choice stands as it is; forced-choice scores choose the option with the highest sum of log-probabilities, ratings
    the option rated highest; text is read by ``reader``, to whom a copy of what was ``asked`` is no answer.

    Options that mean the same as the right one are as right (:attr:`~deixis.records.Trial.meant`): either object of the
    pair that *mine* means. Where several options share the best score or rating, the credit is the share of them that
    is right; it is a tie unless they all mean the same, and then the right one, or the first, counts as chosen.
    """
    version = VERSIONS[reader]
    if response is None:
        return Score(trial.id, Outcome.MISSING, None, 0.0, "no response", version)
    if response.error is not None:
        return Score(trial.id, Outcome.ERRORED, None, 0.0, "error", version)
    if response.scores:
        return _forced(trial, response, version)
    if response.ratings:
        return _rated(trial, response, version)
    if response.text is None:
        return _chosen(trial, response, version)
    reading = read_answer(
        response.text,
        [option.text for option in trial.options],
        reader=reader,
        finish=response.finish,
        first=first_tested(trial),
        prompt=asked,
    )
    credit = _credit(trial, reading.choice)
    return Score(trial.id, reading.outcome, reading.choice, credit, reading.rule, version)


def _chosen(trial: Trial, response: Response, version: str) -> Score:
    if response.choice is None:
        return Score(trial.id, Outcome.UNREADABLE, None, 0.0, "tie", version, tied=True)
    return Score(trial.id, Outcome.ANSWERED, response.choice, _credit(trial, response.choice), "choice", version)


def _forced(trial: Trial, response: Response, version: str) -> Score:
    best = max(option.logprob for option in response.scores)
    winners = [i for i, option in enumerate(response.scores) if best - option.logprob <= TIE]
    return _best(trial, winners, "log-probability", version)


def _rated(trial: Trial, response: Response, version: str) -> Score:
    if len(response.ratings) != len(trial.options):
        return Score(trial.id, Outcome.UNREADABLE, None, 0.0, "ratings do not fit the options", version)
    best = max(response.ratings)
    return _best(trial, [i for i, rating in enumerate(response.ratings) if rating == best], "rating", version)


def _best(trial: Trial, winners: Sequence[int], rule: str, version: str) -> Score:
    """Score the options that share the best score, often just one."""
    if len(winners) == 1:
        return Score(trial.id, Outcome.ANSWERED, winners[0], _credit(trial, winners[0]), rule, version)
    credit = sum(_credit(trial, winner) for winner in winners) / len(winners)
    meanings = [trial.options[winner].features for winner in winners]
    if meanings[0] and all(meaning == meanings[0] for meaning in meanings):
        chosen = trial.answer if trial.answer in winners else winners[0]
        return Score(trial.id, Outcome.ANSWERED, chosen, credit, rule, version)
    return Score(trial.id, Outcome.ANSWERED, None, credit, "tie", version, tied=True)


def _credit(trial: Trial, choice: int | None) -> float:
    return float(choice is not None and trial.is_right(choice))


def first_tested(trial: Trial) -> int:
    """Index of the option that the published reader tests first."""
    readings = [option.features.get("reading") for option in trial.options]
    return readings.index("shifted") if "shifted" in readings else 0
