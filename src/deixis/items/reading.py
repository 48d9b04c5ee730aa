"""Reading any file of items as single questions, sound or not: CSV, JSON Lines, or templates in TOML."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deixis.errors import ItemsError
from deixis.items import published
from deixis.items.bank import load_bank
from deixis.items.cells import INDEXICALS
from deixis.items.files import JSON_LINES, item_of
from deixis.items.fresh import fresh_set
from deixis.items.naming import female_pronouns, rename
from deixis.items.notes import Note
from deixis.items.questions import Question, of_item
from deixis.items.quotation import last_sentence
from deixis.items.table import Row, read_table
from deixis.items.templates import parse
from deixis.items.text import read_text


def read_questions(path: Path) -> tuple[list[Question], list[Note]]:
    """Return every question of a file as it stands, and what was repaired to read it.

    ``.csv`` has the published columns; ``.jsonl`` an item a line, or a question a line with those columns; ``.toml``
    templates, named by the indexical (``here.toml``). Raises :class:`ItemsError` for a file that cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix in JSON_LINES:
        return _jsonl(path)
    if suffix == ".toml":
        return _toml(path)
    table = read_table(path, published.REQUIRED, published.OPTIONAL)
    return [_question(row) for row in table.rows], [*table.notes, *published.unread_names(table.rows)]


def bank_questions() -> list[Question]:
    """Return every question of the bank."""
    return [question for item in load_bank() for question in of_item(item)]


def _jsonl(path: Path) -> tuple[list[Question], list[Note]]:
    text, notes = read_text(path)
    questions: list[Question] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            questions += _line(f"{str(path)!r} line {number}", line)
    if not questions:
        raise ItemsError(f"{str(path)!r} is empty; give it items, one a line")
    return questions, notes


def _line(where: str, line: str) -> Iterator[Question]:
    try:
        entry = json.loads(line)
        if "renamed_sentence" not in entry:
            item = item_of(entry)
            if not item.cells:
                raise ItemsError(f"{where} has no cells; give the item its passages or take the line out")
            yield from of_item(item)
            return
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        why = f"no field {error}" if isinstance(error, KeyError) else str(error)
        raise ItemsError(f"{where} is not an item ({why}); see docs/items.md") from None
    missing = [column for column in published.REQUIRED if column not in entry]
    if missing:
        raise ItemsError(f"{where} lacks {', '.join(missing)}; fill it in or take the line out")
    yield _question({key: _spelt(value) for key, value in entry.items()})


def _spelt(value: Any) -> str:
    if isinstance(value, Mapping):
        return "\n".join(f"{old} -> {new}" for old, new in value.items())
    return "" if value is None else str(value)


def _toml(path: Path) -> tuple[list[Question], list[Note]]:
    text, notes = read_text(path)
    if path.stem not in INDEXICALS:
        raise ItemsError(f"{path.name!r} is no file of templates; name it {', '.join(f'{i}.toml' for i in INDEXICALS)}")
    try:
        items = fresh_set(parse(path.stem, text), 0)
    except KeyError as error:
        raise ItemsError(f"{str(path)!r} has a template without {error}, or with a role of that name") from None
    except (tomllib.TOMLDecodeError, ValueError, TypeError) as error:
        raise ItemsError(f"{str(path)!r} is not templates in TOML ({error}); see docs/items.md") from None
    return [question for item in items for question in of_item(item)], notes


def _question(row: Row) -> Question:
    indexical = row["indexical"]
    names = published.names_of(row)
    base_roles = published.BASE_ROLES.get(indexical, {})
    item = f"{indexical}/{published.padded(row['Item_ID'].strip())}"
    sentence_type = published.LEVELS.get(row["sentence_type"], row["sentence_type"])
    levels = [item, sentence_type, row["context_prime"]]
    marks = row.get("marks", "").strip() or "plain"
    if marks != "plain":
        levels.append(marks)
    passage = row["renamed_sentence"]
    base = f"{row['context']} {row['sentence']}" if row.get("context") and row.get("sentence") else ""
    gender = row.get("gender", "").strip()
    return Question(
        row=row.get("unique_id", "").strip() or "/".join(levels),
        item=item,
        indexical=indexical,
        sentence_type=sentence_type,
        context_prime=row["context_prime"],
        marks=marks,
        passage=passage,
        sentence=_last(passage, row.get("sentence", ""), names, gender),
        question=row["question"],
        options={reading: row[f"{reading}_option"] for reading in ("non-shifted", "shifted")},
        gender=gender,
        roles={base_roles.get(old, old): new for old, new in names.items()},
        truth=row.get("ground_truth", "").strip(),
        base=base if names else "",
        renamed=names,
    )


def _last(passage: str, base: str, names: Mapping[str, str], gender: str) -> str:
    """Return the last sentence: the base sentence with its names replaced, or else what is found in the passage."""
    renamed = rename(base, names).strip()
    for sentence in (renamed, female_pronouns(renamed) if gender == "female" else ""):
        if sentence and passage.rstrip().endswith(sentence):
            return sentence
    return last_sentence(passage.rstrip())
