"""The trial table for people and programs: rows, files, counts, and single trials."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from deixis.errors import UsageError
from deixis.experiments import experiment
from deixis.experiments.experiment import Design, Setup
from deixis.items.cells import INDEXICALS
from deixis.records import BETWEEN, Prompt, Trial


def rows(design: Design) -> Iterator[dict[str, str]]:
    """Yield one row a trial, with the columns that every table of the project uses; nothing is kept."""
    for trial, prompt in design.pairs():
        yield {
            "trial_id": trial.id,
            "experiment": trial.experiment,
            "condition": trial.condition,
            "protocol": trial.protocol,
            **trial.factors,
            **{f"option_{place}": option.text for place, option in enumerate(trial.options, start=1)},
            "answer": trial.options[trial.answer].text,
            "prompt": prompt.text,
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


def write_table(design: Design, path: Path) -> int:
    """Write the table as ``.csv``, ``.jsonl`` or ``.parquet`` and return how many trials it has.

    Raises :class:`UsageError` for any other ending, and where it cannot be written.
    """
    kind = path.suffix.lower()
    if kind not in _WRITERS:
        raise UsageError(f"cannot write {str(path)!r}: the name must end in .csv, .jsonl or .parquet")
    try:
        return _WRITERS[kind](design, path)
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror or error}; name another file") from None


def _write_csv(design: Design, path: Path) -> int:
    return _write_lines(path, csv_lines(design))


def _write_jsonl(design: Design, path: Path) -> int:
    return _write_lines(path, (json.dumps(row, ensure_ascii=False) + "\n" for row in rows(design)))


def _write_lines(path: Path, lines: Iterator[str]) -> int:
    with path.open("w", encoding="utf-8", newline="") as file:
        return sum(1 for line in lines if file.write(line))


def _write_parquet(design: Design, path: Path) -> int:
    import pyarrow  # noqa: PLC0415  (heavy)
    from pyarrow import parquet  # noqa: PLC0415

    table = pyarrow.Table.from_pylist(list(rows(design)))
    parquet.write_table(table, path)
    return int(table.num_rows)


_WRITERS: Mapping[str, Callable[[Design, Path], int]] = {
    ".csv": _write_csv,
    ".jsonl": _write_jsonl,
    ".parquet": _write_parquet,
}


def counts(design: Design) -> list[str]:
    """Return how many trials each level of each factor has, the item aside, and where the right answer stands."""
    levels: dict[str, Counter[str]] = {}
    places: Counter[int] = Counter()
    pictures = set()
    for trial, prompt in design.pairs():
        for factor, level in trial.factors.items():
            if factor != "item":
                levels.setdefault(factor, Counter())[level] += 1
        places[trial.answer + 1] += 1
        pictures.add(prompt.picture)
    lines = [f"{design.experiment}, {design.condition}, {design.protocol}: {places.total()} trials"]
    for factor, found in levels.items():
        told = ", ".join(f"{level} {count}" for level, count in found.items())
        if len(found) > _MANY:
            told = f"{len(found)} levels, {_range(found)} each"
        lines.append(f"  {factor}: {told}")
    lines.append("  right answer: " + ", ".join(f"option_{place} {places[place]}" for place in sorted(places)))
    if pictures != {None}:
        lines.append(f"  pictures: {len(pictures)}")
    settings = ", ".join(f"{name}={value}" for name, value in design.setup.settings.items())
    lines += [f"  settings: {settings}"] if settings else []
    lines.append("--csv prints the table, --out FILE writes it, 'deixis show TRIAL_ID' shows one trial")
    return lines


_MANY = 8
"""With more levels than this, a factor's are not listed one by one."""


def _range(found: Counter[str]) -> str:
    low, high = min(found.values()), max(found.values())
    return str(low) if low == high else f"{low} to {high}"


def find_trial(trial_id: str, setup: Setup) -> tuple[Trial, Prompt, Design]:
    """Return one trial, its prompt and its design; raises :class:`UsageError` with the nearest ids.

    The experiment is the one that the id begins with; an id that begins with none is one of the indexicals.
    """
    begun = trial_id.partition("/")[0]
    found = experiment("indexicals" if begun in INDEXICALS else begun)
    known: list[str] = []
    for condition in [setup.condition] if setup.condition else found.asked:
        design = found.settled_design(setup.items, condition, setup.protocol, setup.seed, setup.settings)
        pair = design.find(trial_id) if design.find is not None else _among(design, trial_id)
        if pair is not None:
            return *pair, design
        known += [trial.id for trial, _ in design.pairs()]
    near = get_close_matches(trial_id, known, n=3, cutoff=0.0) or ["none"]
    raise UsageError(f"no trial {trial_id!r}; nearest: {', '.join(near)} ('deixis trials EXPERIMENT' lists all)")


def _among(design: Design, trial_id: str) -> tuple[Trial, Prompt] | None:
    return next((pair for pair in design.pairs() if pair[0].id == trial_id), None)


def described(trial: Trial, prompt: Prompt) -> list[str]:
    """Return a trial for reading: what is asked, in which order, and what is right."""
    factors = ", ".join(f"{factor} {level}" for factor, level in trial.factors.items())
    lines = [f"{trial.id}  ({trial.experiment}, {trial.condition}, {trial.protocol})", factors, ""]
    if "objects" in trial.stimulus:
        whose = f"; it belongs to the {trial.stimulus['owner']}" if "owner" in trial.stimulus else ""
        lines[-1:] = [
            f"from left to right: {trial.stimulus['objects']}; the target is near the {trial.stimulus['near']}{whose}",
            "",
        ]
    lines += [f"system: {prompt.system}", ""] if prompt.system else []
    for example in prompt.examples:
        lines += [f"[picture {example.picture}]", example.text, ""]
    lines += [f"[picture {prompt.picture}]"] if prompt.picture else []
    lines += [prompt.user, ""]
    lines += ["(answered at length; then)", prompt.then, ""] if prompt.then else []
    for place, option in enumerate(trial.options):
        mark = "right" if place in trial.meant else "     "
        features = ", ".join(f"{name} {value}" for name, value in option.features.items())
        lines.append(f"{mark}  option_{place + 1}: {option.text}  ({features})")
    for name, told in (("examples", "examples"), ("unrelated", "unrelated picture")):
        lines += [f"{told}: {trial.stimulus[name]}"] if name in trial.stimulus else []
    for name, told in (("text", "told"), ("picture", "shown")):
        leaves = trial.stimulus.get(f"{name}_leaves", "").replace(BETWEEN, " or ")
        if leaves:
            lines.append(f"{name} gives: {trial.stimulus[told] or 'nothing'}; leaves: {leaves}")
    if "both_leaves" in trial.stimulus:
        lines.append(f"both leave: {trial.stimulus['both_leaves'].replace(BETWEEN, ' or ')}")
    return lines


def write_picture(prompt: Prompt, design: Design, path: Path | None) -> list[str]:
    """Write the picture of a prompt, if it has one, and return its path as a line.

    Raises :class:`UsageError` where a place is named and there is no picture, where another picture is there, or
    where it cannot be written.
    """
    if prompt.picture is None or design.draw is None:
        if path is not None:
            raise UsageError(f"{prompt.trial_id!r} has no picture here; leave --picture out")
        return []
    target = path or Path(f"{prompt.trial_id.replace('/', '_')}.png")
    content = design.draw(prompt.picture)
    if target.suffix.lower() != ".png":
        raise UsageError(f"a picture is a PNG; end the name {target.name!r} in .png")
    try:
        if target.exists() and target.read_bytes() != content:
            raise UsageError(f"{str(target)!r} is another picture; name another with --picture or take it away")
        target.write_bytes(content)
    except OSError as error:
        raise UsageError(
            f"cannot write {str(target)!r}: {error.strerror or error}; name another with --picture"
        ) from None
    return [str(target)]
