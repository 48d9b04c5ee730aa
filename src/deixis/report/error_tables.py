"""Error classes as tables: CSV for programs, text for a terminal."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd

from deixis.analysis.errors import ClassShare, class_shares, classes
from deixis.analysis.intervals import wilson
from deixis.analysis.tidy import frame_of
from deixis.experiments import experiment
from deixis.scoring.results import DesignResults


def error_csv_rows(designs: Iterable[DesignResults]) -> list[str]:
    """Return one CSV line a participant, cell and class, behind a header for each set of factors."""
    return error_csv_lines((design.signature, frame_of(design, references=True)) for design in designs)


def error_csv_lines(designs: Iterable[tuple[Mapping[str, str | int], pd.DataFrame]]) -> list[str]:
    """Return the lines of :func:`error_csv_rows` of tables that are at hand, each with its design's signature."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    header: list[str] = []
    for signature, table in designs:
        factors = experiment(str(signature["experiment"])).cells
        columns = ["experiment", "condition", "protocol", "participant", *factors]
        columns += ["class", "count", "n", "share", "low", "high"]
        if columns != header:
            header = columns
            writer.writerow(header)
        about = [str(signature[name]) for name in ("experiment", "condition", "protocol")]
        if not table.empty:
            writer.writerows([*about, *line] for line in _csv_values(table, factors))
    return buffer.getvalue().splitlines()


def _csv_values(table: pd.DataFrame, factors: Sequence[str]) -> Iterator[list[str]]:
    among = [error.value for error in classes(table)]
    counts = table.groupby(["participant", *factors, "error"], observed=True, sort=False).size()
    wide = counts.unstack("error", fill_value=0).reindex(columns=among, fill_value=0)
    cells = table.groupby(["participant", *factors], observed=True, sort=False).size().index
    for levels, row in zip(cells, wide.reindex(cells).to_numpy(), strict=True):
        n = int(row.sum())
        for error, count in zip(among, row.tolist(), strict=True):
            values = ["", "", ""] if not n else [f"{value:.6g}" for value in (count / n, *wilson(count, n))]
            yield [*map(str, levels), error, str(count), str(n), *values]


def error_lines(parts: Mapping[str, pd.DataFrame], wide: int) -> list[str]:
    """Return the table of error classes for a terminal: shares of n with 95 % Wilson intervals, behind a blank line."""
    among = classes(next(iter(parts.values())))
    if not among:
        return []
    header = f"{'participant':<{wide}}{'n':>6}  " + "".join(f"{error.value:<19}" for error in among)
    lines = ["", "error classes: share of n [95 % interval]", header.rstrip()]
    for name, part in parts.items():
        shares = class_shares(part, among)
        told = "".join(f"{share_words(share):<19}" for share in shares)
        lines.append(f"{name:<{wide}}{shares[0].n:>6}  {told}".rstrip())
    return lines


def share_words(part: ClassShare) -> str:
    """Return a share with its interval, a dash where nothing was counted."""
    return "–" if part.share is None else f"{part.share:.2f} [{part.low:.2f}, {part.high:.2f}]"
