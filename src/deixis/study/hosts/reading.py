"""Result files of other hosts as people with their answers.

JATOS, the static folder and DataPipe write lines of JSON: a line ``session`` (code, list, study, design), then
its answers, which name no person; so an answer belongs to the session line before it, and to nobody where that one may
be damaged. Pavlovia and cognition.run write CSV in which each row names its person. Answers are checked as the server
checks them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from deixis.errors import UsageError
from deixis.study.database.records import Answer
from deixis.study.hosts.sources import Entry, entries
from deixis.study.manifest import Manifest
from deixis.study.server.requests import RefusedError, answers_of

FIELDS = tuple(one.name for one in fields(Answer))
"""What is read of an answer; whatever else a host adds is left aside."""
_SHORT = 12


@dataclass(slots=True)
class Session:
    """One person, as result files have it."""

    code: str
    arm: str = ""
    started: str = ""
    ended: str = ""
    phase: str = ""
    """``done``, ``left``, ``declined`` or ``withdrawn``; empty where it just stops."""
    answers: dict[str, tuple[Answer, str]] = field(default_factory=dict)
    """Key to the answer and when a server stored it, if one did; the first counts."""


@dataclass(slots=True)
class Found:
    """What result files hold."""

    sessions: dict[str, Session] = field(default_factory=dict)
    """By code, in the order in which they come."""
    damaged: list[str] = field(default_factory=list)
    """What could not be read, each with file and line."""


def read_results(paths: Iterable[Path], manifest: Manifest) -> Found:
    """Read result files of a study.

    Raises :class:`UsageError` where a file cannot be read, or holds answers to another study or design.
    """
    found = Found()
    for path in paths:
        for text in entries(path):
            _read(text, manifest, found)
    return found


def _read(text: list[Entry], manifest: Manifest, found: Found) -> None:
    session: Session | None = None
    lost = False
    """Whether the line of the session may be among the damaged ones."""
    for entry in text:
        value = entry.value
        if value is None:
            found.damaged.append(f"{entry.where} is damaged ({entry.text!r})")
            if not entry.text.startswith('{"type":"answer"'):
                session, lost = None, True
            continue
        kind = value.get("type")
        if "design_sha256" in value and value.get("code"):
            _check(entry.where, value, manifest)
            session = _session(found, value)
        if kind == "answer":
            _answer(entry.where, value, session, manifest, found, lost=lost)
        elif kind in {"end", "withdrawn"} and isinstance(value.get("code"), str):
            _end(found, value)
            session = None


def _check(where: str, value: Mapping[str, Any], manifest: Manifest) -> None:
    study, design = value.get("study"), value["design_sha256"]
    if study != manifest.study:
        raise UsageError(f"{where} belongs to the study {study!r}, not to {manifest.study!r}; name its own folder")
    if design != manifest.design_sha256:
        raise UsageError(
            f"{where} answers the design {str(design)[:_SHORT]!r}, and {manifest.study!r} is now "
            f"{manifest.design_sha256[:_SHORT]!r}; restore the folder from which it was exported"
        )


def _session(found: Found, value: Mapping[str, Any]) -> Session:
    session = found.sessions.setdefault(str(value["code"]), Session(str(value["code"])))
    session.arm = _text(value.get("arm")) or session.arm
    session.started = session.started or _text(value.get("started"))
    return session


def _answer(
    where: str, value: Mapping[str, Any], session: Session | None, manifest: Manifest, found: Found, *, lost: bool
) -> None:
    if session is None:
        why = "the line that says whose it is, is damaged" if lost else "no session comes before it"
        found.damaged.append(f"{where} belongs to nobody: {why}")
        return
    one = {name: value[name] for name in FIELDS if value.get(name) is not None}
    try:
        good, refused = answers_of({"answers": [one]}, manifest.stimuli)
    except RefusedError as error:
        found.damaged.append(f"{where} cannot be taken: {error}")
        return
    for key, reason in refused.items():
        found.damaged.append(f"{where} cannot be taken: {key!r}: {reason}")
    for answer in good:
        session.answers.setdefault(answer.key, (answer, _text(value.get("server_at"))))


def _end(found: Found, value: Mapping[str, Any]) -> None:
    """Keep how somebody ended; who declined has no other line, and who withdrew loses what was answered."""
    code = str(value["code"])
    session = found.sessions.setdefault(code, Session(code))
    session.phase = "withdrawn" if "withdrawn" in (value["type"], session.phase) else _text(value.get("phase"))
    session.ended = _text(value.get("ended"))
    if session.phase == "withdrawn":
        session.answers.clear()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
