"""Claims about *here* and *tomorrow* (Oğuz, Bakman and Yaldiz 2025, sections 4 and 6, Figure 2)."""

from collections.abc import Sequence
from dataclasses import replace

from deixis.analysis.claims.claim import Claim, Finding, Part, Verdict
from deixis.analysis.claims.combining import difference, less, mean_terms, share
from deixis.analysis.claims.indexical_cells import (
    CLAUDE,
    DEEPSEEK,
    GEMINI,
    GPT,
    TYPES,
    asked_models,
    cell,
    non_shifted,
    prime_effect,
    quotation,
)
from deixis.analysis.claims.judging import Asked, about, above, always, below, of_all, of_named, of_whole
from deixis.analysis.claims.source import Source


def _i8(source: Source, who: str) -> Sequence[Part]:
    shifted, other = (share(cell(source, who, "here", "non-quoted", prime)) for prime in ("shifted", "non-shifted"))
    return [above(shifted, 0.96, "shifted prime"), below(other, 0.02, "non-shifted prime")]


def _above(than: float) -> Asked:
    def asked(source: Source, who: str) -> Sequence[Part]:
        average = above(share(cell(source, who, "here", "quoted")), than, "quoted here, both primes")
        lower = cell(source, who, "here", "quoted", "non-shifted").share
        return [replace(average, number=f"{average.number}, non-shifted prime alone {lower:.3f}")]

    return asked


_I10 = of_named({CLAUDE: _above(0.64), GPT: _above(0.37)})


def _i10(source: Source) -> list[Finding]:
    """The sentence names Gemini twice, so that no run can bear it out: runs are held against what it must mean."""
    if not source.printed:
        note = "the sentence names Gemini twice; read with Claude in its second place"
        return [Finding(one.verdict, one.evidence, one.participant, note) for one in _I10(source)]
    shares = {who: cell(source, who, "here", "quoted", "non-shifted").share for who in asked_models(source)}
    ranked = sorted(shares, key=lambda who: -shares[who])
    met = ranked == [DEEPSEEK, GEMINI, GEMINI, GPT] and shares[GEMINI] > 0.64 and shares[GPT] > 0.37
    told = ", ".join(f"{who} {shares[who]:.3f}" for who in ranked)
    evidence = f"quoted here, non-shifted prime: {told}; third comes {ranked[2]}, not {GEMINI}"
    return [Finding(Verdict.HOLDS if met else Verdict.FAILS, evidence)]


def _i11(source: Source, who: str) -> Sequence[Part]:
    one, other = (cell(source, who, "here", sentence) for sentence in ("quoted", "non-quoted"))
    return [above(difference(one, other), 0, "here, quoted less non-quoted")]


def _i12(source: Source, who: str) -> Sequence[Part]:
    return [always(non_shifted(source, who, "tomorrow"), "tomorrow, non-shifted option chosen")]


def _chosen(target: float) -> Asked:
    def asked(source: Source, who: str) -> Sequence[Part]:
        overall = about(non_shifted(source, who, "tomorrow"), target, "tomorrow, non-shifted option chosen")
        quoted = non_shifted(source, who, "tomorrow", "quoted")
        return [replace(overall, number=f"{overall.number}, in quoted trials alone {quoted.told}")]

    return asked


def _i14(source: Source, who: str) -> Sequence[Part]:
    tomorrow, you = (quotation(source, who, word) for word in ("tomorrow", "you"))
    return [above(less(tomorrow, you), 0, "lost by quotation, tomorrow less you")]


def _i18(source: Source) -> Sequence[Part]:
    models = asked_models(source)
    you, *others = ([[(1.0, cell(source, who, word))] for who in models] for word in ("you", "here", "tomorrow"))
    return [
        above(less(mean_terms(you), mean_terms(other)), 0, f"mean of {len(models)} models, you less {word}")
        for word, other in zip(("here", "tomorrow"), others, strict=True)
    ]


def _i19(source: Source, who: str) -> Sequence[Part]:
    outside, inside = (prime_effect(source, who, "here", sentence) for sentence in TYPES)
    return [above(less(outside, inside), 0, "effect of the prime on here, non-quoted less quoted")]


CLAIMS = (
    Claim(
        "I8",
        "§4",
        "Here, non-quoted: shifted primes give over 96 % accuracy and non-shifted primes less than 2 %.",
        of_all(_i8),
        "the two primes are interchanged; and even so the outer cells stand at .96 and .02, not beyond them",
    ),
    Claim(
        "I9",
        "§4",
        "Here, quoted: DeepSeek is above 97 % and Gemini above 94 %.",
        of_named({DEEPSEEK: _above(0.97), GEMINI: _above(0.94)}),
        "as averages over both primes; .97 and .94 themselves are single cells, those with the non-shifted prime",
    ),
    Claim(
        "I10",
        "§4",
        "Here, quoted: then follow Gemini and GPT-4o, above 64 % and 37 %.",
        _i10,
        "the sentence has named Gemini already; .64 is Claude's",
    ),
    Claim("I11", "§4, §6", "Quotation raises accuracy with here.", of_all(_i11)),
    Claim(
        "I12",
        "§4",
        "Tomorrow: Claude and Gemini choose the non-shifted option 100 % of the time.",
        of_named({CLAUDE: _i12, GEMINI: _i12}),
        "one answer of Gemini's 400 is shifted; in whole per cent it still is 100",
    ),
    Claim(
        "I13",
        "§4",
        "Tomorrow: GPT-4o and DeepSeek choose the non-shifted option 94 % and 83 % of the time.",
        of_named({GPT: _chosen(0.94), DEEPSEEK: _chosen(0.83)}),
        "the sentence speaks of all trials; the numbers are those of quoted ones",
    ),
    Claim("I14", "§6", "Quotation lowers accuracy with tomorrow more than with you.", of_all(_i14)),
    Claim("I18", "§6", "Accuracy drops from I to the others, particularly to here and tomorrow.", of_whole(_i18)),
    Claim("I19", "§4", "With here, quotation makes the effect of the prime smaller.", of_all(_i19)),
)
