"""Where numbers come from: counts by cell and cluster, of what the papers print or of the runs at hand.

A table of trials is added up once, in one pass; every claim then reads sums.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from deixis.analysis.claims.naming import printed_name
from deixis.analysis.counting import need

Array = NDArray[np.float64]
PEOPLE = "people"
"""All people together, where a participant is asked for."""
LEVELS = ("indexical", "sentence_type", "context_prime", "marks", "group")
"""Factors that claims speak of."""
CLASSES = ("PPE", "PoPE", "DPE", "Double")
"""Error classes that claims speak of."""
_EDGE = 1e-9
"""Sums of thirds are whole numbers within this."""
_DESIGN = ("protocol", "participant", "experiment", "condition")
Part = Mapping[str, NDArray[Any]]
"""The sums of one participant in one condition: columns of equal length, a row a cell and item."""


class LackingError(Exception):
    """Something is not at hand; the message names what would have to be run."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Counts of one cell, by cluster."""

    k: Array
    """Right answers (or whatever is counted), a cluster an entry."""
    n: Array
    """Trials that count."""
    units: NDArray[np.object_]
    """The clusters: items, or persons."""
    by: str = "item"
    """What the clusters are: ``item`` or ``person``."""
    exact: bool = False
    """Whether it is a printed number, which has no interval here."""

    @property
    def total(self) -> float:
        """Trials."""
        return float(self.n.sum())

    @property
    def share(self) -> float:
        """Share of all trials."""
        return float(self.k.sum() / self.n.sum())


@dataclass(frozen=True, slots=True)
class Source:
    """Numbers of one kind: ``printed``, or those of one protocol."""

    protocol: str
    """``printed``, ``published``, ``described`` or ``corrected``."""
    parts: Mapping[tuple[str, str, str], Part]
    """The sums, by participant, experiment and condition."""
    lacking: list[tuple[str, str]] | None = None
    """Where what is not at hand is written down (what, and under which condition, empty for
    people's answers), instead of raising for the first of it."""

    @property
    def printed(self) -> bool:
        """Whether these are the papers' own numbers."""
        return self.protocol == "printed"

    @property
    def models(self) -> list[str]:
        """Participants that are neither reference nor person, in their order."""
        names = dict.fromkeys(name for name, _, _ in self.parts)
        return [name for name in names if not _is(name, PEOPLE)]

    def name_of(self, participant: str) -> str | None:
        """Return what the papers call a participant, if it is one of their models."""
        return participant if self.printed else printed_name(participant)

    def has(self, who: str, experiment: str, condition: str) -> bool:
        """Whether a participant was asked under a condition."""
        named = (name for name, *design in self.parts if design == [experiment, condition])
        return any(_is(name, who) for name in named)

    def cell(self, who: str, experiment: str, condition: str = "main", *, of: str = "correct", **levels: str) -> Cell:
        """Return the counts of one cell; all trials of the condition where no ``levels`` are given.

        ``of`` is what is counted: ``correct``, ``shifted`` (readable answers only) or an error class. For
        :data:`PEOPLE` clusters are persons. Where there is no such trial it is written down as lacking, and a cell
        without meaning returned, or :class:`LackingError` raised.
        """
        found = list(self._chosen(who, experiment, condition, levels))
        denominator = "shifted_n" if of == "shifted" else "n"
        if not sum(float(part[denominator][rows].sum()) for _, part, rows in found):
            self._miss(f"{experiment}{_told(levels)}", condition, who)
            return Cell(np.zeros(1), np.ones(1), np.array([""], dtype=object))
        if who == PEOPLE and not self.printed:
            persons = np.array([name for name, _, _ in found], dtype=object)
            sums = [np.array([part[name][rows].sum() for _, part, rows in found]) for name in (of, denominator)]
            return Cell(sums[0], sums[1], persons, "person")
        k, n, items = (np.concatenate([part[c][rows] for _, part, rows in found]) for c in (of, denominator, "item"))
        codes, names = pd.factorize(items)
        # an item of one experiment is another cluster than one of the same name elsewhere
        units = np.array([f"{experiment}/{name}" for name in names], dtype=object)
        sums = [np.bincount(codes, np.asarray(values, dtype=float), len(names)).astype(float) for values in (k, n)]
        return Cell(sums[0], sums[1], units, exact=self.printed)

    def groups(self, who: str, experiment: str) -> tuple[Array, Array]:
        """Return right answers and trials of every group of objects in ``main``; a share in a tie is none."""
        for _, part, rows in self._chosen(who, experiment, "main", {}):
            codes, names = pd.factorize(part["group"][rows])
            right, total = (np.bincount(codes, np.asarray(part[c])[rows], len(names)) for c in ("correct", "n"))
            return np.floor(right + _EDGE), np.asarray(total, dtype=float)
        self._miss(experiment, "main", who)
        return np.zeros(1), np.ones(1)

    def _miss(self, what: str, condition: str, who: str) -> None:
        where = "" if who == PEOPLE else condition
        if self.lacking is None:
            raise LackingError(f"{what} in {condition}")
        self.lacking.append((what, where))

    def _chosen(
        self, who: str, experiment: str, condition: str, levels: Mapping[str, str]
    ) -> Iterator[tuple[str, Part, NDArray[np.bool_]]]:
        whom = dict.fromkeys(name for name, _, _ in self.parts if _is(name, who)) if who == PEOPLE else (who,)
        for name in whom:
            part = self.parts.get((name, experiment, condition))
            if part is not None:
                rows = np.ones(len(part["n"]), dtype=bool)
                for factor, level in levels.items():
                    rows &= part[factor] == level
                yield name, part, rows


def _is(name: str, who: str) -> bool:
    return name == who or (who == PEOPLE and name.startswith(f"{PEOPLE}:"))


def _told(levels: Mapping[str, str]) -> str:
    return "".join(f", {level}" for level in levels.values() if level != "plain")


def sources(table: pd.DataFrame) -> list[Source]:
    """Return a source for every protocol of a tidy table, reference participants left out.

    Raises :class:`deixis.errors.AnalysisError` if the table lacks a column that every tidy table has.
    """
    need(table, *_DESIGN, "item", "correct", "shifted", "error")
    sums = _sums(_without_references(table))
    columns = {str(name): sums[name].to_numpy() for name in sums.columns}
    parts: dict[str, dict[tuple[str, str, str], Part]] = {}
    places, designs = pd.factorize(pd.MultiIndex.from_frame(sums[list(_DESIGN)]))
    order = np.argsort(places, kind="stable")
    ends = np.cumsum(np.bincount(places, minlength=len(designs)))
    for (protocol, who, experiment, condition), rows in zip(designs, np.split(order, ends)[:-1], strict=True):
        part = {name: values[rows] for name, values in columns.items()}
        parts.setdefault(str(protocol), {})[str(who), str(experiment), str(condition)] = part
    return [Source(protocol, found) for protocol, found in parts.items()]


def _without_references(table: pd.DataFrame) -> pd.DataFrame:
    """Return the columns that are summed, of the rows of models and people."""
    codes, names = pd.factorize(table["participant"])
    kept = np.array([not str(name).startswith("strategy:") for name in names], dtype=bool)
    wanted = [*_DESIGN, "item", "correct", "shifted", "error", *(name for name in LEVELS if name in table.columns)]
    return table.loc[kept[codes], wanted] if len(kept) and not kept.all() else table[wanted]


def _sums(table: pd.DataFrame) -> pd.DataFrame:
    """Add up the trials of every cell and item: keys, ``n``, ``correct``, ``shifted``, ``shifted_n``, error classes."""
    keys = [*_DESIGN, "item", *(name for name in LEVELS if name in table.columns)]
    combined, levels = np.zeros(len(table), dtype=np.int64), []
    for key in keys:
        codes, names = pd.factorize(table[key])
        levels.append((codes, np.asarray([*names, ""], dtype=object)))  # the last one is that of an empty value, -1
        combined, _ = pd.factorize(combined * (len(names) + 1) + (codes + 1))
    size = int(combined.max()) + 1 if len(combined) else 0
    first = np.zeros(size, dtype=np.int64)
    first[combined[::-1]] = np.arange(len(table))[::-1]
    made = {key: names[codes[first]] for key, (codes, names) in zip(keys, levels, strict=True)}
    values: dict[str, Sequence[float] | Array] = {}
    for name in ("correct", "shifted"):
        column = table[name].to_numpy(dtype=float, na_value=np.nan)
        known = ~np.isnan(column)
        values[name], values["n" if name == "correct" else "shifted_n"] = (
            np.where(known, column, 0),
            known.astype(float),
        )
    codes, names = pd.factorize(table["error"])
    errors = np.asarray([*map(str, names), ""], dtype=object)[codes]
    values |= {name: (errors == name).astype(float) for name in CLASSES}
    sums = {name: np.bincount(combined, column, size) for name, column in values.items()}
    absent = {name: np.full(size, "", dtype=object) for name in LEVELS if name not in made}
    found = pd.DataFrame({**made, **absent, **sums})
    found["marks"] = np.where(found["marks"] == "", "plain", found["marks"])
    return found
