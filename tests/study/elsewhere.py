"""Result files as other hosts write them, from people made by hand."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from deixis.study.database.records import Person, StoredAnswer
from deixis.study.folder import Study

Somebody = tuple[Person, Sequence[StoredAnswer]]
Line = dict[str, Any]


def lines_of(study: Study, who: Somebody, *, phase: str = "done") -> list[Line]:
    """The lines of one person, as ``local-state.js`` writes them."""
    person, answers = who
    about = {
        "type": "session", "code": person.code, "arm": None, "study": study.manifest.study,
        "design_sha256": study.manifest.design_sha256, "started": person.arrived_at, "seed": 5,
    }  # fmt: skip
    practice = [_answer(one) for one in answers if one.part == "practice"]
    others = [_answer(one) for one in answers if one.part != "practice"]
    end = {"type": "end", "code": person.code, "phase": phase, "ended": "2026-03-01T10:30:00.000Z"}
    return [about, *practice, {**about, "arm": person.arm}, *others, *([end] if phase else [])]


def jsonl(*parts: Sequence[Line]) -> str:
    """Lines as a file has them."""
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for lines in parts for line in lines)


def table(study: Study, *people: Somebody) -> str:
    """The CSV that jsPsych makes of the same: each row names its person; pages and turns are rows, too."""
    rows = []
    for person, answers in people:
        about = {
            "code": person.code, "arm": person.arm, "study": study.manifest.study,
            "design_sha256": study.manifest.design_sha256, "started": person.arrived_at,
        }  # fmt: skip
        rows.append({"trial_type": "deixis-page", "page": "consent", "rt_ms": 900, **about})
        rows += [{"trial_type": "deixis-scene-choice", "trial_index": 3, **_answer(one), **about} for one in answers]
    names = list(dict.fromkeys(name for row in rows for name in row))
    buffer = io.StringIO()
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(names)
    writer.writerows([_cell(row.get(name, "")) for name in names] for row in rows)
    return buffer.getvalue()


def _answer(one: StoredAnswer) -> Line:
    answer = one.answer
    return {
        "type": "answer", "key": answer.key, "presentation": answer.presentation, "order": answer.order,
        "choice": answer.choice, "ratings": list(answer.ratings) or None, "rt_ms": answer.rt_ms, "input": answer.input,
        "client_ms": 1767225600000, "hidden_ms": 0, "blurs": 0, "trusted": True, "travel_px": 12, "size": [1280, 800],
        "motion": answer.motion, "loads": 1, "server_at": None,
    }  # fmt: skip


def _cell(value: object) -> str:
    if value is None:
        return "null"
    return value if isinstance(value, str) else json.dumps(value)
