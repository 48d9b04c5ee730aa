"""What the tests of mixed models share: designs with R's names, simulated trials, rows held against R's."""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

from deixis.seeds import derived
from tests.analysis.reference import near

TASKS = {"task": ("vocabulary", "possessive", "demonstrative")}
RUNS = {**TASKS, "run": ("production", "followup")}
CELLS = {"quotation": ("nonquoted", "quoted"), "prime": ("nonshifted", "shifted")}
RATINGS = {"word": ("this", "that"), "dist": ("0", "1", "2", "3")}


def columns(table: pd.DataFrame, levels: Mapping[str, Sequence[str]]) -> tuple[np.ndarray, list[str]]:
    """Return treatment-coded columns with all interactions, and the names R gives them."""
    names, found = ["(Intercept)"], [np.ones(len(table))]
    blocks = [[(f"{f}{one}", (table[f] == one).to_numpy(float)) for one in ones[1:]] for f, ones in levels.items()]
    for size in range(1, len(blocks) + 1):
        for chosen in combinations(blocks, size):
            for cell in product(*chosen):
                names.append(":".join(name for name, _ in cell))
                found.append(np.prod([column for _, column in cell], axis=0))
    return np.column_stack(found), names


def random(table: pd.DataFrame, *factors: str) -> dict[str, pd.Series]:
    return {name: table[name] for name in factors}


def hold(found: pd.DataFrame, rows: Sequence[Mapping[str, Any]], tolerance: Mapping[str, float]) -> None:
    """Hold every number of R's rows that our table has as well, by term."""
    ours = found.set_index("term")
    assert list(ours.index) == [row["term"] for row in rows]
    for row in rows:
        for name in set(row) - {"term"}:
            assert ours.loc[row["term"], name] == near(row[name], dict(tolerance)), (row["term"], name)


def simulated(name: str, sizes: Sequence[int], spreads: Sequence[float], rows: int) -> pd.DataFrame:
    """Trials at random levels of factors ``f0``, ``f1`` …, a covariate ``x`` and a latent ``eta``."""
    drawn = np.random.default_rng(derived(0, f"tests/mixed/{name}"))
    table = pd.DataFrame({f"f{k}": drawn.integers(0, size, rows) for k, size in enumerate(sizes)})
    table["x"] = drawn.integers(0, 2, rows).astype(float)
    table["eta"] = 0.3 + 0.5 * table.x
    for k, (size, spread) in enumerate(zip(sizes, spreads, strict=True)):
        table["eta"] += (spread * drawn.normal(size=size))[table[f"f{k}"]]
    table["noise"] = drawn.logistic(size=rows)
    table["correct"] = (table.eta + table.noise > 0).astype(float)
    return table
