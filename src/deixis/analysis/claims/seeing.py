"""Claims about what models see at all: the checks (Dong et al. 2026, appendices A and E, Tables 1, 2 and 5)."""

from collections.abc import Sequence

from deixis.analysis.claims.claim import Claim, Part
from deixis.analysis.claims.combining import difference, share
from deixis.analysis.claims.judging import above, of_all
from deixis.analysis.claims.source import Source

RECOGNISED = 0.90
"""Above this, something in the picture counts as recognised robustly."""
NEAR_PERFECT = 0.95
"""Above this, answers count as near perfect."""
_ASKED = ("object", "gazer", "speaker")


def _p14(source: Source, who: str) -> Sequence[Part]:
    return [above(share(source.cell(who, "checks", asked)), RECOGNISED, asked) for asked in _ASKED]


def _p15(source: Source, who: str) -> Sequence[Part]:
    return [above(share(source.cell(who, "checks", "control")), NEAR_PERFECT, "control question")]


def _p19(source: Source, who: str) -> Sequence[Part]:
    own = source.cell(who, "checks", "object")
    thing, gazer, speaker = (source.cell(who, "checks", f"{asked}-people") for asked in _ASKED)
    return [
        above(difference(own, thing), 0, "object, models' less people's pictures"),
        above(difference(gazer, thing), 0, "people's pictures, gazer less object"),
        above(difference(speaker, thing), 0, "speaker less object"),
    ]


CLAIMS = (
    Claim("P14", "A, Table 2", "Models recognise object, speaker and gazer on their own pictures.", of_all(_p14)),
    Claim(
        "P15",
        "E, Table 5",
        "Models answer the control question (is the object close?) near perfectly.",
        of_all(_p15),
        "GPT-4o, which falls short, is the strongest model on demonstratives (section 4.1)",
    ),
    Claim(
        "P19",
        "A, Table 1",
        "On people's pictures models struggle, above all with recognising objects.",
        of_all(_p19),
        "16 pictures a check; that of objects is not printed for Ovis2-4B, and the pictures have no green square",
    ),
)
