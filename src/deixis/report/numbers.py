"""All numbers of a run: CSV for programs, tables for a terminal."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd

from deixis.analysis.effects import effects
from deixis.analysis.estimates import ceilings, cell, cells, confusion, leanings
from deixis.analysis.forced import forced_summary, told
from deixis.analysis.intervals import Estimate
from deixis.analysis.tidy import frame_of
from deixis.experiments import experiment
from deixis.report.error_tables import error_lines
from deixis.report.figures import of_passages
from deixis.scoring.results import DesignResults, Result, Rows


def csv_rows(designs: Iterable[DesignResults]) -> list[str]:
    """Return one CSV line a participant and cell, behind a header for each set of factors."""
    return csv_lines((design.signature, frame_of(design, references=True)) for design in designs)


def csv_lines(designs: Iterable[tuple[Mapping[str, str | int], pd.DataFrame]]) -> list[str]:
    """Return the lines of :func:`csv_rows` of tables that are at hand, each with its design's signature."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    header: list[str] = []
    for signature, table in designs:
        factors = experiment(str(signature["experiment"])).cells
        about = [str(signature[name]) for name in _ABOUT]
        columns = [*_ABOUT, "participant", *factors, "n", "answered", "correct", "accuracy", "accuracy_readable"]
        if columns != header:
            header = columns
            writer.writerow(header)
        if not table.empty:
            writer.writerows([*about, *line] for line in _csv_cells(table, factors))
    return buffer.getvalue().splitlines()


_ABOUT = ("experiment", "condition", "protocol")


def _csv_cells(table: pd.DataFrame, factors: Sequence[str]) -> Iterator[list[str]]:
    groups = table.groupby(["participant", *factors], observed=True, sort=False)
    counted = groups.agg(n=("correct", "count"), answered=("readable", "sum"), correct=("correct", "sum"))
    for levels, n, answered, correct in counted.itertuples(name=None):
        shares = [_exact(correct / of if of else None) for of in (n, answered)]
        yield [*map(str, levels), str(n), str(answered), f"{correct:.10g}", *shares]


def _exact(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}".rstrip("0").removesuffix(".")


def text_tables(designs: Iterable[DesignResults]) -> list[str]:
    """Return tables for a terminal: overall, by cell, error classes and effects, for every participant."""
    lines: list[str] = []
    for design in designs:
        signature = design.signature
        lines.append(f"{design.name}: " + ", ".join(f"{key} {value}" for key, value in signature.items()))
        lines += [f"  items {note}" for note in design.notes]
        parts = by_participant(frame_of(design, references=True))
        if not parts:
            continue
        lines += _ceilings(parts) + _overall(parts)
        lines += (_by_cell if of_passages(design) else _by_answer)(parts)
        lines += error_lines(parts, _width(parts)) + _effects(parts)
        lines += [f"{name}: {words}" for name, words in forced_words(design.results)]
    return lines


def by_participant(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the rows of every participant, in the order of the table."""
    if table.empty:
        return {}
    return {str(name): part for name, part in table.groupby("participant", observed=True, sort=False)}


def _width(parts: Iterable[str]) -> int:
    """Return how wide the column of participants is."""
    return max(map(len, parts)) + 2


def _overall(parts: Mapping[str, pd.DataFrame]) -> list[str]:
    wide = _width(parts)
    lines = [
        "",
        f"{'participant':<{wide}}{'n':>6}{'answered':>10}{'accuracy':>10}  95 % interval  {'readable':>9}  other",
    ]
    for name, part in parts.items():
        whole = cell({}, part)
        other = ", ".join(f"{k} {v}" for k, v in whole.outcomes.items() if v and k != "answered")
        ties = f" (ties {whole.ties})" if whole.ties else ""
        lines.append(
            f"{name:<{wide}}{whole.n:>6}{whole.answered:>10}{number(whole.accuracy):>10}  "
            f"[{whole.low:.3f}, {whole.high:.3f}] {number(whole.accuracy_readable):>9}   {other}{ties}"
        )
    return lines


def _by_cell(parts: Mapping[str, pd.DataFrame]) -> list[str]:
    first = next(iter(parts.values()))
    lines: list[str] = []
    for marks in first["marks"].unique():
        lines += _cells_of(parts, str(marks), [str(level) for level in first["indexical"].unique()])
    return lines


def _cells_of(parts: Mapping[str, pd.DataFrame], marks: str, levels: Sequence[str]) -> list[str]:
    order = "non-quoted/non-shifted, non-quoted/shifted, quoted/non-shifted, quoted/shifted prime"
    wide = _width(parts)
    header = f"{'participant':<{wide}}" + "".join(f"{level:<26}" for level in levels)
    lines = ["", f"accuracy by cell, {marks} marks: {order}", header]
    for name, part in parts.items():
        rows = part[part["marks"] == marks]
        found = {tuple(c.levels.values()): c for c in cells(rows, ["indexical", "sentence_type", "context_prime"])}
        line = f"{name:<{wide}}"
        for level in levels:
            four = [
                found.get((level, sentence, prime))
                for sentence in ("non-quoted", "quoted")
                for prime in ("non-shifted", "shifted")
            ]
            line += f"{' '.join(number(c.accuracy, 2) if c else '–' for c in four):<26}"
        lines.append(line.rstrip())
    return lines


def _ceilings(parts: Mapping[str, pd.DataFrame]) -> list[str]:
    told = [f"{channel} {number(value, 2)}" for channel, value in ceilings(next(iter(parts.values()))).items()]
    return ["", f"information ceiling: {', '.join(told)}"]


def _by_answer(parts: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return what every participant said, by what was right: shares of the trials in the denominator."""
    wide = _width(parts)
    lines = ["", "what was said, by what was right"]
    models = {name: part for name, part in parts.items() if not name.startswith("strategy:")}
    for name, part in (models or parts).items():
        for right, said in confusion(part).items():
            asked = said.total() - said["errored"] - said["missing"]
            shares = ", ".join(f"{what} {number(count / asked if asked else None, 2)}" for what, count in _sorted(said))
            lines.append(f"{name:<{wide}}{right:<15}{shares}")
    return lines


def _sorted(said: Mapping[str, int]) -> list[tuple[str, int]]:
    counted = [(name, count) for name, count in said.items() if name not in ("errored", "missing")]
    return sorted(counted, key=lambda entry: (entry[0] != "right", -entry[1], entry[0]))


def _effects(parts: Mapping[str, pd.DataFrame]) -> list[str]:
    first = next(iter(parts.values()))
    found, names = effects(first), leanings(first)
    wide = _width(parts)
    lines = [
        "",
        f"{'participant':<{wide}}"
        + "".join(f"{name + ' effect':<26}" for name in found)
        + "  ".join([*names, "first"]),
    ]
    for participant, part in parts.items():
        whole = cell({}, part)
        line = "".join(f"{effect(estimate(part)):<26}" for estimate in found.values())
        took = [f"{number(whole.leanings.get(name), 2):>{len(name)}}" for name in names]
        lines.append(f"{participant:<{wide}}{line}{'  '.join([*took, f'{number(whole.first_rate, 2):>5}'])}")
    return lines


def forced_words(results: Sequence[Result]) -> list[tuple[str, str]]:
    """Return, for every participant asked by forced choice, what there is to say of it."""
    forced = [r for r in results if not (r.is_reference or (isinstance(r.rows, Rows) and not r.rows.columns.by_scores))]
    summaries = [(r.participant, forced_summary(r.rows)) for r in forced]
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
