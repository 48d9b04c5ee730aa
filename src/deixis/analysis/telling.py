"""The five lines that tell most about a run, in words."""

import pandas as pd

from deixis.analysis.effects import effects, position_effect
from deixis.analysis.estimates import CellEstimate, agreement, ceilings, cell, cells
from deixis.analysis.forced import forced_summary, told
from deixis.analysis.intervals import Estimate
from deixis.analysis.tidy import frame_of
from deixis.scoring.results import DesignResults, Result, Rows


def telling(design: DesignResults, about: str = "", table: pd.DataFrame | None = None) -> list[str]:
    """Return five lines about one participant beside the reference participants; one line if nobody was asked.

    ``about`` is the participant's id; by default the first model, or the oracle where there is none. ``table`` is that
    of the design with its reference participants, where it is at hand already.
    """
    if not design.results:
        return ["nobody has been asked yet"]
    references = design.references
    first = design.models[0] if design.models else references.get("oracle", design.results[0])
    subject = next((result for result in design.results if result.participant == about), first)
    whole_table = frame_of(design, references=True) if table is None else table
    groups = () if whole_table.empty else whole_table.groupby("participant", observed=True, sort=False)
    parts = {str(name): part for name, part in groups}
    own = parts.get(subject.participant)
    if own is None:
        return [f"{subject.participant} has not been asked yet"]
    whole = cell({}, own)
    return [
        _accuracy(subject.participant, own, whole, parts),
        _outcomes(whole) + _forced(subject),
        _effects({name: effect(own) for name, effect in effects(own).items() if name != "position"}),
        _position(whole, position_effect(own)),
        _nearest(subject, parts),
    ]


def _accuracy(name: str, own: pd.DataFrame, whole: CellEstimate, parts: dict[str, pd.DataFrame]) -> str:
    asked = own["trial_id"].cat.codes
    beside = [
        f"{reference} {_number(cell({}, part[part['trial_id'].cat.codes.isin(asked)]).accuracy)}"
        for reference in ("oracle", "chance")
        if (part := parts.get(f"strategy:{reference}")) is not None
    ]
    interval = f"[{whole.low:.2f}, {whole.high:.2f}], n = {whole.n}" if whole.n else "no answer yet"
    factor = next((f for f in ("indexical", "perspective", "speaker") if f in own and own[f].notna().any()), "")
    by_level = (
        ", ".join(f"{part.levels[factor]} {_number(part.accuracy)}" for part in cells(own, [factor])) if factor else ""
    )
    line = f"{name} is right on {_number(whole.accuracy)} {interval}{f' ({by_level})' if by_level else ''}"
    best = ", ".join(f"{channel} {_number(value)}" for channel, value in ceilings(own).items() if value)
    return f"{line}; on the same questions: {', '.join([*beside, f'at best from {best}'])}"


def _outcomes(whole: CellEstimate) -> str:
    counts = ", ".join(f"{name} {count}" for name, count in whole.outcomes.items() if count)
    return f"outcomes: {counts}; accuracy over the {whole.answered} readable: {_number(whole.accuracy_readable)}"


def _forced(subject: Result) -> str:
    counted = isinstance(subject.rows, Rows) and not subject.rows.columns.by_scores
    summary = None if subject.is_reference or counted else forced_summary(subject.rows)
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


def _nearest(subject: Result, parts: dict[str, pd.DataFrame]) -> str:
    if subject.is_reference:
        return "a reference participant: what others are compared with"
    compared = [
        (*agreement(parts[subject.participant], part), name)
        for name, part in parts.items()
        if name.startswith("strategy:") and name != subject.participant
    ]
    compared = [entry for entry in compared if entry[1]]
    if not compared:
        return "too few answers to say which reference participant it resembles"
    best, decided, _ = max(compared)
    names = [name for same, _, name in compared if same == best]
    alike = " and ".join(names) if len(names) <= 3 else f"{len(names)} reference participants at once"
    return f"answers most like {alike}: the same choice in {best} of {decided} ({best / decided:.2f})"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _effect(effect: Estimate) -> str:
    if effect.value is None:
        return f"– ({effect.note})"
    if effect.low is None or effect.high is None:
        return f"{effect.value:+.2f} ({effect.note})"
    return f"{effect.value:+.2f} [{effect.low:+.2f}, {effect.high:+.2f}]"
