"""The five lines that tell most about a run, in words."""

from deixis.analysis.estimates import (
    CellEstimate,
    agreement,
    cell,
    cells,
    marks_effect,
    position_effect,
    prime_effect,
    quotation_effect,
)
from deixis.analysis.forced import forced_summary, told
from deixis.analysis.intervals import Estimate
from deixis.scoring.results import DesignResults, Result, Scored


def telling(design: DesignResults, about: str = "") -> list[str]:
    """Return five lines about one participant beside the reference participants; one line if nobody was asked.

    ``about`` is the participant's id; by default the first model, or chance where there is none.
    """
    if not design.results:
        return ["nobody has been asked yet"]
    references = design.references
    first = design.models[0] if design.models else references.get("chance", design.results[0])
    subject = next((result for result in design.results if result.participant == about), first)
    rows = subject.rows
    whole = cell({}, rows)
    return [
        _accuracy(subject, whole, references.get("oracle"), references.get("chance")),
        _outcomes(whole) + _forced(subject),
        _effects(prime_effect(rows), quotation_effect(rows), marks_effect(rows)),
        _position(whole, position_effect(rows)),
        _nearest(design, subject),
    ]


def _accuracy(subject: Result, whole: CellEstimate, oracle: Result | None, chance: Result | None) -> str:
    beside = [
        f"{name} {_number(cell({}, _same(reference, subject)).accuracy)}"
        for name, reference in (("oracle", oracle), ("chance", chance))
        if reference is not None
    ]
    interval = f"[{whole.low:.2f}, {whole.high:.2f}], n = {whole.n}" if whole.n else "no answer yet"
    by_word = ", ".join(
        f"{part.levels['indexical']} {_number(part.accuracy)}" for part in cells(subject.rows, ["indexical"])
    )
    line = f"{subject.participant} is right on {_number(whole.accuracy)} {interval} ({by_word})"
    return f"{line}; on the same questions: {', '.join(beside)}" if beside else line


def _outcomes(whole: CellEstimate) -> str:
    counts = ", ".join(f"{name} {count}" for name, count in whole.outcomes.items() if count)
    return f"outcomes: {counts}; accuracy over the {whole.answered} readable: {_number(whole.accuracy_readable)}"


def _forced(subject: Result) -> str:
    summary = forced_summary(subject.rows)
    return "" if summary is None else f"; {told(summary)}"


def _effects(prime: Estimate, quotation: Estimate, marks: Estimate) -> str:
    found = [f"prime effect {_effect(prime)}", f"quotation effect {_effect(quotation)}"]
    if marks.value is not None:
        found.append(f"effect of plain marks {_effect(marks)}")
    return f"{', '.join(found)}; grammar says 0 for each"


def _position(whole: CellEstimate, effect: Estimate) -> str:
    return (
        f"takes the first option in {_number(whole.first_rate)} and the shifted reading in "
        f"{_number(whole.shift_rate)} of its answers; position effect {_effect(effect)}"
    )


def _nearest(design: DesignResults, subject: Result) -> str:
    compared = []
    for name, reference in design.references.items():
        if reference is subject:
            continue
        same, decided = agreement(subject.rows, {row.trial.id: row for row in reference.rows})
        if decided:
            compared.append((same, decided, name))
    if not compared:
        return "too few answers to say which reference participant it resembles"
    best, decided, _ = max(compared)
    names = [f"strategy:{name}" for same, _, name in compared if same == best]
    alike = " and ".join(names) if len(names) <= 3 else f"{len(names)} reference participants at once"
    return f"answers most like {alike}: the same choice in {best} of {decided} ({best / decided:.2f})"


def _same(reference: Result, subject: Result) -> list[Scored]:
    asked = {row.trial.id for row in subject.rows}
    return [row for row in reference.rows if row.trial.id in asked]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _effect(effect: Estimate) -> str:
    if effect.value is None:
        return f"– ({effect.note})"
    if effect.low is None or effect.high is None:
        return f"{effect.value:+.2f} ({effect.note})"
    return f"{effect.value:+.2f} [{effect.low:+.2f}, {effect.high:+.2f}]"
