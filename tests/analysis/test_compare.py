"""Two participants, trial by trial: pairs and tests by hand and by statsmodels, ties, gaps, levels, the gate."""

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from deixis.analysis.comparing.changes import Change, changes, got_worse, levels
from deixis.analysis.comparing.designs import Comparison, DesignComparison, compare_design, own, with_holm
from deixis.analysis.comparing.gate import apart, gate, significance
from deixis.analysis.comparing.pairing import join, pairs
from deixis.analysis.comparing.sides import Side, differences, made_with
from deixis.errors import UsageError
from deixis.experiments import experiment
from deixis.records import Outcome, Score
from deixis.scoring.results import DesignResults, Result, Scored
from tests.scoring.bench import design

RIGHT, WRONG, LOST, GONE, VAGUE, SHARE = "1", "0", "e", "m", "v", "s"
"""Answers as one letter each: right, wrong, errored, missing, unreadable, a tie of two that earns a half."""
_SCORES = {
    RIGHT: (Outcome.ANSWERED, 1.0),
    WRONG: (Outcome.ANSWERED, 0.0),
    LOST: (Outcome.ERRORED, 0.0),
    GONE: (Outcome.MISSING, 0.0),
    VAGUE: (Outcome.UNREADABLE, 0.0),
    SHARE: (Outcome.ANSWERED, 0.5),
}


def row(place: int, letter: str) -> Scored:
    """The trial at ``place`` of the possessives; what is wrong takes the next option."""
    trial = design().trials[place]
    outcome, credit = _SCORES[letter]
    choice = {RIGHT: trial.answer, WRONG: (trial.answer + 1) % 4}.get(letter)
    return Scored(trial, Score(trial.id, outcome, choice, credit, "", "strict", tied=letter == SHARE), None)


def rows(letters: str, first: int = 0) -> list[Scored]:
    return [row(first + place, letter) for place, letter in enumerate(letters)]


def compared(a: Sequence[Scored], b: Sequence[Scored], name: str = "possessive-main") -> DesignComparison:
    found = DesignResults(name, dict(design().signature), (), (), ())
    return compare_design(found, *(Result(who, {}, tuple(part)) for who, part in (("a", a), ("b", b))))


def whole(*designs: DesignComparison, missing: Sequence[str] = ()) -> Comparison:
    names = [one.name for one in designs]
    a, b = ({name: design().signature for name in there} for there in ([*names, *missing], names))
    return Comparison(Side(Path("x"), "a", a), Side(Path("y"), "b", b), with_holm(designs))


def test_pairs_by_hand() -> None:
    """10 trials: 5 right of both, 3 A alone, 1 B alone, 1 neither; b = 1, c = 3: p = 2 · (1 + 4) / 16."""
    found = compared(rows("1111111100"), rows("1111100010")).pairs
    assert (found.counted, found.ties, found.better, found.worse) == (10, 0, 1, 3)
    assert (found.accuracy_a, found.accuracy_b) == (0.8, 0.6)
    assert found.test.difference == pytest.approx(-0.2)
    assert found.change == pytest.approx(-0.2)
    assert found.test.p_exact == pytest.approx(0.625)
    assert found.test.low < -0.2 < found.test.high


@pytest.mark.parametrize(("better", "worse", "same"), [(0, 6, 20), (9, 2, 5), (4, 4, 0), (17, 31, 60)])
def test_the_exact_p_is_that_of_statsmodels(better: int, worse: int, same: int) -> None:
    found = compared(
        rows(WRONG * better + RIGHT * worse + RIGHT * same), rows(RIGHT * better + WRONG * worse + RIGHT * same)
    ).pairs
    other = statsmodels_mcnemar([[same, worse], [better, 0]], exact=True)
    assert found.test.p_exact == pytest.approx(other.pvalue)
    assert (found.better, found.worse) == (better, worse)


def test_the_other_way_round_is_the_mirror() -> None:
    one, other = rows("1111011000"), rows("0110011101")
    there, back = compared(one, other).pairs, compared(other, one).pairs
    assert (there.test.low, there.test.high) == pytest.approx((-back.test.high, -back.test.low))
    assert (there.better, there.worse, there.test.p_exact) == (back.worse, back.better, back.test.p_exact)


def test_trials_are_joined_by_id_not_by_place() -> None:
    one, other = rows("110010"), rows("101010")
    assert compared(one, other[::-1]).pairs == compared(one, other).pairs


def test_what_nobody_can_read_is_wrong_and_what_is_missing_is_left_out() -> None:
    found = compared(rows("1111e1"), rows("v1em11"))
    assert (found.pairs.counted, found.pairs.worse, found.shared) == (3, 1, 6)
    assert found.b.unanswered == {"errored": 1, "missing": 1}
    assert found.b.accuracy == 3 / 4
    assert [(one.trial, one.why) for one in found.only_a] == [
        (design().trials[2].id, "errored"),
        (design().trials[3].id, "missing"),
    ]
    assert [one.why for one in found.only_b] == ["errored"]


def test_trials_asked_of_one_side_are_named() -> None:
    joined = join(rows("1111"), rows("11", first=2))
    assert [one.trial for one in joined.only_a] == [trial.id for trial in design().trials[:2]]
    assert {one.why for one in joined.only_a} == {"not asked"}
    assert len(joined.both) == 2
    assert not joined.only_b


def test_a_ties_share_is_in_no_test_but_in_the_drop() -> None:
    """A: 4 right. B: right, wrong, two halves: on the two plain pairs −.5, with shares (1 + 0 + 1) / 4 − 1."""
    found = compared(rows("1111"), rows("10ss")).pairs
    assert (found.counted, found.ties, found.test.pairs, found.worse) == (4, 2, 2, 1)
    assert found.test.difference == -0.5
    assert (found.credit_a, found.credit_b, found.change) == (1.0, 0.5, -0.5)


def test_one_who_ties_everywhere_does_not_pass() -> None:
    design_ = compared(rows("1111"), rows("ssss"))
    assert math.isnan(design_.pairs.test.difference)
    verdict = gate(whole(design_), max_drop=0.4)
    assert verdict is not None
    assert (verdict.code, "fell by 0.500" in verdict.line, "no test" in verdict.line) == (1, True, True)


def test_levels_split_the_pairs() -> None:
    given = rows("1" * 64 + "0" * 64)
    other = rows("0" * 16 + "1" * 48 + "0" * 64)
    found = levels([*zip(given, other, strict=True)])
    factors = {level.factor for level in found}
    assert {"speaker", "gazer", "perspective", "word", "right", "distance"} <= factors
    assert not factors & {"group", "item"}
    for factor in factors:
        parts = [level.pairs for level in found if level.factor == factor]
        assert sum(part.counted for part in parts) == 128
        assert sum(part.worse for part in parts) == 16
    boys = [n for n in range(16) if design().trials[n].factors["speaker"] == "boy"]
    (boy,) = (level for level in found if (level.factor, level.level) == ("speaker", "boy"))
    assert boy.pairs.worse == len(boys)


def test_what_changed_to_what() -> None:
    both = [*zip(rows("1101ve"), rows("1v1e11"), strict=True)]
    found = [(change.before, change.after, change.count) for change in changes(both)]
    wrong = changes([(row(2, WRONG), row(2, RIGHT))])[0].before
    assert sorted(found) == sorted(
        [
            ("Correct", "unreadable", 1),
            (wrong, "Correct", 1),
            ("Correct", "errored", 1),
            ("unreadable", "Correct", 1),
            ("errored", "Correct", 1),
        ]
    )
    assert wrong in {"PPE", "PoPE", "Double"}


def test_another_option_that_is_wrong_in_the_same_way_is_a_change() -> None:
    """Which object is looked at has four options, three of them the object-noun error."""
    trial = experiment("checks").design(None, "object").trials[0]
    one, other = (
        Scored(trial, Score(trial.id, Outcome.ANSWERED, (trial.answer + step) % 4, 0.0, "", "strict"), None)
        for step in (1, 2)
    )
    assert changes([(one, other), (one, one)]) == [Change("ONE", "ONE, another option", 1)]


def test_worse_ones_come_every_kind_in_turn() -> None:
    found = got_worse([*zip(rows("111110"), rows("vvv101"), strict=True)])
    assert [pair[0].trial.id for pair in found] == [design().trials[place].id for place in (0, 4, 1, 2)]


def test_a_factor_of_very_many_levels_is_not_looked_at() -> None:
    """Four objects lie in 24 orders."""
    trials = experiment("vocabulary").design(None, "main").trials[::37]
    answered = [
        Scored(trial, Score(trial.id, Outcome.ANSWERED, trial.answer, 1.0, "", "strict"), None) for trial in trials
    ]
    assert len({trial.factors["order"] for trial in trials}) == 24
    factors = {level.factor for level in levels([*zip(answered, answered, strict=True)])}
    assert factors == {"target", "speaker", "gazer", "perspective", "distance"}


def test_holm_is_over_designs() -> None:
    """By hand: 0 : 10 is p = 2/2¹⁰, 0 : 5 twice p = 2/2⁵; what never differs is no member."""
    ten, five = compared(rows("1" * 10), rows("0" * 10)), compared(rows("1" * 5), rows("0" * 5))
    same = compared(rows("10"), rows("10"))
    found = with_holm([five, same, ten, five])
    assert [one.p_adjusted for one in found] == pytest.approx([1 / 8, math.nan, 3 / 512, 1 / 8], nan_ok=True)
    assert significance(found[1]) == "no test"
    assert significance(found[2]) == "significant, p = .006"
    assert significance(found[0]) == "not significant, p = .125"


def test_a_drop_of_what_is_allowed_passes_and_more_fails() -> None:
    found = whole(compared(rows("1" * 10), rows("1" * 9 + "0")))
    passed, failed = gate(found, max_drop=0.1), gate(found, max_drop=0.099)
    assert passed is not None
    assert failed is not None
    assert passed.code == 0
    assert passed.line == (
        "gate: passed: possessive-main fell most, by 0.100 (not significant, p = 1), on 10 pairs in 1 design; "
        "--max-drop 0.1"
    )
    assert failed.code == 1
    assert failed.line == (
        "gate: failed: possessive-main fell by 0.100, more than --max-drop 0.099 (not significant, p = 1)"
    )


def test_the_least_accuracy_counts_all_that_b_has_answered() -> None:
    """Five pairs, all right of both; B has five trials more and them all wrong."""
    found = whole(compared(rows("1" * 5), rows("1" * 5 + "0" * 5)))
    verdict = gate(found, fail_under=0.6)
    assert verdict is not None
    assert (verdict.code, verdict.line) == (1, "gate: failed: possessive-main is at 0.500, less than --fail-under 0.6")
    fine = gate(found, fail_under=0.5, max_drop=0)
    assert fine is not None
    assert fine.code == 0
    assert "no design fell" in fine.line
    assert "lowest is possessive-main at 0.500; --fail-under 0.5" in fine.line


def test_one_design_fails_though_all_together_would_pass() -> None:
    up, down = compared(rows("0" * 20), rows("1" * 20), "possessive-main"), compared(rows("11"), rows("10"), "x-main")
    verdict = gate(whole(up, down), max_drop=0.2)
    assert verdict is not None
    assert verdict.code == 1
    assert "x-main fell by 0.500" in verdict.line
    assert "possessive-main" not in verdict.line


@pytest.mark.parametrize("letter", [LOST, GONE])
def test_a_gate_never_passes_because_answers_are_missing(letter: str) -> None:
    found = whole(compared(rows("1111"), rows(f"111{letter}")))
    for limits in ((0.5, None), (None, 0.5), (0.5, 0.5)):
        verdict = gate(found, *limits)
        assert verdict is not None
        assert verdict.code == 3
        assert "1 of 4 trials of B are unanswered in possessive-main" in verdict.line
    verdict = gate(whole(compared(rows("1111"), rows(f"000{letter}"))), 0.9)
    assert verdict is not None
    assert verdict.code == 3
    assert verdict.line.endswith("; so far failed: possessive-main is at 0.000, less than --fail-under 0.9")


def test_a_gate_never_passes_because_a_design_is_missing() -> None:
    verdict = gate(whole(compared(rows("11"), rows("11")), missing=["demonstrative-main"]), max_drop=0.5)
    assert verdict is not None
    assert verdict.code == 3
    assert "B was not asked demonstrative-main" in verdict.line


def test_a_gate_needs_a_pair_to_ask_about_a_drop() -> None:
    shared = compared(rows("11"), rows("11"), "vocabulary-main")
    found = whole(shared, compared(rows("11"), rows("11", first=2)))
    verdict = gate(found, max_drop=0.5)
    assert verdict is not None
    assert (verdict.code, "possessive-main has no trial that both have answered" in verdict.line) == (3, True)
    fine = gate(found, fail_under=0.5)
    assert fine is not None
    assert fine.code == 0


def test_what_a_lacks_is_no_reason_to_stop() -> None:
    verdict = gate(whole(compared(rows("1e"), rows("11"))), max_drop=0.5)
    assert verdict is not None
    assert verdict.code == 0


def test_no_limit_no_gate() -> None:
    assert gate(whole(compared(rows("11"), rows("00")))) is None


@pytest.mark.parametrize("limit", [-0.01, 1.01, math.nan, math.inf])
def test_a_limit_is_a_share(limit: float) -> None:
    with pytest.raises(UsageError, match="--max-drop .* is no share"):
        gate(whole(compared(rows("1"), rows("1"))), max_drop=limit)
    with pytest.raises(UsageError, match="--fail-under .* is no share"):
        gate(whole(compared(rows("1"), rows("1"))), fail_under=limit)


def test_many_reasons_are_one_line() -> None:
    designs = [compared(rows("11"), rows("00"), f"d{n}") for n in range(5)]
    verdict = gate(whole(*designs), max_drop=0.1)
    assert verdict is not None
    assert verdict.line.count("fell by") == 3
    assert verdict.line.endswith("; and 2 more")
    assert "\n" not in verdict.line


def test_numbers_are_told_apart_from_the_limit() -> None:
    assert apart(0.0204, 0.02) == "0.0204"
    assert apart(0.02, 0.02) == "0.020"
    assert apart(1 / 3, 0.02) == "0.333"


def test_own_counts_what_one_has() -> None:
    found = own(rows("1v0em"))
    assert (found.asked, found.unanswered, found.accuracy) == (5, {"errored": 1, "missing": 1}, 1 / 3)
    assert own(rows("e")).accuracy is None


def test_no_pair_has_no_number() -> None:
    found = pairs([])
    assert (found.counted, found.credit_a, found.accuracy_b, found.change) == (0, None, None, None)


def test_designs_differ_in_anything_but_the_seed() -> None:
    one: dict[str, str | int] = {"experiment": "possessive", "data": "aa", "seed": 0}
    assert differences(one, {**one, "seed": 1}) == []
    assert differences(one, {**one, "data": "bb"}) == ["data was 'aa' and is 'bb'"]
    assert differences(one, {**one, "data": "bb", "seed": 1}) == ["data was 'aa' and is 'bb'", "seed was 0 and is 1"]
    assert differences(one, {**one, "boy": "left"}) == ["boy was not told and is 'left'"]


def test_what_answers_were_made_with() -> None:
    asked: dict[str, str | int] = {"data": "aa", "seed": 0}
    one = {**asked, "participant": "a", "weights": "x", "answer": "choose", "reader": "strict-2"}
    other = {**asked, "participant": "b", "seed": 1, "answer": "generate", "reader": "strict-2", "engine": "e"}
    assert made_with(one, other, asked) == [
        "seed was 0 and is 1",
        "weights was 'x' and is not told",
        "answer was 'choose' and is 'generate'",
        "engine was not told and is 'e'",
    ]
