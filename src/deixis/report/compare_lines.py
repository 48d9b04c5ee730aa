"""Two runs compared, as text for reading; beside it the reading itself and the gate, as the command asks for them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from deixis.analysis.comparing.changes import answer_kind
from deixis.analysis.comparing.designs import Comparison, DesignComparison, compare
from deixis.analysis.comparing.gate import Verdict, check_limits, gate
from deixis.analysis.comparing.pairing import Alone, Pair, Pairs
from deixis.analysis.pvalues import p_text
from deixis.errors import AnalysisError, UsageError
from deixis.scoring.results import Scored
from deixis.scoring.ways import reader_way

_NAMED = 5
"""Trials that are named where only one side has answered them; the others are counted."""


def compared(
    runs: tuple[Path, Path],
    named: Sequence[str],
    experiments: Sequence[str],
    conditions: Sequence[str],
    reader: str,
    limits: tuple[float | None, float | None],
) -> tuple[Comparison, Verdict | None]:
    """Compare two runs, and put B before the gate of ``limits``: the least accuracy and the greatest drop.

    Raises :class:`AnalysisError` where both have answered no trial, unless it is for B's want of answers and a gate is
    asked, which says so.
    """
    check_limits(*limits)
    found = compare(runs, named, experiments, conditions, reader_way(reader))
    verdict = gate(found, *limits)
    if verdict is None or not verdict.code:
        refuse_nothing(found)
    return found, verdict


def refuse_nothing(found: Comparison) -> None:
    """Raise :class:`AnalysisError` where no trial has been answered by both."""
    if not any(design.pairs.counted for design in found.designs):
        lost = [
            sum(own.unanswered.total() for own in side)
            for side in zip(*((d.a, d.b) for d in found.designs), strict=True)
        ]
        raise AnalysisError(
            f"nothing to compare: no trial has been answered by both ({lost[0]} of A and {lost[1]} of B are "
            "unanswered); 'deixis run' goes on with them"
        )


def front_lines(found: Comparison) -> list[str]:
    """Return what to know before any number: who is compared, what their answers were made with, what is left out."""
    lines = [f"{name}: {side.participant} in {side.run}" for name, side in (("A", found.a), ("B", found.b))]
    met: dict[str, list[str]] = {}
    for design in found.designs:
        for words in design.made_with:
            met.setdefault(words, []).append(design.name)
    for words, names in met.items():
        where = "" if len(names) == len(found.designs) else f" ({', '.join(names)})"
        lines.append(f"made otherwise: {words}{where}")
    for side, names in (("A", found.only_a), ("B", found.only_b)):
        if names:
            lines.append(f"not compared, only {side} was asked: {', '.join(names)}")
    for design in found.designs:
        for side, own in (("A", design.a), ("B", design.b)):
            if own.unanswered:
                lines.append(
                    f"{design.name}: {own.unanswered.total()} of {own.asked} trials of {side} are unanswered "
                    f"({_counts(own.unanswered)})"
                )
        lines += _alone_lines(design.name, "A", design.only_a) + _alone_lines(design.name, "B", design.only_b)
    return lines


def _alone_lines(name: str, side: str, found: Sequence[Alone]) -> list[str]:
    if not found:
        return []
    ids = ", ".join(alone.trial for alone in found[:_NAMED])
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    other = "B" if side == "A" else "A"
    why = _counts(Counter(alone.why for alone in found))
    return [f"{name}: {len(found)} trials that only {side} has answered (of {other} {why}): {ids}{more}"]


def _counts(found: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in found.most_common())


def table_lines(found: Comparison, examples: int = 0) -> Iterator[str]:
    """Yield the table of designs, then, for each in which something changed, what; with examples of what got worse."""
    wide = max(len(design.name) for design in found.designs) + 2
    yield f"{'design':<{wide}}{_HEAD}  {'p':>6} {'p (Holm)':>9}"
    for design in found.designs:
        p, adjusted = p_text(design.pairs.test.p_exact), p_text(design.p_adjusted)
        yield f"{design.name:<{wide}}{_columns(design.pairs)}  {p:>6} {adjusted:>9}"
    yield "accuracy on the trials that both have answered; p: McNemar, exact; interval: Tango"
    for design in found.designs:
        if design.changes or design.pairs.ties:
            yield ""
            yield from _details(design, examples)


_HEAD = f"{'pairs':>7}{'A':>8}{'B':>8}{'B - A':>8}  {'95 % interval':<16}{'better':>8}{'worse':>7}"


def _columns(pairs: Pairs) -> str:
    test = pairs.test
    if not test.pairs:
        return f"{0:>7}{'–':>8}{'–':>8}{'–':>8}  {'–':<16}{0:>8}{0:>7}"
    limits = f"[{test.low:+.3f}, {test.high:+.3f}]"
    shares = f"{_share(pairs.accuracy_a):>8}{_share(pairs.accuracy_b):>8}{test.difference:>+8.3f}"
    return f"{test.pairs:>7}{shares}  {limits:<16}{pairs.better:>8}{pairs.worse:>7}"


def _details(design: DesignComparison, examples: int) -> Iterator[str]:
    pairs = design.pairs
    yield f"{design.name}:"
    if (design.a.accuracy, design.b.accuracy) != (pairs.credit_a, pairs.credit_b):
        yield f"  over all that each has answered A {_share(design.a.accuracy)}, B {_share(design.b.accuracy)}"
    if pairs.ties:
        yield (
            f"  {pairs.ties} pairs with a tie's share are in no row; with them A {_share(pairs.credit_a)}, B "
            f"{_share(pairs.credit_b)}, B - A {pairs.change:+.3f}"
        )
    moved = [level for level in design.levels if level.pairs.better or level.pairs.worse]
    if moved:
        wide = max(len(f"{level.factor} {level.level}") for level in moved) + 2
        yield f"  {'where':<{wide}}{_HEAD}"
        for level in moved:
            yield f"  {f'{level.factor} {level.level}':<{wide}}{_columns(level.pairs)}"
    if design.changes:
        yield "  from what to what"
        for change in design.changes:
            yield f"  {change.count:>6}  {change.before} → {change.after}"
    for pair in design.worse[:examples]:
        yield from _example(pair)


def _example(pair: Pair) -> Iterator[str]:
    trial = pair[0].trial
    yield f"  {trial.id}: right is {trial.options[trial.answer].text!r}"
    for side, row in zip("AB", pair, strict=True):
        yield f"    {side} ({answer_kind(row)}): {_said(row)}"


def _said(row: Scored) -> str:
    """Return an answer as it came, its middle left out where it is long; of a choice, the option."""
    text = row.response.text if row.response is not None else None
    if text is not None:
        return repr(text if len(text) <= 300 else f"{text[:200]} … {text[-100:]}")
    if row.score.choice is None:
        return "no option stood out"
    return f"chose {row.trial.options[row.score.choice].text!r}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def check_examples(examples: int | None, *, csv: bool) -> int:
    """Return how many examples are asked for. Raises :class:`UsageError` for fewer than none, and beside CSV."""
    if examples is not None and csv:
        raise UsageError("--csv takes no --examples; leave one of them out")
    if examples is not None and examples < 0:
        raise UsageError(f"--examples {examples} is less than none; give 0 or more")
    return examples or 0
