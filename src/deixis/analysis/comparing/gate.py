"""The gate: whether B may pass, for a machine to ask after every change of a model.

It asks for the point estimate, not for its interval. Both have answered the same trials, so on these a difference is
what it is; a gate that asked for significance would let the more through the fewer trials there are. Whether a drop is
significant stands beside it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan

from deixis.analysis.comparing.designs import Comparison, DesignComparison
from deixis.analysis.pvalues import p_text
from deixis.errors import Unfinished, UsageError

FAILED = 1
"""The exit code of a check that failed."""
_ROUNDING = 1e-9
"""What sums of shares may be off; a drop of exactly what is allowed passes."""
_TOLD = 3
"""Reasons that one line holds; the others are counted."""
_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a gate ended."""

    code: int
    """0 passed, 1 failed, 3 not decided, since answers are missing."""
    line: str
    """The same in one line, with reasons."""


def check_limits(fail_under: float | None, max_drop: float | None) -> None:
    """Raise :class:`UsageError` for a limit that is no share."""
    for name, limit in (("--fail-under", fail_under), ("--max-drop", max_drop)):
        if limit is not None and not 0 <= limit <= 1:
            raise UsageError(f"{name} {limit:g} is no share; give a number from 0 to 1, such as 0.02")


def gate(found: Comparison, fail_under: float | None = None, max_drop: float | None = None) -> Verdict | None:
    """Say whether B passes, design by design; ``None`` where no limit is given.

    B fails with an accuracy under ``fail_under`` over all that it has answered of a design, or where it falls under A
    by more than ``max_drop`` on the trials that both have answered, ties with their shares. While B lacks answers, or a
    design that A has, nothing is decided: a gate never passes because answers are missing.
    """
    check_limits(fail_under, max_drop)
    if fail_under is None and max_drop is None:
        return None
    failed = [reason for design in found.designs for reason in _failures(design, fail_under, max_drop)]
    lacking = list(_lacking(found, max_drop))
    if lacking:
        told = f"; so far failed: {_some(failed)}" if failed else ""
        return Verdict(Unfinished.exit_code, f"gate: not decided: {_some(lacking)}{told}")
    if failed:
        return Verdict(FAILED, f"gate: failed: {_some(failed)}")
    return Verdict(0, f"gate: passed: {'; '.join(_passed(found.designs, fail_under, max_drop))}")


def significance(design: DesignComparison) -> str:
    """Return in words whether a design's difference is significant by McNemar's exact test, adjusted by Holm."""
    p = design.p_adjusted
    if isnan(p):
        return "no test"
    sign = " " if p < 0.001 else " = "
    return f"{'significant' if p < _LEVEL else 'not significant'}, p{sign}{p_text(p)}"


def _failures(design: DesignComparison, fail_under: float | None, max_drop: float | None) -> Iterator[str]:
    accuracy, change = design.b.accuracy, design.pairs.change
    if max_drop is not None and change is not None and -change > max_drop + _ROUNDING:
        drop = apart(-change, max_drop)
        yield f"{design.name} fell by {drop}, more than --max-drop {max_drop:g} ({significance(design)})"
    if fail_under is not None and accuracy is not None and accuracy < fail_under - _ROUNDING:
        yield f"{design.name} is at {apart(accuracy, fail_under)}, less than --fail-under {fail_under:g}"


def _lacking(found: Comparison, max_drop: float | None) -> Iterator[str]:
    for design in found.designs:
        lost = design.b.unanswered.total()
        if lost:
            yield f"{lost} of {design.b.asked} trials of B are unanswered in {design.name} ('deixis run' goes on)"
        elif not design.b.asked or (max_drop is not None and not design.pairs.counted):
            yield f"{design.name} has no trial that both have answered"
    if found.only_a:
        yield f"B was not asked {', '.join(found.only_a)} (--experiment and --condition leave out what is not meant)"


def _passed(designs: Sequence[DesignComparison], fail_under: float | None, max_drop: float | None) -> Iterator[str]:
    if max_drop is not None:
        count = sum(design.pairs.counted for design in designs)
        change, lowest = min(
            ((d.pairs.change, d) for d in designs if d.pairs.change is not None), key=lambda entry: entry[0]
        )
        fell = f"{lowest.name} fell most, by {apart(-change, max_drop)} ({significance(lowest)})"
        told = fell if change < 0 else "no design fell"
        yield f"{told}, on {count} pairs in {len(designs)} design{'s' * (len(designs) > 1)}; --max-drop {max_drop:g}"
    if fail_under is not None:
        accuracy, lowest = min(
            ((d.b.accuracy, d) for d in designs if d.b.accuracy is not None), key=lambda entry: entry[0]
        )
        yield f"lowest is {lowest.name} at {apart(accuracy, fail_under)}; --fail-under {fail_under:g}"


def _some(reasons: Sequence[str]) -> str:
    more = len(reasons) - _TOLD
    return "; ".join([*reasons[:_TOLD], *([f"and {more} more"] if more > 0 else [])])


def apart(value: float, limit: float) -> str:
    """Return a number with three decimals, or as many more as tell it from a limit that it is not."""
    for digits in range(3, 10):
        shown = f"{value:.{digits}f}"
        if float(shown) != limit or abs(value - limit) <= _ROUNDING:
            return shown
    return f"{value:.9f}"
