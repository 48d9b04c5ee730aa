"""Answers with the reading that a careful person gives them: what the reader is held against."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from deixis.records import Reading
from deixis.scoring import read_answer

PATH = Path(__file__).with_name("corpus.jsonl")
PHRASINGS = Path(__file__).with_name("phrasings.jsonl")
"""Short answers with the reading that was meant, by somebody who tried to break the reader: an option or an outcome."""


@dataclass(frozen=True)
class Labelled:
    """One answer with its right reading."""

    id: str
    experiment: str
    """Whose options they are; ``other`` for words that collide and for letters."""
    kind: str
    """What is difficult about it."""
    options: tuple[str, ...]
    text: str
    finish: str
    outcome: str
    choice: int | None
    labels: tuple[str, ...] = ()
    prompt: str = ""

    def read(self, reader: str = "strict") -> Reading:
        return read_answer(
            self.text, self.options, reader=reader, finish=self.finish, labels=self.labels, prompt=self.prompt
        )


@dataclass(frozen=True)
class Phrasing:
    """One short answer."""

    text: str
    options: tuple[str, ...]
    reading: int | str
    finish: str = ""
    labels: tuple[str, ...] = ()

    @property
    def read(self) -> int | str:
        """The reader's reading, in the same form."""
        found = read_answer(self.text, self.options, finish=self.finish, labels=self.labels)
        return found.outcome.value if found.choice is None else found.choice


@cache
def phrasings() -> tuple[Phrasing, ...]:
    lines = map(json.loads, PHRASINGS.read_text(encoding="utf-8").splitlines())
    return tuple(
        Phrasing(
            one["text"], tuple(one["options"]), one["reading"], one.get("finish", ""), tuple(one.get("labels", ()))
        )
        for one in lines
    )


@cache
def corpus() -> tuple[Labelled, ...]:
    return tuple(_labelled())


def _labelled() -> Iterator[Labelled]:
    for line in PATH.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        for name in ("options", "labels"):
            entry[name] = tuple(entry.get(name, ()))
        yield Labelled(**entry)
