"""Ratings: the object rated highest counts as chosen, its likes as well, and ties share."""

import pytest

from deixis.records import Option, Outcome, Response, Trial
from deixis.scoring import score
from deixis.scoring.error_classes import error_class, option_class


def trial(*roles: str, answer: int) -> Trial:
    options = tuple(Option("ABCD"[place], {"role": role}) for place, role in enumerate(roles))
    return Trial("t", "comprehension", "people", "corrected", {"group": "1"}, options, answer, {})


MINE = trial("target pair", "target pair", "other pair", "other pair", answer=1)
THAT = trial("0", "1", "2", "3", answer=3)


@pytest.mark.parametrize(
    ("asked", "ratings", "choice", "credit", "error"),
    [
        (MINE, (7, 7, 1, 1), 1, 1.0, "Correct"),
        (MINE, (7, 6, 1, 1), 0, 1.0, "Correct"),
        (MINE, (1, 2, 6, 6), 2, 0.0, "Other object"),
        (MINE, (1, 2, 6, 5), 2, 0.0, "Other object"),
        (MINE, (5, 5, 5, 1), None, 2 / 3, "Tie"),
        (MINE, (4, 4, 4, 4), None, 0.5, "Tie"),
        (MINE, (6, 1, 6, 1), None, 0.5, "Tie"),
        (THAT, (1, 3, 5, 6), 3, 1.0, "Correct"),
        (THAT, (1, 3, 6, 5), 2, 0.0, "Other object"),
        (THAT, (1, 3, 6, 6), None, 0.5, "Tie"),
        (THAT, (7, 7, 1, 1), None, 0.0, "Tie"),
    ],
)
def test_what_counts_as_chosen(
    asked: Trial, ratings: tuple[int, ...], choice: int | None, credit: float, error: str
) -> None:
    found = score(asked, Response("t", ratings=ratings), "strict")
    assert (found.outcome, found.choice, found.tied) == (Outcome.ANSWERED, choice, choice is None)
    assert found.credit == pytest.approx(credit)
    assert error_class(asked, found) == error
    assert found.rule == ("tie" if choice is None else "rating")


def test_ratings_of_other_objects_are_no_answer() -> None:
    found = score(MINE, Response("t", ratings=(7, 1)), "strict")
    assert (found.outcome, found.credit) == (Outcome.UNREADABLE, 0.0)


def test_choosing_either_object_of_the_pair_is_right() -> None:
    credits_of = [score(MINE, Response("t", choice=choice), "strict").credit for choice in range(4)]
    assert credits_of == [1.0, 1.0, 0.0, 0.0]
    assert [option_class(MINE, choice).value for choice in range(4)] == ["Correct"] * 2 + ["Other object"] * 2


def test_options_without_features_are_alike_in_nothing() -> None:
    plain = Trial("t", "x", "m", "c", {}, (Option("a", {}), Option("b", {})), 1, {})
    assert plain.meant == (1,)
    assert [score(plain, Response("t", choice=choice), "strict").credit for choice in (0, 1)] == [0.0, 1.0]
