"""An analysis as text for reading and as CSV for everything else."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from deixis.analysis.published_tests import table3, table4
from deixis.analysis.pvalues import p_text
from deixis.analysis.whole import Analysis, analyse
from deixis.errors import StoreError, UsageError
from deixis.scoring.results import DesignResults, read_results
from deixis.scoring.ways import Way, reader_way

TITLES = {
    "accuracy": "Accuracy, with Wilson limits and such as are clustered by item, of people by person",
    "planned": "Planned comparisons: difference of shares, clustered by item, p adjusted by Holm within a participant",
    "pairs": "Participants in pairs, by trial: McNemar's exact test, Tango's limits, p adjusted by Holm (not planned)",
    "tasks": "Tasks in pairs, odds ratios with Tukey's limits (the paper's test; not planned one by one)",
    "indexicals-cells": "Indexicals: quotation by prime, marginal means",
    "indexicals-groups": "Indexicals: how each was fitted",
    "indexicals-tests": "Indexicals: tests of quotation, prime and their interaction",
    "indexicals-simple": "Indexicals: simple effects, odds ratios (not planned)",
    "detection": "Sensitivity to quotation (signal: quoted; response: shifted; log-linear correction)",
    "prime": "Prime susceptibility: shifted answers under a shifted prime minus under the other",
    "groups": "Object groups: χ² on accuracy, with Monte Carlo p",
    "mixed": "Mixed logistic model: task, with random intercepts of participants and items",
    "fingerprint": "Fingerprint: which reference strategies explain the answers",
}
"""What each table is called."""
SHOWN = {
    "accuracy": "participant experiment condition n left_out estimate wilson_low wilson_high clustered_low "
    "clustered_high n_readable share_readable note",
    "planned": "participant experiment contrast share_1 share_2 n estimate low high p p_adjusted holds note",
    "pairs": "experiment condition first second pairs only_first only_second difference low high p_exact p_adjusted "
    "note",
    "tasks": "participant contrast odds_ratio odds_ratio_low odds_ratio_high z p method note",
    "indexicals-cells": "participant indexical sentence_type context_prime prob prob_low prob_high n method",
    "indexicals-tests": "participant indexical term test chi_squared df p n",
    "indexicals-simple": "participant indexical effect within level contrast odds_ratio odds_ratio_low "
    "odds_ratio_high p",
    "detection": "participant indexical hit_rate fa_rate dprime dprime_low dprime_high criterion n_signal n_noise "
    "left_out note",
    "prime": "participant indexical n estimate low high p clusters note",
    "groups": "participant experiment n statistic df p p_monte_carlo p_adjusted min_expected cramers_v note",
    "fingerprint": "participant design strategy estimate low high verdict",
}
"""The columns shown; the CSV files have all."""


def analysed(runs: Sequence[Path], reader: str, participants: Sequence[str], seed: int) -> Analysis:
    """Read runs by a reader, by default that of each protocol, and analyse some participants, by default all."""
    return analyse(_designs(runs, reader_way(reader), participants), seed=seed)


def _designs(runs: Sequence[Path], way: Way, participants: Sequence[str]) -> Iterator[DesignResults]:
    """Yield designs with the participants named and the references, one at a time.

    Raises :class:`UsageError` at the end where one that was named is in none of them.
    """
    seen: set[str] = set()
    for run in runs:
        for design in read_results(run, way):
            seen |= {result.participant for result in design.results}
            kept = tuple(
                r for r in design.results if not participants or r.is_reference or r.participant in participants
            )
            yield replace(design, results=kept)
    stranger = next((name for name in participants if name not in seen), None)
    if stranger is not None:
        raise UsageError(f"no participant {stranger!r} in what is analysed; there is {', '.join(sorted(seen))}")


def published_lines() -> Iterator[str]:
    """Return what follows from the numbers that the perspectival-words paper prints, and what does not."""
    yield "Table 3 of the paper on perspectival words, recomputed from its printed shares:"
    yield from _lines(table3(), "task printed_p p_yates p_chisq p_fisher follows note".split())
    yield ""
    yield "Table 4, p from its printed χ² with 31 degrees of freedom:"
    yield from _lines(table4(), [])


def text_lines(found: Analysis) -> Iterator[str]:
    """Return the tables as text, the fingerprints in words, and what could not be analysed."""
    for name, table in found.tables.items():
        if table.empty:
            continue
        yield f"{TITLES[name]}:"
        yield from _lines(table, SHOWN.get(name, "").split())
        yield ""
    yield from found.lines
    for name, reason in found.refused.items():
        yield f"no {name}: {reason}"


def _lines(table: pd.DataFrame, columns: list[str]) -> Iterator[str]:
    shown = table[[name for name in columns if name in table.columns] or list(table.columns)].copy()
    notes = shown.pop("note").fillna("").astype(str).str.strip() if "note" in shown else pd.Series(dtype=str)
    for name in shown.columns:
        if name.startswith("p") and name in ("p", "p_adjusted", "p_monte_carlo", "p_exact"):
            shown[name] = [p_text(float(p)) for p in shown[name]]
        elif pd.api.types.is_float_dtype(shown[name]):
            shown[name] = [_number(value) for value in shown[name]]
    yield from ("  " + line for line in shown.to_string(index=False).splitlines())
    for note, rows in notes[notes != ""].value_counts(sort=False).items():
        yield f"  note: {note} ({rows} row{'' if rows == 1 else 's'})"


def _number(value: float) -> str:
    if pd.isna(value):
        return "–"
    return f"{value:.3f}" if abs(value) < 1000 else f"{value:.3g}"


def check_folder(folder: Path) -> None:
    """Make the folder of the tables before the work; raises :class:`StoreError` where it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".probe").touch()
        (folder / ".probe").unlink()
    except OSError as error:
        raise StoreError(f"cannot write into {str(folder)!r}: {error.strerror or error}; name another folder") from None


def write_tables(found: Analysis, folder: Path) -> list[Path]:
    """Write every table as CSV; raises :class:`StoreError` where the folder cannot be written."""
    check_folder(folder)
    written = []
    for name, table in found.tables.items():
        if not table.empty:
            table.to_csv(folder / f"{name}.csv", index=False)
            written.append(folder / f"{name}.csv")
    return written
