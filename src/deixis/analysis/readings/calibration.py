"""A reader, a judge and a person on the same answers: how far they agree, and accuracies corrected for their errors."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from deixis.analysis.estimates import cell
from deixis.analysis.readings.agreement import agreement, told
from deixis.analysis.readings.correction import Counted, corrected, errors
from deixis.analysis.tidy import frame_of_rows
from deixis.records import Outcome, Score
from deixis.scoring.results import DesignResults, Result
from deixis.scoring.validation import Seen

Word = str
"""What was read in an answer: the number of an option, or an outcome."""
Place = tuple[str, str, str]
"""Design, participant and trial."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way of reading the run, with its scores."""

    name: str
    """What it is called in tables, such as ``reader``."""
    label: str
    """Name and version."""
    scores: Mapping[Place, Score]
    """Its scores; answers that it has not read are not among them."""


def reading(name: str, label: str, designs: Sequence[DesignResults]) -> Reading:
    """Return a reading of a run; what a judge should have read and did not is left out."""
    scores = {
        (design.name, result.participant, row.trial.id): row.score
        for design in designs
        for result in design.models
        for row in result.rows
        if row.verdict is None or not row.verdict.fault
    }
    return Reading(name, label, scores)


def calibration(seen: Sequence[Seen], left: int, readings: Sequence[Reading]) -> Iterator[str]:
    """Yield how far a person and the readings agree, two by two, with confusions by outcome."""
    yield f"{len(seen)} answers read by a person{f', {left} rows left open' if left else ''}"
    yield (
        "agreement on option or outcome; κ: Cohen 1960, with the 95 % interval of Fleiss, Cohen and Everitt 1969 "
        "(κ ± 1.96 SE)"
    )
    person = {_place(entry): _word(entry.outcome, entry.choice) for entry in seen}
    words = [("person", person), *((r.name, _words(r, person)) for r in readings)]
    for at, (one, first) in enumerate(words):
        for other, second in words[at + 1 :]:
            both = [place for place in first if place in second]
            pairs = [(first[place], second[place]) for place in both]
            yield ""
            yield f"{one} and {other}: {told(agreement(pairs))}"
            if pairs:
                yield from _confusion(one, other, pairs)


def corrections(seen: Sequence[Seen], designs: Sequence[DesignResults], name: str, label: str) -> Iterator[str]:
    """Yield every participant's accuracy under a reading, and what it is once the reading's errors are taken off."""
    scored = {
        (design.name, result.participant, row.trial.id): row.score
        for design in designs
        for result in design.models
        for row in result.rows
    }
    both = [(entry, scored[_place(entry)]) for entry in seen if _place(entry) in scored]
    known = errors([(e.right, s.credit == 1) for e, s in both if s.outcome not in _UNCOUNTED])
    yield ""
    yield f"corrected for the errors of the {name} ({label}): it {known.told}"
    yield (
        "  Rogan and Gladen 1978, one sensitivity and specificity for all; 95 % interval as of Lang and Reiczigel "
        "2014, for a sheet drawn from the same answers"
    )
    open_rows = sum(
        row.verdict is not None and bool(row.verdict.fault) for d in designs for r in d.models for row in r.rows
    )
    if open_rows:
        yield f"  {open_rows} answers of the run have no verdict; --judge asks for them"
    wholes = [
        (f"{d.name} {r.participant}", cell({}, frame_of_rows(r.rows))) for d in designs for r in d.models if _wrote(r)
    ]
    counted = [Counted(whole.correct, whole.n) for _, whole in wholes]
    for (who, whole), own in zip(wholes, counted, strict=True):
        found = corrected(own, known, counted)
        raw = "–" if whole.accuracy is None else f"{whole.accuracy:.3f} [{whole.low:.3f}, {whole.high:.3f}]"
        value = "–" if found.value is None else f"{found.value:.3f}"
        note = f" ({found.note})" if found.note else ""
        readable = "–" if whole.accuracy_readable is None else f"{whole.accuracy_readable:.3f}"
        yield (
            f"  {who}: {raw} over {whole.n}, corrected {value} "
            f"[{found.low:.3f}, {found.high:.3f}]{note}; {readable} over the {whole.answered} readable"
        )


def _wrote(result: Result) -> bool:
    """Whether a participant answered in words; choices are not read, so nothing of them is corrected."""
    return any(row.response is not None and row.response.text is not None for row in result.rows)


_UNCOUNTED = frozenset({Outcome.ERRORED, Outcome.MISSING})


def _words(found: Reading, among: Mapping[Place, Word]) -> dict[Place, Word]:
    return {
        place: _word(score.outcome, score.choice)
        for place in among
        if (score := found.scores.get(place)) is not None and score.outcome not in _UNCOUNTED
    }


def _confusion(one: str, other: str, pairs: Sequence[tuple[Word, Word]]) -> Iterator[str]:
    """Yield a table of outcomes, the one's down and the other's across; *answered* says how often with one option."""
    outcomes = [o.value for o in Outcome if any(o.value in (_outcome(a), _outcome(b)) for a, b in pairs)]
    counts = Counter((_outcome(a), _outcome(b)) for a, b in pairs)
    wide = max(len(one), *(len(name) for name in outcomes)) + 2
    yield f"  {one:<{wide}}{other}: " + "  ".join(outcomes)
    for down in outcomes:
        row = "  ".join(f"{counts[down, across]:>{len(across)}}" for across in outcomes)
        yield f"  {down:<{wide}}{' ' * (len(other) + 2)}{row}"
    chosen = [(a, b) for a, b in pairs if _outcome(a) == _outcome(b) == Outcome.ANSWERED.value]
    if chosen:
        yield f"  both answered: the same option in {sum(a == b for a, b in chosen)} of {len(chosen)}"


def _place(seen: Seen) -> Place:
    return seen.case.design, seen.case.participant, seen.case.row.trial.id


def _word(outcome: Outcome, choice: int | None) -> Word:
    return outcome.value if choice is None else f"option {choice + 1}"


def _outcome(word: Word) -> str:
    return Outcome.ANSWERED.value if word.startswith("option ") else word
