"""How people rate, judged on ratings that are known."""

import pandas as pd
import pytest

from deixis.analysis.claims.ledger import ledger
from deixis.analysis.claims.rated import of_ratings

BINARY = {"target pair": 7, "other pair": 1}
THIS, THAT = (7, 4, 2, 1), (2, 3, 4, 5)


def rated(
    possessive: dict[str, int] = BINARY,
    this: tuple[int, ...] = THIS,
    that: tuple[int, ...] = THAT,
    persons: int = 6,
) -> pd.DataFrame:
    """Everybody rates alike, but that every second person gives the nearest object of *this one* a point less."""
    rows: list[tuple[str, str, str, int, str, str]] = []
    for number in range(persons):
        who = f"people:pilot/{number:03}"
        rows += [("possessive", "mine", who, rating, role, "p") for role, rating in possessive.items()]
        for word, ratings in (("this one", this), ("that one", that)):
            for role, rating in enumerate(ratings):
                less = int(number % 2 == 1 and word == "this one" and role == 0)
                rows.append(("demonstrative", word, who, rating - less, str(role), "d"))
    return pd.DataFrame(rows, columns=["task", "word", "person", "rating", "role", "trial_id"])


def test_binary_possessives_and_graded_demonstratives_hold() -> None:
    """By hand: *this* falls by 2.0 a step (7 4 2 1) or 1.7 (6 4 2 1), *that* rises by 1."""
    found = of_ratings(rated())
    assert found.verdict == "holds"
    assert "this one -1.850 " in found.evidence
    assert "that one 1.000 [1.000, 1.000], n = 6" in found.evidence
    assert "fall of this one less rise of that one 0.850 " in found.evidence


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (rated(possessive={"target pair": 5, "other pair": 3}), "possessive ratings from the middle 1.000"),
        (rated(possessive={"target pair": 1, "other pair": 7}), "target pair less other pair -6.000"),
        (rated(this=(5, 5, 4, 4)), "fall of this one less rise of that one"),
        (rated(that=(5, 4, 3, 2)), "that one -1.000"),
    ],
)
def test_each_part_can_fail(table: pd.DataFrame, why: str) -> None:
    found = of_ratings(table)
    assert found.verdict == "fails"
    assert why in found.evidence


@pytest.mark.parametrize(
    ("table", "lacks"),
    [
        (rated(persons=1), "two persons"),
        (rated().query("task == 'possessive'"), "demonstratives"),
        (rated().query("word != 'that one'"), "that one"),
        (rated().query("role != 'other pair'"), "other pair"),
    ],
)
def test_what_is_lacking_is_said(table: pd.DataFrame, lacks: str) -> None:
    found = of_ratings(table)
    assert found.verdict == "untested"
    assert lacks in found.evidence


def test_the_ledger_has_one_row_a_protocol() -> None:
    found = ledger(ratings={"corrected": rated()}).query("id == 'P17'").set_index("protocol")["verdict"]
    assert found.to_dict() == {"printed": "untested", "corrected": "holds"}
