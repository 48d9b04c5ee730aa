"""Claims about how hard the tasks are, for people and models, in every wording (Dong et al. 2026, 4.1 and F.2)."""

from collections.abc import Sequence
from dataclasses import replace

from deixis.analysis.claims.claim import Claim, Finding, Part, Verdict, in_print, listed, together, untested
from deixis.analysis.claims.combining import difference, less
from deixis.analysis.claims.judging import MARGIN, Asked, above, at_most, of_all, of_one, of_whole, shown, summed
from deixis.analysis.claims.paper import FOLLOW_UP
from deixis.analysis.claims.source import PEOPLE, LackingError, Source
from deixis.experiments.conditions import VARIANTS

TASKS = ("vocabulary", "possessive", "demonstrative")
_SEVEN, _FIVE = 7, 5


def order(source: Source, who: str, condition: str) -> list[Part]:
    """Judge vocabulary > possessive > demonstrative of one party under one condition."""
    cells = [source.cell(who, task, condition) for task in TASKS]
    return [
        above(difference(one, other), 0, f"{TASKS[place]} less {TASKS[place + 1]}")
        for place, (one, other) in enumerate(zip(cells, cells[1:], strict=False))
    ]


def _p1(source: Source) -> Sequence[Part]:
    first = order(source, PEOPLE, "people")
    if source.printed:
        first += [replace(part, what=f"follow-up, {part.what}") for part in order(source, PEOPLE, FOLLOW_UP)]
    return first


def _p2_one(source: Source, who: str) -> Sequence[Part]:
    return order(source, who, "main")


def _p2(source: Source) -> list[Finding]:
    """Five of seven: of so many models as there are, at least that share."""
    each = [of_one(source, who, _p2_one) for who in source.models]
    told = [one.verdict for one in each if one.verdict is not Verdict.UNTESTED]
    if not told:
        return [untested(each[0].evidence if each else "needs a model's answers")]
    holds, fails = told.count(Verdict.HOLDS), told.count(Verdict.FAILS)
    needed = -(-len(told) * _FIVE // _SEVEN)  # rounded up
    verdict = Verdict.HOLDS if holds >= needed else Verdict.FAILS if len(told) - fails < needed else Verdict.OPEN
    others = len(told) - holds - fails
    said = f"the order holds for {holds}, fails for {fails} and is open for {others} of {len(told)} models at hand"
    return [Finding(verdict, f"{said}; five of seven means {needed} of them"), *each]


def _p3_gap(source: Source, who: tuple[str, str]) -> Part:
    """The gap between people and a model grows; ``who`` names the model for each of the two tasks."""
    people = [source.cell(PEOPLE, task, "people") for task in TASKS[1:]]
    models = [source.cell(name, task) for name, task in zip(who, TASKS[1:], strict=True)]
    near, far = ([(1, person), (-1, model)] for person, model in zip(people, models, strict=True))
    return above(less(far, near), 0, "gap on demonstratives less gap on possessives")


def _p3_best(source: Source) -> Sequence[Part]:
    best = []
    for task in TASKS[1:]:
        asked = [who for who in source.models if source.has(who, task, "main")]
        if not asked:
            raise LackingError(f"{task} in main")
        best.append(max(asked, key=lambda who: source.cell(who, task).share))
    part = _p3_gap(source, (best[0], best[1]))
    return [
        replace(part, what=f"people and the best model (possessive {best[0]}, demonstrative {best[1]}), {part.what}")
    ]


def _p3(source: Source) -> list[Finding]:
    whole = of_whole(_p3_best)(source)
    if source.printed:
        return whole
    each = [of_one(source, who, lambda s, name: [_p3_gap(s, (name, name))]) for who in source.models]
    return [*whole, *shown(source, each)]


def _p4_in(name: str) -> Asked:
    def asked(source: Source, who: str) -> Sequence[Part]:
        return order(source, who, name)

    return asked


def _p4(source: Source) -> list[Finding]:
    each = {who: [of_one(source, who, _p4_in(name)) for name in VARIANTS] for who in source.models}
    rows = [
        Finding(one.verdict, one.evidence, f"{who}, {name}")
        for who, found in each.items()
        for name, one in zip(VARIANTS, found, strict=True)
    ]
    told = [row for row in rows if row.verdict is not Verdict.UNTESTED]
    if not told:
        return [untested(f"needs {listed(TASKS)} in {listed(VARIANTS)}")]
    whole = summed(source, told, "models and wordings")
    if source.printed:
        against = [row for row in told if row.verdict is not Verdict.HOLDS]
        said = "; ".join(f"{row.participant}: {row.evidence}" for row in against)
        held = f"{len(told) - len(against)} of {len(told)} models and wordings in this order; "
        return [Finding(whole.verdict, held + said)]
    return [whole, *(_joined(who, found) for who, found in each.items())]


def _joined(who: str, found: Sequence[Finding]) -> Finding:
    told = [f"{name}: {one.evidence}" for name, one in zip(VARIANTS, found, strict=True)]
    return Finding(together(one.verdict for one in found), "; ".join(told), who)


def _p5(source: Source, who: str) -> Sequence[Part]:
    lifted = source.name_of(who) in ("InternVL2.5-4B-MPO", "Ovis2-4B")
    parts = []
    for task in TASKS:
        for name in VARIANTS:
            gain = difference(source.cell(who, task, name), source.cell(who, task))
            told = f"{task}, {name} less main"
            exception = lifted and task == "vocabulary" and name == "condensed"
            parts.append(above(gain, 0, told) if exception else at_most(gain, MARGIN, told))
    return parts


CLAIMS = (
    Claim(
        "P1",
        "§4.1, B.3",
        "For people vocabulary is easier than possessives, and these than demonstratives.",
        of_whole(_p1),
    ),
    Claim(
        "P2",
        "§4.1",
        "Five of seven models show the same order of tasks.",
        in_print("the main accuracies are in a figure only; the text gives two of 21", _p2),
    ),
    Claim("P3", "§4.1", "The gap between people and models grows from possessives to demonstratives.", _p3),
    Claim(
        "P4",
        "F.2",
        "The order of the tasks remains the same under the three other wordings, for every model.",
        _p4,
        "the text speaks of models in general; with the main wording too, two models deviate (section 4.1)",
    ),
    Claim(
        "P5",
        "F.2",
        "No other wording is substantially better than the main one, but condensed on vocabulary for InternVL2.5-4B "
        "and Ovis2-4B.",
        in_print("the main accuracies that would be compared with are in a figure only", of_all(_p5)),
    ),
)
