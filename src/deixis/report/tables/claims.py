"""The claims ledger as tables: what the papers claim, and what their own numbers and the runs at hand say to it."""

import pandas as pd

from deixis.report.tables import cells
from deixis.report.tables.table import Column, Table, row

_COLUMNS = (
    Column("Claim", ("id",), "head"),
    Column("On", ("on",), "head"),
    Column("Statement", ("statement",), "text"),
    Column("Where", ("where",), "text"),
    Column("Verdict", ("verdict",), "text"),
    Column("Evidence", ("evidence",), "text"),
    Column("", ("paper",)),
    Column("", ("participant",)),
    Column("", ("remark",)),
)
_NOTE = (
    "Every verdict is computed. On the numbers that the papers print: holds, fails, or untested where they do not say. "
    "On runs: holds where the 95 % interval lies within what is claimed, fails where it lies outside, open otherwise; "
    "a protocol at a time. How each claim is read: docs/claims.md."
)


def claims_table(found: pd.DataFrame) -> Table:
    """Return a table of a ledger (:func:`deixis.analysis.claims.ledger.ledger`): a row a claim, source, participant."""
    rows = [
        row(
            _COLUMNS,
            "published" if line["protocol"] == "printed" else "model",
            "printed" if line["protocol"] == "printed" else "runs",
            {
                "id": cells.text(line["id"]),
                "on": cells.text(
                    "printed numbers"
                    if line["protocol"] == "printed"
                    else " ".join(part for part in (line["protocol"], line["participant"]) if part)
                ),
                **{name: cells.text(line[name]) for name in ("statement", "where", "verdict", "paper", "participant")},
                "evidence": cells.text(" ".join(part for part in (line["evidence"], line["remark"]) if part)),
                "remark": cells.text(line["remark"]),
            },
        )
        for line in found.astype(str).to_dict("records")
    ]
    return Table("claims", "Claims of both papers", _NOTE, _COLUMNS, tuple(rows))
