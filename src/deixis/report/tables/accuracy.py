"""A table of accuracies as the paper has them: what was tested, by whom, and how right; the published behind."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from deixis.analysis.claims.naming import printed_name
from deixis.analysis.people.alignment import Share, gap
from deixis.analysis.who import kind_of
from deixis.report.tables import cells
from deixis.report.tables.asking import not_asked
from deixis.report.tables.counts import CHANNELS, Counts, Key, participants, protocols
from deixis.report.tables.printed import Printed
from deixis.report.tables.table import Cell, Column, Row, Table, row

PAPER = "paper"
"""Stands for the protocol in rows of published numbers."""
NOTE = (
    "Accuracy has all outcomes but errored and missing in its denominator n; readable is accuracy over the readable "
    "answers. Intervals are 95 %: Wilson's of a share, Newcombe's of a difference; those of people keep the trials of "
    "a person together. Protocols are never pooled, and only the published asks as the paper did. "
    "A ceiling is the best accuracy that a channel allows."
)
"""How to read any of these tables."""
_CHANNELS = {"both": "text and picture", "text": "text alone", "picture": "picture alone"}
_COLUMNS = (
    Column("Protocol", ("protocol",), "head"),
    Column("Tested", ("tested",), "head"),
    Column("Participant", ("participant",), "head"),
    Column("Accuracy", ("accuracy",)),
    Column("95 % interval", ("low", "high")),
    Column("n", ("n",)),
    Column("Readable", ("readable",)),
    Column("Published", ("published",)),
    Column("Ours − published", ("difference",)),
    Column("95 % of difference", ("difference_low", "difference_high")),
    Column("", ("correct",)),
    Column("", ("answered",)),
    Column("", ("persons",)),
    Column("", ("published_as",), "text"),
    Column("", ("published_n",)),
)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing tested."""

    label: str
    """What the table calls it."""
    experiment: str
    """Experiment at hand that asks it."""
    condition: str
    """Its condition."""
    printed: tuple[Printed, ...] = ()
    """What the paper prints of it, in its order."""


def accuracy_table(name: str, title: str, note: str, parts: Sequence[Part], counts: Mapping[Key, Counts]) -> Table:
    """Return a table of accuracies by protocol and part: participants at hand, both ends, ceilings; then the paper."""
    tested = {(part.experiment, part.condition) for part in parts}
    mine = {key: found for key, found in counts.items() if key[1:3] in tested}
    rows = [
        one
        for protocol in protocols(mine)
        for part in parts
        for one in (*_answers(protocol, part, mine), *_ceilings(protocol, part, mine))
    ]
    rows += [
        row(_COLUMNS, "published", PAPER, {**_head(PAPER, part, one.model), **_published(one)})
        for part in parts
        for one in part.printed
    ]
    notes = [NOTE, note, *_odd(parts), *not_asked([(part.experiment, part.condition) for part in parts], mine)]
    return Table(name, title, " ".join(filter(None, notes)), _COLUMNS, tuple(rows))


def who(participant: str, found: Counts) -> Cell:
    """Return the cell that names a participant, with how many people it stands for."""
    people = f" ({found.people})" if kind_of(participant) == "people" else ""
    return Cell(participant + people, (participant,))


def accuracy_cells(found: Counts) -> dict[str, Cell]:
    """Return the cells of an accuracy with its interval and denominators."""
    share = found.share
    return {
        "accuracy": cells.share(share.value if share else None),
        "low": interval_of(share),
        "n": cells.count(found.n),
        "readable": cells.share(found.readable),
        "correct": Cell("", (found.correct,)),
        "answered": Cell("", (found.answered,)),
        "persons": Cell("", (found.people,)),
    }


def interval_of(share: Share | None) -> Cell:
    """Return the cell with the limits of a share."""
    return cells.interval(share.low, share.high) if share else cells.interval(None, None)


def _answers(protocol: str, part: Part, counts: Mapping[Key, Counts]) -> Iterator[Row]:
    by_name = {one.model: one for one in part.printed}
    for participant in participants(counts, references=True):
        found = counts.get((protocol, part.experiment, part.condition, participant))
        if found is None:
            continue
        beside = by_name.get(printed_name(participant) or "")
        told = {**_head(protocol, part, ""), "participant": who(participant, found), **accuracy_cells(found)}
        yield row(
            _COLUMNS,
            kind_of(participant).value,
            protocol,
            {**told, **(_compared(found, beside) if beside else {})},
        )


def _compared(found: Counts, beside: Printed) -> dict[str, Cell]:
    """Return the published number and ours minus it."""
    ours, theirs = found.share, beside.share
    apart, low, high = gap(ours, theirs) if ours and theirs else (None, None, None)
    return {
        "published": cells.printed(beside.words),
        "difference": cells.difference(apart),
        "difference_low": cells.interval_of_difference(low, high),
        "published_as": Cell("", (beside.model,)),
        "published_n": Cell("", (beside.n,)),
    }


def _published(one: Printed) -> dict[str, Cell]:
    return {
        "accuracy": cells.printed(one.words),
        "low": interval_of(one.share),
        "n": cells.count(one.n) if one.words else cells.text(""),
    }


def _ceilings(protocol: str, part: Part, counts: Mapping[Key, Counts]) -> Iterator[Row]:
    """Yield the ceilings on the trials of whoever comes first; a channel that is not there has a dash."""
    for participant in participants(counts, references=True):
        found = counts.get((protocol, part.experiment, part.condition, participant))
        if found is not None and found.ceilings:
            for channel in CHANNELS:
                told = {"accuracy": cells.share(found.ceiling(channel))}
                head = _head(protocol, part, f"ceiling: {_CHANNELS[channel]}")
                yield row(_COLUMNS, "ceiling", protocol, {**head, **told})
            return


def _head(protocol: str, part: Part, participant: str) -> dict[str, Cell]:
    heads = {"protocol": protocol, "tested": part.label, "participant": participant}
    return {name: cells.text(said) for name, said in heads.items()}


def _odd(parts: Sequence[Part]) -> Iterator[str]:
    """Yield what the paper prints that no count gives."""
    for part in parts:
        for one in part.printed:
            if not one.follows:
                yield f"No count of {one.n} prints as {one.words} ({one.model}, {part.label}): the nearest stands in."
