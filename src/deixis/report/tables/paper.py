"""Tables 1-9 of the perspectival-words paper, ours beside the published.

Source: Dong et al. (2026), appendices A, B, D, E, F.2 and K.
"""

import pandas as pd

from deixis.report.tables.accuracy import Part, accuracy_table
from deixis.report.tables.counts import Counts, Key, count
from deixis.report.tables.objects import object_table
from deixis.report.tables.people import people_table
from deixis.report.tables.printed import printed_accuracies
from deixis.report.tables.table import Table

TASKS = ("vocabulary", "possessive", "demonstrative")
"""The tasks in the order of the paper."""
_CHECKS = {"object": "object recognition", "gazer": "gazer identification", "speaker": "speaker identification"}
_PICTURES = {"none": "no image", "empty": "empty image", "unrelated": "unrelated image"}
_WORDINGS = {"table6": "context-first", "table7": "condensed", "table8": "simple"}
_HERE = "Questions are ours, since the paper prints none."
_OURS = "The paper prints possessives alone; of demonstratives it says that they are lower."


def paper_tables(table: pd.DataFrame, *, seed: int = 0) -> list[Table]:
    """Return Tables 1-9 from a tidy table (see :func:`deixis.analysis.tidy.tidy`, with references).

    Where nothing was asked the table holds the published part and says which command would ask. ``seed`` is that of
    the Monte Carlo p-values of Table 4. Raises :class:`deixis.errors.AnalysisError` for a table that lacks a column.
    """
    counts = count(table)
    return [
        _checks("table1", "Accuracies of models on the people's pictures (Table 1)", "-people", counts),
        _checks("table2", "Accuracies of models on the models' pictures (Table 2)", "", counts),
        people_table(counts),
        object_table(table, seed=seed),
        accuracy_table(
            "table5",
            "Accuracy on the control question, whether the object is close to the speaker (Table 5)",
            _HERE,
            [Part("control question", "checks", "control", printed_accuracies("table5"))],
            counts,
        ),
        *(_wording(name, wording, counts) for name, wording in _WORDINGS.items()),
        _pictures(counts),
    ]


def _checks(name: str, title: str, ending: str, counts: dict[Key, Counts]) -> Table:
    parts = [
        Part(label, "checks", check + ending, printed_accuracies(name, check=check)) for check, label in _CHECKS.items()
    ]
    return accuracy_table(name, title, _HERE, parts, counts)


def _wording(name: str, wording: str, counts: dict[Key, Counts]) -> Table:
    parts = [Part(task, task, wording, printed_accuracies("tables6-8", wording=wording, task=task)) for task in TASKS]
    title = f"Accuracies under the {wording} wording (Table {name.removeprefix('table')})"
    return accuracy_table(name, title, "The paper's are taken to be of all 6,144 trials of a task.", parts, counts)


def _pictures(counts: dict[Key, Counts]) -> Table:
    parts = [
        Part(
            f"{task}, {image}", task, f"picture-{picture}", printed_accuracies("table9", task=task, image=image)
        )
        for task in TASKS[1:]
        for picture, image in _PICTURES.items()
    ]  # fmt: skip
    title = "Accuracies without the picture, and with an empty or an unrelated one (Table 9)"
    return accuracy_table("table9", title, _OURS, parts, counts)
