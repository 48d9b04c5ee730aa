"""How numbers are written in a table: three digits as in the paper, a real minus sign, a dash where nothing is."""

import math

from deixis.analysis.pvalues import p_text
from deixis.report.tables.table import Cell, Value

DASH = "–"
"""Stands for what is not defined or not printed."""


def text(value: str) -> Cell:
    """Return a cell of words."""
    return Cell(value, (value,))


def share(value: float | None) -> Cell:
    """Return a cell with a share from 0 to 1."""
    return number(value, 3)


def number(value: float | None, digits: int) -> Cell:
    """Return a cell with a number of so many digits behind the point."""
    known = _known(value)
    return Cell(DASH if known is None else signed(known, digits).removeprefix("+"), (known,))


def count(value: int) -> Cell:
    """Return a cell with a whole number."""
    return Cell(str(value), (value,))


def difference(value: float | None) -> Cell:
    """Return a cell with a difference of shares, its sign always before it."""
    known = _known(value)
    return Cell(DASH if known is None else signed(known, 3), (known,))


def interval(low: float | None, high: float | None) -> Cell:
    """Return a cell with the two ends of an interval of a share."""
    return _ends(low, high, "")


def interval_of_difference(low: float | None, high: float | None) -> Cell:
    """Return a cell with the two ends of an interval of a difference, both with their signs."""
    return _ends(low, high, "+")


def p_value(value: float | None) -> Cell:
    """Return a cell with a p-value."""
    known = _known(value)
    return Cell(DASH if known is None else p_text(known), (known,))


def printed(words: str) -> Cell:
    """Return a cell with a number as a paper prints it, to the digit; where it prints none, a dash."""
    return Cell(words or DASH, (float(words) if words else None,))


def signed(value: float, digits: int) -> str:
    """Return a number with its sign; a minus sign is one, and nought has none."""
    if round(value, digits) == 0:
        return f"{0:.{digits}f}"
    return f"{value:+.{digits}f}".replace("-", "−")


def _ends(low: float | None, high: float | None, sign: str) -> Cell:
    ends: tuple[Value, Value] = _known(low), _known(high)
    if _known(low) is None or _known(high) is None:
        return Cell(DASH, ends)
    said = [signed(float(end), 3) for end in (low, high) if end is not None]
    return Cell("[" + ", ".join(one if sign else one.removeprefix("+") for one in said) + "]", ends)


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)
