"""What stands in which denominator: headline accuracy, accuracy over the readable, and what became of every trial."""

from collections.abc import Mapping

from deixis.analysis.intervals import wilson
from deixis.analysis.who import Kind, kind_of
from deixis.records import Outcome
from deixis.report.tables import cells
from deixis.report.tables.accuracy import accuracy_cells, who
from deixis.report.tables.counts import Counts, Key
from deixis.report.tables.table import Cell, Column, Table, row

_NOTE = (
    "Accuracy has all outcomes but errored and missing in its denominator n; readable has the answered alone. Their "
    "difference is what unreadable answers cost. Intervals are 95 %: Wilson's, of people with the trials of a person "
    "together."
)
_COLUMNS = (
    Column("Protocol", ("protocol",), "head"),
    Column("Experiment", ("experiment",), "head"),
    Column("Condition", ("condition",), "head"),
    Column("Participant", ("participant",), "head"),
    Column("Accuracy", ("accuracy",)),
    Column("95 % interval", ("low", "high")),
    Column("n", ("n",)),
    Column("Readable", ("readable",)),
    Column("95 % of readable", ("readable_low", "readable_high")),
    Column("Readable − headline", ("cost",)),
    *(Column(outcome.value.capitalize(), (outcome.value,)) for outcome in Outcome),
    Column("", ("correct",)),
    Column("", ("persons",)),
)


def denominator_table(counts: Mapping[Key, Counts]) -> Table:
    """Return a row a participant, experiment and condition."""
    rows = []
    for key in sorted((key for key in counts if kind_of(key[3]) != Kind.REFERENCE), key=lambda key: key[:3]):
        found = counts[key]
        told = {
            name: cells.text(said) for name, said in zip(("protocol", "experiment", "condition"), key, strict=False)
        }
        told["participant"] = who(key[3], found)
        told |= {name: cell for name, cell in accuracy_cells(found).items() if name != "answered"}
        told |= _readable(found)
        told |= {outcome.value: cells.count(found.outcomes[outcome.value]) for outcome in Outcome}
        rows.append(row(_COLUMNS, kind_of(key[3]).value, key[0], told))
    return Table(
        "denominators", "Headline and readable accuracy, and what became of every trial", _NOTE, _COLUMNS, tuple(rows)
    )


def _readable(found: Counts) -> dict[str, Cell]:
    """Return the interval over the readable answers of a model, and how far it lies above the headline."""
    share, readable = found.share, found.readable
    if share is None or readable is None:
        return {"readable_low": cells.interval(None, None), "cost": cells.difference(None)}
    alone = found.people == 1
    low, high = wilson(found.correct, found.answered) if alone else (None, None)
    return {"readable_low": cells.interval(low, high), "cost": cells.difference(readable - share.value)}
