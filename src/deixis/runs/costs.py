"""What tokens cost: a small dated table of prices, and what one participant asks for."""

import math
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from typing import Any

from deixis.errors import UsageError
from deixis.runs.counting import Count

_MILLION = 1_000_000
_HERE = ("strategy", "people", "gguf", "hf", "vllm")
"""Kinds of participants that run on one's own machine."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost."""

    input: float
    """US dollars per million input tokens."""
    output: float
    """US dollars per million output tokens."""
    source: str
    """Where it is from, with its date."""


@dataclass(frozen=True, slots=True)
class Bill:
    """What one participant asks for."""

    participant: str
    """Its name."""
    here: bool
    """Whether it runs on one's own machine and costs nothing."""
    price: Price | None
    """Its price, if it is known."""
    picture_tokens: int | None
    """Its tokens a picture, if they are known."""

    def cost(self, count: Count) -> float | None:
        """Return the US dollars that ``count`` costs; ``None`` where price or tokens are not known."""
        if self.here:
            return 0.0
        tokens = self.input_tokens(count)
        if self.price is None or tokens is None:
            return None
        return (tokens * self.price.input + count.output_tokens * self.price.output) / _MILLION

    def input_tokens(self, count: Count) -> int | None:
        """Return the input tokens; ``None`` where those of a picture are not known and there are pictures."""
        if self.picture_tokens is None and count.sent:
            return None
        return count.input_tokens(self.picture_tokens or 0)


def read_price(text: str) -> Price:
    """Read ``IN,OUT`` in US dollars per million tokens; raises :class:`UsageError` for anything but two numbers > 0."""
    try:
        asked, written = (float(part) for part in text.split(","))
    except ValueError:
        asked = written = 0.0
    if not (0 < asked < math.inf and 0 < written < math.inf):
        raise UsageError(
            f"cannot read --price {text!r}; give two numbers above 0, US dollars per million tokens of input and of "
            "output, such as 2.5,10"
        )
    return Price(asked, written, "--price")


def runs_here(name: str) -> bool:
    """Whether a participant runs on one's own machine."""
    kind, colon, _ = name.partition(":")
    return bool(colon) and kind in _HERE


def table_price(name: str) -> Price | None:
    """Return what the price table has for a participant."""
    entry = _entry("price", name)
    return None if entry is None else Price(entry["input"], entry["output"], f"{entry['date']}, {entry['source']}")


def table_picture_tokens(name: str) -> int | None:
    """Return the tokens that a picture of a scene is to a participant, if the price table has them."""
    entry = _entry("picture", name)
    return None if entry is None else int(entry["tokens"])


def _entry(kind: str, name: str) -> dict[str, Any] | None:
    fits = (entry for entry in _table()[kind] if any(fnmatchcase(name.lower(), model) for model in entry["models"]))
    return next(fits, None)


@lru_cache(maxsize=1)
def _table() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(files("deixis.runs").joinpath("prices.toml").read_text(encoding="utf-8"))
