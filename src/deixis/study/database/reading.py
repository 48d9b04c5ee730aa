"""What the database holds, read back: people, answers, events, the study itself."""

import json
from collections import Counter
from collections.abc import Mapping

from deixis.study.database.connection import Connection, Row
from deixis.study.database.records import ACTIVE, COMPLETE, Answer, Event, Launched, Person, StoredAnswer
from deixis.study.database.schema import ANSWERS, PEOPLE

_PERSON = f"select {', '.join(PEOPLE)} from participant"  # noqa: S608  (names of columns, ours)
_ANSWER = f"select {', '.join(ANSWERS)} from response"  # noqa: S608


def person_by_token(connection: Connection, token: str) -> Person | None:
    """Return whose link it is."""
    return next((Person(*row) for row in connection.all(f"{_PERSON} where token = ?", (token,))), None)


def person_by_code(connection: Connection, code: str) -> Person | None:
    """Return who has a code."""
    return next((Person(*row) for row in connection.all(f"{_PERSON} where code = ?", (code,))), None)


def people(connection: Connection) -> list[Person]:
    """Return everybody, in the order of their arrival."""
    return [Person(*row) for row in connection.all(f"{_PERSON} order by arrived_at, code")]


def answers(connection: Connection, person: str | None = None) -> list[StoredAnswer]:
    """Return the answers of one person, or all, each person's in the order in which they came."""
    if person is None:
        rows = connection.all(f"{_ANSWER} order by participant, server_at, position, trial_key")
    else:
        rows = connection.all(f"{_ANSWER} where participant = ? order by server_at, position, trial_key", (person,))
    return [_answer(row) for row in rows]


def answered(connection: Connection, person: str) -> set[str]:
    """Return the keys that somebody has answered."""
    return {str(key) for (key,) in connection.all("select trial_key from response where participant = ?", (person,))}


def events(connection: Connection, person: str | None = None) -> list[Event]:
    """Return what happened, to one person or to all, in its order."""
    sql = "select participant, at, kind, value from event"
    rows = (
        connection.all(f"{sql} order by number")
        if person is None
        else connection.all(f"{sql} where participant = ? order by number", (person,))
    )
    return [Event(who, at, kind, json.loads(value)) for who, at, kind, value in rows]


def launched(connection: Connection) -> Launched | None:
    """Return the study as it was when it was first served."""
    sql = "select id, design_sha256, plan, launched_at, closed_at, preview, researcher from study"
    return next((Launched(*row) for row in connection.all(sql)), None)


def identities(connection: Connection) -> list[tuple[str, str, str, str]]:
    """Return code, provider, id and session of everybody who came from somewhere."""
    sql = "select participant, provider, external_id, session_id from identity order by participant"
    return [(str(a), str(b), str(c), str(d)) for a, b, c, d in connection.all(sql)]


def complete_by_arm(connection: Connection, mode: str) -> Mapping[str, int]:
    """Return how many have answered everything, by arm."""
    sql = "select arm, count(*) from participant where mode = ? and status = ? group by arm"
    return Counter({str(arm): int(number) for arm, number in connection.all(sql, (mode, COMPLETE))})


def live_by_arm(connection: Connection, mode: str, now: str) -> Mapping[str, int]:
    """Return how many places are held by somebody at work, by arm."""
    sql = "select arm, count(*) from participant where mode = ? and status = ? and lease_until > ? group by arm"
    return Counter({str(arm): int(number) for arm, number in connection.all(sql, (mode, ACTIVE, now))})


def _answer(row: Row) -> StoredAnswer:
    one = dict(zip(ANSWERS, row, strict=True))
    answer = Answer(
        key=one["trial_key"],
        choice=one["choice"],
        ratings=tuple(map(int, one["ratings"].split(","))) if one["ratings"] else (),
        rt_ms=one["rt_ms"],
        presentation=one["presentation"],
        order=one["position"],
        input=one["input"],
        client_ms=one["client_ms"],
        hidden_ms=one["hidden_ms"],
        blurs=one["blurs"],
        trusted=bool(one["trusted"]),
        travel_px=one["travel_px"],
        size=one["size"],
        motion=one["motion"],
        loads=one["loads"],
    )
    return StoredAnswer(one["participant"], one["part"], one["block"], answer, one["server_at"])
