"""The bank: crossed, balanced, varied, silent about its answers, and clean under the linter."""

import re
from collections import Counter
from pathlib import Path

import pytest

from deixis.experiments import experiment
from deixis.items.bank import load_bank
from deixis.items.cells import INDEXICALS, REFERENTS
from deixis.items.lint.checks import CHECKS
from deixis.items.lint.run import lint
from deixis.items.naming import mentions
from deixis.items.questions import of_item
from deixis.items.review.agreement import report
from deixis.items.review.sheet import read_sheets
from deixis.items.templates import load_templates
from deixis.items.tense import backshifted
from deixis.participants.strategies import Strategy
from deixis.records import AnswerMode, Item

BANK = load_bank()
TEMPLATES = load_templates()


def of(indexical: str) -> list[Item]:
    return [item for item in BANK if item.indexical == indexical]


def test_a_hundred_items_an_indexical_half_female() -> None:
    assert Counter((item.indexical, item.gender) for item in BANK) == {
        (indexical, gender): 50 for indexical in INDEXICALS for gender in ("female", "male")
    }
    assert [item.id for item in BANK] == [f"{i}/{n:03d}" for i in INDEXICALS for n in range(1, 101)]
    assert {len(item.cells) for item in BANK} == {8}


def test_the_linter_finds_nothing() -> None:
    assert lint([question for item in BANK for question in of_item(item)]) == []


@pytest.mark.parametrize("indexical", INDEXICALS)
def test_events_differ(indexical: str) -> None:
    """100 event verbs an indexical (80 are asked for), each in its clause."""
    templates = [t for t in TEMPLATES if t.indexical == indexical]
    assert len({t.event for t in templates}) == 100
    for t in templates:
        spelt = t.event[:2].lower()
        assert re.search(rf"\b{spelt}", t.clause), f"{t.event!r} is not in {t.clause!r}"


@pytest.mark.parametrize("indexical", INDEXICALS)
def test_reporting_verbs_are_balanced(indexical: str) -> None:
    """Ten verbs, ten items each; of these five about women, and five with a *that*."""
    templates = [t for t in TEMPLATES if t.indexical == indexical]
    verbs = Counter(t.verb for t in templates)
    assert set(verbs.values()) == {10}
    assert {"say", "tell", "mention", "write", "shout"} < set(verbs)
    assert set(Counter((t.verb, t.number % 2) for t in templates).values()) == {5}
    assert set(Counter((t.verb, t.that) for t in templates).values()) == {5}


@pytest.mark.parametrize("indexical", REFERENTS)
def test_mentions_are_balanced_between_items(indexical: str) -> None:
    """Half the items name each referent more often, half name each last, whatever the prime; crossed, and by gender."""
    kinds: Counter[tuple[str, ...]] = Counter()
    for item in of(indexical):
        found = set()
        for cell in item.cells:
            one, other = (mentions(cell.passage, item.options[r]) for r in ("non-shifted", "shifted"))
            found.add(
                (("non-shifted" if len(one) > len(other) else "shifted"), "one" if one[-1] > other[-1] else "other")
            )
            assert len(one) != len(other)
        (kind,) = found
        kinds[kind] += 1
        kinds[(item.gender, kind[0])] += 1
    crossed = [count for kind, count in kinds.items() if kind[0] not in ("female", "male")]
    assert len(crossed) == 4
    assert all(20 <= count <= 30 for count in crossed)
    assert all(20 <= count <= 30 for kind, count in kinds.items() if kind[0] in ("female", "male"))


@pytest.mark.parametrize("item", BANK, ids=lambda item: item.id)
def test_passages_differ_in_one_factor_at_a_time(item: Item) -> None:
    cells = {(cell.sentence_type, cell.context_prime, cell.marks): cell for cell in item.cells}
    template = next(t for t in TEMPLATES if (t.indexical, t.number) == (item.indexical, item.number))

    def bare(text: str) -> str:
        return re.sub(r'["“”:,.]', "", text).lower()

    for (kind, prime, marks), cell in cells.items():
        assert cell.passage.endswith(cell.sentence)
        assert not set("{}[]") & set(cell.passage + item.question)
        assert ('"' in cell.passage) is ((kind == "quoted") is (marks == "plain"))
        assert cell.sentence == cells[kind, "shifted", marks].sentence
        assert bare(cell.passage) == bare(cells[kind, prime, "plain"].passage)
        context = bare(cell.passage.removesuffix(cell.sentence))
        assert context == bare(
            cells["quoted", prime, marks].passage.removesuffix(cells["quoted", prime, marks].sentence)
        )
        complementiser = " that " if template.that else " "
        clause = backshifted(template.clause) if template.past else template.clause
        if kind == "non-quoted":
            assert bare(cell.sentence).endswith(bare(complementiser + _filled(clause, item)))


def _filled(clause: str, item: Item) -> str:
    words = 1 if item.gender == "female" else 2
    agreed = re.sub(r"\{([^{}/]+)/([^{}/]+)\}", lambda m: m[words], clause)
    return re.sub(r"\{(\w+)\}", lambda m: item.roles[m[1]], agreed).replace("[", "").replace("]", "")


@pytest.mark.parametrize("indexical", ["here", "tomorrow"])
def test_contexts_do_not_hold_the_indexical(indexical: str) -> None:
    for item in of(indexical):
        for cell in item.cells:
            assert not re.search(rf"\b{indexical}\b", cell.passage.removesuffix(cell.sentence), re.IGNORECASE)


def test_passages_begin_in_many_ways() -> None:
    """No opening words stand in more than a few items of an indexical."""
    for indexical in INDEXICALS:
        begun = Counter(" ".join(t.opening.split()[:3]) for t in TEMPLATES if t.indexical == indexical)
        assert max(begun.values()) <= 5


DOCS = Path(__file__).parents[2] / "docs"


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading of a page."""
    text = (DOCS / page).read_text(encoding="utf-8").split(f"## {heading}", 1)[1].split("\n|", 1)[1]
    lines = ("|" + text).split("\n\n", 1)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_docs_have_the_shortcut_table() -> None:
    design = experiment("indexicals").design(None, "main", "corrected", 0)
    header, _, *lines = rows("items.md", "What shortcuts score")
    assert header[1:] == list(INDEXICALS)
    for name, *told in lines:
        responses = list(Strategy(name.strip("`"), design.trials, 0).respond(design.prompts, AnswerMode.CHOOSE))
        for indexical, printed in zip(INDEXICALS, told, strict=True):
            pairs = zip(design.trials, responses, strict=True)
            decided = [(t, r.choice) for t, r in pairs if t.factors["indexical"] == indexical and r.choice is not None]
            if not decided:
                assert printed == "decides none"
                continue
            right = sum(choice == trial.answer for trial, choice in decided) / len(decided)
            shifted = sum(t.options[choice].features["reading"] == "shifted" for t, choice in decided) / len(decided)
            found = f"{right:.2f}".removeprefix("0") + (f", shifted {shifted:.2f}" if "shifted" in printed else "")
            assert found.replace(" 0.", " .") == printed


def test_the_docs_list_every_check() -> None:
    _, _, *lines = rows("item-tools.md", "The linter")
    assert [line[0].strip("`") for line in lines] == list(CHECKS)
    assert [line[1:] for line in lines] == [[check.severity.value, check.message] for check in CHECKS.values()]


def test_the_docs_have_the_readers_agreement() -> None:
    sheets = read_sheets([DOCS / "review" / "first" / f"claude-{reader}.csv" for reader in "ab"])
    told = "\n".join(report(sheets))
    for words in ("368 of 400", "374 of 400", "400 of 400", "399 of 400", "κ 0.52", "κ 1.00", "κ not defined"):
        assert words in told
    again = "\n".join(report(read_sheets([DOCS / "review" / "second" / f"claude-{reader}.csv" for reader in "ab"])))
    for words in ("377 of 400", "389 of 400", "382 of 400", "κ 0.45", "the same answer in 400 of 400 (1.000), κ 1.00"):
        assert words in again
    _, _, grammatical, pair, leaning = rows("items.md", "A second reading")
    assert grammatical[1:] == ["368 of 400", "374 of 400", "374 of 400", ".52"]
    assert pair[1:4] == ["400 of 400"] * 3
    assert leaning[1:4] == ["400 of 400", "399 of 400", "399 of 400"]
