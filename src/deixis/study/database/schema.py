"""The tables, in SQL that SQLite and PostgreSQL both know."""

PEOPLE = (
    "code", "token", "mode", "status", "arm", "seed", "consent_sha256", "page_id", "arrived_at", "consented_at",
    "assigned_at", "lease_until", "completed_at", "ended_at", "loads", "webdriver", "touch", "size", "motion",
)  # fmt: skip
"""Columns of ``participant``, as the fields of :class:`~deixis.study.database.records.Person`."""
ANSWERS = (
    "participant", "trial_key", "part", "block", "choice", "ratings", "rt_ms", "presentation", "position", "input",
    "client_ms", "hidden_ms", "blurs", "trusted", "travel_px", "size", "motion", "loads", "server_at",
)  # fmt: skip
"""Columns of ``response``."""
TABLES = (
    """create table if not exists study (
        id text primary key, design_sha256 text not null, plan text not null, launched_at text not null,
        closed_at text not null default '', preview text not null default '', researcher text not null default '')""",
    """create table if not exists participant (
        code text primary key, token text not null unique, mode text not null, status text not null,
        arm text not null default '', seed integer not null default 0, consent_sha256 text not null default '',
        page_id text not null default '', arrived_at text not null, consented_at text not null default '',
        assigned_at text not null default '', lease_until text not null default '',
        completed_at text not null default '', ended_at text not null default '', loads integer not null default 0,
        webdriver integer not null default 0, touch integer not null default 0, size text not null default '',
        motion text not null default '')""",
    """create table if not exists identity (
        participant text not null references participant (code), provider text not null, external_id text not null,
        session_id text not null, primary key (provider, external_id, session_id))""",
    """create table if not exists response (
        participant text not null references participant (code), trial_key text not null, part text not null,
        block text not null, choice integer, ratings text not null default '', rt_ms double precision not null,
        presentation integer not null, position integer not null, input text not null,
        client_ms double precision not null, hidden_ms double precision not null, blurs integer not null,
        trusted integer not null, travel_px double precision not null, size text not null, motion text not null,
        loads integer not null, server_at text not null, primary key (participant, trial_key))""",
    """create table if not exists event (
        number {serial}, participant text not null, at text not null, kind text not null, value text not null)""",
    "create index if not exists event_of on event (participant)",
)
"""``serial`` is how the database counts up."""
