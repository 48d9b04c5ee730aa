"""One row a trial and participant: the table that every test, model, figure and claim starts from."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import union_categoricals

from deixis.analysis.sayings import kind
from deixis.errors import AnalysisError
from deixis.records import BETWEEN, COUNTED, Outcome, Trial
from deixis.scoring.columns import CLASSES, OUTCOMES, Columns, TrialTable
from deixis.scoring.results import DesignResults, Result, Rows, Scored, rows_of

LEADING = (
    "participant", "experiment", "condition", "protocol", "trial_id", "item", "outcome", "choice", "correct",
    "readable", "shifted", "error", "answer", "right", "said", "options", "tied", "text_ceiling", "picture_ceiling",
    "both_ceiling",
)  # fmt: skip
"""The columns that every table has, before the factors of the experiments in it."""
_LABELS = frozenset(("participant", "experiment", "condition", "protocol", "outcome", "error"))
"""Columns that stay plain objects where a table is made for tests and models."""
_COUNTED = np.array([outcome in COUNTED for outcome in OUTCOMES])
_ANSWERED = OUTCOMES.index(Outcome.ANSWERED)


def tidy(designs: Iterable[DesignResults], *, references: bool = False) -> pd.DataFrame:
    """Return the trials of all participants, or of all but the reference ones.

    ``correct`` is the credit (1, 0, a share in a tie; an answer that says nothing readable is 0) and NaN where nothing
    was asked or came back (*errored*, *missing*); ``readable`` is whether an option was read; ``shifted`` is whether
    the shifted reading was chosen, NaN where there is none; ``choice`` is the option's place and ``answer`` that of the
    right one, -1 without; ``said`` and ``right`` are what these two say, names of things aside; ``options`` is how many
    there are; the ceilings are the best accuracy that each channel allows, NaN without it; ``item`` is the item, or the
    pair or group of objects of a scene. Factors that an experiment does not have are empty. Raises
    :class:`AnalysisError` for a table without a row, and for one that has a participant's trial twice.
    """
    return joined([frame_of(design, references=references) for design in designs])


def frame_of_rows(rows: Sequence[Scored], participant: str = "") -> pd.DataFrame:
    """Return the rows of one participant under one design, as :func:`frame_of` does."""
    if not len(rows):
        return pd.DataFrame()
    first = rows[0].trial
    same = {"experiment": first.experiment, "condition": first.condition, "protocol": first.protocol}
    return _frame([(participant, rows if isinstance(rows, Rows) else rows_of(rows))], same)


def frame_of(design: DesignResults, *, references: bool = False) -> pd.DataFrame:
    """Return the rows of one design, texts as categories; without any row, an empty table."""
    signature = design.signature
    same = {name: str(signature[name]) for name in ("experiment", "condition", "protocol")}
    results: Sequence[Result] = design.results if references else design.models
    parts: dict[TrialTable, list[tuple[str, Rows]]] = {}
    for result in results:
        rows = result.rows if isinstance(result.rows, Rows) else rows_of(result.rows)
        if len(rows.columns.place):
            parts.setdefault(rows.table, []).append((result.participant, rows))
    frames = [_frame(part, same) for part in parts.values()]
    return together(frames) if frames else pd.DataFrame()


@dataclass(frozen=True, eq=False, slots=True)
class _Trials:
    """The trials of a design in columns: what stands in every row of a trial, and what each of its options says."""

    columns: Mapping[str, Any]
    says: NDArray[np.int16]
    """Trials by options: what it says, as an index into ``sayings``; -1 where there is no such option."""
    sayings: tuple[str, ...]
    shifted: NDArray[np.float64]
    """Trials by options: whether it is the shifted reading; NaN where options have no reading."""


@lru_cache(maxsize=2)
def _trials(table: TrialTable) -> _Trials:
    trials = table.trials
    most = max(len(trial.options) for trial in trials)
    sayings: dict[str, int] = {}
    says = np.full((len(trials), most), -1, np.int16)
    shifted = np.full((len(trials), most), np.nan)
    for row, trial in enumerate(trials):
        for place, option in enumerate(trial.options):
            says[row, place] = sayings.setdefault(kind(option.features), len(sayings))
            reading = option.features.get("reading")
            if reading is not None:
                shifted[row, place] = reading == "shifted"
    names = tuple(sayings)
    columns: dict[str, Any] = {
        "trial_id": _categories([trial.id for trial in trials]),
        "item": _categories([_item(trial) for trial in trials]),
        "answer": table.answers,
        "right": _coded(says[np.arange(len(trials)), table.answers], names),
        "options": np.array([len(trial.options) for trial in trials], np.int8),
        **{f"{channel}_ceiling": _ceiling(trials, channel) for channel in ("text", "picture", "both")},
        **{name: _categories([t.factors[name] for t in trials]) for name in trials[0].factors if name != "item"},
    }
    return _Trials(columns, says, names, shifted)


def _item(trial: Trial) -> str:
    """Return the item; of a scene the part of its id that names group and objects."""
    parts = trial.id.split("/")
    return trial.factors.get("item") or next((part for part in parts if _GROUP.match(part)), parts[1])


_GROUP = re.compile(r"g\d+-")


def _ceiling(trials: Sequence[Trial], channel: str) -> NDArray[np.float64]:
    """Return the best accuracy from a channel; a passage tells everything there is to know of an indexical."""
    passage = {"text": 1.0, "picture": np.nan, "both": 1.0}[channel]
    name = f"{channel}_leaves"
    return np.array([_best(trial, trial.stimulus.get(name), passage) for trial in trials], np.float64)


def _best(trial: Trial, leaves: str | None, passage: float) -> float:
    """Where a channel leaves several options, each that is right is as likely as the others."""
    if leaves is None:
        return passage
    return len(trial.meant) / (leaves.count(BETWEEN) + 1) if leaves else float("nan")


def _categories(texts: Sequence[str]) -> pd.Categorical:
    """Return texts as categories in the order in which they come first."""
    known: dict[str, int] = {}
    codes = [known.setdefault(text, len(known)) for text in texts]
    return _coded(np.array(codes), list(known))


def _coded(codes: NDArray[np.integer], categories: Sequence[str]) -> pd.Categorical:
    dtype: pd.CategoricalDtype = pd.CategoricalDtype(list(categories))
    return pd.Categorical.from_codes(codes, dtype=dtype)


def _frame(parts: Sequence[tuple[str, Rows]], same: Mapping[str, str]) -> pd.DataFrame:
    found = [rows.columns for _, rows in parts]
    trials = _trials(parts[0][1].table)
    place = np.concatenate([one.place for one in found])
    who = np.repeat(np.arange(len(parts)), [len(one.place) for one in found])
    outcome, choice, error = (_all(found, name) for name in ("outcome", "choice", "error"))
    credit = _all(found, "credit").astype(float)
    chosen = choice >= 0
    at = np.where(chosen, choice, 0)
    sayings = ("", *(saying for saying in trials.sayings if saying))
    code = np.array([sayings.index(saying) for saying in trials.sayings] or [0])
    known = sorted({*map(int, np.unique(parts[0][1].table.option_classes)), *map(int, np.unique(error))} - {-1})
    label = np.array([0, *(known.index(one) + 1 if one in known else -1 for one in range(len(CLASSES)))])
    own = {
        "participant": _coded(who, [name for name, _ in parts]),
        **{name: _coded(np.zeros(len(place), np.int8), [level]) for name, level in same.items()},
        "outcome": _coded(outcome, [one.value for one in OUTCOMES]),
        "choice": choice,
        "correct": np.where(_COUNTED[outcome], credit, np.nan),
        "readable": outcome == _ANSWERED,
        "shifted": np.where(chosen, trials.shifted[place, at], np.nan),
        "error": _coded(label[error + 1], ["", *(CLASSES[one].value for one in known)]),
        "said": _coded(np.where(chosen, code[trials.says[place, at]], 0), sayings),
        "tied": _all(found, "tied"),
    }
    every = {**own, **{name: column[place] for name, column in trials.columns.items()}}
    return pd.DataFrame({name: every[name] for name in (*LEADING, *(n for n in every if n not in LEADING))})


def _all(found: Sequence[Columns], name: str) -> NDArray[Any]:
    return np.concatenate([getattr(one, name) for one in found])


def together(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Put tables with categories into one, whose factors are empty where an experiment does not have them."""
    if len(frames) == 1:
        return frames[0]
    names = list(dict.fromkeys(name for frame in frames for name in frame.columns))
    lengths = [len(frame) for frame in frames]
    columns: dict[str, Any] = {}
    for name in [*LEADING, *(name for name in names if name not in LEADING)]:
        there = [frame[name] for frame in frames if name in frame]
        if not isinstance(there[0].dtype, pd.CategoricalDtype):
            columns[name] = np.concatenate(there)
            continue
        filled = np.repeat([name in frame for frame in frames], lengths)
        whole = union_categoricals(there)
        codes = np.full(len(filled), -1, whole.codes.dtype)
        codes[filled] = whole.codes
        columns[name] = pd.Categorical.from_codes(codes, dtype=whole.dtype)
    return pd.DataFrame(columns)


def joined(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Put the rows of several designs into one table of plain texts, with the checks of :func:`tidy`."""
    filled = [one for one in parts if not one.empty]
    if not filled:
        raise AnalysisError("there are no trials to analyse: no participant but the references has answered")
    table = together(filled)
    refuse_doubles(table)
    texts = [name for name in table.columns if isinstance(table[name].dtype, pd.CategoricalDtype)]
    return table.astype({name: object if name in _LABELS else "str" for name in texts})


def refuse_doubles(table: pd.DataFrame) -> None:
    """Raise :class:`AnalysisError` where a participant has answered a trial of a condition more than once."""
    twice = table[table.duplicated(["participant", "experiment", "condition", "protocol", "trial_id"])]
    if len(twice):
        one = twice.iloc[0]
        raise AnalysisError(
            f"{one.participant} has answered {one.trial_id} of {one.experiment}-{one.condition} more than once; "
            "name runs that do not overlap"
        )
