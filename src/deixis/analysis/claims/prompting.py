"""Claims about what examples and instructions do for models (Dong et al. 2026, section 4.3, Figure 4)."""

from collections.abc import Sequence

from deixis.analysis.claims.claim import Claim, Part, in_print
from deixis.analysis.claims.combining import combined, difference, less
from deixis.analysis.claims.judging import MARGIN, above, at_most, of_all
from deixis.analysis.claims.paper import paper
from deixis.analysis.claims.source import PEOPLE, Cell, Source


def _people(source: Source, task: str) -> tuple[Cell, str]:
    """The people at hand, or else the number that the paper prints, as a constant."""
    if source.has(PEOPLE, task, "people"):
        return source.cell(PEOPLE, task, "people"), "people"
    return paper().cell(PEOPLE, task, "people"), "people as printed"


def _p9(source: Source, who: str) -> Sequence[Part]:
    main, told = ({t: source.cell(who, t, c) for t in ("possessive", "demonstrative")} for c in ("main", "instruction"))
    gain = [(1.0, told["possessive"]), (-1.0, main["possessive"])]
    small = [(1.0, told["demonstrative"]), (-1.0, main["demonstrative"])]
    (near, by), (far, _) = (_people(source, task) for task in ("possessive", "demonstrative"))
    parts = [
        above(combined(gain), 0, "possessive, instruction less main"),
        at_most(difference(near, told["possessive"]), MARGIN, f"possessive, {by} less instruction"),
        above(less(gain, small), 0, "gain on possessives less gain on demonstratives"),
        above(difference(far, told["demonstrative"]), MARGIN, f"demonstrative, {by} less instruction"),
    ]
    if source.name_of(who) == "Gemma-3":
        lifted = difference(told["demonstrative"], main["demonstrative"])
        parts.append(at_most(lifted, MARGIN, "demonstrative, instruction less main"))
    return parts


_HELPED = {"possessive": "GPT-4o", "demonstrative": "Gemma-3"}


def _p10(source: Source, who: str) -> Sequence[Part]:
    parts = []
    for task, name in _HELPED.items():
        gain = difference(source.cell(who, task, "in-context"), source.cell(who, task))
        told = f"{task}, in-context less main"
        parts.append(above(gain, 0, told) if source.name_of(who) == name else at_most(gain, MARGIN, told))
    return parts


def _p11(source: Source, who: str) -> Sequence[Part]:
    parts = []
    for task, more, other in (("possessive", "PoPE", "PPE"), ("demonstrative", "PPE", "DPE")):
        fewer = {
            of: [(sign, source.cell(who, task, c, of=of)) for sign, c in ((1.0, "main"), (-1.0, "instruction"))]
            for of in (more, other)
        }
        parts += [
            above(combined(fewer[more]), 0, f"{task}, {more}, main less instruction"),
            above(less(fewer[more], fewer[other]), 0, f"{task}, fewer {more} less fewer {other}"),
        ]
    return parts


_FIGURE = "accuracies and errors under other prompts are in a figure only"
CLAIMS = (
    Claim(
        "P9",
        "§4.3",
        "Instructions bring possessives close to people; demonstratives gain little, Gemma-3's not at all, and remain "
        "far below people.",
        in_print(_FIGURE, of_all(_p9)),
    ),
    Claim(
        "P10",
        "§4.3",
        "Worked examples help only GPT-4o with possessives and only Gemma-3 with demonstratives.",
        in_print(_FIGURE, of_all(_p10)),
    ),
    Claim(
        "P11",
        "§4.3",
        "Under instructions, possessives gain by fewer possessive-pronoun errors, demonstratives by fewer "
        "personal-pronoun errors rather than fewer demonstrative-pronoun errors.",
        in_print(_FIGURE, of_all(_p11)),
    ),
)
