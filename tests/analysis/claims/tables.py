"""Tables of trials made by hand: so many right answers of so many, a trial an item."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

Cell = Mapping[str, object]


def rows(right: int, n: int, *, participant: str = "a/model", item: str = "", **cell: object) -> pd.DataFrame:
    """``n`` trials of one cell, the first ``right`` of them right; every trial is of another item."""
    correct = (np.arange(n) < right).astype(float)
    quoted = cell.get("sentence_type") == "quoted"
    table = pd.DataFrame(
        {
            "participant": participant,
            "protocol": "corrected",
            "condition": "main",
            "item": [f"{item}{place:03}" for place in range(n)],
            "correct": correct,
            "shifted": correct if quoted else 1 - correct,
            "error": np.where(correct == 1, "Correct", "Wrong"),
        }
    )
    return table.assign(**cell)


def indexicals(word: str, cells: tuple[int, int, int, int], n: int = 100, **more: object) -> pd.DataFrame:
    """Right answers in non-quoted/non-shifted, non-quoted/shifted, quoted/non-shifted, quoted/shifted, as Figure 2."""
    places = [(s, p) for s in ("non-quoted", "quoted") for p in ("non-shifted", "shifted")]
    return pd.concat(
        [
            rows(
                right, n, experiment="indexicals", indexical=word, sentence_type=s, context_prime=p, marks="plain",
                item=f"{word}/", **more,
            )
            for right, (s, p) in zip(cells, places, strict=True)
        ],
        ignore_index=True,
    )  # fmt: skip


def tasks(right: Mapping[tuple[str, str], int], n: int = 200, **more: object) -> pd.DataFrame:
    """Right answers by experiment and condition."""
    return pd.concat(
        [rows(k, n, experiment=task, condition=condition, **more) for (task, condition), k in right.items()],
        ignore_index=True,
    )
