"""The papers' tables as they print them, by name.

Sources: Oğuz, Bakman and Yaldiz (2025), Figure 2; Dong et al. (2026), Tables 1-9 and section 4.1. Accuracies are
shares with the digits printed. Table 3 has beside its numbers how many people and trials each run had, as the text says
(one participant of each vocabulary run was excluded).
"""

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

TABLES = ("figure2", "stated", "table1", "table2", "table3", "table4", "table5", "tables6-8", "table9")
"""The names of all tables: ``figure2`` is of the indexicals paper, the others of the perspectival-words paper; what
its text alone says is ``stated``."""
MODELS = (
    "GPT-4o",
    "Llama-4-Scout",
    "Gemma-3",
    "InternVL2.5-4B-MPO",
    "InternVL2.5-8B-MPO",
    "Ovis2-4B",
    "Ovis2-8B",
)
"""The models of the perspectival-words paper, in the order of its tables."""


def printed(name: str) -> list[dict[str, str]]:
    """Return the rows of one of :data:`TABLES`, every value as printed; an empty one is a dash in the paper."""
    text = files("deixis.published").joinpath("tables", f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """One bar of Figure 2 of the indexicals paper."""

    indexical: str
    """``I``, ``you``, ``here`` or ``tomorrow``."""
    model: str
    """The model as the paper names it."""
    sentence_type: str
    """``non-quoted`` or ``quoted``."""
    context_prime: str
    """``non-shifted`` or ``shifted``."""
    accuracy: float
    """As printed, two digits."""
    n: int
    """Questions in the cell."""


@lru_cache(maxsize=1)
def figure2() -> tuple[PrintedCell, ...]:
    """Return every bar of Figure 2."""
    return tuple(
        PrintedCell(
            row["indexical"],
            row["model"],
            row["sentence_type"],
            row["context_prime"],
            float(row["accuracy"]),
            int(row["n"]),
        )
        for row in printed("figure2")
    )
