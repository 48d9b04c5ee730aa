"""Reference participants: exact values on the published set, on the bank, and on one item by hand."""

from collections import defaultdict
from pathlib import Path

import pytest

from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.participants.strategies import RULES, Strategy
from deixis.records import AnswerMode
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
BANK = {
    "quotation-mark": ["1 1 1 1"] * 4,
    "complementiser": ["1 1 1 1"] * 4,
    "most-mentioned": ["0 0 .33 .83", ".17 0 .25 .83", "1 0 0 .50", "0 0 0 0"],
    "last-mentioned": ["0 0 1 1", "0 0 1 1", "0 0 1 1", "0 0 0 0"],
    "first-option": [".5 .5 .5 .5"] * 4,
    "last-option": [".5 .5 .5 .5"] * 4,
    "prime-follower": ["1 0 0 1"] * 4,
    "always-shifted": ["0 0 1 1"] * 4,
    "never-shifted": ["1 1 0 0"] * 4,
    "oracle": ["1 1 1 1"] * 4,
}


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


@pytest.mark.parametrize("name", BANK)
def test_shortcuts_on_the_bank(bank: Design, name: str) -> None:
    for found, expected in zip(accuracies(bank, name), BANK[name], strict=True):
        assert [round(value, 2) for value in found] == [float(value) for value in expected.split()]


def test_chance_is_near_a_half_seeded_and_even_on_both_options(published_csv: Path) -> None:
    design = experiment("indexicals").design(published_csv, "main", "corrected", 0)
    overall = [value for row in accuracies(design, "chance") for value in row]
    assert sum(overall) / 16 == pytest.approx(0.5, abs=0.035)  # 1,600 throws: 2.8 standard errors
    first = [r.choice for r in Strategy("chance", design.trials, 0).respond(design.prompts, AnswerMode.CHOOSE)]
    again = [r.choice for r in Strategy("chance", design.trials, 0).respond(design.prompts, AnswerMode.CHOOSE)]
    other = [r.choice for r in Strategy("chance", design.trials, 1).respond(design.prompts, AnswerMode.CHOOSE)]
    assert first == again != other


def test_every_rule_is_tested_and_described() -> None:
    assert set(RULES) == {*BANK, "chance"} == {*PUBLISHED, "chance"}
    assert all(rule.__doc__ for rule in RULES.values())


def test_a_tie_is_no_answer(tmp_path: Path) -> None:
    rows = item_rows(1)
    for row in rows:
        row["renamed_sentence"] = "Nora and Ida met. Ida told Nora that I will win."
        row["sentence"], row["context"] = "x", "x"
    design = experiment("indexicals").design(write_csv(tmp_path / "i.csv", rows), "main", "published", 0)
    (response, *_) = Strategy("most-mentioned", design.trials, 0).respond(design.prompts, AnswerMode.GENERATE)
    found = score(design.trials[0], response, "published")
    assert (response.choice, found.outcome.value, found.credit, found.tied) == (None, "unreadable", 0.0, True)
