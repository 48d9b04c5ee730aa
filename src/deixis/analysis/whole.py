"""The whole analysis of runs: every table that the data at hand allow, and a line for each that they do not."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cache

import pandas as pd

from deixis.analysis.mixed import logit_mixed
from deixis.analysis.pairs import pairs
from deixis.analysis.planned import planned
from deixis.analysis.regression.contrasts import contrasts
from deixis.analysis.regression.design_matrix import design
from deixis.analysis.regression.factorial import Factorial, factorial
from deixis.analysis.regression.logistic import logistic
from deixis.analysis.regression.marginal import marginal_means
from deixis.analysis.shares.clustered import clustered_proportions
from deixis.analysis.shares.detection import prime_susceptibility, sensitivities
from deixis.analysis.shares.groups import group_tests
from deixis.analysis.shares.proportions import proportions
from deixis.analysis.strategies.fingerprint import fingerprint_of
from deixis.analysis.tidy import frame_of, joined
from deixis.analysis.who import Kind, group_of, kind_of
from deixis.errors import AnalysisError
from deixis.scoring.results import DesignResults, Result

_TASKS = ("vocabulary", "possessive", "demonstrative")
_QUOTATION = {"sentence_type": ("non-quoted", "quoted"), "context_prime": ("non-shifted", "shifted")}
_PEOPLE = 5
"""Participants from which on they count as drawn from many, and get a random intercept."""


_RESAMPLES, _SIMULATIONS = 200, 99
"""Of a fingerprint's limits and of its fit: enough for two digits, and quick where there are dozens of conditions."""


@dataclass(frozen=True, eq=False)
class Analysis:
    """Tables by name, and why others are not there."""

    tables: dict[str, pd.DataFrame]
    """Name to table, one row a thing estimated or tested."""
    refused: dict[str, str]
    """Name to the reason."""
    lines: tuple[str, ...]
    """The fingerprints in words."""


def analyse(designs: Iterable[DesignResults], *, seed: int = 0) -> Analysis:
    """Analyse results: accuracy, planned comparisons, tasks, indexicals, object groups, mixed models, fingerprints.

    People of one study are one group in the accuracies, and are left out of what is estimated one by one: what each
    of them was asked is too little for it. Designs are taken one after the other and let go of, since the answers of
    reference participants are many. Raises :class:`AnalysisError` where nobody but the references has answered.
    """
    parts, prints, lines = [], [], []
    for asked in designs:
        parts.append(frame_of(asked))
        for subject in asked.models:
            if kind_of(subject.participant) is Kind.PEOPLE:
                continue
            weights, line = _fingerprint(asked, subject, seed)
            prints.append(weights)
            lines.append(line)
    whole = joined(parts)
    table = whole[whole["participant"].map(kind_of) == Kind.MODEL]

    @cache
    def in_indexicals() -> Factorial:
        """Quotation by prime for every participant and indexical, clustered by sentence where it can be."""
        return factorial(_passages(table), _QUOTATION, by=["participant", "indexical"], clusters=["item"])

    steps: dict[str, Callable[[], pd.DataFrame]] = {
        "accuracy": lambda: _accuracy(whole),
        "planned": lambda: _some(
            planned(table) if len(table) else table, "no two levels of a planned comparison were asked"
        ),
        "pairs": lambda: pairs(table),
        "tasks": lambda: _tasks(table),
        "indexicals-groups": lambda: in_indexicals().groups,
        "indexicals-cells": lambda: in_indexicals().cells,
        "indexicals-tests": lambda: in_indexicals().tests,
        "indexicals-simple": lambda: in_indexicals().simple,
        "detection": lambda: _detection(table),
        "prime": lambda: _prime(table),
        "groups": lambda: _groups(table, seed),
        "mixed": lambda: _mixed(table),
    }
    tables: dict[str, pd.DataFrame] = {}
    refused: dict[str, str] = {}
    for name, step in steps.items():
        try:
            tables[name] = step()
        except AnalysisError as error:
            refused[name] = str(error)
    tables["fingerprint"] = pd.concat(prints, ignore_index=True) if prints else pd.DataFrame()
    return Analysis(tables, refused, tuple(lines))


def _some(table: pd.DataFrame, otherwise: str) -> pd.DataFrame:
    if table.empty:
        raise AnalysisError(otherwise)
    return table


def _levels(table: pd.DataFrame, *names: str) -> dict[str, tuple[Hashable, ...]]:
    return {name: tuple(dict.fromkeys(table[name])) for name in names}


def _accuracy(table: pd.DataFrame) -> pd.DataFrame:
    """Wilson and exact limits by participant, experiment and condition, and cluster-robust ones by item.

    People of one study are one; of several the clusters are the persons.
    """
    table = table.assign(person=table["participant"], participant=table["participant"].map(group_of))
    by = ("participant", "experiment", "condition")
    parts = []
    for label, part in table.groupby(list(by), sort=False):
        told: dict[str, object] = {name: str(level) for name, level in zip(by, label, strict=True)}
        plain = {str(name): value for name, value in proportions(part, {}).iloc[0].items()}
        clusters = "person" if part["person"].nunique() > 1 else "item"
        clustered = clustered_proportions(part, {}, [clusters]).iloc[0].to_dict()
        readable = part[part.readable]
        more = {f"clustered_{name}": clustered[name] for name in ("clusters", "std_error", "low", "high")}
        share = float(readable.correct.mean()) if len(readable) else float("nan")
        parts.append({**told, **plain, **more, "n_readable": len(readable), "share_readable": share})
    return pd.DataFrame(parts)


def _tasks(table: pd.DataFrame) -> pd.DataFrame:
    """Pairwise comparisons of tasks, main conditions, as odds ratios with Tukey's limits: what the paper tested."""
    parts = []
    for name, part in table[(table.condition == "main")].groupby("participant", sort=False):
        asked = [task for task in _TASKS if (part.experiment == task).any()]
        if len(asked) < 2:
            continue
        fit = logistic(design(part[part.experiment.isin(asked)], "correct", {"experiment": asked}))
        found = contrasts(marginal_means(fit, ["experiment"]), "tukey")
        found.insert(0, "participant", name)
        parts.append(found)
    if not parts:
        raise AnalysisError(
            "experiment has a single level for every participant: ask two tasks in their main condition"
        )
    return pd.concat(parts, ignore_index=True)


def _passages(table: pd.DataFrame) -> pd.DataFrame:
    """The four cells of the paper: passages where quotation marks stand around direct speech and nowhere else."""
    part = table[(table.experiment == "indexicals")]
    if part.empty:
        raise AnalysisError("indexicals were not asked")
    plain = part[part.marks == "plain"]
    if plain.empty:
        raise AnalysisError("marks has no trial at plain: the papers' four cells are not among those asked")
    return plain


def _detection(table: pd.DataFrame) -> pd.DataFrame:
    part = _passages(table)
    return sensitivities(part, _levels(part, "participant", "indexical"))


def _prime(table: pd.DataFrame) -> pd.DataFrame:
    part = _passages(table)
    return prime_susceptibility(part, _levels(part, "participant", "indexical"))


def _groups(table: pd.DataFrame, seed: int) -> pd.DataFrame:
    """χ² of object groups, main conditions."""
    part = table[table.experiment.isin(_TASKS) & (table.condition == "main")]
    if part.empty:
        raise AnalysisError("no task on scenes was asked in its main condition")
    whole = part[part.correct.isna() | part.correct.isin((0.0, 1.0))]
    return group_tests(whole, _levels(whole, "participant", "experiment"), "group", seed=seed)


def _mixed(table: pd.DataFrame) -> pd.DataFrame:
    """A logistic model of task with crossed random intercepts of participants and items."""
    part = table[table.experiment.isin(_TASKS) & (table.condition == "main") & table.correct.notna()]
    if part.empty:
        raise AnalysisError("no task on scenes was asked in its main condition")
    asked = [task for task in _TASKS if (part.experiment == task).any()]
    if part.participant.nunique() < _PEOPLE:
        raise AnalysisError(
            f"participant has {part.participant.nunique()} levels: a random intercept needs {_PEOPLE}; models are "
            "compared one by one"
        )
    if len(asked) < 2:
        raise AnalysisError("experiment has a single level: ask two tasks")
    columns = design(part, "correct", {"experiment": asked})
    rows = part.iloc[columns.rows]
    items = (rows.experiment + "/" + rows["item"].astype(str)).to_numpy()
    fit = logit_mixed(
        columns.response, columns.matrix, columns.names, {"participant": rows.participant.to_numpy(), "item": items}
    )
    return fit.table()


def _fingerprint(asked: DesignResults, subject: Result, seed: int) -> tuple[pd.DataFrame, str]:
    about = f"{subject.participant} on {asked.name}"
    try:
        found = fingerprint_of(asked, subject, seed=seed, resamples=_RESAMPLES, simulations=_SIMULATIONS)
    except AnalysisError as error:
        return pd.DataFrame(), f"{about}: {error}"
    weights = found.weights.assign(verdict=found.verdict)
    weights.insert(0, "design", asked.name)
    weights.insert(0, "participant", subject.participant)
    return weights, f"{about}: {found.lines()[0]}"
