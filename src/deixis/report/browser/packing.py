"""From entries to the text that a page carries: columns as JSON, packed, in letters that can end no script element."""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

from deixis.report.browser.entries import Answers, Entries

ROOM = 7_000_000
"""Bytes that all trials may take packed; in letters it is a third more, which leaves a page under 15 MB room."""
_LOOSE = 6
"""More characters than so many times the room are not even packed: they would be slow to look through as well."""
_LENGTHS = (4000, 1500, 600, 250, 100, 40)
"""To how many characters long answers are cut, one after the other, until the page has room for all."""


def payload(parts: Sequence[Entries], room: int = ROOM) -> str:
    """Return the trials of a page as Base64 of gzipped JSON; the same entries give the same text.

    Where they take more than ``room`` bytes, what participants wrote is cut in the middle, longest texts first, and
    the page says so.
    """
    for length in (None, *_LENGTHS):
        if length != _LENGTHS[-1] and _written(parts, length) > _LOOSE * room:
            continue
        packed = _packed(parts, length)
        if len(packed) <= room:
            break
    return base64.b64encode(packed).decode("ascii")


def _written(parts: Sequence[Entries], length: int | None) -> int:
    """Return how many characters participants wrote, long texts cut."""
    return sum(min(len(text), length or len(text)) for part in parts for text in part.said)


def _packed(parts: Sequence[Entries], length: int | None) -> bytes:
    pieces = sorted({piece for part in parts for piece in part.pieces}, key=_backwards)
    numbers = {piece: number for number, piece in enumerate(pieces)}
    keys: dict[str, int] = {}
    found = {
        "pieces": pieces,
        "cut": length or 0,
        "parts": [_part(part, _key(part, keys), numbers, length) for part in parts if part.count],
        "missing": sum(part.of - part.count for part in parts),
    }
    text = json.dumps(found, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return gzip.compress(text.encode("ascii"), 6, mtime=0)


def _backwards(piece: str) -> str:
    """Pieces in the order of their ends: one object at several places stands together, and is packed as one."""
    return piece[::-1]


def _key(part: Entries, taken: dict[str, int]) -> str:
    """Return by what links know a design; where two runs have the same one, the second carries a number."""
    key = f"{part.experiment}/{part.condition}/{part.protocol}"
    taken[key] = taken.get(key, 0) + 1
    return key if taken[key] == 1 else f"{key}~{taken[key]}"


def _part(part: Entries, key: str, numbers: Mapping[str, int], length: int | None) -> dict[str, Any]:
    plain = {name: getattr(part, name) for name in Entries.__slots__ if name not in ("pieces", "participants")}
    return {
        **plain,
        "key": key,
        "said": [_cut(text, length) for text in part.said],
        "drawings": [(told, [numbers[part.pieces[at]] for at in made]) for told, made in part.drawings],
        "readings": [astuple(reading) for reading in part.readings],
        "participants": [{name: getattr(one, name) for name in Answers.__slots__} for one in part.participants],
    }


def _cut(text: str, length: int | None) -> str:
    """Return a text whole, or, where that is shorter, its beginning and its end: an answer often comes last."""
    if length is None or len(text) <= length:
        return text
    half = length // 2
    short = f"{text[:half]}\n[… {len(text) - 2 * half} characters are left out here …]\n{text[-half:]}"
    return min(short, text, key=len)
