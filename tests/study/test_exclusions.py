"""The declared rules: exact thresholds, and each rule on answers that pass and that do not."""

from math import comb

import pytest

from deixis.study.exclusions import FIELDS, Given, Rule, least_right, reason, reasons


def answers(right: int, many: int, chance: float = 0.25, **values: object) -> list[Given]:
    given = {"block": "vocabulary", "part": "trial", "rt_ms": 5000.0, **values}
    return [Given(right=n < right, chance=chance, choice=n % 4, **given) for n in range(many)]  # type: ignore[arg-type]


def test_who_is_above_chance() -> None:
    """As an exact binomial test at .05 has it, by R's qbinom(.05, n, p, lower.tail = FALSE) + 1."""
    found = [least_right([chance] * many) for many, chance in ((16, 0.25), (32, 0.25), (16, 0.5), (40, 0.5))]
    assert found == [8, 13, 12, 26]


def test_least_right_is_the_smallest_with_so_small_a_tail() -> None:
    for many, chance in ((10, 0.25), (16, 0.5), (48, 0.25)):
        tail = [
            sum(comb(many, k) * chance**k * (1 - chance) ** (many - k) for k in range(least, many + 1))
            for least in range(many + 1)
        ]
        least = least_right([chance] * many)
        assert tail[least] <= 0.05 < tail[least - 1]


def test_chances_may_differ() -> None:
    """Two coins and a die: all three right has probability 1/24, under .05."""
    assert least_right([0.5, 0.5, 1 / 6]) == 3
    assert least_right([0.5, 0.5, 0.5]) == 4


@pytest.mark.parametrize(("right", "out"), [(8, ""), (7, "below-chance: 7 of 16 right, 8 needed")])
def test_below_chance(right: int, out: str) -> None:
    assert reason([Rule("below-chance")], answers(right, 16), complete=True) == out


def test_alpha_has_a_say() -> None:
    assert reason([Rule("below-chance", alpha=0.01)], answers(8, 16), complete=True).endswith("9 needed")


def test_a_rule_looks_at_its_block_only() -> None:
    both = answers(16, 16) + answers(0, 16, block="possessive")
    assert reason([Rule("below-chance", "vocabulary")], both, complete=True) == ""
    found = reason([Rule("below-chance", "possessive")], both, complete=True)
    assert found == "below-chance in possessive: 0 of 16 right, 8 needed"


def test_failed_checks() -> None:
    checks = answers(0, 2, part="check")
    assert reason([Rule("failed-checks")], checks, complete=True) == "failed-checks: 2 of 2"
    assert reason([Rule("failed-checks", more_than=2)], checks, complete=True) == ""
    assert reason([Rule("failed-checks")], answers(1, 2, part="check"), complete=True) == ""


def test_fast_is_the_median_of_trials_alone() -> None:
    rule = Rule("fast", median_below_ms=800)
    quick = answers(16, 15, rt_ms=700.0) + answers(0, 2, part="practice", rt_ms=1e6)
    assert reason([rule], quick, complete=True) == "fast: median 700 ms, under 800"
    assert reason([rule], answers(16, 15, rt_ms=800.0), complete=True) == ""
    assert reason([rule], [], complete=True) == ""


def test_straight_lining() -> None:
    line = [Given("v", "trial", right=False, chance=0.25, rt_ms=1, choice=2) for _ in range(16)]
    assert reason([Rule("straight-lining")], line, complete=True) == "straight-lining: 16 of 16 alike"
    assert reason([Rule("straight-lining")], line[:7], complete=True) == ""
    mixed = line[:12] + answers(4, 4)
    assert reason([Rule("straight-lining")], mixed, complete=True) == ""
    assert reason([Rule("straight-lining", share=0.75)], mixed, complete=True) != ""


def test_straight_lining_of_ratings_is_every_object_alike() -> None:
    def rated(*ratings: int) -> list[Given]:
        return [Given("c", "trial", right=False, chance=0.25, rt_ms=1, ratings=ratings)] * 8

    assert reason([Rule("straight-lining")], rated(4, 4, 4, 4), complete=True) == "straight-lining: 8 of 8 alike"
    assert reason([Rule("straight-lining")], rated(7, 7, 1, 1), complete=True) == ""


def test_several_reasons_stand_in_the_order_declared() -> None:
    rules = [Rule("incomplete"), Rule("below-chance")]
    found = reasons(rules, answers(0, 16), complete=False)
    assert found == ("incomplete", "below-chance: 0 of 16 right, 8 needed")
    assert reason(rules, answers(0, 16), complete=False) == "; ".join(found)


def test_practice_never_counts() -> None:
    assert set(FIELDS) == {"below-chance", "failed-checks", "fast", "straight-lining", "incomplete"}
    practice = answers(0, 16, part="practice", rt_ms=1.0)
    rules = [Rule(name) for name in FIELDS if name != "below-chance"]
    assert reasons(rules, practice, complete=True) == ()
    assert reasons([Rule("below-chance")], practice, complete=True) == ()
