"""Claims about people: two runs alike, how they rate, which errors they make (Dong et al. 2026, B.3, I and J)."""

from collections.abc import Sequence

from deixis.analysis.claims.claim import Claim, Finding, Part, Verdict, in_print, only_untested, together, untested
from deixis.analysis.claims.combining import combined
from deixis.analysis.claims.cues import strongest
from deixis.analysis.claims.judging import MARGIN, Asked, above, of_one, shown, summed
from deixis.analysis.claims.source import PEOPLE, LackingError, Source
from deixis.analysis.published_tests import table3
from deixis.analysis.shares.equivalence import equivalence


def _p12(source: Source) -> list[Finding]:
    if not source.printed:
        return [
            untested("needs people in two runs, production and follow-up, which a table of trials does not tell apart")
        ]
    told, verdicts, alike = [], [], []
    for row in table3().to_dict("records"):
        follows = bool(row["follows"])
        verdicts.append(Verdict.HOLDS if follows and row["p_yates"] >= 0.05 else Verdict.FAILS)
        said = "follows from the shares" if follows else "does not follow from the shares"
        told.append(
            f"{row['task']}: p = {row['printed_p']} {said} (Yates {row['p_yates']:.4f}, "
            f"uncorrected {row['p_chisq']:.3f}); {row['p1']:.4f} and {row['p2']:.4f}"
        )
        same = equivalence(int(row["k1"]), int(row["n1"]), int(row["k2"]), int(row["n2"]), MARGIN)
        alike.append(f"{row['task']} {same.p_score:.2g}" if same.defined else f"{row['task']} not defined")
    remark = (
        f"that two p are above .05 does not show that the runs are alike; two one-sided tests within {MARGIN:g} do, "
        f"trials taken as independent: p = {', '.join(alike)}"
    )
    return [Finding(together(verdicts), "; ".join(told), remark=remark)]


def _p18_at(condition: str) -> Asked:
    def asked(source: Source, who: str) -> Sequence[Part]:
        errors = {of: source.cell(who, "demonstrative", condition, of=of) for of in ("DPE", "PPE", "Double")}
        return [
            above(combined([(1, errors["DPE"]), (-1, errors[other])]), 0, f"DPE less {other}")
            for other in ("PPE", "Double")
        ]

    return asked


def _p18(source: Source) -> list[Finding]:
    people = of_one(source, PEOPLE, _p18_at("people"))
    try:
        best, _, note = strongest(source)
    except LackingError:
        best, note = set(source.models), "every model at hand, since the strongest three cannot be told"
    each = [of_one(source, who, _p18_at("main")) for who in source.models if who in best]
    whole = summed(source, [people, *each], "parties at hand, people among them")
    if people.verdict is Verdict.UNTESTED and whole.verdict is Verdict.HOLDS:
        whole = Finding(Verdict.OPEN, f"{whole.evidence}; {people.evidence}")
    return [Finding(whole.verdict, whole.evidence, remark=note), *shown(source, [people, *each])]


CLAIMS = (
    Claim("P12", "B.3, Table 3", "Production and follow-up do not differ: p = .0764, .2037, .4908.", _p12),
    Claim(
        "P17",
        "§4.1, I",
        "In comprehension, ratings of possessives are binary, those of demonstratives graded by distance, and this "
        "falls off more sharply than that.",
        in_print("ratings are in a figure only", only_untested("needs people's ratings of the comprehension task")),
    ),
    Claim(
        "P18",
        "J",
        "On demonstratives, people and the three strongest models err most in the demonstrative, then in the personal "
        "pronoun or in both.",
        in_print("errors are in a figure only", _p18),
    ),
)
