"""Claims about what models lose without cues or without the picture (Dong et al. 2026, 4.2 and appendix K)."""

from collections.abc import Sequence
from dataclasses import replace

from deixis.analysis.claims.claim import Claim, Finding, Part, in_print, untested
from deixis.analysis.claims.combining import difference
from deixis.analysis.claims.judging import MARGIN, above, at_most, of_all, of_one, shown, summed
from deixis.analysis.claims.source import LackingError, Source

TASKS = ("possessive", "demonstrative")
STRONGEST = ("GPT-4o", "Llama-4-Scout", "Gemma-3")
"""The three models that the paper calls the strongest."""
_BASELINES = ("picture-none", "picture-empty", "picture-unrelated")


def lost(source: Source, who: str, task: str, condition: str) -> Part:
    """Judge that a condition has fewer right answers than ``main``."""
    found = difference(source.cell(who, task), source.cell(who, task, condition))
    return above(found, 0, f"{task}, main less {condition}")


def kept(source: Source, who: str, task: str, condition: str) -> Part:
    """Judge that a condition loses no more than the margin."""
    found = difference(source.cell(who, task), source.cell(who, task, condition))
    return at_most(found, MARGIN, f"{task}, main less {condition}")


def strongest(source: Source) -> tuple[set[str], set[str], str]:
    """Return the three strongest models, all others, and how they were told apart.

    By name where every model at hand is one of the paper's; otherwise by their main accuracy on possessives and
    demonstratives, which takes four models. Raises :class:`LackingError` if that cannot be told.
    """
    names = {who: source.name_of(who) for who in source.models}
    if names and all(names.values()):
        best = {who for who, name in names.items() if name in STRONGEST}
        return best, set(names) - best, ""
    asked = [who for who in names if all(source.has(who, task, "main") for task in TASKS)]
    if len(asked) < 4:
        raise LackingError("four models or more in possessive and demonstrative main, to tell the three strongest")
    ranked = sorted(asked, key=lambda who: -sum(source.cell(who, task).share for task in TASKS))
    return set(ranked[:3]), set(ranked[3:]), f"the strongest three at hand: {', '.join(ranked[:3])}"


def _p6(source: Source) -> list[Finding]:
    try:
        best, others, note = strongest(source)
    except LackingError as lacking:
        return [untested(f"needs {lacking}")]

    def asked(source: Source, who: str) -> Sequence[Part]:
        judge = lost if who in best else kept
        return [judge(source, who, task, "perspective") for task in TASKS]

    each = [of_one(source, who, asked) for who in source.models if who in best | others]
    whole = summed(source, each)
    return [Finding(whole.verdict, whole.evidence, remark=note), *shown(source, each)]


def _p7(source: Source, who: str) -> Sequence[Part]:
    judge = lost if source.name_of(who) == "GPT-4o" else kept
    first = lost(source, who, "possessive", "spatial-linguistic")
    return [first, judge(source, who, "demonstrative", "spatial-linguistic")]


def _p8(source: Source, who: str) -> Sequence[Part]:
    parts = [kept(source, who, task, "spatial-visual") for task in TASKS]
    for task in TASKS:
        words, both = (source.cell(who, task, condition) for condition in ("spatial-linguistic", "spatial-both"))
        parts.append(above(difference(words, both), 0, f"{task}, spatial-linguistic less spatial-both"))
    return parts


def _p16(source: Source, who: str) -> Sequence[Part]:
    marked = source.cell(who, "possessive", "spatial-visual")
    return [
        above(difference(marked, source.cell(who, "possessive", name)), 0, f"spatial-visual less {name}")
        for name in _BASELINES
    ]


def _p20(source: Source, who: str) -> Sequence[Part]:
    worst = source.cell(who, "possessive", "picture-unrelated")
    return [
        above(difference(source.cell(who, "possessive", name), worst), 0, f"{name} less picture-unrelated")
        for name in _BASELINES[:2]
    ]


def _p20_all(source: Source) -> list[Finding]:
    """Every model, as the claim is read here, and beside it the means over models, which the text may mean."""
    whole, *each = of_all(_p20)(source)
    asked = [who for who in source.models if all(source.has(who, "possessive", name) for name in _BASELINES)]
    if not asked:
        return [whole, *each]
    means = (
        f"{name} {sum(source.cell(who, 'possessive', name).share for who in asked) / len(asked):.3f}"
        for name in _BASELINES
    )
    return [replace(whole, remark=f"mean of {len(asked)} models: {', '.join(means)}"), *each]


_FIGURE = "accuracies of the ablations are in a figure only"
_TABLE9 = "the accuracies without the mark, with which Table 9 would be compared, are not printed"
CLAIMS = (
    Claim(
        "P6", "§4.2", "Without perspectival cues only the three strongest models lose accuracy.", in_print(_FIGURE, _p6)
    ),
    Claim(
        "P7",
        "§4.2",
        "Without spatial words all models lose accuracy on possessives, and on demonstratives only GPT-4o.",
        in_print(_FIGURE, of_all(_p7)),
    ),
    Claim(
        "P8",
        "§4.2",
        "Without the mark in the picture alone nothing is lost; without words and mark more than without the words.",
        in_print(_FIGURE, of_all(_p8)),
        "the ceiling says why: text alone already allows 1.00, so that the mark takes nothing away that is needed",
    ),
    Claim(
        "P16",
        "K",
        "No picture, an empty or an unrelated one costs more accuracy than a picture without the mark (possessives).",
        in_print(_TABLE9, of_all(_p16)),
        "0.000 in Table 9 is failing to answer: whoever guesses is right in a quarter",
    ),
    Claim(
        "P20",
        "K, Table 9",
        "Of these three the unrelated picture costs most (possessives).",
        _p20_all,
    ),
)
