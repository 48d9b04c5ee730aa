"""What a check is: a code, a severity, a message, and what it looks at."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from deixis.items.questions import Question


class Severity(StrEnum):
    """What a finding does to the experiment."""

    ANSWER = "changes the answer"
    """The question cannot be answered, or another answer than the keyed one is right."""
    WEAKENS = "weakens the answer"
    """The right answer stands, but less surely, or the set is not balanced."""
    PAIR = "breaks the pair"
    """Questions that should differ in one factor differ in more."""
    PRIME = "spoils the prime"
    """The context does something else than make one reading tempting."""
    COSMETIC = "cosmetic"
    """It only looks wrong; the one severity that is no error."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found at one place."""

    row: str
    """The id that the file gives to the question; empty where the whole file is meant."""
    code: str
    """Which check found it."""
    severity: Severity
    """What it does to the experiment."""
    message: str
    """The check's message and what it found."""

    @property
    def entry(self) -> dict[str, str]:
        """What a program reads."""
        return {"row": self.row, "code": self.code, "severity": self.severity.value, "message": self.message}

    @property
    def is_error(self) -> bool:
        """Whether it is more than cosmetic."""
        return self.severity is not Severity.COSMETIC


Scope = Literal["question", "item", "set"]
Found = tuple[str, str]
"""The row something was found in, and what it was."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check."""

    code: str
    """Its name, the same in every version."""
    severity: Severity
    """What its findings do to the experiment."""
    scope: Scope
    """Whether it looks at one question, at the questions of one item, or at all of them."""
    message: str
    """What it says: the docstring of its function."""
    find: Callable[[Sequence[Question]], Iterable[Found]]
    """From the questions in its scope to what it found."""

    def run(self, questions: Sequence[Question]) -> Iterator[Finding]:
        """Yield its findings."""
        for row, detail in self.find(questions):
            yield Finding(row, self.code, self.severity, f"{self.message}: {detail}" if detail else self.message)


CHECKS: dict[str, Check] = {}
"""Every check by its code."""

One = Callable[[Question], Iterator[str]]
Many = Callable[[Sequence[Question]], Iterator[Found]]


def about_question(code: str, severity: Severity) -> Callable[[One], One]:
    """Register a check of single questions; the function yields what it found."""

    def register(function: One) -> One:
        def find(questions: Sequence[Question]) -> Iterator[Found]:
            return ((question.row, detail) for question in questions for detail in function(question))

        _register(code, severity, "question", function, find)
        return function

    return register


def about_item(code: str, severity: Severity) -> Callable[[Many], Many]:
    """Register a check of the questions of one item; the function yields rows and what it found."""
    return _about("item", code, severity)


def about_set(code: str, severity: Severity) -> Callable[[Many], Many]:
    """Register a check of all questions; the function yields rows (or an empty row) and what it found."""
    return _about("set", code, severity)


def _about(scope: Scope, code: str, severity: Severity) -> Callable[[Many], Many]:
    def register(function: Many) -> Many:
        _register(code, severity, scope, function, function)
        return function

    return register


def _register(code: str, severity: Severity, scope: Scope, function: Callable[..., object], find: Many) -> None:
    message = " ".join((function.__doc__ or "").split()).removesuffix(".")
    if not message or code in CHECKS:
        raise ValueError(f"the check {code!r} has no docstring or a code that is taken")
    CHECKS[code] = Check(code, severity, scope, message, find)
