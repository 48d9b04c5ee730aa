"""The five lines that tell most about a run, in words."""

from deixis.analysis.effects import effects, position_effect
from deixis.analysis.estimates import CellEstimate, agreement, ceilings, cell, cells
from deixis.analysis.forced import forced_summary, told
from deixis.analysis.intervals import Estimate
from deixis.scoring.results import DesignResults, Result, Scored


def telling(design: DesignResults, about: str = "") -> list[str]:
    """Return five lines about one participant beside the reference participants; one line if nobody was asked.

    ``about`` is the participant's id; by default the first model, or the oracle where there is none.
    """
    if not design.results:
        return ["nobody has been asked yet"]
    references = design.references
    first = design.models[0] if design.models else references.get("oracle", design.results[0])
    subject = next((result for result in design.results if result.participant == about), first)
    rows = subject.rows
    if not rows:
        return [f"{subject.participant} has not been asked yet"]
    whole = cell({}, rows)
    return [
        _accuracy(subject, whole, references.get("oracle"), references.get("chance")),
        _outcomes(whole) + _forced(subject),
        _effects({name: effect(rows) for name, effect in effects(rows).items() if name != "position"}),
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
    factor = next((f for f in ("indexical", "perspective", "speaker") if f in subject.rows[0].trial.factors), "")
    by_level = ", ".join(f"{part.levels[factor]} {_number(part.accuracy)}" for part in cells(subject.rows, [factor]))
    line = f"{subject.participant} is right on {_number(whole.accuracy)} {interval} ({by_level})"
    best = ", ".join(f"{channel} {_number(value)}" for channel, value in ceilings(subject.rows).items() if value)
    return f"{line}; on the same questions: {', '.join([*beside, f'at best from {best}'])}"


def _outcomes(whole: CellEstimate) -> str:
    counts = ", ".join(f"{name} {count}" for name, count in whole.outcomes.items() if count)
    return f"outcomes: {counts}; accuracy over the {whole.answered} readable: {_number(whole.accuracy_readable)}"


def _forced(subject: Result) -> str:
    summary = forced_summary(subject.rows)
    return "" if summary is None else f"; {told(summary)}"


def _effects(found: dict[str, Estimate]) -> str:
    told = [f"{_NAMES.get(name, name + ' effect')} {_effect(effect)}" for name, effect in found.items()]
    return f"{', '.join(told)}; who knows the words has 0 for each"


_NAMES = {"marks": "effect of plain marks"}


def _position(whole: CellEstimate, effect: Estimate) -> str:
    took = [f"{_READINGS.get(name, name)} in {_number(share)}" for name, share in whole.leanings.items()]
    return (
        f"takes {', '.join([f'the first option in {_number(whole.first_rate)}', *took])} of its answers; "
        f"position effect {_effect(effect)}"
    )


_READINGS = {"shifted": "the shifted reading"}


def _nearest(design: DesignResults, subject: Result) -> str:
    if subject.is_reference:
        return "a reference participant: what others are compared with"
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
