"""What a page sends, checked field by field; whatever is not as it should be is refused in one line."""

import math
import re
from collections.abc import Mapping
from typing import Any

import orjson

from deixis.study.database.people import Identity, Visit
from deixis.study.database.records import Answer
from deixis.study.manifest import Stimulus

MOST = 64
"""Answers or events in one request."""
BYTES = 64 * 1024
"""The largest request."""
DAY_MS = 86_400_000
INPUTS = ("mouse", "touch", "pen", "key", "assistive")
MOTIONS = ("blinked", "still", "none")
_FIELDS = {
    "key", "presentation", "choice", "ratings", "rt_ms", "input", "client_ms", "order", "hidden_ms", "blurs", "trusted",
    "travel_px", "size", "motion", "loads",
}  # fmt: skip
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_KIND = re.compile(r"[a-z][a-z0-9-]{0,31}")
_LARGE = 1e15


class RefusedError(Exception):
    """A request that cannot be taken; says why."""


def body(raw: bytes) -> dict[str, Any]:
    """Return a request's JSON object."""
    try:
        found = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise RefusedError("the body is no JSON") from None
    if not isinstance(found, dict):
        raise RefusedError("the body is no object")
    return found


def page_of(sent: Mapping[str, Any]) -> str:
    """Return the id of the page that sends."""
    page = sent.get("page")
    if not isinstance(page, str) or not _NAME.fullmatch(page):
        raise RefusedError("page is no id")
    return page


def known_form(token: str) -> bool:
    """Whether a token has the form of ours; anything else is nobody's, and is not asked after."""
    return _NAME.fullmatch(token) is not None


def visit_of(sent: Mapping[str, Any]) -> Visit:
    """Return what a page says of itself."""
    width, height = _size(sent.get("size", [0, 0]))
    return Visit(
        page=page_of(sent),
        loads=_whole(sent.get("loads", 1), "loads", 1_000_000),
        webdriver=sent.get("webdriver") is True,
        touch=sent.get("touch") is True,
        size=f"{width}x{height}",
        motion="reduce" if sent.get("motion") == "reduce" else "any",
    )


def size_of(sent: Mapping[str, Any]) -> tuple[int, int]:
    """Return width and height of the window."""
    return _size(sent.get("size", [0, 0]))


def answers_of(sent: Mapping[str, Any], stimuli: Mapping[str, Stimulus]) -> tuple[list[Answer], dict[str, str]]:
    """Return the answers of a request, and why some of them cannot be taken, by key.

    Raises :class:`RefusedError` where the request as a whole is none.
    """
    found = sent.get("answers")
    if not isinstance(found, list) or len(found) > MOST:
        raise RefusedError(f"answers is no list of at most {MOST}")
    good, refused = [], {}
    for one in found:
        key = one.get("key") if isinstance(one, dict) else None
        if not isinstance(key, str) or len(key) > 64:
            raise RefusedError("an answer has no key")
        if key not in stimuli:
            refused[key] = "there is no such trial"
            continue
        try:
            good.append(_answer(one, stimuli[key]))
        except RefusedError as error:
            refused[key] = str(error)
    return good, refused


def events_of(sent: Mapping[str, Any]) -> list[tuple[str, float, Any]]:
    """Return kind, time of the browser and value of what a page noticed."""
    found = sent.get("events")
    if not isinstance(found, list) or len(found) > MOST:
        raise RefusedError(f"events is no list of at most {MOST}")
    events = []
    for one in found:
        kind = one.get("kind") if isinstance(one, dict) else None
        if not isinstance(kind, str) or not _KIND.fullmatch(kind):
            raise RefusedError("an event has no kind")
        value = one.get("value")
        if not (
            value is None or isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= 200)
        ):
            raise RefusedError(f"the event {kind} has no plain value")
        events.append((kind, _number(one.get("at_ms", 0), "at_ms", _LARGE), value))
    return events


def identity_of(query: Mapping[str, str]) -> Identity | None:
    """Return who Prolific says is coming; nothing where it says nothing."""
    who, session = query.get("PROLIFIC_PID", ""), query.get("SESSION_ID", "")
    if not who and not session:
        return None
    if not _NAME.fullmatch(who) or not _NAME.fullmatch(session):
        raise RefusedError("the link is not as Prolific makes it")
    return Identity("prolific", who, session)


def _answer(one: Mapping[str, Any], shown: Stimulus) -> Answer:
    strange = sorted(set(one) - _FIELDS)
    if strange:
        raise RefusedError(f"unknown field {strange[0][:40]!r}")
    ratings = one.get("ratings")
    choice = one.get("choice")
    if shown.kind == "scene-rating":
        if choice is not None or not isinstance(ratings, list) or len(ratings) != len(shown.options):
            raise RefusedError(f"ratings is no list of {len(shown.options)}")
        rated = tuple(_whole(rating, "a rating", 7, least=1) for rating in ratings)
    else:
        if ratings is not None:
            raise RefusedError("there is nothing to rate")
        choice, rated = _whole(choice, "choice", len(shown.options) - 1), ()
    width, height = _size(one.get("size", [0, 0]))
    return Answer(
        key=one["key"],
        choice=choice,
        ratings=rated,
        rt_ms=_number(one.get("rt_ms"), "rt_ms", DAY_MS),
        presentation=_whole(one.get("presentation", 1), "presentation", 100_000, least=1),
        order=_whole(one.get("order", 0), "order", 100_000),
        input=_among(one.get("input"), "input", INPUTS),
        client_ms=_number(one.get("client_ms", 0), "client_ms", _LARGE),
        hidden_ms=_number(one.get("hidden_ms", 0), "hidden_ms", _LARGE),
        blurs=_whole(one.get("blurs", 0), "blurs", 1_000_000),
        trusted=one.get("trusted", True) is True,
        travel_px=_number(one.get("travel_px", 0), "travel_px", _LARGE),
        size=f"{width}x{height}",
        motion=_among(one.get("motion", "none"), "motion", MOTIONS),
        loads=_whole(one.get("loads", 1), "loads", 1_000_000),
    )


def _whole(value: object, name: str, most: int, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise RefusedError(f"{name} is no whole number from {least} to {most}")
    return value


def _number(value: object, name: str, most: float) -> float:
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or not 0 <= value <= most
    ):
        raise RefusedError(f"{name} is no number from 0 to {most:g}")
    return float(value)


def _among(value: object, name: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise RefusedError(f"{name} is none of {', '.join(known)}")
    return str(value)


def _size(value: object) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise RefusedError("size is no width and height")
    return _whole(value[0], "width", 100_000), _whole(value[1], "height", 100_000)
