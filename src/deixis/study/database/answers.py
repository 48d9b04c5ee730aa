"""Answers, stored once: the first to a trial stays, whatever comes after it."""

from collections.abc import Callable, Mapping, Sequence

from deixis.study.database.connection import Connection
from deixis.study.database.people import note
from deixis.study.database.reading import person_by_token
from deixis.study.database.records import (
    ACTIVE,
    ARRIVED,
    COMPLETE,
    DECLINED,
    FULL,
    LEFT,
    WITHDRAWN,
    Answer,
    Person,
    Stored,
)
from deixis.study.database.schema import ANSWERS

_INSERT = (
    f"insert into response ({', '.join(ANSWERS)}) values ({', '.join('?' * len(ANSWERS))}) "  # noqa: S608
    "on conflict (participant, trial_key) do nothing"
)
_SHUT = {
    ARRIVED: "no consent yet",
    DECLINED: "declined",
    FULL: "the study is full",
    LEFT: "left",
    WITHDRAWN: "withdrawn",
}
"""Statuses in which nothing is taken, in the words that a page is told."""
Mine = Callable[[Person], Mapping[str, str]]
"""From a person to the keys that it may answer, each with its block."""
Lease = Callable[[Person], str]
"""Until when a person's place is held from now on."""


def store(
    connection: Connection, now: str, token: str, page: str, sent: Sequence[Answer], mine: Mine, lease: Lease
) -> Stored | None:
    """Store what a page sent; nothing where nobody has the token.

    An answer that is there already counts as stored; one that says something else is noted, and the first stays.
    """
    found = person_by_token(connection, token)
    if found is None:
        return None
    owner = found.page_id == page
    shut = _SHUT.get(found.status)
    if shut is not None:
        return Stored((), {one.key: shut for one in sent}, owner, found.status)
    keys = mine(found)
    stored: list[str] = []
    refused: dict[str, str] = {}
    for one in sent:
        if one.key not in keys:
            refused[one.key] = "not a trial of this session"
            continue
        if not connection.run(_INSERT, _row(found, keys[one.key], one, now)):
            _again(connection, now, found, one)
        stored.append(one.key)
    if stored and found.status in (ACTIVE, COMPLETE):
        connection.run(
            "update participant set lease_until = ? where code = ? and status = ?", (lease(found), found.code, ACTIVE)
        )
    return Stored(tuple(stored), refused, owner, found.status)


def _again(connection: Connection, now: str, who: Person, one: Answer) -> None:
    sql = "select choice, ratings from response where participant = ? and trial_key = ?"
    for choice, ratings in connection.all(sql, (who.code, one.key)):
        first = ratings or ("" if choice is None else str(choice))
        if first != one.said:
            note(connection, who.code, now, "differed", {"key": one.key, "first": first, "second": one.said})


def _row(who: Person, block: str, one: Answer, now: str) -> tuple[object, ...]:
    return (
        who.code,
        one.key,
        one.key.partition("/")[0],
        block,
        one.choice,
        ",".join(map(str, one.ratings)),
        one.rt_ms,
        one.presentation,
        one.order,
        one.input,
        one.client_ms,
        one.hidden_ms,
        one.blurs,
        int(one.trusted),
        one.travel_px,
        one.size,
        one.motion,
        one.loads,
        now,
    )
