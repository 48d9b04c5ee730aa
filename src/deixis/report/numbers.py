"""All numbers of a run: CSV for programs, tables for a terminal."""

import csv
import io
from collections.abc import Iterable, Sequence

from deixis.analysis.estimates import EFFECTS, CellEstimate, cell, cells
from deixis.analysis.forced import forced_summary, told
from deixis.analysis.intervals import Estimate
from deixis.experiments import experiment
from deixis.scoring.results import DesignResults, Result


def csv_rows(designs: Iterable[DesignResults]) -> list[str]:
    """Return one CSV line a participant and cell, behind a header for each set of factors."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    header: list[str] = []
    for design in designs:
        factors = experiment(str(design.signature["experiment"])).cells
        columns = ["experiment", "condition", "protocol", "participant", *factors]
        columns += ["n", "answered", "correct", "accuracy", "accuracy_readable"]
        if columns != header:
            header = columns
            writer.writerow(header)
        for result in design.results:
            for estimate in cells(result.rows, factors):
                writer.writerow(_csv_row(design, result, estimate))
    return buffer.getvalue().splitlines()


def _csv_row(design: DesignResults, result: Result, estimate: CellEstimate) -> list[str]:
    signature = design.signature
    return [
        str(signature["experiment"]),
        str(signature["condition"]),
        str(signature["protocol"]),
        result.participant,
        *estimate.levels.values(),
        str(estimate.n),
        str(estimate.answered),
        f"{estimate.correct:.10g}",
        _exact(estimate.accuracy),
        _exact(estimate.accuracy_readable),
    ]


def _exact(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}".rstrip("0").removesuffix(".")


def text_tables(designs: Iterable[DesignResults]) -> list[str]:
    """Return tables for a terminal: overall, by cell, and effects, for every participant."""
    lines: list[str] = []
    for design in designs:
        signature = design.signature
        lines.append(f"{design.name}: " + ", ".join(f"{key} {value}" for key, value in signature.items()))
        lines += [f"  items {note}" for note in design.notes]
        lines += _overall(design.results) + _by_cell(design) + _effects(design.results)
        lines += [f"{name}: {words}" for name, words in forced_words(design.results)]
    return lines


def _overall(results: Sequence[Result]) -> list[str]:
    lines = [
        "",
        f"{'participant':<26}{'n':>6}{'answered':>10}{'accuracy':>10}  95 % interval  {'readable':>9}  other",
    ]
    for result in results:
        whole = cell({}, result.rows)
        other = ", ".join(f"{k} {v}" for k, v in whole.outcomes.items() if v and k != "answered")
        ties = f" (ties {whole.ties})" if whole.ties else ""
        lines.append(
            f"{result.participant:<26}{whole.n:>6}{whole.answered:>10}{number(whole.accuracy):>10}  "
            f"[{whole.low:.3f}, {whole.high:.3f}] {number(whole.accuracy_readable):>9}   {other}{ties}"
        )
    return lines


def _by_cell(design: DesignResults) -> list[str]:
    rows = [row for result in design.results for row in result.rows]
    levels = list(dict.fromkeys(row.trial.factors["indexical"] for row in rows))
    lines: list[str] = []
    for marks in dict.fromkeys(row.trial.factors["marks"] for row in rows):
        lines += _cells_of(design, marks, levels)
    return lines


def _cells_of(design: DesignResults, marks: str, levels: Sequence[str]) -> list[str]:
    order = "non-quoted/non-shifted, non-quoted/shifted, quoted/non-shifted, quoted/shifted prime"
    header = f"{'participant':<26}" + "".join(f"{level:<26}" for level in levels)
    lines = ["", f"accuracy by cell, {marks} marks: {order}", header]
    for result in design.results:
        rows = [row for row in result.rows if row.trial.factors["marks"] == marks]
        found = {tuple(c.levels.values()): c for c in cells(rows, ["indexical", "sentence_type", "context_prime"])}
        line = f"{result.participant:<26}"
        for level in levels:
            four = [
                found.get((level, sentence, prime))
                for sentence in ("non-quoted", "quoted")
                for prime in ("non-shifted", "shifted")
            ]
            line += f"{' '.join(number(c.accuracy, 2) if c else '–' for c in four):<26}"
        lines.append(line.rstrip())
    return lines


def _effects(results: Sequence[Result]) -> list[str]:
    lines = [
        "",
        f"{'participant':<26}" + "".join(f"{name + ' effect':<26}" for name in EFFECTS) + "shifted  first",
    ]
    for result in results:
        whole = cell({}, result.rows)
        line = "".join(f"{effect(estimate(result.rows)):<26}" for estimate in EFFECTS.values())
        lines.append(f"{result.participant:<26}{line}{number(whole.shift_rate, 2):>7}{number(whole.first_rate, 2):>7}")
    return lines


def forced_words(results: Sequence[Result]) -> list[tuple[str, str]]:
    """Return, for every participant asked by forced choice, what there is to say of it."""
    summaries = [(result.participant, forced_summary(result.rows)) for result in results]
    return [(name, told(summary)) for name, summary in summaries if summary is not None]


def number(value: float | None, digits: int = 3) -> str:
    """Return a number for reading, a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def effect(estimate: Estimate) -> str:
    """Return an effect with its interval, or what it lacks."""
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:+.2f}"
    return f"{estimate.value:+.2f} [{estimate.low:+.2f}, {estimate.high:+.2f}]"
