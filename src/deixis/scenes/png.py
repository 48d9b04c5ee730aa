"""PNG files of pictures that share all but one band of rows: what never changes is compressed once.

A PNG may hold its compressed data in several chunks, and deflate blocks end on whole bytes after a full flush, so that
the upper and the lower part of a picture are compressed once at the highest level, and only the band with the objects
anew.
"""

import hashlib
import struct
import zlib

import numpy as np

from deixis.scenes.raster import Pixels

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEADER = b"\x78\x01"
_MODULUS = 65_521


class Banded:
    """A picture of which one band of rows is replaced again and again."""

    def __init__(self, pixels: Pixels, top: int, height: int) -> None:
        upper, self.band, lower = np.split(np.ascontiguousarray(pixels), [top, top + height])
        rows, columns, _ = pixels.shape
        first, last = _filtered(upper), _filtered(lower)
        size = struct.pack(">II", columns, rows)
        self._head = b"".join(
            [
                _SIGNATURE,
                _chunk(b"IHDR", size + b"\x08\x02\0\0\0"),
                _chunk(b"IDAT", _HEADER + _deflated(first, 9, zlib.Z_FULL_FLUSH)),
            ]
        )
        self._tail = _deflated(last, 9, zlib.Z_FINISH)
        self._end = _chunk(b"IEND", b"")
        self._before, self._after = zlib.adler32(first), zlib.adler32(last)
        self._after_length = len(last)
        self._hash = hashlib.sha256(size + upper.tobytes())
        self._lower = lower.tobytes()

    def png(self, band: Pixels) -> bytes:
        """Return the file of the picture with its band replaced."""
        raw = _filtered(band)
        sums = _joined(_joined(self._before, zlib.adler32(raw), len(raw)), self._after, self._after_length)
        middle = _chunk(b"IDAT", _deflated(raw, 1, zlib.Z_FULL_FLUSH))
        return b"".join([self._head, middle, _chunk(b"IDAT", self._tail + struct.pack(">I", sums)), self._end])

    def key(self, band: Pixels) -> str:
        """Return the SHA-256 of width, height (four bytes each, high byte first) and the RGB pixels, in hexadecimal."""
        found = self._hash.copy()
        found.update(np.ascontiguousarray(band).data)
        found.update(self._lower)
        return found.hexdigest()


def key_of(pixels: Pixels) -> str:
    """Return by which a picture is known: the SHA-256 of its width, height and RGB pixels."""
    rows, columns, _ = pixels.shape
    return hashlib.sha256(struct.pack(">II", columns, rows) + np.ascontiguousarray(pixels).tobytes()).hexdigest()


def _filtered(rows: Pixels) -> bytes:
    """Put the filter byte (none) before every row."""
    count, columns, _ = rows.shape
    framed = np.zeros((count, 1 + 3 * columns), np.uint8)
    framed[:, 1:] = rows.reshape(count, 3 * columns)
    return framed.tobytes()


def _deflated(raw: bytes, level: int, flush: int) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9)
    return packer.compress(raw) + packer.flush(flush)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))


def _joined(first: int, second: int, length: int) -> int:
    """Return the Adler-32 of two texts, one after the other, from theirs; ``length`` is the second's."""
    low = (first & 0xFFFF) + (second & 0xFFFF) - 1
    high = (length % _MODULUS) * ((first & 0xFFFF) - 1) + (first >> 16) + (second >> 16)
    return (high % _MODULUS) << 16 | low % _MODULUS
