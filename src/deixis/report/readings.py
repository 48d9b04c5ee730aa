"""What there is to say about readings: who read what, how two differ, what a judge did, how far a person agrees."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from deixis.analysis.readings.calibration import calibration, corrections, reading
from deixis.analysis.readings.comparison import compare, comparison_lines
from deixis.analysis.readings.judging import judging_lines
from deixis.scoring.results import DesignResults, only, read_results
from deixis.scoring.validation import Seen
from deixis.scoring.ways import Way


def read_by_lines(designs: Iterable[DesignResults]) -> list[str]:
    """Return, for every design, by whom its answers were read, with versions."""
    lines = []
    for design in designs:
        usual = Counter(str(result.signature["reader"]) for result in design.results).most_common(1)
        others = [result for result in design.results if result.signature["reader"] != usual[0][0]]
        told = [f"{result.participant} read by {result.signature['reader']}" for result in others]
        rest = [f"{'all' if not others else 'the others'} read by {usual[0][0]}"] if usual else []
        lines.append(f"{design.name}: {'; '.join([*told, *rest])}")
    return lines


def judge_lines(designs: Iterable[DesignResults], judge: str) -> list[str]:
    """Return what there is to say of a judge: what it settled, what it left, its favourite places, its kin."""
    found = [
        f"{design.name}: {line}" if not line.startswith(" ") else line
        for design in designs
        for result in design.results
        for line in judging_lines(result, judge)
    ]
    return found or [f"nothing was put before the judge {judge}"]


def compare_lines(run: Path, ways: Sequence[Way], participants: Sequence[str], examples: int) -> Iterator[str]:
    """Yield how two readings of a run differ, a design at a time."""
    one, other = (only(read_results(run, way), participants) for way in ways)
    for first, second in zip(one, other, strict=True):
        yield from comparison_lines(first.name, list(compare(first, second)), examples)


def calibration_lines(
    run: Path, seen: Sequence[Seen], left: int, way: Way, participants: Sequence[str]
) -> Iterator[str]:
    """Yield how far person, reader and judge agree, and accuracies corrected for the errors of what read them."""
    plain = only(read_results(run, Way(way.reader)), participants)
    label = _label(plain)
    readings = [reading("reader", label, plain)]
    if way.judge:
        alone = only(read_results(run, Way(way.reader, way.judge, every=True)), participants)
        readings.append(reading("judge", _label(alone), alone))
    yield from calibration(seen, left, readings)
    yield from corrections(seen, plain, "reader", label)
    if way.judge:
        both = only(read_results(run, way), participants)
        yield from corrections(seen, both, "judge" if way.every else "reader and judge", _label(both))


def _label(designs: Sequence[DesignResults]) -> str:
    return ", ".join(dict.fromkeys(str(r.signature["reader"]) for d in designs for r in d.models))
