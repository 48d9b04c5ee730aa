"""The mixed logit against the package glmm (Rust) in the same run: set 01, set 06, 20,000 simulated rows.

    python -m benchmarks.mixed [--rounds 15] [--all-trials]

Both start from the same table and end with estimates and standard errors; each gets one thread; the two take turns and
the best of all rounds counts. ``--all-trials`` adds one model's 150,000 trials (1,536 items, 8 wordings) on its own.
Log-likelihoods must agree to 1e-5. Prints processor seconds, the ratio and the largest difference between estimates.
"""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is loaded: a second thread only waits for the first

import argparse  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable, Mapping, Sequence  # noqa: E402
from itertools import combinations, product  # noqa: E402
from pathlib import Path  # noqa: E402

import glmm  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

from deixis.analysis.mixed import MixedFit, logit_mixed  # noqa: E402
from deixis.seeds import derived  # noqa: E402

SETS = Path(__file__).parents[1] / "tests" / "analysis" / "reference"
Levels = Mapping[str, Sequence[str]]
Problem = tuple[pd.DataFrame, Levels, Sequence[str]]


def task() -> Problem:
    """Set 01: 4,786 trials of 180 people on 32 items, three tasks."""
    table = pd.read_csv(SETS / "01_task3_production.csv")
    return table, {"task": ("vocabulary", "possessive", "demonstrative")}, ("participant", "item")


def indexicals() -> Problem:
    """Set 06, one model and word: 400 trials on 100 sentences, quotation and prime with their interaction."""
    table = pd.read_csv(SETS / "06_indexicals_2x2.csv")
    table = table[(table.model == "model_b") & (table.indexical == "tomorrow")].reset_index(drop=True)
    return table, {"quotation": ("nonquoted", "quoted"), "prime": ("nonshifted", "shifted")}, ("item",)


def simulated(people: int, items: int, repeats: int) -> Problem:
    """Everybody on every item ``repeats`` times, a factor of three levels, intercepts of sd 1 and 0.6."""
    drawn = np.random.default_rng(derived(0, f"mixed/{people}/{items}/{repeats}"))
    person, item = np.repeat(np.arange(people), items * repeats), np.tile(np.arange(items), people * repeats)
    level = drawn.integers(0, 3, len(person))
    eta = 1 - 0.5 * level + drawn.normal(0, 1, people)[person] + drawn.normal(0, 0.6, items)[item]
    table = pd.DataFrame(
        {
            "participant": [f"P{number}" for number in person],
            "item": [f"i{number}" for number in item],
            "word": np.array(["a", "b", "c"])[level],
            "correct": (drawn.random(len(eta)) < 1 / (1 + np.exp(-eta))).astype(float),
        }
    )
    return table, {"word": ("a", "b", "c")}, ("participant", "item")


def categorical(problem: Problem) -> Problem:
    """Return the table with its factors as categories in their order, as both take it."""
    table, levels, random = problem
    named = {f: pd.Categorical(table[f], list(ones)) for f, ones in levels.items()}
    return table.assign(**named, **{f: pd.Categorical(table[f]) for f in random}), levels, random


def ours(problem: Problem) -> MixedFit:
    """Fit with this package, the design built by hand."""
    table, levels, random = problem
    names, columns = ["(Intercept)"], [np.ones(len(table))]
    codes = {name: table[name].array.codes for name in levels}
    blocks = [
        [(f"{f}{ones[k]}", (codes[f] == k).astype(float)) for k in range(1, len(ones))] for f, ones in levels.items()
    ]
    for size in range(1, len(blocks) + 1):
        for chosen in combinations(blocks, size):
            for cell in product(*chosen):
                names.append(":".join(name for name, _ in cell))
                columns.append(np.prod([column for _, column in cell], axis=0))
    return logit_mixed(table["correct"], np.column_stack(columns), names, {name: table[name] for name in random})


def theirs(problem: Problem) -> glmm.Fit:
    """Fit with glmm, from the columns that it needs."""
    table, levels, random = problem
    data = {name: table[name] for name in ("correct", *levels, *random)}
    terms = " * ".join(levels) + "".join(f" + (1 | {name})" for name in random)
    return glmm.fit(data, f"correct ~ {terms}", "binomial")


def timed(call: Callable[[], object]) -> float:
    """Return the processor's seconds of one call: other work on the machine does not count."""
    start = time.process_time()
    call()
    return time.process_time() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--all-trials", action="store_true")
    asked = parser.parse_args()
    found = {"set 01": task(), "set 06": indexicals(), "20,000 rows": simulated(100, 200, 1)}
    problems = {name: categorical(problem) for name, problem in found.items()}
    for name, problem in problems.items():
        mine, other = ours(problem), theirs(problem)
        assert abs(mine.loglik - other.loglik) < 1e-5, (name, mine.loglik, other.loglik)
        apart = np.abs(mine.params - other.beta).max()
        seconds = np.array(
            [[timed(lambda: ours(problem)), timed(lambda: theirs(problem))] for _ in range(asked.rounds)]  # noqa: B023
        ).min(axis=0)
        print(
            f"{name}: deixis {seconds[0] * 1000:.1f} ms, glmm {seconds[1] * 1000:.1f} ms, "
            f"ratio {seconds[1] / seconds[0]:.2f}; estimates within {apart:.1e}"
        )
    if asked.all_trials:
        problem = categorical(simulated(8, 1536, 12))
        print(f"{len(problem[0]):,} trials: deixis {timed(lambda: ours(problem)):.2f} s")


if __name__ == "__main__":
    sys.exit(main())
