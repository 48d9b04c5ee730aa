"""What happens to people: they arrive, agree, get a list, finish, leave, are forgotten. Each is one change."""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from deixis.errors import UsageError
from deixis.study.assignment import choose, taken
from deixis.study.database.connection import Connection
from deixis.study.database.reading import (
    complete_by_arm,
    launched,
    live_by_arm,
    person_by_code,
    person_by_token,
)
from deixis.study.database.records import (
    ACTIVE,
    ARRIVED,
    COMPLETE,
    CONSENTED,
    DECLINED,
    ENDED,
    EXPIRED,
    FULL,
    LEFT,
    WITHDRAWN,
    Launched,
    Person,
)

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""None of them looks like another."""
_CODE = 10


@dataclass(frozen=True, slots=True)
class Identity:
    """Who somebody is where they come from; kept apart, and deleted first."""

    provider: str
    external_id: str
    session_id: str


def note(connection: Connection, person: str, at: str, kind: str, value: object = None) -> None:
    """Write down that something happened."""
    connection.run(
        "insert into event (participant, at, kind, value) values (?, ?, ?, ?)", (person, at, kind, json.dumps(value))
    )


def launch(connection: Connection, now: str, study: Launched) -> Launched:
    """Keep what is declared, once; raises :class:`UsageError` where something else was declared before."""
    there = launched(connection)
    if there is None:
        connection.run(
            "insert into study (id, design_sha256, plan, launched_at, preview, researcher) values (?, ?, ?, ?, ?, ?)",
            (study.id, study.design_sha256, study.plan, now, study.preview, study.researcher),
        )
        return study
    if (there.id, there.design_sha256) != (study.id, study.design_sha256):
        was, now_is = json.loads(there.plan), json.loads(study.plan)
        differ = [name for name in {**was, **now_is} if was.get(name) != now_is.get(name)]
        told = ", ".join(f"{name} was {was.get(name)!r}, is {now_is.get(name)!r}" for name in differ)
        raise UsageError(
            f"the study was launched as {there.id!r} with another design ({told or 'texts or stimuli differ'}); "
            "restore it, or name a new database with --database"
        )
    return there


def arrive(connection: Connection, now: str, mode: str, who: Identity | None = None) -> Person:
    """Return who came: the same again where the same identity came before."""
    if who is not None:
        sql = "select participant from identity where provider = ? and external_id = ? and session_id = ?"
        for (code,) in connection.all(sql, (who.provider, who.external_id, who.session_id)):
            found = person_by_code(connection, code)
            if found is not None:
                return found
    code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE))
    made = Person(code, secrets.token_urlsafe(24), mode, ARRIVED, seed=secrets.randbelow(2**31), arrived_at=now)
    connection.run(
        "insert into participant (code, token, mode, status, seed, arrived_at) values (?, ?, ?, ?, ?, ?)",
        (made.code, made.token, mode, ARRIVED, made.seed, now),
    )
    if who is not None:
        connection.run(
            "insert into identity (participant, provider, external_id, session_id) values (?, ?, ?, ?)",
            (code, who.provider, who.external_id, who.session_id),
        )
    note(connection, code, now, ARRIVED, mode)
    return made


@dataclass(frozen=True, slots=True)
class Visit:
    """What a page says of itself when it is opened."""

    page: str
    loads: int = 1
    webdriver: bool = False
    touch: bool = False
    size: str = ""
    motion: str = ""


def own(connection: Connection, now: str, token: str, visit: Visit) -> Person | None:
    """Let the page opened last go on; nothing where nobody has the token."""
    found = person_by_token(connection, token)
    if found is None or found.status == WITHDRAWN:  # of whoever has withdrawn nothing is kept any more
        return found
    connection.run(
        "update participant set page_id = ?, loads = loads + 1, webdriver = ?, touch = ?, size = ?, motion = ? "
        "where token = ?",
        (visit.page, max(found.webdriver, visit.webdriver), int(visit.touch), visit.size, visit.motion, token),
    )
    note(connection, found.code, now, "opened", {"loads": visit.loads})
    return person_by_token(connection, token)


def consent(connection: Connection, now: str, token: str, text: str) -> Person | None:
    """Keep that somebody agreed, and to which text (its hash)."""
    return _moved(connection, token, ARRIVED, CONSENTED, now, consent_sha256=text, consented_at=now)


def decline(connection: Connection, now: str, token: str) -> Person | None:
    """Keep that somebody did not agree."""
    return _moved(connection, token, ARRIVED, DECLINED, now, ended_at=now)


def turn_away(connection: Connection, now: str, token: str, people: int) -> Person | None:
    """Say that the study is full to somebody who has done nothing yet, where every place is taken; else nothing."""
    found = person_by_token(connection, token)
    if found is None or found.status != ARRIVED or found.mode == "test":
        return found
    held = sum(complete_by_arm(connection, found.mode).values()) + sum(
        live_by_arm(connection, found.mode, now).values()
    )
    return found if held < people else _moved(connection, token, ARRIVED, FULL, now, ended_at=now)


def assign(
    connection: Connection, now: str, token: str, arms: Sequence[str], people: int, seed: int, lease: str
) -> Person | None:
    """Give somebody who has practised a place, held until ``lease``; or say that the study is full."""
    connection.alone()
    found = person_by_token(connection, token)
    if found is None or found.status != CONSENTED:
        return found
    places = taken(arms, complete_by_arm(connection, found.mode), live_by_arm(connection, found.mode, now))
    ((number,),) = connection.all(
        "select count(*) from participant where mode = ? and assigned_at <> '' and code <> ?", (found.mode, found.code)
    )
    arm = choose(places, None if found.mode == "test" else people, seed, int(number))
    if arm is None:
        return _moved(connection, token, CONSENTED, FULL, now, ended_at=now)
    note(connection, found.code, now, "assigned", {"arm": arm, "number": int(number), "places": places})
    return _moved(connection, token, CONSENTED, ACTIVE, now, arm=arm, assigned_at=now, lease_until=lease)


def finish(connection: Connection, now: str, token: str) -> Person | None:
    """Keep that somebody has answered everything, which the caller has seen."""
    found = person_by_token(connection, token)
    status = ACTIVE if found is None else found.status
    return _moved(connection, token, status, COMPLETE, now, completed_at=now) if status in (ACTIVE, EXPIRED) else found


def debriefed(connection: Connection, now: str, token: str) -> Person | None:
    """Keep that somebody has come to the end."""
    connection.run(
        "update participant set ended_at = ? where token = ? and status = ? and ended_at = ''", (now, token, COMPLETE)
    )
    return person_by_token(connection, token)


def expire(connection: Connection, now: str, token: str) -> Person | None:
    """Keep that somebody came back too late; what was answered stays."""
    found = person_by_token(connection, token)
    status = CONSENTED if found is None else found.status
    return _moved(connection, token, status, EXPIRED, now) if status in (ARRIVED, CONSENTED, ACTIVE) else found


def leave(connection: Connection, now: str, token: str, *, delete: bool) -> Person | None:
    """Let somebody go, which frees the place at once; with ``delete`` every answer goes too."""
    found = person_by_token(connection, token)
    if found is None:
        return None
    if delete:
        erase(connection, found.code, keep_token=True)
        return _moved(connection, token, found.status, WITHDRAWN, now, ended_at=now)
    if found.status in ENDED or found.status == COMPLETE:
        return found
    return _moved(connection, token, found.status, LEFT, now, ended_at=now)


def erase(connection: Connection, code: str, *, keep_token: bool = False) -> None:
    """Delete answers, events and identity of somebody; what stays is that there was one, with a random code."""
    for table in ("response", "event", "identity"):
        connection.run(f"delete from {table} where participant = ?", (code,))  # noqa: S608  (names of tables, ours)
    connection.run("update participant set size = '', motion = '', page_id = '' where code = ?", (code,))
    if not keep_token:
        connection.run(
            "update participant set token = ?, status = ? where code = ?", (secrets.token_urlsafe(24), WITHDRAWN, code)
        )


def close(connection: Connection, now: str) -> int:
    """End the study: nobody comes any more, and who they were elsewhere is deleted. Returns how many were."""
    connection.run("update study set closed_at = ? where closed_at = ''", (now,))
    return connection.run("delete from identity")


def _moved(connection: Connection, token: str, before: str, after: str, now: str, **values: str) -> Person | None:
    """Change a status where it is what it should be; else nothing changes."""
    sets = "".join(f", {name} = ?" for name in values)
    changed = connection.run(
        f"update participant set status = ?{sets} where token = ? and status = ?",  # noqa: S608  (our own names)
        (after, *values.values(), token, before),
    )
    found = person_by_token(connection, token)
    if changed and found is not None:
        note(connection, found.code, now, after)
    return found
