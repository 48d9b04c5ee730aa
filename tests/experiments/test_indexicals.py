"""The indexicals experiment: ids, orders, prompts, protocols."""

from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from deixis.errors import UsageError
from deixis.experiments import EXPERIMENTS, experiment
from deixis.experiments.experiment import Design
from tests.conftest import item_rows, write_csv


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_the_same_parts(name: str) -> None:
    found = experiment(name)
    assert found.question
    assert found.prediction
    assert set(found.cells) < set(found.factors)
    assert set(found.asked) <= set(found.conditions)
    design = found.design(None, found.conditions[0], "corrected", 0)
    assert len({trial.id for trial in design.trials}) == len(design.trials)
    assert [trial.id for trial in design.trials] == [prompt.trial_id for prompt in design.prompts]
    assert tuple(design.pairs()) == tuple(zip(design.trials, design.prompts, strict=True))
    for trial, prompt in zip(design.trials, design.prompts, strict=True):
        assert tuple(trial.factors) == found.factors
        assert prompt.options == tuple(option.text for option in trial.options)


def test_the_bank_is_crossed(bank: Design) -> None:
    assert len(bank.trials) == 3200
    cells = Counter(tuple(v for f, v in trial.factors.items() if f != "item") for trial in bank.trials)
    assert set(cells.values()) == {100}
    assert len(cells) == 32
    assert bank.trials[0].id == "I/001/non-quoted/non-shifted"
    assert bank.trials[4].id == "I/001/non-quoted/non-shifted/distractor"


def test_classic_is_the_four_cells_of_the_paper(bank: Design) -> None:
    classic = experiment("indexicals").design(None, "classic", "corrected", 0)
    assert len(classic.trials) == 1600
    assert {trial.factors["marks"] for trial in classic.trials} == {"plain"}
    whole = {trial.id: trial for trial in bank.trials}
    assert all(whole[trial.id].stimulus == trial.stimulus for trial in classic.trials)


def test_order_is_item_parity_xor_prime(bank: Design) -> None:
    for trial in bank.trials:
        number = int(trial.factors["item"].split("/")[1])
        odd, shifted_prime = number % 2 == 1, trial.factors["context_prime"] == "shifted"
        assert (trial.options[0].features["reading"] == "shifted") is (odd != shifted_prime)
    orders = Counter((t.factors["item"], t.factors["sentence_type"], t.factors["marks"], t.answer) for t in bank.trials)
    assert set(orders.values()) == {1}


def test_order_does_not_depend_on_other_items(tmp_path: Path) -> None:
    both = write_csv(tmp_path / "both.csv", item_rows(1) + item_rows(2))
    one = write_csv(tmp_path / "one.csv", item_rows(2))
    found = experiment("indexicals")
    whole = {t.id: t.options for t in found.design(both, "main", "corrected", 0).trials}
    for trial in found.design(one, "main", "corrected", 0).trials:
        assert whole[trial.id] == trial.options


def test_protocols_set_what_they_say() -> None:
    found = experiment("indexicals")
    designs = {protocol: found.design(None, "main", protocol, 0) for protocol in found.readers}
    assert found.readers == {"published": "published", "described": "strict", "corrected": "strict"}
    for protocol in ("published", "described"):
        assert all(trial.options[0].features["reading"] == "shifted" for trial in designs[protocol].trials)
        assert all(prompt.temperature is None for prompt in designs[protocol].prompts)
    assert all(prompt.temperature == 0 for prompt in designs["corrected"].prompts)
    tomorrow = {p: next(t for t in d.trials if t.factors["indexical"] == "tomorrow") for p, d in designs.items()}
    assert [o.text for o in tomorrow["published"].options] == ["Past", "Future"]
    assert [o.text for o in tomorrow["described"].options] == ["did it in the past", "will do it in the future"]


def test_thinks_becomes_says_for_I_under_published_only(tmp_path: Path) -> None:  # noqa: N802
    path = write_csv(tmp_path / "items.csv", item_rows())
    found = experiment("indexicals")
    for protocol, verb in (("published", "says"), ("described", "thinks"), ("corrected", "thinks")):
        trial = found.design(path, "main", protocol, 0).trials[0]
        assert f"Ida {verb} that I will win." in trial.stimulus["passage"]
        assert trial.stimulus["passage"].endswith(trial.stimulus["sentence"])


def test_the_prompt_is_the_papers(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "items.csv", item_rows())
    prompt = experiment("indexicals").design(path, "main", "published", 0).prompts[3]
    assert prompt.system == "You are a helpful assistant."
    assert prompt.user == (
        "Read the following passage carefully and answer the question at the end:\n\n"
        'I am Nora. My friend Ida likes to boast. Ida says "I will win".\n\n'
        "According to the last sentence, who will win?\n\n"
        "Please provide your answer as: either Ida or Nora. Do not include any additional explanation or text."
    )


@pytest.mark.parametrize(
    ("trial_id", "digest"),
    [
        ("I/001/quoted/non-shifted", "2f38f4fca2f861b90082d107812066bce69c3872a8e84dc63b7530970a5c6654"),
        ("you/101/quoted/non-shifted", "0a738a4e2251b83833baee14d1cf178c5f1f259a9623d240476f070974b1cb01"),
        ("tomorrow/301/quoted/non-shifted", "300a0f251645a25b8bf3912b9d57a9db300c265a57d519ec545d1f4e7deb8057"),
    ],
)
def test_published_prompts_are_the_released_runners(published_csv: Path, trial_id: str, digest: str) -> None:
    """Hashes of what the released runner's steps make of three rows, computed apart from this code."""
    design = experiment("indexicals").design(published_csv, "main", "published", 0)
    prompt = next(prompt for prompt in design.prompts if prompt.trial_id == trial_id)
    assert sha256(prompt.user.encode()).hexdigest() == digest


def test_unknown_settings_are_named() -> None:
    with pytest.raises(UsageError, match="no condition 'mian'; there is main"):
        experiment("indexicals").design(None, "mian", "corrected", 0)
    with pytest.raises(UsageError, match="no protocol 'mine'"):
        experiment("indexicals").design(None, "main", "mine", 0)
    with pytest.raises(UsageError, match="unknown experiment 'indexical'; there is indexicals"):
        experiment("indexical")


def test_seed_and_data_are_in_the_signature(bank: Design) -> None:
    other = experiment("indexicals").design(None, "main", "corrected", 1)
    assert bank.signature["seed"] == 0
    assert other.signature["seed"] == 1
    assert bank.data == other.data
    published = experiment("indexicals").design(None, "main", "published", 0)
    assert bank.data != published.data
