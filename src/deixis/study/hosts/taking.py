"""Taking people from result files into a study's database, under the same key: the first answer to a trial stays.

Taking the same file twice changes nothing. People come in as *live*; who has withdrawn, here or there, keeps no answer.
"""

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from deixis.errors import UsageError
from deixis.study.database.connection import Connection
from deixis.study.database.people import erase, note
from deixis.study.database.reading import answered, person_by_code
from deixis.study.database.records import COMPLETE, CONSENTED, DECLINED, EXPIRED, LEFT, WITHDRAWN, Answer
from deixis.study.database.schema import ANSWERS
from deixis.study.hosts.reading import Session
from deixis.study.manifest import part_of
from deixis.study.server.timeline import Course

_INSERT = (
    f"insert into response ({', '.join(ANSWERS)}) values ({', '.join('?' * len(ANSWERS))}) "  # noqa: S608
    "on conflict (participant, trial_key) do nothing"
)
_CODE = re.compile(r"[A-Za-z0-9]{4,32}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+Z")


@dataclass(slots=True)
class Taken:
    """What came of it."""

    people: int = 0
    """New people."""
    answers: int = 0
    """New answers."""
    there: int = 0
    """Answers that were there before."""
    withdrawn: int = 0
    """People whose answers are left aside, or erased, since they withdrew."""
    refused: list[str] = field(default_factory=list)
    """Answers that nobody with this list is asked for, each with its person."""


def take_in(connection: Connection, now: str, course: Course, sessions: Iterable[Session]) -> Taken:
    """Take people and answers in, as one change.

    Raises :class:`UsageError`, with nothing changed, for a code or a list that the study cannot have, and for a person
    who is there with another list.
    """
    taken = Taken()
    arms = {arm.id for arm in course.manifest.arms}
    for session in sessions:
        _check(session, arms)
        there = person_by_code(connection, session.code)
        if there is not None and there.mode != "live":
            raise UsageError(f"{session.code} is a {there.mode} person in the database; name another with --database")
        if there is not None and there.arm and session.arm and there.arm != session.arm:
            raise UsageError(f"{session.code} is there with the list {there.arm!r}, and the file says {session.arm!r}")
        if WITHDRAWN in (session.phase, there.status if there else ""):
            _withdraw(connection, now, course, session, taken)
            continue
        if there is None:
            taken.people += 1
            _arrive(connection, now, course, session)
        _answer(connection, course, session, taken)
        _settle(connection, course, session)
    return taken


def _check(session: Session, arms: set[str]) -> None:
    if not _CODE.fullmatch(session.code):
        raise UsageError(f"{session.code[:40]!r} is no code of a person; the file was changed")
    if session.arm and session.arm not in arms:
        raise UsageError(f"{session.code} has the list {session.arm!r}, which the study does not have")


def _withdraw(connection: Connection, now: str, course: Course, session: Session, taken: Taken) -> None:
    there = person_by_code(connection, session.code)
    taken.withdrawn += 1
    if there is None:
        _arrive(connection, now, course, session)
    if there is None or there.status != WITHDRAWN:
        erase(connection, session.code)


def _arrive(connection: Connection, now: str, course: Course, session: Session) -> None:
    arrived = session.started if _TIME.fullmatch(session.started) else now
    agreed = session.phase != DECLINED
    consent = sha256(course.manifest.consent.encode()).hexdigest() if agreed else ""
    connection.run(
        "insert into participant (code, token, mode, status, arrived_at, consented_at, consent_sha256) "
        "values (?, ?, 'live', ?, ?, ?, ?)",
        (
            session.code,
            secrets.token_urlsafe(24),
            CONSENTED if agreed else DECLINED,
            arrived,
            arrived if agreed else "",
            consent,
        ),
    )
    note(connection, session.code, now, "imported")


def _answer(connection: Connection, course: Course, session: Session, taken: Taken) -> None:
    """Store the answers to what is asked of somebody with this list; others are refused."""
    if session.arm:
        connection.run(
            "update participant set arm = ?, assigned_at = arrived_at where code = ? and arm = ''",
            (session.arm, session.code),
        )
    who = person_by_code(connection, session.code)
    assert who is not None  # noqa: S101  (just put there)
    keys = course.keys(who)
    for key, (answer, at) in session.answers.items():
        if key not in keys:
            listed = f"the list {who.arm!r}" if who.arm else "any list: the line that names it is missing"
            taken.refused.append(f"{session.code} answered {key!r}, which is not on {listed}")
            continue
        new = connection.run(_INSERT, _row(who.code, keys[key], answer, at if _TIME.fullmatch(at) else ""))
        taken.answers += new
        taken.there += not new


def _settle(connection: Connection, course: Course, session: Session) -> None:
    """Keep how far somebody came, from everything that is there by now."""
    who = person_by_code(connection, session.code)
    assert who is not None  # noqa: S101
    if who.status == COMPLETE or not who.consented_at:
        return
    ended = session.ended if _TIME.fullmatch(session.ended) else ""
    if who.arm and not course.open(who, answered(connection, who.code)):
        status = COMPLETE
    elif LEFT in {session.phase, who.status}:
        status = LEFT
    else:
        status = EXPIRED if who.arm else CONSENTED
    done = (ended or who.arrived_at) if status == COMPLETE else ""
    connection.run(
        "update participant set status = ?, ended_at = ?, completed_at = ? where code = ?",
        (status, ended or who.ended_at, done, who.code),
    )


def _row(code: str, block: str, answer: Answer, at: str) -> tuple[object, ...]:
    values: dict[str, object] = {
        **{name: getattr(answer, name) for name in ANSWERS if hasattr(answer, name)},
        "participant": code,
        "trial_key": answer.key,
        "part": part_of(answer.key),
        "block": block,
        "position": answer.order,
        "ratings": ",".join(map(str, answer.ratings)),
        "trusted": int(answer.trusted),
        "server_at": at,
    }
    return tuple(values[name] for name in ANSWERS)
