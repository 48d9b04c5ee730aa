"""What is counted of a set of items, on the bank and on the published set."""

from pathlib import Path

from deixis.items.facts import facts
from deixis.items.reading import bank_questions, read_questions


def test_the_bank_is_as_the_paper_says_of_its_own() -> None:
    assert facts(bank_questions()) == {
        "female": 200, "male": 200, "out of turn": 0, "pairs": 1600, "pairs that differ otherwise": 0, "damaged": 0,
    }  # fmt: skip


def test_the_published_set_is_not(published_csv: Path) -> None:
    """203 and 197 by the set's own column; in 51 items both quoted questions have another verb."""
    found = facts(read_questions(published_csv)[0])
    assert (found["female"], found["male"]) == (203, 197)
    assert found["pairs"] == 800
    assert found["pairs that differ otherwise"] == 2 * 51
    assert found["out of turn"] > 100
    assert found["damaged"] >= 33
