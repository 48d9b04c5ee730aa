"""Claims about perspectival words, each on trials where it holds and on trials where it does not."""

from collections.abc import Callable, Mapping

import pandas as pd
import pytest

from deixis.analysis.claims.ledger import ledger
from tests.analysis.claims.tables import rows, tasks

V, P, D = "vocabulary", "possessive", "demonstrative"
GPT, LLAMA, GEMMA = "openai/gpt-4o", "groq/meta-llama/llama-4-scout-17b-16e-instruct", "vllm:google/gemma-3-27b-it"
OVIS = "hf:AIDC-AI/Ovis2-4B"
Right = Mapping[tuple[str, str], int]


def verdict(table: pd.DataFrame, claim: str, who: str = "") -> str:
    found = ledger(table)
    return str(found.set_index(["protocol", "id", "participant"]).verdict["corrected", claim, who])


def under(condition: str, v: int, p: int, d: int) -> Right:
    return {(V, condition): v, (P, condition): p, (D, condition): d}


def people(v: int, p: int, d: int) -> pd.DataFrame:
    """30 persons, of 20 trials a task; every third one has one more right, every third one less."""
    return pd.concat(
        [
            tasks(under("people", v + n % 3 - 1, p + n % 3 - 1, d + n % 3 - 1), 20, participant=f"people:pilot/{n:03}")
            for n in range(30)
        ]
    )


def models(*orders: tuple[int, int, int]) -> pd.DataFrame:
    return pd.concat([tasks(under("main", *o), participant=f"a/{place}") for place, o in enumerate(orders)])


DOWN, UP = (190, 150, 90), (90, 150, 190)
THREE = ("context-first", "condensed", "simple")


def wordings(
    main: tuple[int, int, int], other: tuple[int, int, int], who: str = "a/model", n: int = 200
) -> pd.DataFrame:
    cells = dict(under("main", *main))
    for name in THREE:
        cells |= under(name, *other)
    return tasks(cells, n, participant=who)


def ablated(who: str, main: int, condition: str, possessive: int, demonstrative: int, n: int = 400) -> pd.DataFrame:
    right = {(P, "main"): main, (D, "main"): main, (P, condition): possessive, (D, condition): demonstrative}
    return tasks(right, n, participant=who)


def visual(seen: int, words: int, both: int) -> pd.DataFrame:
    right = {}
    for task in (P, D):
        right |= {(task, "main"): 300, (task, "spatial-visual"): seen}
        right |= {(task, "spatial-linguistic"): words, (task, "spatial-both"): both}
    return tasks(right, 400)


def pictures(none: int, empty: int, unrelated: int, marked: int = 150) -> pd.DataFrame:
    right = {(P, "spatial-visual"): marked, (P, "picture-none"): none, (P, "picture-empty"): empty}
    return tasks({**right, (P, "picture-unrelated"): unrelated})


def checks(n: int = 200, **right: int) -> pd.DataFrame:
    return tasks({("checks", name.replace("_", "-")): k for name, k in right.items()}, n)


def prompted(who: str, possessive: int, demonstrative: int, condition: str = "instruction") -> pd.DataFrame:
    """Of 400, 250 and 200 are right in main."""
    right = {(P, "main"): 250, (D, "main"): 200, (P, condition): possessive, (D, condition): demonstrative}
    return tasks(right, 400, participant=who)


def erring(task: str, condition: str, n: int = 400, who: str = "a/model", **errors: int) -> pd.DataFrame:
    wrong = [name for name, count in errors.items() for _ in range(count)]
    table = rows(n - len(wrong), n, experiment=task, condition=condition, participant=who)
    return table.assign(error=["Correct"] * (n - len(wrong)) + wrong)


def errors(possessive: Mapping[str, int], demonstrative: Mapping[str, int]) -> pd.DataFrame:
    """Errors that are left under instructions, of 80 of each class before."""
    before = {P: {"PoPE": 80, "PPE": 80}, D: {"DPE": 80, "PPE": 80}}
    parts = [erring(task, "main", **counts) for task, counts in before.items()]
    after = [erring(task, "instruction", **counts) for task, counts in ((P, possessive), (D, demonstrative))]
    return pd.concat([*parts, *after])


def grouped(**spread: int) -> pd.DataFrame:
    """32 groups of 20 trials a task, 14 right on average; in half of them so many more right, in half fewer."""
    parts = []
    for task, by in spread.items():
        for group in range(32):
            right = 14 + (by if group % 2 else -by)
            parts.append(rows(right, 20, experiment=task, group=str(group), item=f"g{group}/"))
    return pd.concat(parts)


@pytest.mark.parametrize(
    ("claim", "made", "expected"),
    [
        ("P1", lambda: people(19, 17, 14), "holds"),
        ("P1", lambda: people(14, 17, 19), "fails"),
        ("P1", lambda: people(17, 17, 14), "open"),
        ("P1", lambda: models(DOWN), "untested"),
        ("P2", lambda: models(DOWN, DOWN, DOWN, DOWN, DOWN, UP, UP), "holds"),
        ("P2", lambda: models(DOWN, DOWN, DOWN, DOWN, UP, UP, UP), "fails"),
        ("P2", lambda: models(DOWN, DOWN, DOWN, DOWN, UP, (150, 150, 150), UP), "open"),
        ("P3", lambda: pd.concat([people(19, 18, 17), models((190, 170, 100))]), "holds"),
        ("P3", lambda: pd.concat([people(19, 18, 12), models((190, 100, 110))]), "fails"),
        ("P3", lambda: models(DOWN), "untested"),
        ("P4", lambda: wordings(DOWN, DOWN), "holds"),
        ("P4", lambda: wordings(DOWN, UP), "fails"),
        ("P4", lambda: models(DOWN), "untested"),
        ("P5", lambda: wordings((190, 150, 90), (180, 140, 80)), "holds"),
        ("P5", lambda: wordings((100, 100, 100), (100, 100, 170)), "fails"),
        ("P7", lambda: pd.concat([ablated(GPT, 300, "spatial-linguistic", 150, 200),
                                  ablated("a/b", 300, "spatial-linguistic", 150, 300)]), "holds"),
        ("P7", lambda: ablated(GPT, 300, "spatial-linguistic", 150, 340), "fails"),
        ("P7", lambda: ablated("a/b", 300, "spatial-linguistic", 150, 150), "fails"),
        ("P8", lambda: visual(305, 200, 100), "holds"),
        ("P8", lambda: visual(200, 200, 100), "fails"),
        ("P8", lambda: visual(300, 100, 200), "fails"),
        ("P9", lambda: prompted("a/b", 375, 220), "holds"),
        ("P9", lambda: prompted("a/b", 260, 220), "fails"),  # far from people
        ("P9", lambda: prompted("a/b", 375, 340), "fails"),  # demonstratives gain as much
        ("P9", lambda: prompted(GEMMA, 375, 200), "holds"),
        ("P9", lambda: prompted(GEMMA, 375, 260), "fails"),  # it is not to gain on demonstratives
        ("P9", lambda: pd.concat([prompted("a/b", 280, 150), people(19, 13, 12)]), "holds"),  # worse people
        ("P10", lambda: pd.concat([prompted(GPT, 300, 180, "in-context"), prompted(LLAMA, 200, 180, "in-context"),
                                   prompted(GEMMA, 200, 260, "in-context")]), "holds"),
        ("P10", lambda: prompted(LLAMA, 320, 180, "in-context"), "fails"),
        ("P10", lambda: prompted(GPT, 200, 180, "in-context"), "fails"),
        ("P11", lambda: errors({"PoPE": 10, "PPE": 75}, {"DPE": 75, "PPE": 10}), "holds"),
        ("P11", lambda: errors({"PoPE": 75, "PPE": 10}, {"DPE": 75, "PPE": 10}), "fails"),
        ("P11", lambda: errors({"PoPE": 10, "PPE": 75}, {"DPE": 10, "PPE": 75}), "fails"),
        ("P13", lambda: grouped(vocabulary=6, possessive=0, demonstrative=0), "holds"),
        ("P13", lambda: grouped(vocabulary=6, possessive=6, demonstrative=0), "fails"),
        ("P13", lambda: grouped(vocabulary=0, possessive=0, demonstrative=0), "fails"),
        ("P13", lambda: grouped(vocabulary=6, possessive=2, demonstrative=0), "open"),
        ("P14", lambda: checks(object=200, gazer=195, speaker=200), "holds"),
        ("P14", lambda: checks(object=200, gazer=100, speaker=200), "fails"),
        ("P14", lambda: checks(object=200, gazer=182, speaker=200), "open"),
        ("P15", lambda: checks(control=200), "holds"),
        ("P15", lambda: checks(control=150), "fails"),
        ("P16", lambda: pictures(70, 80, 60), "holds"),
        ("P16", lambda: pictures(70, 195, 60), "fails"),
        ("P19", lambda: checks(object=190, object_people=70, gazer_people=150, speaker_people=150), "holds"),
        ("P19", lambda: checks(object=190, object_people=180, gazer_people=100, speaker_people=190), "fails"),
        ("P20", lambda: pictures(100, 120, 60), "holds"),
        ("P20", lambda: pictures(60, 120, 100), "fails"),
    ],
)  # fmt: skip
def test_each_can_hold_and_fail(claim: str, made: Callable[[], pd.DataFrame], expected: str) -> None:
    assert verdict(made(), claim) == expected


def test_a_wording_may_be_better_where_the_paper_says_so() -> None:
    lifted = wordings((100, 100, 90), (100, 100, 80), OVIS).query(
        "not (experiment == 'vocabulary' and condition == 'condensed')"
    )
    condensed = tasks({(V, "condensed"): 170}, participant=OVIS)
    table = pd.concat([lifted, condensed])
    assert verdict(table, "P5") == "holds"
    assert verdict(table.assign(participant="a/model"), "P5") == "fails"


@pytest.mark.parametrize(
    ("best", "others", "expected"),
    [
        ((150, 150), (300, 300), "holds"),
        ((150, 330), (300, 300), "fails"),
        ((150, 300), (300, 300), "open"),
        ((150, 150), (150, 300), "fails"),
    ],
)
def test_perspective_by_name(best: tuple[int, int], others: tuple[int, int], expected: str) -> None:
    table = pd.concat(
        [
            *(ablated(who, 300, "perspective", *best) for who in (GPT, LLAMA, GEMMA)),
            ablated(OVIS, 300, "perspective", *others),
        ]
    )
    assert verdict(table, "P6") == expected


def test_perspective_by_rank_or_not_at_all() -> None:
    strong = [ablated(f"a/{n}", 300, "perspective", 150, 150) for n in range(3)]
    weak = ablated("a/weak", 150, "perspective", 150, 150)
    found = ledger(pd.concat([*strong, weak])).query("protocol == 'corrected' and id == 'P6'").set_index("participant")
    assert dict(found.verdict) == dict.fromkeys(["", "a/0", "a/1", "a/2", "a/weak"], "holds")
    assert found.remark[""] == "the strongest three at hand: a/0, a/1, a/2"
    assert verdict(pd.concat(strong), "P6") == "untested"


def test_most_frequent_errors_need_people_to_hold() -> None:
    model = erring(D, "main", DPE=120, PPE=40, Double=30)
    persons = [erring(D, "people", 32, f"people:pilot/{n:02}", DPE=4 + n % 2, PPE=1, Double=1) for n in range(20)]
    assert verdict(model, "P18") == "open"
    assert verdict(pd.concat([model, *persons]), "P18") == "holds"
    assert verdict(pd.concat([model, *persons]), "P18", "people") == "holds"
    assert verdict(pd.concat([erring(D, "main", DPE=40, PPE=120), *persons]), "P18") == "fails"


def test_people_are_clusters_not_trials() -> None:
    """Two persons of 500 trials are two observations: with one better by .2 and one by .1, t has one degree."""
    parts = [
        tasks(under("people", v, p, 0), 500, participant=f"people:a/{name}")
        for name, v, p in (("one", 500, 400), ("two", 450, 400))
    ]
    found = ledger(pd.concat(parts)).set_index(["protocol", "id"]).evidence["corrected", "P1"]
    # SE² = 2/1 · 2 · (.05/2)², half = 12.706 · .05 = .635
    assert found.startswith(
        "vocabulary less possessive 0.950 against 0.800, difference 0.150 [-0.485, 0.785], n = 2,000"
    )


def test_two_runs_with_people_and_ratings_are_not_in_a_table_of_trials() -> None:
    table = people(19, 17, 14)
    assert [verdict(table, claim) for claim in ("P12", "P17")] == ["untested", "untested"]
