"""Claims about indexicals, each on trials where it holds and on trials where it does not."""

from collections.abc import Callable

import pandas as pd
import pytest

from deixis.analysis.claims.ledger import ledger
from tests.analysis.claims.tables import indexicals

CLAUDE, DEEPSEEK = "anthropic/claude-3-5-sonnet-20241022", "together/deepseek-ai/DeepSeek-V3"
GEMINI, GPT = "google/gemini-1.5-pro", "openai/gpt-4o"
Cells = tuple[int, int, int, int]


def words(who: str = "a/model", n: int = 100, **cells: Cells) -> pd.DataFrame:
    """One participant's trials by indexical."""
    return pd.concat([indexicals(word, four, n, participant=who) for word, four in cells.items()])


def verdict(table: pd.DataFrame, claim: str, who: str = "") -> str:
    found = ledger(table)
    return str(found.set_index(["protocol", "id", "participant"]).verdict["corrected", claim, who])


def every(**cells: Cells) -> pd.DataFrame:
    """The same trials for each of the paper's models."""
    return pd.concat([words(who, **cells) for who in (CLAUDE, DEEPSEEK, GEMINI, GPT)])


ALL_RIGHT = (100, 100, 100, 100)
SHIFTS = (0, 0, 100, 100)
"""Always the shifted option."""
STAYS = (100, 100, 0, 0)
"""Never the shifted option."""
PRIMED = (100, 0, 0, 100)
"""Always the option that the context makes tempting."""


@pytest.mark.parametrize(
    ("claim", "made", "expected"),
    [
        ("I1", lambda: words(I=ALL_RIGHT), "holds"),
        ("I1", lambda: words(I=(80, 80, 100, 100)), "fails"),
        ("I1", lambda: words(I=(10, 10, 10, 10), n=10), "open"),
        ("I2", lambda: every(I=ALL_RIGHT), "fails"),  # Claude is to be at 89 %
        ("I2", lambda: pd.concat([words(w, I=ALL_RIGHT) for w in (GPT, GEMINI)]), "open"),  # Claude is not at hand
        ("I2", lambda: pd.concat([words(GPT, I=ALL_RIGHT), words(GEMINI, I=ALL_RIGHT),
                                  words(CLAUDE, n=1000, I=(1000, 980, 820, 960))]), "holds"),
        ("I2", lambda: words(GPT, I=(100, 100, 60, 60)), "fails"),
        ("I3", lambda: words(DEEPSEEK, n=1000, I=(1000, 1000, 170, 760)), "holds"),
        ("I3", lambda: words(DEEPSEEK, I=ALL_RIGHT), "fails"),
        ("I3", lambda: words(GPT, I=ALL_RIGHT), "untested"),
        ("I4", lambda: words(DEEPSEEK, I=(100, 100, 17, 30)), "fails"),
        ("I4", lambda: words(DEEPSEEK, n=1000, I=(1000, 1000, 780, 780)), "holds"),
        ("I5", lambda: words(you=(99, 58, 13, 100)), "holds"),
        ("I5", lambda: words(you=(99, 58, 100, 13)), "fails"),
        ("I5", lambda: words(you=(50, 49, 49, 50)), "open"),
        ("I6", lambda: words(you=STAYS), "holds"),
        ("I6", lambda: words(you=SHIFTS), "fails"),
        ("I6", lambda: words(you=ALL_RIGHT), "open"),
        ("I7", lambda: words(GEMINI, n=1000, you=(990, 850, 180, 1000)), "holds"),
        ("I7", lambda: words(GEMINI, you=(60, 60, 60, 60)), "fails"),
        ("I7", lambda: words(GPT, you=(99, 85, 18, 100)), "untested"),
        ("I8", lambda: words(n=1000, here=(0, 1000, 0, 0)), "holds"),
        ("I8", lambda: words(here=PRIMED), "fails"),
        ("I9", lambda: pd.concat([words(w, n=300, here=(300,) * 4) for w in (DEEPSEEK, GEMINI)]), "holds"),
        ("I9", lambda: pd.concat([words(w, here=STAYS) for w in (DEEPSEEK, GEMINI)]), "fails"),
        ("I10", lambda: pd.concat([words(w, here=ALL_RIGHT) for w in (CLAUDE, GPT)]), "holds"),
        ("I10", lambda: words(CLAUDE, here=STAYS), "fails"),
        ("I11", lambda: words(here=SHIFTS), "holds"),
        ("I11", lambda: words(here=STAYS), "fails"),
        ("I12", lambda: pd.concat([words(w, tomorrow=STAYS) for w in (CLAUDE, GEMINI)]), "holds"),
        ("I12", lambda: pd.concat([words(w, tomorrow=(100, 99, 0, 0)) for w in (CLAUDE, GEMINI)]), "fails"),
        ("I12", lambda: pd.concat([words(w, n=5, tomorrow=(5, 5, 0, 0)) for w in (CLAUDE, GEMINI)]), "open"),
        ("I13", lambda: pd.concat([words(GPT, n=1000, tomorrow=(1000, 1000, 120, 120)),
                                   words(DEEPSEEK, n=1000, tomorrow=(1000, 1000, 340, 340))]), "holds"),
        ("I13", lambda: words(GPT, tomorrow=(100, 100, 100, 100)), "fails"),
        ("I14", lambda: words(tomorrow=STAYS, you=(99, 58, 13, 100)), "holds"),
        ("I14", lambda: words(tomorrow=(99, 58, 13, 100), you=STAYS), "fails"),
        ("I17", lambda: words(I=ALL_RIGHT, you=PRIMED), "holds"),
        ("I17", lambda: words(you=ALL_RIGHT, I=PRIMED), "fails"),
        ("I18", lambda: words(you=(99, 85, 70, 100), here=PRIMED, tomorrow=STAYS), "holds"),
        ("I18", lambda: words(you=PRIMED, here=ALL_RIGHT, tomorrow=STAYS), "fails"),
        ("I19", lambda: words(here=(100, 0, 94, 100)), "holds"),
        ("I19", lambda: words(here=(94, 100, 0, 100)), "fails"),
    ],
)  # fmt: skip
def test_each_can_hold_and_fail(claim: str, made: Callable[[], pd.DataFrame], expected: str) -> None:
    assert verdict(made(), claim) == expected


def test_one_model_against_it_is_enough() -> None:
    table = pd.concat([words("a/one", you=STAYS), words("a/two", you=SHIFTS)])
    assert [verdict(table, "I6", who) for who in ("a/one", "a/two", "")] == ["holds", "fails", "fails"]
    found = ledger(table).set_index(["protocol", "id", "participant"]).evidence["corrected", "I6", ""]
    assert found == (
        "holds for 1 and fails for 1 of 2 models at hand; a/two: you, non-quoted less quoted 0.000 against 1.000, "
        "difference -1.000 [-1.000, -0.973], n = 400"
    )


def test_distractor_marks_are_left_out() -> None:
    plain, distractor = words(you=STAYS), words(you=SHIFTS).assign(marks="distractor")
    assert verdict(pd.concat([plain, distractor]), "I6") == "holds"


def test_classic_stands_in_for_main() -> None:
    assert verdict(words(you=STAYS).assign(condition="classic"), "I6") == "holds"
    both = pd.concat([words(you=SHIFTS), words(you=STAYS).assign(condition="classic")])
    assert verdict(both, "I6") == "fails"


def test_human_like_needs_people() -> None:
    model = words(I=ALL_RIGHT)
    people = pd.concat([words(f"people:pilot/{n}", n=10, I=(10, 10, 10, 9)) for n in range(20)])
    alike = pd.concat([words(n=400, I=(400, 400, 395, 365)), people])
    apart = pd.concat([words(I=(100, 100, 17, 50)), people])
    assert [verdict(table, "I16") for table in (model, alike, apart)] == ["untested", "holds", "fails"]
    assert verdict(alike, "I16", "a/model") == "holds"
