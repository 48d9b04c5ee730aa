"""Randomness comes from a seed and a name, never from a global generator.

Two draws under different names are independent; a draw never depends on what was drawn before it.
"""

import hashlib
import random


def generator(seed: int, name: str) -> random.Random:
    """Return a generator fixed by ``seed`` and ``name`` (the same on every machine and Python)."""
    return random.Random(derived(seed, name))  # noqa: S311  (an experiment, not a secret)


def derived(seed: int, name: str) -> int:
    """Return a 63-bit integer fixed by ``seed`` and ``name``, for engines that take a number."""
    digest = hashlib.sha256(f"{seed}\x1f{name}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
