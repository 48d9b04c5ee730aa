"""Claims about *I* and *you* (Oğuz, Bakman and Yaldiz 2025, sections 4 and 6, Figure 2)."""

from collections.abc import Sequence
from dataclasses import replace

from deixis.analysis.claims.claim import Claim, Part, Verdict, in_print
from deixis.analysis.claims.combining import Terms, combined, difference, mean_terms, share
from deixis.analysis.claims.indexical_cells import (
    CLAUDE,
    DEEPSEEK,
    GEMINI,
    GPT,
    TYPES,
    asked_models,
    cell,
    prime_effect,
    quotation,
)
from deixis.analysis.claims.judging import about, above, of_all, of_named, of_whole
from deixis.analysis.claims.source import PEOPLE, Source


def _i1(source: Source) -> Sequence[Part]:
    cells: list[Terms] = [[(1, cell(source, who, "I", "non-quoted"))] for who in asked_models(source)]
    lowest = min(terms[0][1].share for terms in cells)
    mean = about(combined(mean_terms(cells)), 0.99, f"non-quoted I, mean of {len(cells)} models")
    return [replace(mean, number=f"{mean.number}, lowest model {lowest:.3f}")]


def _i2_high(source: Source, who: str) -> Sequence[Part]:
    return [above(share(cell(source, who, "I", "quoted")), 0.94, "quoted I")]


def _i2_claude(source: Source, who: str) -> Sequence[Part]:
    return [about(share(cell(source, who, "I", "quoted")), 0.89, "quoted I")]


def _i3(source: Source, who: str) -> Sequence[Part]:
    low, high = (cell(source, who, "I", "quoted", prime) for prime in ("non-shifted", "shifted"))
    return [
        about(share(low), 0.17, "quoted I, non-shifted prime"),
        above(difference(high, low), 0, "shifted less non-shifted prime"),
    ]


def _i4(source: Source, who: str) -> Sequence[Part]:
    """What *78 % in quotation conditions* is a number of is not said: either will do."""
    best = about(share(cell(source, who, "I", "quoted", "shifted")), 0.78, "quoted I, shifted prime")
    both = about(share(cell(source, who, "I", "quoted")), 0.78, "both primes")
    kinder = next(v for v in (Verdict.HOLDS, Verdict.OPEN, Verdict.FAILS) if v in (best.verdict, both.verdict))
    return [replace(best, verdict=kinder), replace(both, verdict=kinder)]


def _i5(source: Source, who: str) -> Sequence[Part]:
    return [
        above(combined(prime_effect(source, who, "you", sentence)), 0, f"{sentence}, helpful less misleading prime")
        for sentence in TYPES
    ]


def _i6(source: Source, who: str) -> Sequence[Part]:
    return [above(combined(quotation(source, who, "you")), 0, "you, non-quoted less quoted")]


def _i7(source: Source, who: str) -> Sequence[Part]:
    return [about(share(cell(source, who, "you", "non-quoted")), 0.92, "non-quoted you")]


def _i16(source: Source, who: str) -> Sequence[Part]:
    return [about(difference(cell(source, PEOPLE, "I"), cell(source, who, "I")), 0, "I, people less model")]


def _i17(source: Source, who: str) -> Sequence[Part]:
    return [above(difference(cell(source, who, "I"), cell(source, who, "you")), 0, "I less you")]


CLAIMS = (
    Claim("I1", "§4", "Non-quoted I is near optimal: 99 % on average over the models.", of_whole(_i1)),
    Claim(
        "I2",
        "§4",
        "Quoted I: GPT-4o and Gemini are above 94 % on average, Claude reaches 89 %.",
        of_named({GPT: _i2_high, GEMINI: _i2_high, CLAUDE: _i2_claude}),
    ),
    Claim("I3", "§4", "DeepSeek falls to 17 % on quoted I when the prime is non-shifted.", of_named({DEEPSEEK: _i3})),
    Claim("I4", "§4", "DeepSeek only reaches 78 % in the quotation conditions of I.", of_named({DEEPSEEK: _i4})),
    Claim("I5", "§4", "You: all models are lower when the prime favours the wrong option.", of_all(_i5)),
    Claim("I6", "§4", "You: quotation consistently lowers accuracy.", of_all(_i6)),
    Claim("I7", "§4", "Gemini reaches 92 % on non-quoted you.", of_named({GEMINI: _i7})),
    Claim(
        "I16",
        "§6",
        "Models perform at an almost human-like level with I.",
        in_print("no person was tested", of_all(_i16)),
    ),
    Claim("I17", "§4", "Models generally do worse with you than with I.", of_all(_i17)),
)
