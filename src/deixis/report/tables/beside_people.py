"""People and models on the same items, as a table: how far apart, hard on the same items or not, wrong alike or not."""

import pandas as pd

from deixis.analysis.people.alignment import alignment
from deixis.analysis.who import Kind, group_of, kind_of
from deixis.errors import AnalysisError
from deixis.report.tables import cells
from deixis.report.tables.table import Column, Row, Table, row

_TASKS = ("vocabulary", "possessive", "demonstrative")
_ERRORS = ("PPE", "ONE", "PoPE", "DPE", "Double")
_RESAMPLES, _SPLITS = 400, 100
_COLUMNS = (
    Column("Protocol", ("protocol",), "head"),
    Column("Task", ("task",), "head"),
    Column("People", ("study",), "head"),
    Column("Model", ("model",), "head"),
    Column("People right", ("people",)),
    Column("95 % interval", ("people_low", "people_high")),
    Column("Model right", ("accuracy",)),
    Column("Model − people", ("gap",)),
    Column("95 % of it", ("gap_low", "gap_high")),
    Column("Items shared", ("items_shared",)),
    Column("Correlation of items", ("correlation",)),
    Column("Ceiling of it", ("ceiling",)),
    Column("Distance of errors", ("distance",)),
    Column("By chance", ("distance_floor",)),
    Column("Note", ("note",), "text"),
)
_NOTE = (
    "People answer the condition people, models the condition main. The gap has an interval from both sides' own "
    "(people by person, models by item). The correlation runs over the items that both answered, and cannot be "
    "expected to pass its ceiling, which is what half of the people say of the other half. The distance is that of "
    "Jensen and Shannon between what the errors on the shared items are, right answers left out: 0 is the same "
    "mixture; by chance alone it is as the last number says."
)


def beside_people_table(table: pd.DataFrame, seed: int = 0) -> Table | None:
    """Return a row a task, study and model, for each protocol; ``None`` without people and models in one task."""
    rows: list[Row] = []
    told: dict[str, None] = {}
    for protocol, part in table.groupby("protocol", observed=True, sort=False):
        kinds = part["participant"].map({name: kind_of(str(name)) for name in part["participant"].cat.categories})
        people = _sided(part[(kinds == Kind.PEOPLE) & (part["condition"] == "people")])
        models = _sided(part[(kinds == Kind.MODEL) & (part["condition"] == "main")])
        for study in dict.fromkeys(people["participant"].map(group_of)):
            mine = people[people["participant"].map(group_of) == study]
            for task in _TASKS:
                if not ((mine["task"] == task).any() and (models["task"] == task).any()):
                    continue
                try:
                    found = alignment(mine, models, [task], _ERRORS, seed=seed, resamples=_RESAMPLES, splits=_SPLITS)
                except AnalysisError as error:
                    told[f"{study} in {task}: {error}"] = None
                    continue
                rows += [
                    _row(str(protocol), study, {str(name): value for name, value in line.items()})
                    for line in found.to_dict("records")
                ]
    if not rows and not told:
        return None
    note = " ".join([_NOTE, *(f"Not compared: {reason}." for reason in told)])
    return Table("people-and-models", "People and models on the same items", note, _COLUMNS, tuple(rows))


def _sided(part: pd.DataFrame) -> pd.DataFrame:
    named = part[["participant", "item", "experiment", "correct", "error"]].rename(columns={"experiment": "task"})
    return named.astype(dict.fromkeys(("participant", "item", "task", "error"), "str"))


def _row(protocol: str, study: str, found: dict[str, object]) -> Row:
    def of(name: str) -> float:
        return float(str(found.get(name, "nan")))

    return row(
        _COLUMNS,
        "model",
        protocol,
        {
            **{name: cells.text(said) for name, said in (("protocol", protocol), ("study", study))},
            **{name: cells.text(str(found[name])) for name in ("task", "model")},
            "people": cells.share(of("people")),
            "people_low": cells.interval(of("people_low"), of("people_high")),
            "accuracy": cells.share(of("accuracy")),
            "gap": cells.difference(of("gap")),
            "gap_low": cells.interval_of_difference(of("gap_low"), of("gap_high")),
            "items_shared": cells.count(int(of("items_shared"))),
            **{name: cells.number(of(name), 2) for name in ("correlation", "ceiling", "distance", "distance_floor")},
            "note": cells.text(str(found["note"])),
        },
    )
