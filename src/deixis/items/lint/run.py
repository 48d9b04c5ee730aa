"""Running every check over a list of questions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from deixis.items.lint import form, indexical, pairs, people, sets
from deixis.items.lint.checks import CHECKS, Finding
from deixis.items.questions import Question

FAMILIES = (form, people, indexical, pairs, sets)
"""The modules whose import registers the checks."""


def lint(questions: Sequence[Question]) -> list[Finding]:
    """Return everything found, in the order of the rows, what concerns the whole set last."""
    items: dict[str, list[Question]] = {}
    for question in questions:
        items.setdefault(question.item, []).append(question)
    found: list[Finding] = []
    for check in CHECKS.values():
        if check.scope == "item":
            found += [finding for members in items.values() for finding in check.run(members)]
        else:
            found += check.run(questions)
    place = {question.row: i for i, question in reversed(list(enumerate(questions)))}
    return sorted(found, key=lambda finding: place.get(finding.row, len(place)))


def as_table(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield one line a finding: row, code, severity, message; the whole file is called ``(file)``."""
    width = max((len(finding.row) for finding in findings), default=0)
    width = max(width, len("(file)")) + 2
    for finding in findings:
        yield f"{finding.row or '(file)':<{width}}{finding.code:<22}{finding.severity.value:<20}{finding.message}"


def by_code(findings: Iterable[Finding]) -> list[tuple[str, str, int, int]]:
    """Return code, severity, how many findings and in how many rows, the most frequent first."""
    counts: Counter[str] = Counter()
    rows: dict[str, set[str]] = {}
    for finding in findings:
        counts[finding.code] += 1
        rows.setdefault(finding.code, set()).add(finding.row)
    return [(code, CHECKS[code].severity.value, count, len(rows[code])) for code, count in counts.most_common()]
