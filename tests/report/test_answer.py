"""The three sentences, on tables made by hand."""

from collections.abc import Sequence

import pandas as pd
import pytest

from deixis.report.answer import answer

_TEXTS = ("participant", "experiment", "condition", "protocol", "outcome")


def rows(
    who: str,
    experiment: str,
    right: int,
    n: int,
    *,
    condition: str = "main",
    protocol: str = "corrected",
    options: int = 4,
    first: float = 0.25,
    says: str = "the right option",
    others: Sequence[tuple[str, int]] = (),
) -> pd.DataFrame:
    """``n`` answers, ``right`` of them right, a share ``first`` of them the first option; others without a choice."""
    said = [
        {"outcome": "answered", "choice": 0 if place < first * n else 1, "correct": float(place < right)}
        for place in range(n)
    ]
    said += [
        {"outcome": outcome, "choice": -1, "correct": float("nan") if outcome in ("errored", "missing") else 0.0}
        for outcome, count in others
        for _ in range(count)
    ]
    about = {"participant": who, "experiment": experiment, "condition": condition, "protocol": protocol}
    return pd.DataFrame([{**about, "options": options, "right": says, **one} for one in said])


def told(*parts: pd.DataFrame) -> list[str]:
    return answer(pd.concat(parts, ignore_index=True).astype(dict.fromkeys(_TEXTS, "category")))


def test_models_are_ranked_by_what_all_were_asked() -> None:
    first, second, third = told(
        rows("demo/a", "vocabulary", 10, 20),
        rows("demo/b", "vocabulary", 18, 20),
        rows("demo/a", "possessive", 15, 20),
        rows("demo/b", "possessive", 16, 20),
        rows("demo/a", "demonstrative", 20, 20),
    )
    assert first == (
        "Of 2 models demo/b is right most often, in 0.90 [0.70, 0.97] of vocabulary (the noun) and 0.80 [0.58, 0.92] "
        "of possessive (mine and yours), and demo/a least often, in 0.50 and 0.75 in the same order (95 % intervals in "
        "brackets)."
    )
    assert second == "No reference participant and no person stands beside them in these runs."
    assert third == (
        "Of 100 questions 0 came back without a readable answer and count as wrong, and none failed or are still to be "
        "answered; nobody leans reliably to or away from the option shown first."
    )


def test_models_that_were_not_asked_the_same_are_not_ranked() -> None:
    first, *_ = told(rows("demo/a", "vocabulary", 10, 20), rows("demo/b", "possessive", 5, 20))
    assert first == (
        "The 2 models were not asked the same; right most often are demo/a in 0.50 [0.30, 0.70] of vocabulary (the "
        "noun) and demo/b in 0.25 [0.11, 0.47] of possessive (mine and yours) (95 % intervals in brackets)."
    )


def test_the_main_condition_stands_for_an_experiment() -> None:
    first, *_ = told(
        rows("demo/a", "vocabulary", 2, 20, condition="simple"),
        rows("demo/a", "vocabulary", 10, 20),
        rows("demo/a", "possessive", 10, 20, condition="picture-none"),
    )
    assert "0.50 [0.30, 0.70] of vocabulary (the noun) and" in first
    assert "of possessive (mine and yours; condition picture-none)" in first


def test_reference_participants_are_those_of_the_same_condition() -> None:
    _, second, _ = told(
        rows("demo/a", "vocabulary", 10, 20),
        rows("demo/a", "possessive", 10, 20),
        rows("strategy:chance", "vocabulary", 5, 20),
        rows("strategy:chance", "vocabulary", 20, 20, condition="people"),
        rows("strategy:chance", "possessive", 4, 20),
        rows("strategy:text-only", "vocabulary", 10, 20),
        rows("strategy:oracle", "vocabulary", 20, 20),
        rows("strategy:oracle", "possessive", 20, 20),
    )
    assert second == (
        "For comparison, over all trials of these kinds: one that guesses is right in 0.25 of each; one that reads "
        "the text alone in 0.50 of vocabulary; one that knows the words in 1.00 of each."
    )


def test_guessing_is_what_it_earns_on_average() -> None:
    """A guesser with luck has 1.00; of four objects either of the pair that is meant is right."""
    _, second, _ = told(
        rows("demo/a", "indexicals", 10, 20, options=2),
        rows("demo/a", "comprehension", 10, 20, condition="people"),
        rows("strategy:chance", "indexicals", 20, 20, options=2),
        rows("strategy:chance", "comprehension", 12, 12, condition="people"),
        rows("strategy:chance", "comprehension", 4, 4, condition="people", says="target pair"),
    )
    assert second.endswith("one that guesses is right in 0.50 of indexicals and 0.31 of comprehension.")


def test_conditions_are_not_ranked_against_one_another() -> None:
    """What is asked without a picture is another question; the main condition stands for the experiment."""
    first, second, _ = told(
        rows("demo/a", "possessive", 19, 20, condition="picture-none"),
        rows("demo/b", "possessive", 10, 20),
        rows("demo/c", "possessive", 8, 20),
        rows("people:pilot/001", "possessive", 15, 20, condition="people"),
    )
    assert first.startswith("The 3 models were not asked the same; right most often are demo/b in 0.50 ")
    assert "against the best model 0.50" in second


def test_the_check_that_stands_for_the_others_is_named() -> None:
    first, *_ = told(rows("demo/a", "checks", 20, 20, condition="gazer"))
    assert "of checks (what is to be seen; condition gazer)" in first


def test_people_stand_beside_the_best_model_and_chance() -> None:
    first, second, _ = told(
        rows("people:pilot/001", "vocabulary", 16, 16, condition="people"),
        rows("people:pilot/002", "vocabulary", 8, 16, condition="people"),
        rows("people:pilot/001", "comprehension", 8, 16, condition="people"),
        rows("demo/a", "vocabulary", 12, 20),
        rows("demo/b", "vocabulary", 14, 20),
        rows("strategy:chance", "vocabulary", 4, 16, condition="people"),
    )
    assert first.startswith("Of 2 models demo/b is right most often, in 0.70 ")
    assert second == (
        "People (pilot) are right in 0.75 of vocabulary, against the best model 0.70 and guessing 0.25; in 0.50 of "
        "comprehension (which object is meant)."
    )


def test_people_alone_are_one_group() -> None:
    first, second, _ = told(
        rows("people:pilot/001", "vocabulary", 16, 16, condition="people"),
        rows("people:pilot/002", "vocabulary", 8, 16, condition="people"),
    )
    assert first == "people:pilot is right in 0.75 [0.58, 0.87] of vocabulary (the noun) (95 % intervals in brackets)."
    assert second.startswith("No reference participant and no person")


def test_protocols_are_named_and_not_pooled() -> None:
    first, *_ = told(
        rows("demo/a", "vocabulary", 20, 20),
        rows("demo/a", "vocabulary", 0, 20, protocol="published"),
    )
    assert (
        "1.00 [0.84, 1.00] of vocabulary (the noun; corrected) and 0.00 [0.00, 0.16] of vocabulary (published)" in first
    )
    assert "0.50" not in first


def test_what_is_not_in_the_numbers_is_counted() -> None:
    first, _, third = told(
        rows(
            "demo/a",
            "vocabulary",
            10,
            10,
            others=[("unreadable", 4), ("refused", 3), ("empty", 2), ("truncated", 1), ("errored", 5), ("missing", 6)],
        ),
        rows("strategy:oracle", "vocabulary", 20, 20),
    )
    assert "in 0.50 [0.30, 0.70] of vocabulary" in first  # ten of twenty: what failed is in no denominator
    assert third.startswith(
        "Of 31 questions 10 came back without a readable answer and count as wrong, and 11 failed or are still to be "
        "answered and count nowhere; "
    )


@pytest.mark.parametrize(
    ("first", "n", "line"),
    [
        (1.0, 40, "demo/a leans most to the option shown first, with 1.00 of its choices instead of 0.25."),
        (0.0, 40, "demo/a leans most away from the option shown first, with 0.00 of its choices instead of 0.25."),
        (0.5, 8, "nobody leans reliably to or away from the option shown first."),
    ],
)
def test_who_leans_to_the_first_option(first: float, n: int, line: str) -> None:
    """Counted in standard errors: one choice of one says nothing of demo/b."""
    parts = rows("demo/a", "vocabulary", 0, n, first=first), rows("demo/b", "vocabulary", 0, 1, first=1)
    assert told(*parts)[2].endswith(f"; {line}")


def test_reference_participants_lean_without_being_told() -> None:
    parts = rows("demo/a", "vocabulary", 5, 20), rows("strategy:first-option", "vocabulary", 5, 20, first=1.0)
    assert "Of 20 questions" in told(*parts)[2]
    assert "first-option" not in " ".join(told(*parts))


def test_nothing_asked_and_nothing_that_counts() -> None:
    assert answer(pd.DataFrame())[0] == "Nothing has been asked yet: these runs hold no answer of anybody."
    lost = told(
        rows("demo/a", "vocabulary", 0, 0, others=[("errored", 4)]), rows("strategy:oracle", "vocabulary", 4, 4)
    )
    assert lost[0] == "No model and no person has given an answer that counts in these runs."
    assert len(lost) == 3
