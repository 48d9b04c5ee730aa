"""Reference participants: exact values on the published set, on the bank, and on one item by hand."""

from collections import defaultdict
from pathlib import Path

import pytest

from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.items.cells import INDEXICALS
from deixis.participants.strategies import EVERY, RULES, Strategy
from deixis.records import AnswerMode, Trial
from deixis.scoring import score
from tests.conftest import item_rows, write_csv

CELLS = [(s, p) for s in ("non-quoted", "quoted") for p in ("non-shifted", "shifted")]
PUBLISHED = {
    "quotation-mark": ["1 1 1 1", "1 1 1 1", "1 1 1 1", "1 1 1 1"],
    "complementiser": ["1 1 1 1", "1 1 1 1", "1 1 1 1", "1 1 1 1"],
    "most-mentioned": [".02 .02 .98 .98", ".00 .00 .01 1.00", "1.00 .00 .00 1.00", "0 0 0 0"],
    "last-mentioned": [".02 .02 .98 .98", ".00 .00 1.00 1.00", ".00 .00 1.00 1.00", "0 0 0 0"],
    "first-option": ["0 0 1 1", "0 0 1 1", "0 0 1 1", "0 0 1 1"],
    "last-option": ["1 1 0 0", "1 1 0 0", "1 1 0 0", "1 1 0 0"],
    "prime-follower": ["1 0 0 1", "1 0 0 1", "1 0 0 1", "1 0 0 1"],
    "always-shifted": ["0 0 1 1", "0 0 1 1", "0 0 1 1", "0 0 1 1"],
    "never-shifted": ["1 1 0 0", "1 1 0 0", "1 1 0 0", "1 1 0 0"],
    "oracle": ["1 1 1 1", "1 1 1 1", "1 1 1 1", "1 1 1 1"],
}
"""Accuracy by cell for I, you, here, tomorrow: the published shortcut table, and what follows from the design."""
SHORTCUTS = (
    "quotation-mark",
    "complementiser",
    "most-mentioned",
    "last-mentioned",
    "first-option",
    "last-option",
    "prime-follower",
)


def accuracies(design: Design, name: str) -> list[list[float]]:
    """Accuracy by indexical and cell, from the participant's responses, scored."""
    participant = Strategy(name, design.trials, 0)
    trials = {trial.id: trial for trial in design.trials}
    earned: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for response in participant.respond(design.prompts, AnswerMode.GENERATE):
        factors = trials[response.trial_id].factors
        found = score(trials[response.trial_id], response, "strict")
        earned[factors["indexical"], factors["sentence_type"], factors["context_prime"]].append(found.credit)
    return [
        [sum(values := earned[indexical, *cell]) / len(values) for cell in CELLS]
        for indexical in ("I", "you", "here", "tomorrow")
    ]


@pytest.mark.parametrize("name", PUBLISHED)
def test_shortcuts_on_the_published_set(published_csv: Path, name: str) -> None:
    design = experiment("indexicals").design(published_csv, "main", "published", 0)
    for found, printed in zip(accuracies(design, name), PUBLISHED[name], strict=True):
        assert [round(value, 2) for value in found] == [float(value) for value in printed.split()]


def answered(design: Design, name: str, indexical: str) -> list[tuple[Trial, int]]:
    """The trials of one indexical that a participant decides, with its choice."""
    responses = Strategy(name, design.trials, 0).respond(design.prompts, AnswerMode.CHOOSE)
    pairs = zip(design.trials, responses, strict=True)
    return [(t, r.choice) for t, r in pairs if t.factors["indexical"] == indexical and r.choice is not None]


@pytest.mark.parametrize("indexical", INDEXICALS)
@pytest.mark.parametrize("name", SHORTCUTS)
def test_no_shortcut_solves_the_bank(bank: Design, name: str, indexical: str) -> None:
    """The table of docs/items.md: every shortcut is right on half of what it answers, ties apart."""
    decided = answered(bank, name, indexical)
    if name.endswith("-mentioned") and indexical == "tomorrow":
        assert decided == []  # no passage names the answers
        return
    assert len(decided) == 800
    right = sum(choice == trial.answer for trial, choice in decided)
    assert 0.45 <= right / len(decided) <= 0.55
    shifted = sum(trial.options[choice].features["reading"] == "shifted" for trial, choice in decided)
    assert 200 <= shifted <= 600  # each reading in at least a quarter


@pytest.mark.parametrize("indexical", INDEXICALS)
def test_the_oracle_solves_the_bank(bank: Design, indexical: str) -> None:
    assert all(choice == trial.answer for trial, choice in answered(bank, "oracle", indexical))


@pytest.mark.parametrize("name", SHORTCUTS)
def test_shortcuts_on_the_classic_cells(name: str) -> None:
    """Where marks are plain a quotation mark still tells everything; nothing else does."""
    design = experiment("indexicals").design(None, "classic", "corrected", 0)
    for indexical in INDEXICALS:
        decided = answered(design, name, indexical)
        right = sum(choice == trial.answer for trial, choice in decided)
        assert right == (len(decided) if name == "quotation-mark" else len(decided) / 2)


def test_chance_is_near_a_half_seeded_and_even_on_both_options(published_csv: Path) -> None:
    design = experiment("indexicals").design(published_csv, "main", "corrected", 0)
    overall = [value for row in accuracies(design, "chance") for value in row]
    assert sum(overall) / 16 == pytest.approx(0.5, abs=0.035)  # 1,600 throws: 2.8 standard errors
    first = [r.choice for r in Strategy("chance", design.trials, 0).respond(design.prompts, AnswerMode.CHOOSE)]
    again = [r.choice for r in Strategy("chance", design.trials, 0).respond(design.prompts, AnswerMode.CHOOSE)]
    other = [r.choice for r in Strategy("chance", design.trials, 1).respond(design.prompts, AnswerMode.CHOOSE)]
    assert first == again != other


def test_every_rule_is_tested_and_described() -> None:
    assert set(RULES["indexicals"]) == {*PUBLISHED, "chance"}
    assert set(RULES["indexicals"]) == {*SHORTCUTS, "oracle", "always-shifted", "never-shifted", "chance"}
    assert all(rule.__doc__ for rule in EVERY.values())


def test_a_tie_is_no_answer(tmp_path: Path) -> None:
    rows = item_rows(1)
    for row in rows:
        row["renamed_sentence"] = "Nora and Ida met. Ida told Nora that I will win."
        row["sentence"], row["context"] = "x", "x"
    design = experiment("indexicals").design(write_csv(tmp_path / "i.csv", rows), "main", "published", 0)
    (response, *_) = Strategy("most-mentioned", design.trials, 0).respond(design.prompts, AnswerMode.GENERATE)
    found = score(design.trials[0], response, "published")
    assert (response.choice, found.outcome.value, found.credit, found.tied) == (None, "unreadable", 0.0, True)
