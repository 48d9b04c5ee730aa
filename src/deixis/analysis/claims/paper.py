"""The papers' printed numbers as a source, each under the experiment and condition that it is a number of."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from deixis.analysis.claims.source import LEVELS, PEOPLE, Part, Source
from deixis.published.printed import figure2, printed

_PICTURES = {"no image": "picture-none", "empty image": "picture-empty", "unrelated image": "picture-unrelated"}
_TRIALS = 6144
FOLLOW_UP = "people-follow-up"
"""The condition of the second run with people, which is only printed."""
_Row = tuple[tuple[str, str, str], dict[str, str], float, int, bool]
"""Participant, experiment and condition; levels; share; trials; whether quoted, where that is a factor."""


@lru_cache(maxsize=1)
def paper() -> Source:
    """Return everything the papers print as accuracies."""
    rows: dict[tuple[str, str, str], list[_Row]] = {}
    for row in (*_figure2(), *_scenes()):
        rows.setdefault(row[0], []).append(row)
    return Source("printed", {where: _part(found) for where, found in rows.items()})


def _part(rows: Sequence[_Row]) -> Part:
    n = np.array([trials for *_, trials, _ in rows], dtype=float)
    share = np.array([share for *_, share, _, _ in rows])
    quoted = np.array([flag for *_, flag in rows])
    levels = {name: np.array([row[1].get(name, "") for row in rows], dtype=object) for name in LEVELS}
    item = np.array([str(place) for place in range(len(rows))], dtype=object)
    shifted = np.where(quoted, share, 1 - share) * n
    return {**levels, "item": item, "n": n, "shifted_n": n, "correct": share * n, "shifted": shifted}


def _figure2() -> Iterator[_Row]:
    for bar in figure2():
        levels = {
            "indexical": bar.indexical,
            "sentence_type": bar.sentence_type,
            "context_prime": bar.context_prime,
            "marks": "plain",
        }
        yield (bar.model, "indexicals", "main"), levels, bar.accuracy, bar.n, bar.sentence_type == "quoted"


def _scenes() -> Iterator[_Row]:
    for table, suffix in (("table2", ""), ("table1", "-people")):
        for row in printed(table):
            if row["accuracy"]:
                yield _row(row["model"], "checks", row["check"] + suffix, row["accuracy"], int(row["n"]))
    for row in printed("table5"):
        yield _row(row["model"], "checks", "control", row["accuracy"], int(row["n"]))
    for row in printed("tables6-8"):
        yield _row(row["model"], row["task"], row["wording"], row["accuracy"], _TRIALS)
    for row in printed("table9"):
        yield _row(row["model"], row["task"], _PICTURES[row["image"]], row["accuracy"], int(row["n"]))
    for row in printed("stated"):
        if row["participant"] != "humans":
            yield _row(row["participant"], row["task"], "main", row["accuracy"], _TRIALS)
    for row in printed("table3"):
        for which, condition, side in (("production", "people", "1"), ("follow_up", FOLLOW_UP, "2")):
            people = int(row[f"people{side}"]) * int(row[f"trials{side}"])
            yield _row(PEOPLE, row["task"], condition, row[which], people)


def _row(who: str, experiment: str, condition: str, share: str, n: int) -> _Row:
    return (who, experiment, condition), {}, float(share), n, False
