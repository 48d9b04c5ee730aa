"""What reviewers found, and how far they agree."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from deixis.items.cells import INDEXICALS
from deixis.items.review.sheet import Judgement, Sheet

ASKED: Mapping[str, Callable[[Judgement], str]] = {
    "grammatical": lambda judgement: judgement.grammatical,
    "pair minimal": lambda judgement: judgement.pair_minimal,
    "leaning": lambda judgement: judgement.leaning,
}
"""What is asked, to the answer given."""


def is_sound(judgement: Judgement, asked: str) -> bool:
    """Whether an answer is the one a sound question gets: *yes*, or a leaning as the prime means it."""
    wanted = judgement.prime if asked == "leaning" else "yes"
    return ASKED[asked](judgement) == wanted


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's κ, ``(p_o - p_e) / (1 - p_e)``; ``None`` where no answer varies, so that chance explains all.

    Source: Cohen (1960), "A coefficient of agreement for nominal scales".
    """
    n = len(pairs)
    if not n:
        return None
    first, second = (Counter(side) for side in zip(*pairs, strict=True))
    observed = sum(one == other for one, other in pairs) / n
    expected = sum(first[answer] * second[answer] for answer in first) / n**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def report(sheets: Sequence[Sheet]) -> Iterator[str]:
    """Yield everything there is to say about some sheets of one review."""
    for sheet in sheets:
        yield from findings(sheet)
    for one, other in combinations(sheets, 2):
        yield from comparison(one, other)
    found = list(objections(sheets))
    yield f"not sound to somebody: {len(found)} questions"
    yield from found
    remarks = list(comments(sheets))
    yield f"comments on what was found sound: {len(remarks)}"
    yield from remarks


def findings(sheet: Sheet) -> Iterator[str]:
    """Yield lines about one reviewer: how many questions are sound in what, overall and by indexical."""
    yield f"{sheet.reviewer}: {len(sheet.judgements)} questions"
    for note in sheet.notes:
        yield f"  {note}"
    for asked, answer in ASKED.items():
        parts = [_share(asked, answer, sheet.judgements)]
        for indexical in INDEXICALS:
            some = [judgement for judgement in sheet.judgements if judgement.indexical == indexical]
            if some:
                parts.append(f"{indexical} {_share(asked, answer, some)}")
        yield f"  {'leaning as meant' if asked == 'leaning' else asked}: {', '.join(parts)}"
    leaning = Counter(judgement.leaning for judgement in sheet.judgements if not is_sound(judgement, "leaning"))
    if leaning["neither"]:
        yield f"  no leaning: {leaning['neither']}; against the prime: {leaning['shifted'] + leaning['non-shifted']}"


def comparison(one: Sheet, other: Sheet) -> Iterator[str]:
    """Yield lines about two reviewers of the same sample: agreement, κ, and every disagreement."""
    beside = {judgement.question_id: judgement for judgement in other.judgements}
    both = [(mine, beside[mine.question_id]) for mine in one.judgements if mine.question_id in beside]
    yield f"{one.reviewer} and {other.reviewer}: {len(both)} questions"
    disagreements = []
    for asked, answer in ASKED.items():
        pairs = [(answer(a), answer(b)) for a, b in both if answer(a) and answer(b)]
        if not pairs:
            yield f"  {asked}: no question answered by both"
            continue
        same = sum(x == y for x, y in pairs)
        found = kappa(pairs)
        told = "κ not defined, no answer varies" if found is None else f"κ {found:.2f}"
        yield f"  {asked}: the same answer in {same} of {len(pairs)} ({same / len(pairs):.3f}), {told}"
        disagreements += [
            f"  {a.question_id}: {asked}: {one.reviewer} {answer(a)}{_said(a)}, {other.reviewer} {answer(b)}{_said(b)}"
            for a, b in both
            if answer(a) and answer(b) and answer(a) != answer(b)
        ]
    yield from disagreements


def objections(sheets: Sequence[Sheet]) -> Iterator[str]:
    """Yield every question that some reviewer did not find sound, with what was said."""
    for judgements in zip(*(sheet.judgements for sheet in sheets), strict=True):
        said = []
        for sheet, judgement in zip(sheets, judgements, strict=True):
            faults = [
                f"leans to {judgement.leaning}" if asked == "leaning" else f"not {asked}"
                for asked, answer in ASKED.items()
                if answer(judgement) and not is_sound(judgement, asked)
            ]
            if faults:
                said.append(f"{sheet.reviewer} {', '.join(faults)}{_said(judgement)}")
        if said:
            yield f"  {judgements[0].question_id}: {'; '.join(said)}"


def comments(sheets: Sequence[Sheet]) -> Iterator[str]:
    """Yield what reviewers remarked on questions that they found sound in everything."""
    for sheet in sheets:
        for judgement in sheet.judgements:
            if judgement.comment and all(is_sound(judgement, asked) for asked in ASKED):
                yield f"  {judgement.question_id}: {sheet.reviewer}{_said(judgement)}"


def _share(asked: str, answer: Callable[[Judgement], str], judgements: Sequence[Judgement]) -> str:
    answered = [judgement for judgement in judgements if answer(judgement)]
    return f"{sum(is_sound(judgement, asked) for judgement in answered)} of {len(answered)}"


def _said(judgement: Judgement) -> str:
    return f" ({judgement.comment!r})" if judgement.comment else ""
