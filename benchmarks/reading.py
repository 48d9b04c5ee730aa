"""Answers read a second on one core, against plain substring search (the published reader) in the same run.

    python -m benchmarks.reading

Two sets: the labelled corpus, which is all difficulties, and answers as a run has them, nine in ten of which are an
option with or without a full stop, the rest from the corpus. Processor time of this process, the best of seven passes.
"""

import random
import time
from collections.abc import Sequence
from functools import partial

from tests.scoring.corpus import Labelled, corpus

from deixis.scoring import read_answer

PLAIN = 0.9


def main() -> None:
    """Measure and print."""
    drawn = random.Random(0)  # noqa: S311
    usual = [
        (one.text, one) if drawn.random() >= PLAIN else (drawn.choice(one.options) + drawn.choice(("", ".", "!")), one)
        for one in corpus()
        for _ in range(5)
    ]
    for name, answers in (("the corpus", [(one.text, one) for one in corpus()]), ("a usual run", usual)):
        letters = sum(len(text) for text, _ in answers) / len(answers)
        ours, theirs = (rate(answers, reader) for reader in ("strict", "published"))
        print(f"{name}: {len(answers):,} answers, {letters:.0f} letters each on average")
        print(f"  strict {ours:,.0f} a second, published {theirs:,.0f}; ratio {theirs / ours:.1f}")


def rate(answers: Sequence[tuple[str, Labelled]], reader: str) -> float:
    """Return answers a second, the best of seven passes."""
    calls = [
        partial(read_answer, text, one.options, reader=reader, finish=one.finish, labels=one.labels)
        for text, one in answers
    ]
    best = float("inf")
    for _ in range(7):
        start = time.process_time()
        for call in calls:
            call()
        best = min(best, time.process_time() - start)
    return len(calls) / best


if __name__ == "__main__":
    main()
