"""Table 4: does accuracy depend on the group of objects? χ² by task and model, with a p that holds for small counts.

Source: Dong et al. (2026), appendix D.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from deixis.analysis.claims.naming import printed_name
from deixis.analysis.published_tests import table4
from deixis.analysis.shares.groups import group_tests
from deixis.analysis.who import Kind, kind_of
from deixis.published.printed import printed
from deixis.report.tables import cells
from deixis.report.tables.accuracy import PAPER
from deixis.report.tables.counts import protocols
from deixis.report.tables.table import Cell, Column, Row, Table, row

_DRAWN = 2000
"""Tables drawn for a p; with so many its standard error at .05 is .005."""
_NOTE = (
    "χ² of right and wrong answers over the 32 groups of objects, main condition; models alone, since each person sees "
    "few groups. Where expected counts fall below 5 the Monte Carlo p is to be relied on ("
    f"{_DRAWN:,} tables with the same margins). p (Holm) is the Monte Carlo p adjusted over the models at hand and "
    "tasks of a protocol, in the paper over its 21 tests. p recomputed is that of the printed χ². Ties with a share of "
    "credit are left out."
)
_COLUMNS = (
    Column("Protocol", ("protocol",), "head"),
    Column("Experiment", ("experiment",), "head"),
    Column("Model", ("participant",), "head"),
    Column("n", ("n",)),
    Column("χ²", ("statistic",)),
    Column("df", ("df",)),
    Column("p", ("p",)),
    Column("p (Monte Carlo)", ("p_monte_carlo",)),
    Column("p (Holm)", ("p_adjusted",)),
    Column("Cramér's V", ("cramers_v",)),
    Column("χ² published", ("published_statistic",)),
    Column("p published", ("published_p",)),
    Column("p recomputed", ("p_recomputed",)),
    Column("", ("min_expected",)),
    Column("", ("expected_below_5",)),
    Column("", ("note",), "text"),
)


def object_table(table: pd.DataFrame, *, seed: int) -> Table:
    """Return Table 4 from a tidy table; ``seed`` fixes the tables drawn."""
    tasks = list(dict.fromkeys(line["task"] for line in printed("table4")))
    mine = _main(table, tasks)
    rows = [
        one
        for protocol in protocols((p,) for p in mine["protocol"].unique())
        for one in _tested(mine, protocol, tasks, seed)
    ]
    title = "Effect of the group of objects on accuracy (Table 4)"
    absent = [task for task in tasks if not (mine["experiment"] == task).any()]
    note = f" Not asked here: `deixis run {' '.join(absent)} --condition main` asks it." if absent else ""
    return Table("table4", title, _NOTE + note, _COLUMNS, (*rows, *_published()))


def _main(table: pd.DataFrame, tasks: list[str]) -> pd.DataFrame:
    """Return the trials of models in the main condition that are right or wrong, with a group of objects."""
    names = [name for name in table["participant"].unique() if kind_of(str(name)) == Kind.MODEL]
    columns = ["protocol", "experiment", "participant", "group", "correct"]
    if "group" not in table:
        return pd.DataFrame(columns=columns)
    kept = (table["condition"] == "main") & table["experiment"].isin(tasks) & table["participant"].isin(names)
    mine = table.loc[kept & table["correct"].isin((0.0, 1.0)), columns].dropna()
    return mine.astype(dict.fromkeys(columns[:-1], object))


def _tested(mine: pd.DataFrame, protocol: str, tasks: list[str], seed: int) -> Iterator[Row]:
    part = mine[mine["protocol"] == protocol]
    models = list(dict.fromkeys(part["participant"]))
    tested = part.groupby(["experiment", "participant"])["group"].nunique()
    several = part.set_index(["experiment", "participant"]).index.isin(tested[tested > 1].index)
    if not several.any():
        return
    by = {"experiment": tasks, "participant": models}
    for found in group_tests(part[several], by, "group", seed=seed, drawn=_DRAWN).to_dict("records"):
        told = {str(name): value for name, value in found.items()}
        yield row(
            _COLUMNS, "model", protocol, {**_head(protocol, told["experiment"], told["participant"]), **_cells(told)}
        )


def _cells(found: Mapping[str, Any]) -> dict[str, Cell]:
    beside = _beside(str(found["experiment"]), printed_name(str(found["participant"])))
    return {
        "n": cells.count(int(found["n"])),
        "statistic": cells.number(found["statistic"], 3),
        "df": cells.number(found["df"], 0),
        "p": cells.p_value(found["p"]),
        "p_monte_carlo": cells.p_value(found["p_monte_carlo"]),
        "p_adjusted": cells.p_value(found["p_monte_carlo_adjusted"]),
        "cramers_v": cells.number(found["cramers_v"], 3),
        "min_expected": Cell("", (float(found["min_expected"]),)),
        "expected_below_5": Cell("", (int(found["expected_below_5"]),)),
        "note": Cell("", (str(found["note"]),)),
        **(beside or {}),
    }


def _beside(task: str, model: str | None) -> dict[str, Cell]:
    for line in printed("table4"):
        if (line["task"], line["model"]) == (task, model):
            return {
                "published_statistic": cells.printed(line["statistic"]),
                "published_p": _as_printed(line["printed_p"]),
            }
    return {}


def _published() -> Iterator[Row]:
    for line, found in zip(printed("table4"), table4().to_dict("records"), strict=True):
        told = {
            "statistic": cells.printed(line["statistic"]),
            "df": cells.count(int(line["df"])),
            "p": _as_printed(line["printed_p"]),
            "p_recomputed": cells.p_value(float(found["p"])),
            "p_adjusted": cells.p_value(float(found["p_adjusted"])),
            "note": Cell("", (str(found["note"]),)),
        }
        yield row(_COLUMNS, "published", PAPER, {**_head(PAPER, line["task"], line["model"]), **told})


def _as_printed(words: str) -> Cell:
    """Return p as printed; what is only bounded has the words for a value."""
    return Cell(words, (words if words.startswith("<") else float(words),))


def _head(protocol: str, experiment: str, participant: str) -> dict[str, Cell]:
    heads = {"protocol": protocol, "experiment": experiment, "participant": participant}
    return {name: cells.text(said) for name, said in heads.items()}
