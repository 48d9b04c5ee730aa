"""Trials through run and score, against a bare loop that only serialises the same answers.

    python benchmarks/pipeline.py [--questions 1600] [--strategies 10]

Builds an item set of the asked size from the bank, runs strategies over it into a run folder, reads the folder back,
scores it and estimates every cell: the path of every run, with no model. Prints trials a second on one core for the
whole and for the bare loop (one json.dumps and one write a trial), and their ratio.
"""

import argparse
import json
import os
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

from deixis.experiments import experiment
from deixis.items.bank import load_bank
from deixis.items.files import write_items
from deixis.participants.registry import Setting, build, references
from deixis.records import AnswerMode, Response
from deixis.report.numbers import csv_rows
from deixis.runs.run import ask
from deixis.scoring.results import read_results
from deixis.store import RunFolder


class Quiet:
    """Progress that tells nobody."""

    def start(self, participant: str, done: int, total: int) -> None:
        """Say nothing."""

    def step(self) -> None:
        """Say nothing."""

    def end(self) -> None:
        """Say nothing."""


def write_larger_bank(path: Path, questions: int) -> None:
    """Write copies of the bank's items under new numbers until there are enough questions."""
    bank = load_bank()
    items = [bank[place * 100 % len(bank) + place // 4 % 100] for place in range(-(-questions // 8))]
    numbered = [replace(item, id=f"{item.indexical}/{n:03d}", number=n) for n, item in enumerate(items, start=1)]
    write_items(path, numbered)


def whole_path(items: Path, folder: Path, strategies: int) -> tuple[int, float, float]:
    """Run and score; return trials, seconds to run, seconds to score."""
    design = experiment("indexicals").design(items, "main", "corrected", 0)
    start = time.perf_counter()
    run = RunFolder(folder)
    with run.locked():
        part = run.design("indexicals-main")
        part.keep(design.signature, design.notes, design.trials, design.prompts)
        for name in references("indexicals")[:strategies]:
            ask(part, design, build(name, design.trials, 0, Setting()), AnswerMode.CHOOSE, None, Quiet())
    ran = time.perf_counter()
    rows = csv_rows(read_results(folder))
    assert len(rows) == 1 + 32 * strategies
    return len(design.trials) * strategies, ran - start, time.perf_counter() - ran


def bare_loop(folder: Path, trials: int) -> float:
    """Serialise and write as many answers, nothing else; return the seconds."""
    start = time.perf_counter()
    file = os.open(folder / "bare.jsonl", os.O_WRONLY | os.O_CREAT)
    for number in range(trials):
        response = Response(f"here/{number:05d}/quoted/shifted", choice=number % 2, finish="stop")
        os.write(file, json.dumps(asdict(response)).encode() + b"\n")
    os.fsync(file)
    os.close(file)
    return time.perf_counter() - start


def main() -> None:
    """Measure three times and print the best of each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=1600)
    parser.add_argument("--strategies", type=int, default=10)
    asked = parser.parse_args()
    best = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_larger_bank(folder / "items.jsonl", asked.questions)
            trials, running, scoring = whole_path(folder / "items.jsonl", folder / "run", asked.strategies)
            best.append((running + scoring, running, scoring, bare_loop(folder, trials)))
    whole, running, scoring, bare = min(best)
    print(f"{trials} trials: run {running:.2f} s, score and estimates {scoring:.2f} s")
    print(f"run + score: {trials / whole:,.0f} trials/s; bare serialising loop: {trials / bare:,.0f} trials/s")
    print(f"ratio {whole / bare:.1f} times the bare loop's time")


if __name__ == "__main__":
    main()
