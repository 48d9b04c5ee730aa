"""All numbers of a run: CSV for programs, tables for a terminal."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from deixis.analysis.effects import effects
from deixis.analysis.estimates import CellEstimate, ceilings, cell, cells, confusion
from deixis.analysis.forced import forced_summary, told
from deixis.analysis.intervals import Estimate
from deixis.experiments import experiment
from deixis.report.error_tables import error_lines
from deixis.report.figures import of_passages
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
    """Return tables for a terminal: overall, by cell, error classes and effects, for every participant."""
    lines: list[str] = []
    for design in designs:
        signature = design.signature
        lines.append(f"{design.name}: " + ", ".join(f"{key} {value}" for key, value in signature.items()))
        lines += [f"  items {note}" for note in design.notes]
        lines += _ceilings(design.results) + _overall(design.results)
        lines += (_by_cell if of_passages(design) else _by_answer)(design)
        lines += error_lines(design, _width(design.results)) + _effects(design.results)
        lines += [f"{name}: {words}" for name, words in forced_words(design.results)]
    return lines


def _width(results: Sequence[Result]) -> int:
    """Return how wide the column of participants is."""
    return max(len(result.participant) for result in results) + 2 if results else 26


def _overall(results: Sequence[Result]) -> list[str]:
    wide = _width(results)
    lines = [
        "",
        f"{'participant':<{wide}}{'n':>6}{'answered':>10}{'accuracy':>10}  95 % interval  {'readable':>9}  other",
    ]
    for result in results:
        whole = cell({}, result.rows)
        other = ", ".join(f"{k} {v}" for k, v in whole.outcomes.items() if v and k != "answered")
        ties = f" (ties {whole.ties})" if whole.ties else ""
        lines.append(
            f"{result.participant:<{wide}}{whole.n:>6}{whole.answered:>10}{number(whole.accuracy):>10}  "
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
    wide = _width(design.results)
    header = f"{'participant':<{wide}}" + "".join(f"{level:<26}" for level in levels)
    lines = ["", f"accuracy by cell, {marks} marks: {order}", header]
    for result in design.results:
        rows = [row for row in result.rows if row.trial.factors["marks"] == marks]
        found = {tuple(c.levels.values()): c for c in cells(rows, ["indexical", "sentence_type", "context_prime"])}
        line = f"{result.participant:<{wide}}"
        for level in levels:
            four = [
                found.get((level, sentence, prime))
                for sentence in ("non-quoted", "quoted")
                for prime in ("non-shifted", "shifted")
            ]
            line += f"{' '.join(number(c.accuracy, 2) if c else '–' for c in four):<26}"
        lines.append(line.rstrip())
    return lines


def _ceilings(results: Sequence[Result]) -> list[str]:
    rows = next((result.rows for result in results if result.rows), ())
    told = [f"{channel} {number(value, 2)}" for channel, value in ceilings(rows).items()]
    return ["", f"information ceiling: {', '.join(told)}"] if rows else []


def _by_answer(design: DesignResults) -> list[str]:
    """Return what every participant said, by what was right: shares of the trials in the denominator."""
    wide = _width(design.results)
    lines = ["", "what was said, by what was right"]
    for result in design.models or design.results:
        for right, said in sorted(confusion(result.rows).items()):
            asked = said.total() - said["errored"] - said["missing"]
            shares = ", ".join(f"{name} {number(count / asked if asked else None, 2)}" for name, count in _sorted(said))
            lines.append(f"{result.participant:<{wide}}{right:<15}{shares}")
    return lines


def _sorted(said: Mapping[str, int]) -> list[tuple[str, int]]:
    counted = [(name, count) for name, count in said.items() if name not in ("errored", "missing")]
    return sorted(counted, key=lambda entry: (entry[0] != "right", -entry[1], entry[0]))


def _effects(results: Sequence[Result]) -> list[str]:
    rows = next((result.rows for result in results if result.rows), ())
    found = effects(rows)
    names = list(cell({}, rows).leanings)
    wide = _width(results)
    lines = [
        "",
        f"{'participant':<{wide}}"
        + "".join(f"{name + ' effect':<26}" for name in found)
        + "  ".join([*names, "first"]),
    ]
    for result in results:
        whole = cell({}, result.rows)
        line = "".join(f"{effect(estimate(result.rows)):<26}" for estimate in found.values())
        took = [f"{number(whole.leanings.get(name), 2):>{len(name)}}" for name in names]
        lines.append(f"{result.participant:<{wide}}{line}{'  '.join([*took, f'{number(whole.first_rate, 2):>5}'])}")
    return lines


def forced_words(results: Sequence[Result]) -> list[tuple[str, str]]:
    """Return, for every participant asked by forced choice, what there is to say of it."""
    summaries = [(r.participant, forced_summary(r.rows)) for r in results if not r.is_reference]
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
