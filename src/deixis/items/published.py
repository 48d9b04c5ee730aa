"""Importer of the published data set, and of any CSV with its columns.

The file carries no licence, so nothing of it is kept here: the user names the path. Under ``published`` and
``described`` its rows are used as they are; under ``corrected`` damage is repaired where the repair is certain,
and an item is left out where it is not. Either way every finding is a note.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from deixis.errors import ItemsError
from deixis.items import mending
from deixis.items.cells import INDEXICALS, MARKS, PRIMES, SENTENCE_TYPES, cell_id, right_reading
from deixis.items.naming import mentions, same_answer
from deixis.items.notes import Note, summary
from deixis.items.quotation import last_sentence
from deixis.items.table import Row, read_table
from deixis.records import Cell, Item

_PAIR = re.compile(r"\s*(?:->|→|=>|=|:)\s*")
REQUIRED = (
    "Item_ID",
    "sentence_type",
    "context_prime",
    "indexical",
    "question",
    "non-shifted_option",
    "shifted_option",
    "renamed_sentence",
)
OPTIONAL = ("unique_id", "ground_truth", "sentence", "context", "name_mapping", "gender", "marks")
LEVELS = {"non-quot": "non-quoted", "quotation": "quoted"} | {name: name for name in SENTENCE_TYPES}
"""Sentence type as the file spells it, to our name for it."""
BASE_ROLES = {
    "I": {"Andrew": "narrator", "Chris": "reporter"},
    "you": {
        "Andrew": "narrator",
        "Donald": "addressee",
        "John": "reporter",
        "Travis": "listener",
        "Chris": "subject",
    },
    "here": {
        "Andrew": "narrator",
        "John": "reporter",
        "Chris": "subject",
        "Los Angeles": "here",
        "New York": "there",
    },
    "tomorrow": {"Andrew": "narrator", "John": "reporter", "Chris": "subject"},
}
"""The base names of the paper's templates (its Tables 1-4), and the role each one fills."""


def read_published(path: Path, *, mend: bool) -> tuple[list[Item], list[Note]]:
    """Return the items of a CSV in the published format, and what was found about them.

    ``mend`` repairs or leaves out damaged items; without it they are kept as they are. Raises
    :class:`ItemsError` with one line for a file that cannot be used.
    """
    table = read_table(path, REQUIRED, OPTIONAL)
    grouped: dict[tuple[str, str], list[Row]] = {}
    for row in _checked(path, table.rows):
        grouped.setdefault((row["indexical"], row["Item_ID"]), []).append(row)
    _check_numbers(path, grouped)
    items: list[Item] = []
    notes = [*table.notes, *unread_names(table.rows)]
    for rows in grouped.values():
        item, found = _item(rows, mend=mend)
        notes += found
        if item is not None:
            items.append(item)
    if not items:
        raise ItemsError(f"no item of {str(path)!r} can be used: {'; '.join(summary(notes))}; mend the file")
    return items, notes


def as_csv(items: Iterable[Item]) -> str:
    """Return items in the published columns, without the base texts; ``marks`` is a column more."""
    columns = [column for column in ("unique_id", *REQUIRED, *OPTIONAL[1:]) if column not in ("sentence", "context")]
    levels = {"non-quoted": "non-quot", "quoted": "quotation"}
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    for item in items:
        bases = {role: base for base, role in BASE_ROLES[item.indexical].items()}
        names = "\n".join(f"{bases.get(role, role)} -> {name}" for role, name in item.roles.items())
        for cell in item.cells:
            row = {
                "unique_id": cell_id(item, cell),
                "Item_ID": item.id.partition("/")[2],
                "sentence_type": levels[cell.sentence_type],
                "context_prime": cell.context_prime,
                "indexical": item.indexical,
                "question": item.question,
                "non-shifted_option": item.options["non-shifted"],
                "shifted_option": item.options["shifted"],
                "renamed_sentence": cell.passage,
                "ground_truth": right_reading(cell.sentence_type),
                "name_mapping": names,
                "gender": item.gender,
                "marks": cell.marks,
            }
            writer.writerow([row[column] for column in columns])
    return buffer.getvalue()


def _checked(path: Path, rows: Iterable[Row]) -> Iterator[Row]:
    """Yield every row with its levels named our way, after the checks that need no other item."""
    ids: dict[str, int] = {}
    cells: dict[tuple[str, ...], int] = {}
    for number, row in enumerate(rows, start=1):
        where = f"{str(path)!r} row {number}"
        blank = [column for column in REQUIRED if not row[column].strip()]
        if blank:
            raise ItemsError(f"{where} has nothing in {', '.join(blank)}; fill it in or take the row out")
        _known(where, "indexical", row["indexical"], INDEXICALS)
        _known(where, "sentence_type", row["sentence_type"], tuple(LEVELS))
        _known(where, "context_prime", row["context_prime"], PRIMES)
        _known(where, "marks", row.get("marks", "").strip() or "plain", MARKS)
        sentence_type = LEVELS[row["sentence_type"]]
        if same_answer(row["non-shifted_option"], row["shifted_option"]):
            raise ItemsError(f"{where} offers {row['shifted_option']!r} twice; the two options must differ")
        right = right_reading(sentence_type)
        if (row.get("ground_truth", "").strip() or right) != right:
            raise ItemsError(
                f"{where} says that {row['ground_truth']!r} is right, but a {sentence_type} sentence "
                f"has the {right} reading; mend ground_truth"
            )
        name = row.get("unique_id", "")
        if name and ids.setdefault(name, number) != number:
            raise ItemsError(f"{where} repeats the unique_id {name!r} of row {ids[name]}; give each row its own")
        cell = (
            row["indexical"],
            row["Item_ID"],
            sentence_type,
            row["context_prime"],
            row.get("marks", "").strip() or "plain",
        )
        if cells.setdefault(cell, number) != number:
            raise ItemsError(
                f"{where} repeats the cell {'/'.join(cell).removesuffix('/plain')} of row {cells[cell]}; take one out"
            )
        yield {**row, "sentence_type": sentence_type}


def _known(where: str, column: str, value: str, levels: Sequence[str]) -> None:
    if value not in levels:
        raise ItemsError(f"{where} has {column} {value!r}; it must be one of {', '.join(levels)}")


def _check_numbers(path: Path, grouped: Mapping[tuple[str, str], Sequence[Row]]) -> None:
    ids: dict[str, str] = {}
    for (indexical, name), rows in grouped.items():
        other = ids.setdefault(f"{indexical}/{padded(name)}", name)
        if other != name:
            raise ItemsError(f"{str(path)!r} has the Item_IDs {other!r} and {name!r}, which are one; rename one")
        if not re.fullmatch(r"[A-Za-z_-]*[0-9]{1,9}", name):
            raise ItemsError(
                f"{str(path)!r} has the Item_ID {name!r}; it must be a number, with letters before it or none, which "
                "decides the order of the options"
            )
        for column in ("question", "non-shifted_option", "shifted_option"):
            values = {row[column] for row in rows}
            if len(values) > 1:
                raise ItemsError(
                    f"{str(path)!r} has {len(values)} values of {column} for item {indexical}/{name}, such as "
                    f"{min(values)!r}; an item has one"
                )


def _item(rows: Sequence[Row], *, mend: bool) -> tuple[Item | None, list[Note]]:
    first = rows[0]
    indexical = first["indexical"]
    digits = re.search(r"\d+$", first["Item_ID"])
    assert digits is not None  # noqa: S101  (checked before)
    where = f"{indexical}/{padded(first['Item_ID'])}"
    gender = first.get("gender", "")
    names = names_of(first)
    roles = {BASE_ROLES[indexical].get(base, base): new for base, new in names.items()}

    faults = _Faults(where)
    passages = []
    damaged = False
    for row in rows:
        passage = row["renamed_sentence"]
        if names and row.get("context", "").strip() and row.get("sentence", "").strip():
            context, sentence = mending.rename_passage(row["context"], row["sentence"], names, gender)
            if mending.names_damaged(passage, f"{context} {sentence}", names):
                damaged = True
                faults.found("names replaced one after another", passage)
                passage = f"{context} {sentence}"
        passages.append(faults.mended(passage, gender))
    question = first["question"]
    if damaged:
        question = mending.rename_question(question, indexical, roles) or ""
    question = faults.mended(question, gender)
    options = {r: faults.mended(first[f"{r}_option"], "") for r in ("non-shifted", "shifted")}
    reason = _unusable(indexical, question, options, passages, names)
    if reason:
        faults.left_out = reason
    if mend and reason:
        return None, faults.notes(mend=True)
    if not mend:
        passages = [row["renamed_sentence"] for row in rows]
        question = first["question"]
        options = {r: first[f"{r}_option"] for r in ("non-shifted", "shifted")}
    cells = tuple(
        Cell(
            row["sentence_type"],
            row["context_prime"],
            passage,
            last_sentence(passage),
            row.get("marks", "").strip() or "plain",
        )
        for row, passage in zip(rows, passages, strict=True)
    )
    item = Item(where, indexical, int(digits[0]), gender, roles, question, options, cells)
    return item, faults.notes(mend=mend)


def padded(name: str) -> str:
    """Return a number with three digits, as ids have it."""
    return name.zfill(3) if name.isdigit() else name


def names_of(row: Row) -> dict[str, str]:
    """Return the base name to the name that replaces it, as ``name_mapping`` has them."""
    pairs = [_PAIR.split(line) for line in row.get("name_mapping", "").splitlines()]
    return {pair[0].strip(): pair[1].strip() for pair in pairs if len(pair) == 2 and all(map(str.strip, pair))}


def unread_names(rows: Iterable[Row]) -> list[Note]:
    """Return a note for each row whose ``name_mapping`` holds lines that are no pair of names."""
    return [
        Note("ignored", "name_mapping that is not 'old -> new'", f"row {number}", row["name_mapping"])
        for number, row in enumerate(rows, start=1)
        if len(names_of(row)) < sum(bool(line.strip()) for line in row.get("name_mapping", "").splitlines())
    ]


def _unusable(
    indexical: str,
    question: str,
    options: Mapping[str, str],
    passages: Sequence[str],
    names: Mapping[str, str],
) -> str:
    """Return why the item cannot be used even after repairs, or nothing."""
    if not question:
        return "question names other people, and its frame is unknown"
    if len(set(names.values())) < len(names):
        return "two roles share one name"
    if indexical != "tomorrow":
        for option in options.values():
            if not all(mentions(passage, option) for passage in passages):
                return "an option never occurs in the passage"
    return ""


class _Faults:
    """Collects what one item shows, and mends texts on the way."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.texts: list[tuple[str, str]] = []
        self.left_out = ""

    def found(self, fault: str, text: str) -> None:
        self.texts.append((fault, text))

    def mended(self, text: str, gender: str) -> str:
        for fault, repaired in (
            ("text decoded wrongly", mending.decode(text)),
            ("quotation mark doubled", mending.single_quotes(text)),
            ("male pronoun for a woman", mending.agree(text, gender)),
        ):
            if repaired != text:
                self.found(fault, text)
        return mending.agree(mending.single_quotes(mending.decode(text)), gender)

    def notes(self, *, mend: bool) -> list[Note]:
        kind = ("left out" if self.left_out else "repaired") if mend else "kept"
        notes = [Note(kind, fault, self.where, text) for fault, text in self.texts]
        if self.left_out:
            notes.append(Note(kind, self.left_out, self.where))
        return notes
