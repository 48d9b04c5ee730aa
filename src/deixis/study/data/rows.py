"""One row an answer, the same for people and models: a trial, its response and its score, joined by the trial's id.

The cells are those of :data:`deixis.study.data.columns.ANSWERS`. Scoring is :mod:`deixis.scoring`, as for a run. Rows
of a study's database come from the same functions (:mod:`deixis.study.data.gathering`).
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from deixis.records import COUNTED, Prompt, Response, Score, Trial
from deixis.scoring.error_classes import error_class
from deixis.scoring.results import Result, Scored, read_results
from deixis.store import RunFolder
from deixis.study.data.column import Kind, Value
from deixis.study.data.factors import factor_columns
from deixis.study.data.tables import Row

_GROUP = re.compile(r"g\d+-")
_WHOLE = {column.name for column in factor_columns() if column.kind is Kind.WHOLE}
_NO_FACTORS: dict[str, Value] = {column.name: None for column in factor_columns()}


@dataclass(frozen=True, slots=True)
class Respondent:
    """Who answered, and what is the same in all of their rows."""

    study_id: str
    kind: str
    """One of :data:`~deixis.study.data.columns.KINDS`."""
    id: str
    design_sha256: str
    code_version: str
    block_order: str = ""
    excluded_reason: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A trial as it came to a respondent."""

    trial: Trial
    block: str
    index: int | None
    """Its place in the respondent's order, from 1."""
    stimulus: str
    """Hash of what was shown."""
    part: str = "trial"
    measured: Mapping[str, Value] = field(default_factory=dict)
    """What the browser measured, by the name of the column."""


def answer_row(who: Respondent, asked: Question, response: Response | None, score: Score) -> Row:
    """Return the row of one question."""
    trial = asked.trial
    counts = score.outcome in COUNTED
    wrong = error_class(trial, score, (response and response.text) or "") if asked.part != "check" else None
    factors = {name: int(v) if name in _WHOLE else v for name, v in trial.factors.items() if name in _NO_FACTORS}
    return {
        "study_id": who.study_id,
        "respondent_kind": who.kind,
        "respondent_id": who.id,
        "item_id": item_of(trial),
        "trial_id": trial.id,
        "trial_index": asked.index,
        "experiment": trial.experiment,
        "task": trial.factors.get("task", trial.experiment),
        "condition": trial.condition,
        "protocol": trial.protocol or None,
        "part": asked.part,
        "block": asked.block,
        "block_order": who.block_order or None,
        "list_id": trial.stimulus.get("list") if asked.part == "trial" else None,
        **factors,
        "options": json.dumps([option.text for option in trial.options], ensure_ascii=False),
        "right": trial.options[trial.answer].text,
        "response": None if score.choice is None else trial.options[score.choice].text,
        "response_raw": _raw(response),
        "correct": float(score.credit) if counts else None,
        "error_type": wrong.value if wrong is not None else None,
        "outcome": score.outcome.value,
        **asked.measured,
        "excluded_reason": who.excluded_reason or None,
        "stimulus_sha256": asked.stimulus or None,
        "design_sha256": who.design_sha256,
        "code_version": who.code_version,
    }


def rating_rows(who: Respondent, asked: Question, ratings: tuple[int, ...]) -> Iterator[Row]:
    """Yield one row a rated object, from left to right; none where the ratings do not fit the objects."""
    trial = asked.trial
    if len(ratings) != len(trial.options):
        return
    target, distance = int(trial.factors["target"]), int(trial.factors["distance"])
    for place, (option, rating) in enumerate(zip(trial.options, ratings, strict=True)):
        yield {
            "study_id": who.study_id,
            "respondent_kind": who.kind,
            "respondent_id": who.id,
            "trial_id": trial.id,
            "trial_index": asked.index,
            "task": trial.factors.get("task", trial.experiment),
            "protocol": trial.protocol,
            **{name: trial.factors.get(name) for name in ("word", "speaker", "perspective")},
            "object_place": place,
            "object_label": option.text,
            "object_role": option.features["role"],
            # The speaker sits on the left where the target's place is its distance, else on the right.
            "object_distance": place if target == distance else len(trial.options) - 1 - place,
            "rating": rating,
            "excluded_reason": who.excluded_reason or None,
        }


def rows_of_run(folder: RunFolder, *, references: bool = False) -> tuple[list[Row], list[Row]]:
    """Return the rows of a run folder, of answers and of ratings, as a study has them.

    ``references`` has reference participants come along. ``study_id`` is the study of people, else the folder's name.
    Raises :class:`~deixis.errors.StoreError` where there is no run or a damaged one.
    """
    answers: list[Row] = []
    ratings: list[Row] = []
    for design in read_results(folder.path):
        prompts = {prompt.trial_id: prompt for prompt in design.prompts}
        places = {trial: number for number, trial in enumerate(prompts, start=1)}
        for result in design.results:
            if result.is_reference and not references:
                continue
            who = _respondent(folder, result, design.signature)
            for row in result.rows:
                prompt = prompts[row.trial.id]
                asked = _question(row, who, places[row.trial.id], prompt)
                answers.append(answer_row(who, asked, row.response, row.score))
                if row.response is not None:
                    ratings += rating_rows(who, asked, row.response.ratings)
    return answers, ratings


def item_of(trial: Trial) -> str:
    """Return the item, or the group and the objects of a scene; of a passage that is no item the trial itself."""
    parts = trial.id.split("/")
    named = trial.factors.get("item") or next((part for part in parts if _GROUP.match(part)), "")
    return named or (parts[1] if trial.factors else trial.id)


def text_hash(*texts: str) -> str:
    """Return the hash of texts that were shown."""
    return sha256("\x1f".join(texts).encode()).hexdigest()


def _respondent(folder: RunFolder, result: Result, design: Mapping[str, str | int]) -> Respondent:
    signature = {name: str(value) for name, value in result.signature.items()}
    name = result.participant
    study = name.removeprefix("people:").rpartition("/")[0]
    return Respondent(
        study_id=study if study and name.startswith("people:") else folder.path.resolve().name,
        kind=_kind(name, signature),
        id=name,
        design_sha256=signature.get("design_sha256", str(design["data"])),
        code_version=signature.get("deixis", ""),
        block_order=signature.get("block_order", ""),
        excluded_reason=signature.get("excluded", ""),
    )


def _kind(name: str, signature: Mapping[str, str]) -> str:
    if "simulated_by" in signature or name.startswith("people:simulated/"):
        return "simulated"
    if name.startswith("people:"):
        return "human"
    return "reference" if name.startswith("strategy:") else "model"


def _question(row: Scored, who: Respondent, place: int, prompt: Prompt) -> Question:
    given = row.response
    timed = given is not None and who.kind in {"human", "simulated"} and given.seconds > 0
    measured: dict[str, Value] = {
        "rt_ms": round(given.seconds * 1000, 1) if given is not None and timed else None,
        "answered_at": (given.date if given is not None else "") or None,
    }
    shown = prompt.picture or text_hash(prompt.text)
    return Question(row.trial, row.trial.experiment, place, shown, measured=measured)


def _raw(response: Response | None) -> str | None:
    if response is None or response.error is not None:
        return None
    if response.ratings:
        return json.dumps(list(response.ratings))
    if response.scores:
        return json.dumps([score.logprob for score in response.scores])
    if response.text is not None:
        return response.text
    return None if response.choice is None else str(response.choice)
