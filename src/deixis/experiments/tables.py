"""The trial table for people and programs: rows, files, counts, and single trials."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from deixis.errors import UsageError
from deixis.experiments import EXPERIMENTS
from deixis.experiments.experiment import Design
from deixis.records import Prompt, Trial


def rows(design: Design) -> Iterator[dict[str, str]]:
    """Yield one row a trial, with the columns that every table of the project uses."""
    for trial, prompt in zip(design.trials, design.prompts, strict=True):
        yield {
            "trial_id": trial.id,
            "experiment": trial.experiment,
            "condition": trial.condition,
            "protocol": trial.protocol,
            **trial.factors,
            **{f"option_{place}": option.text for place, option in enumerate(trial.options, start=1)},
            "answer": trial.options[trial.answer].text,
            "prompt": prompt.user,
            "picture": prompt.picture or "",
        }


def csv_lines(design: Design) -> Iterator[str]:
    """Yield the table as CSV, a header and one record a trial, line ends included."""
    buffer = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows(design):
        if writer is None:
            writer = csv.DictWriter(buffer, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def write_table(design: Design, path: Path) -> None:
    """Write the table as ``.csv``, ``.jsonl`` or ``.parquet``; raises :class:`UsageError` for anything else."""
    kind = path.suffix.lower()
    try:
        if kind == ".csv":
            path.write_text("".join(csv_lines(design)), encoding="utf-8", newline="")
        elif kind == ".jsonl":
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows(design))
            path.write_text("".join(lines), encoding="utf-8")
        elif kind == ".parquet":
            _write_parquet(design, path)
        else:
            raise UsageError(f"cannot write {str(path)!r}: the name must end in .csv, .jsonl or .parquet")
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror or error}; name another file") from None


def _write_parquet(design: Design, path: Path) -> None:
    import pyarrow  # noqa: PLC0415  (heavy)
    from pyarrow import parquet  # noqa: PLC0415

    parquet.write_table(pyarrow.Table.from_pylist(list(rows(design))), path)


def counts(design: Design) -> list[str]:
    """Return how many trials each level of each factor has, the item aside, and where the right answer stands."""
    lines = [f"{design.experiment}, {design.condition}, {design.protocol}: {len(design.trials)} trials"]
    factors = [factor for factor in design.trials[0].factors if factor != "item"]
    for factor in factors:
        levels = Counter(trial.factors[factor] for trial in design.trials)
        lines.append(f"  {factor}: " + ", ".join(f"{level} {count}" for level, count in levels.items()))
    places = Counter(trial.answer + 1 for trial in design.trials)
    lines.append("  right answer: " + ", ".join(f"option_{place} {places[place]}" for place in sorted(places)))
    lines.append("--csv prints the table, --out FILE writes it, 'deixis show TRIAL_ID' shows one trial")
    return lines


def find_trial(trial_id: str, items: Path | None, condition: str, protocol: str, seed: int) -> tuple[Trial, Prompt]:
    """Return one trial and its prompt; raises :class:`UsageError` with the nearest ids."""
    known: list[str] = []
    for experiment in EXPERIMENTS.values():
        if condition not in experiment.conditions or protocol not in experiment.readers:
            continue
        design = experiment.design(items, condition, protocol, seed)
        for trial, prompt in zip(design.trials, design.prompts, strict=True):
            if trial.id == trial_id:
                return trial, prompt
        known += [trial.id for trial in design.trials]
    near = get_close_matches(trial_id, known, n=3, cutoff=0.0) or ["none"]
    raise UsageError(f"no trial {trial_id!r}; nearest: {', '.join(near)} ('deixis trials EXPERIMENT' lists all)")


def described(trial: Trial, prompt: Prompt) -> list[str]:
    """Return a trial for reading: what is asked, in which order, and what is right."""
    factors = ", ".join(f"{factor} {level}" for factor, level in trial.factors.items())
    lines = [f"{trial.id}  ({trial.experiment}, {trial.condition}, {trial.protocol})", factors, ""]
    lines += [f"system: {prompt.system}", "", prompt.user, ""]
    for place, option in enumerate(trial.options):
        mark = "right" if place == trial.answer else "     "
        features = ", ".join(f"{name} {value}" for name, value in option.features.items())
        lines.append(f"{mark}  option_{place + 1}: {option.text}  ({features})")
    return lines
