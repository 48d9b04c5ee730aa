"""A tidy table counted once: from a million rows to a few hundred cells, people still one by one."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from deixis.analysis.counting import need
from deixis.analysis.intervals import wilson
from deixis.analysis.people.alignment import Share, clustered_share
from deixis.analysis.who import Kind, group_of, kind_of
from deixis.records import COUNTED, Outcome

DESIGN = ("protocol", "experiment", "condition")
"""What is never pooled."""
CHANNELS = ("both", "text", "picture")
"""The channels of the information ceiling."""
ENDS = ("strategy:oracle", "strategy:chance")
"""The reference participants that stand in the tables."""
Key = tuple[str, ...]
"""Protocol, experiment, condition, who (the people of a study together), and levels of further factors."""
_ORDER = (Kind.MODEL, Kind.PEOPLE, Kind.REFERENCE)
_PROTOCOLS = ("published", "described", "corrected")


@dataclass(frozen=True, slots=True)
class Counts:
    """The trials of one cell, counted."""

    persons: dict[str, tuple[int, float]] = field(default_factory=dict)
    """Participant to the trials that count and the sum of their credits; a model is alone."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """How often each outcome occurred."""
    ceilings: dict[str, tuple[int, float]] = field(default_factory=dict)
    """Channel to the trials that have one, and the sum of their ceilings."""

    @property
    def n(self) -> int:
        """Trials in the denominator of headline accuracy."""
        return sum(n for n, _ in self.persons.values())

    @property
    def correct(self) -> float:
        """Sum of credits."""
        return sum(correct for _, correct in self.persons.values())

    @property
    def people(self) -> int:
        """Participants with a trial that counts."""
        return sum(n > 0 for n, _ in self.persons.values())

    @property
    def answered(self) -> int:
        """Readable answers."""
        return self.outcomes[Outcome.ANSWERED.value]

    @property
    def readable(self) -> float | None:
        """Accuracy over the readable answers."""
        return self.correct / self.answered if self.answered else None

    @property
    def share(self) -> Share | None:
        """Accuracy with 95 % limits; ``None`` without trials.

        A model's are Wilson's; those of people keep the trials of a person together.
        """
        asked = {name: counted for name, counted in self.persons.items() if counted[0]}
        if not asked:
            return None
        if len(asked) == 1:
            return wilson_share(self.correct, self.n)
        each = [n for n, _ in asked.values()]
        means = np.array([correct / n for n, correct in asked.values()])
        return clustered_share(np.repeat(means, each), np.repeat(list(asked), each).tolist(), "person")

    def ceiling(self, channel: str) -> float | None:
        """Return the best accuracy from a channel on these trials; ``None`` without it."""
        n, total = self.ceilings.get(channel, (0, 0.0))
        return total / n if n else None


def wilson_share(correct: float, n: int) -> Share:
    """Return ``correct / n`` with Wilson limits."""
    return Share(correct / n, *wilson(correct, n), n, 1)


def count(table: pd.DataFrame, *factors: str) -> dict[Key, Counts]:
    """Count the trials of models, people, the oracle and chance, by design, participant and further factors.

    Trials on which a factor is empty are left out. Models come first, then people, then the two references. Raises
    :class:`deixis.errors.AnalysisError` for a table without one of the columns.
    """
    keys = [*DESIGN, "participant", *factors, "outcome"]
    need(table, *keys, "correct")
    channels = [channel for channel in CHANNELS if f"{channel}_ceiling" in table]
    ceilings = [f"{channel}_ceiling" for channel in channels]
    kept = table[[*keys, "correct", *ceilings]]
    kept = kept.astype({name: "category" for name in keys if not isinstance(kept[name].dtype, pd.CategoricalDtype)})
    names = [name for name in kept["participant"].cat.categories if kind_of(str(name)) != Kind.REFERENCE]
    kept = kept[kept["participant"].isin([*names, *ENDS])]
    grouped = kept.groupby(keys, observed=True, sort=False)
    sums, known, size = grouped[["correct", *ceilings]].sum(), grouped[ceilings].count(), grouped.size()
    found: dict[Key, Counts] = {}
    rows = zip(sums.index.tolist(), sums.to_numpy().tolist(), known.to_numpy().tolist(), size.tolist(), strict=True)
    for label, (correct, *totals), there, often in rows:
        *design, participant, outcome = *map(str, label[:4]), str(label[-1])
        key = (*design, group_of(participant), *map(str, label[4:-1]))
        into = found.setdefault(key, Counts())
        into.outcomes[outcome] += often
        n, credit = into.persons.get(participant, (0, 0.0))
        into.persons[participant] = (n + (often if outcome in COUNTED else 0), credit + correct)
        for channel, trials, total in zip(channels, there, totals, strict=True):
            before, held = into.ceilings.get(channel, (0, 0.0))
            into.ceilings[channel] = before + trials, held + total
    return dict(sorted(found.items(), key=lambda entry: _ORDER.index(kind_of(entry[0][3]))))


def participants(counts: Iterable[Key], *, references: bool = False) -> list[str]:
    """Return who is in the counts: models, people, and, if asked for, the oracle and chance in this order."""
    found = dict.fromkeys(key[3] for key in counts)
    ends = [name for name in ENDS if name in found and references]
    return [name for name in found if kind_of(name) != Kind.REFERENCE] + ends


def protocols(counts: Iterable[Key]) -> list[str]:
    """Return the protocols in the counts, in their order."""
    return sorted({key[0] for key in counts}, key=_PROTOCOLS.index)


def asked(counts: Mapping[Key, Counts], experiment: str, condition: str, protocol: str | None = None) -> bool:
    """Return whether a model or people have been asked a condition (under a protocol)."""
    return any(
        key[1:3] == (experiment, condition) and protocol in (None, key[0])
        for key, found in counts.items()
        if found.n and kind_of(key[3]) != Kind.REFERENCE
    )
