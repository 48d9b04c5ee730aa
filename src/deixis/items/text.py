"""Reading text files as people send them: a byte-order mark, another system's encoding, another's line ends."""

import codecs
from pathlib import Path

from deixis.errors import ItemsError
from deixis.items.notes import Note

_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_MISREAD = ("Ã", "â€", "Â")
"""What UTF-8 looks like when it is read as Windows-1252."""


def read_text(path: Path) -> tuple[str, list[Note]]:
    """Return the text of ``path`` with its line ends as they are, and what had to be done to read it.

    UTF-8, with or without a byte-order mark, needs no note; UTF-16 and Windows-1252 are read and said so. Raises
    :class:`ItemsError` for a file that is none of these.
    """
    name = repr(str(path))
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise ItemsError(f"no file {name}; give the path of a file that is there") from None
    except OSError as error:
        raise ItemsError(f"cannot read {name}: {error.strerror}; give a readable file") from None
    for mark, encoding in _MARKS.items():
        if raw.startswith(mark):
            return _decoded(raw, encoding, name), [Note("repaired", "read as UTF-16", path.name)]
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = error.start
    else:
        if "\x00" in text:
            raise ItemsError(f"{name} holds characters of no text (NUL); save it as text in UTF-8")
        return text, []
    text = _decoded(raw, "windows-1252", name)
    if any(sign in text for sign in _MISREAD):
        line = raw.count(b"\n", 0, place) + 1
        raise ItemsError(f"{name} mixes encodings: line {line} is not UTF-8, others are; save it in UTF-8")
    return text, [Note("repaired", "read as Windows-1252, since it is not UTF-8", path.name)]


def _decoded(raw: bytes, encoding: str, name: str) -> str:
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        raise ItemsError(f"{name} is not text in UTF-8, UTF-16 or Windows-1252; save it in UTF-8") from None
    if "\x00" in text:
        raise ItemsError(f"{name} is not text in UTF-8, UTF-16 or Windows-1252; save it in UTF-8")
    return text
