"""Error classes as tables: CSV for programs, text for a terminal."""

import csv
import io
from collections.abc import Iterable, Sequence

from deixis.analysis.errors import ClassShare, class_shares, classes
from deixis.experiments import experiment
from deixis.scoring.error_classes import ErrorClass
from deixis.scoring.results import DesignResults, Scored


def design_classes(design: DesignResults) -> tuple[ErrorClass, ...]:
    """Return the classes of a design: those that its options allow, and the others that occur."""
    return classes(row for result in design.results for row in result.rows)


def error_csv_rows(designs: Iterable[DesignResults]) -> list[str]:
    """Return one CSV line a participant, cell and class, behind a header for each set of factors."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    header: list[str] = []
    for design in designs:
        signature = design.signature
        factors = experiment(str(signature["experiment"])).cells
        columns = ["experiment", "condition", "protocol", "participant", *factors]
        columns += ["class", "count", "n", "share", "low", "high"]
        if columns != header:
            header = columns
            writer.writerow(header)
        among = design_classes(design)
        about = [str(signature[name]) for name in ("experiment", "condition", "protocol")]
        for result in design.results:
            for levels, rows in _cells(result.rows, factors).items():
                for part in class_shares(rows, among):
                    writer.writerow([*about, result.participant, *levels, *_csv_values(part)])
    return buffer.getvalue().splitlines()


def _cells(rows: Sequence[Scored], factors: Sequence[str]) -> dict[tuple[str, ...], list[Scored]]:
    found: dict[tuple[str, ...], list[Scored]] = {}
    for row in rows:
        found.setdefault(tuple(row.trial.factors[factor] for factor in factors), []).append(row)
    return found


def _csv_values(part: ClassShare) -> list[str]:
    values = ["", "", ""] if part.share is None else [f"{value:.6g}" for value in (part.share, part.low, part.high)]
    return [part.error.value, str(part.count), str(part.n), *values]


def error_lines(design: DesignResults, wide: int) -> list[str]:
    """Return the table of error classes for a terminal: shares of n with 95 % Wilson intervals, behind a blank line."""
    among = design_classes(design)
    if not among:
        return []
    header = f"{'participant':<{wide}}{'n':>6}  " + "".join(f"{error.value:<19}" for error in among)
    lines = ["", "error classes: share of n [95 % interval]", header.rstrip()]
    for result in design.results:
        parts = class_shares(result.rows, among)
        told = "".join(f"{share_words(part):<19}" for part in parts)
        lines.append(f"{result.participant:<{wide}}{parts[0].n:>6}  {told}".rstrip())
    return lines


def share_words(part: ClassShare) -> str:
    """Return a share with its interval, a dash where nothing was counted."""
    return "–" if part.share is None else f"{part.share:.2f} [{part.low:.2f}, {part.high:.2f}]"
