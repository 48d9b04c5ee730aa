"""The sheet on which a person reads answers: drawn from a run, blind, and joined with it again by hash.

The sheet shows the options as they were offered and the answer, nothing else: no reading, no right answer, not who
answered, and an id that tells nothing. Of the answers every stratum (design, participant, outcome, option) gives its
share, so that what is counted on the sheet can be counted for the run.
"""

import csv
import io
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from deixis.errors import StoreError, UsageError
from deixis.records import Outcome
from deixis.scoring.fence import text_hash
from deixis.scoring.results import DesignResults, Scored
from deixis.seeds import generator

PERSON = "person"
WORDS: Mapping[str, Outcome] = {
    "none": Outcome.UNREADABLE,
    "several": Outcome.UNREADABLE,
    "refused": Outcome.REFUSED,
    "empty": Outcome.EMPTY,
    "truncated": Outcome.TRUNCATED,
}
"""What a person may write besides the number of an option, and the outcome it stands for."""
_LONGEST = 30_000
"""Letters of an answer that are shown; spreadsheets take no more than 32,767 in a cell."""


@dataclass(frozen=True, slots=True)
class Case:
    """One answer that a person may read."""

    id: str
    """A hash of where it stands and what it says; nothing can be seen in it."""
    design: str
    """Name of its design."""
    participant: str
    """Who answered."""
    row: Scored
    """The trial, the answer and its reading."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a person read in one answer."""

    case: Case
    """The answer."""
    outcome: Outcome
    """What became of it, to the person."""
    choice: int | None
    """The option, from 0, if there is one."""

    @property
    def right(self) -> bool:
        """Whether the answer is right as the person reads it."""
        return self.choice == self.case.row.trial.answer


def cases(designs: Sequence[DesignResults]) -> list[Case]:
    """Return every answer in words that models gave."""
    return [
        Case(_id(design.name, result.participant, row), design.name, result.participant, row)
        for design in designs
        for result in design.models
        for row in result.rows
        if row.response is not None and row.response.error is None and row.response.text is not None
    ]


def draw(found: Sequence[Case], number: int, seed: int) -> list[Case]:
    """Draw ``number`` answers, every stratum its share, in an order that tells nothing.

    The draw is systematic: answers are put in the order of their strata, shuffled within, and every k-th is taken from
    a drawn start, so each has the same chance however small its stratum. Raises :class:`UsageError` where there are
    none to draw.
    """
    if number < 1:
        raise UsageError(f"--validate {number} draws nothing; give 1 or more")
    if not found:
        raise UsageError("no answer in words to validate; choices need no reading")
    chance = generator(seed, "validation/draw")
    number = min(number, len(found))
    ordered = sorted(((_stratum(case), chance.random(), case) for case in found), key=lambda entry: entry[:2])
    start, step = chance.random(), len(found) / number
    drawn = [ordered[min(int((start + place) * step), len(found) - 1)][2] for place in range(number)]
    chance.shuffle(drawn)
    return drawn


def sheet(drawn: Sequence[Case]) -> str:
    """Return the sheet as CSV."""
    most = max(len(case.row.trial.options) for case in drawn)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["id", *(f"option_{place + 1}" for place in range(most)), "text", PERSON])
    for case in drawn:
        options = [option.text for option in case.row.trial.options]
        writer.writerow([case.id, *options, *[""] * (most - len(options)), _shown(case.row), ""])
    return buffer.getvalue()


def write_sheet(drawn: Sequence[Case], path: Path) -> None:
    """Write the sheet; never over a file that is there, for somebody may have filled it in."""
    if path.exists():
        raise StoreError(f"{str(path)!r} is there already; name another file with --out")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="") as file:
            file.write(sheet(drawn))
    except OSError as error:
        raise StoreError(f"cannot write {str(path)!r}: {error.strerror or error}; name another with --out") from None


def read_sheet(path: Path, found: Sequence[Case]) -> tuple[list[Seen], int]:
    """Read a filled sheet and join it with the run; return what was seen, and how many rows are left open.

    Rows are counted as a spreadsheet does, the header being row 1. Raises :class:`StoreError` for a file, a row or a
    value that a sheet of this run cannot have.
    """
    known = {case.id: case for case in found}
    seen: dict[str, Seen] = {}
    rows: set[str] = set()
    left = 0
    for number, row in enumerate(_rows(path), start=2):
        name, said = (row.get("id") or "").strip(), (row.get(PERSON) or "").strip().lower()
        if not any((value or "").strip() for value in row.values() if not isinstance(value, list)):
            continue
        where = f"{str(path)!r} row {number}"
        if name not in known:
            raise StoreError(
                f"{where} has the id {name!r}, which is no answer of this run; it is a sheet of another run, or the "
                "answer has changed since"
            )
        if name in rows:
            raise StoreError(f"{where} repeats the id {name!r}; take one out")
        rows.add(name)
        if said:
            seen[name] = _seen(known[name], said, where)
        else:
            left += 1
    if not seen:
        raise StoreError(f"{str(path)!r} has nothing in its column {PERSON!r}; fill it in first")
    return list(seen.values()), left


def _seen(case: Case, said: str, where: str) -> Seen:
    options = len(case.row.trial.options)
    if said in WORDS:
        return Seen(case, WORDS[said], None)
    number = said.removesuffix(".0")  # spreadsheets make numbers so
    if number.isascii() and number.isdigit() and 1 <= int(number) <= options:
        return Seen(case, Outcome.ANSWERED, int(number) - 1)
    words = ", ".join(WORDS)
    raise StoreError(f"{where} has {PERSON} {said!r}; write the number of an option, 1 to {options}, or {words}")


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise StoreError(f"no file {str(path)!r}; --validate N draws a sheet") from None
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"cannot read {str(path)!r} ({error}); save it as CSV in UTF-8") from None
    first = text.partition("\n")[0]
    mark = max(",;\t", key=first.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        names = reader.fieldnames or ()
        lacking = next((name for name in ("id", PERSON) if name not in names), None)
        if lacking is not None:
            raise StoreError(f"{str(path)!r} has no column {lacking!r}; give a sheet that --validate drew")
        yield from reader
    except csv.Error as error:
        raise StoreError(f"cannot read {str(path)!r} as CSV ({error}); save it anew") from None


def _id(design: str, participant: str, row: Scored) -> str:
    text = "" if row.response is None else row.response.text or ""
    return "v" + sha256(f"{design}\0{participant}\0{row.trial.id}\0{text_hash(text)}".encode()).hexdigest()[:12]


def _stratum(case: Case) -> tuple[str, ...]:
    score = case.row.score
    return case.design, case.participant, score.outcome.value, str(score.credit), str(score.choice)


def _shown(row: Scored) -> str:
    """Return an answer as a cell of a spreadsheet takes it: line breaks kept, other control letters made visible."""
    text = "" if row.response is None else row.response.text or ""
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} […] {text[-_LONGEST // 2 :]}"
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join("\ufffd" if unicodedata.category(c) in {"Cc", "Cs"} and c not in "\n\t" else c for c in lines)


def strata_told(drawn: Sequence[Case]) -> str:
    """Return from which outcomes a sheet is drawn, in words."""
    counts = Counter(case.row.score.outcome.value for case in drawn)
    return ", ".join(f"{outcome.value} {counts[outcome.value]}" for outcome in Outcome if counts[outcome.value])
