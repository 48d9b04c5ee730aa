"""What a run would take: trials, pictures, tokens, cost and hours, in numbers that can be checked by hand."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from deixis.cli.app import app
from deixis.cli.plan import PresetName
from deixis.errors import DeixisError, ParticipantError, UsageError
from deixis.experiments import EXPERIMENTS, experiment
from deixis.experiments.conditions import CHECKS, WORDS
from deixis.participants.llama import Llama
from deixis.runs.costs import read_price, table_picture_tokens, table_price
from deixis.runs.counting import LETTERS, Count, total
from deixis.runs.forecast import csv_lines, text_lines
from deixis.runs.planning import PRESETS, bills, counts, plan

NONE = {"experiments": ("possessive",), "conditions": ("picture-none",)}
"""128 questions without a picture, which are quick to count."""


def counted(**asked: object) -> list[Count]:
    return list(counts(plan(**asked)))  # type: ignore[arg-type]


def told(**asked: object) -> str:
    planned = plan(**asked)  # type: ignore[arg-type]
    return "\n".join(text_lines(planned, counts(planned)))


@pytest.fixture(scope="module")
def main() -> list[Count]:
    return counted(preset="main")


def test_main_is_three_experiments_in_full(main: list[Count]) -> None:
    assert [(count.experiment, count.condition, count.trials, len(count.pictures)) for count in main] == [
        (name, "main", 6144, 1536) for name in ("vocabulary", "possessive", "demonstrative")
    ]
    assert (total(main).trials, len(total(main).pictures), total(main).sent) == (18432, 4608, 18432)


def test_pictures_that_conditions_share_count_once(main: list[Count]) -> None:
    found = counted(experiments=("possessive",), conditions=("main", "spatial-linguistic", "spatial-visual"))
    assert [len(count.pictures) for count in found] == [1536, 1536, 384]
    assert len(total(found).pictures) == 1536 + 384
    assert found[0] == main[1]


@pytest.mark.parametrize("protocol", ["published", "corrected"])
def test_paper_is_what_the_paper_ran(protocol: str) -> None:
    sizes = {"all": 6144, "once": 128, "list": 16}
    parts = PRESETS["paper"].parts(protocol)
    trials = [sizes[(CHECKS if name == "checks" else WORDS)[condition].trials] for name, condition in parts]
    assert trials.count(6144) == 24
    assert sum(trials) == 147_456 + 2 * 3 * 128 + 4 * 128 + 3 * 16
    assert {condition for _, condition in parts}.isdisjoint({"people", "instruction-reasoning"})


def test_the_presets_of_the_command_line_are_those_there_are() -> None:
    assert [name.value for name in PresetName] == list(PRESETS)


def test_quick_asks_128_trials_each_and_another_limit_may_be_given() -> None:
    assert [plan(preset="quick").limit, plan(preset="quick", limit=8).limit, plan(preset="main").limit] == [
        128,
        8,
        None,
    ]
    assert [count.trials for count in counted(preset="quick", limit=8)] == [8, 8, 8]
    assert plan(preset="quick").about == (
        "preset quick: the main conditions of vocabulary, possessive and demonstrative; corrected protocol; "
        "at most 128 trials a condition"
    )


def test_nothing_named_is_the_tour() -> None:
    assert (plan().parts, plan().limit) == ((("indexicals", "main"),), 160)
    assert plan(participants=("openai/gpt-4o",)).limit is None
    assert plan(experiments=("checks",)).parts == tuple(("checks", condition) for condition in CHECKS)


def test_a_cost_by_hand() -> None:
    """128 questions with the same four options: 13, 14, 15 and 16 letters, 58 together."""
    planned = plan(**NONE, participants=("openai/gpt-4o",), price="1,2")  # type: ignore[arg-type]
    (count,) = counts(planned)
    letters = sum(len(prompt.user) for prompt in experiment("possessive").design(condition="picture-none").prompts)
    assert count.text_tokens == round(letters / 4.22 + 7 * 128) == 15_334
    assert count.output_tokens == round(128 * 58 / 4 / 4.22 + 2 * 128) == 696
    (bill,) = bills(planned)
    assert bill.cost(count) == pytest.approx((15_334 * 1 + 696 * 2) / 1e6)
    line = told(**NONE, participants=("openai/gpt-4o",), price="1,2", rate=256).splitlines()[-1]
    assert line == (
        "openai/gpt-4o: $0.0167 for 15,334 tokens in, at $1, and 696 out at $2 a million (--price); "
        "0.5 minutes at 256 trials a minute"
    )


def test_pictures_cost_what_the_model_makes_of_them() -> None:
    asked = {"experiments": ("possessive",), "conditions": ("picture-empty",)}
    planned = plan(**asked, participants=("openai/gpt-4o", "sambanova/Gemma-3-27b-it", "strategy:oracle"))  # type: ignore[arg-type]
    (count,) = counts(planned)
    assert (len(count.pictures), count.sent) == (1, 128)
    gpt, gemma, oracle = bills(planned)
    assert gpt.input_tokens(count) == 15_334 + 128 * 765
    assert gpt.cost(count) == pytest.approx(((15_334 + 128 * 765) * 2.5 + 696 * 10) / 1e6)
    assert gemma.input_tokens(count) == 15_334 + 128 * 256
    assert oracle.cost(count) == 0
    (bill,) = bills(plan(**asked, picture_tokens=100, price="3,4"))  # type: ignore[arg-type]
    assert (bill.participant, bill.input_tokens(count)) == ("any model", 15_334 + 12_800)
    assert "at 100 tokens each: 12,800 more tokens in" in told(**asked, picture_tokens=100)


def test_both_turns_are_counted() -> None:
    asked = {"experiments": ("possessive",), "conditions": ("instruction-reasoning",), "limit": 4}
    (count,) = counted(**asked)
    design = experiment("possessive").design(condition="instruction-reasoning")
    opening, then = len(design.prompts[0].user), len(design.prompts[0].then)
    assert (count.trials, count.sent, count.long_tokens) == (4, 8, 4 * 256)
    assert count.text_tokens == pytest.approx(4 * ((2 * opening + then) / 4.22 + 4 * 7 + 256), rel=0.01)
    assert count.output_tokens == round(4 * (58 / 4 / 4.22 + 2 + 256))
    assert "assumed: instruction-reasoning explained at half the length allowed, 1,024 of the tokens out" in told(
        **asked
    )


def test_an_explained_answer_is_assumed_and_examples_are_sent() -> None:
    explained, shown = counted(experiments=("possessive",), conditions=("instruction", "in-context"), limit=4)
    assert (explained.sent, explained.long_tokens) == (4, 4 * 256)
    assert (shown.sent, shown.long_tokens) == (4 * 5, 0)


def test_seed_protocol_and_settings_are_passed_on() -> None:
    text = {"experiments": ("indexicals",)}
    assert counted(**text, limit=8)[0].text_tokens != counted(**text, limit=8, seed=3)[0].text_tokens
    assert counted(**text)[0].output_tokens != counted(**text, protocol="published")[0].output_tokens
    assert counted(**NONE)[0].text_tokens != counted(**NONE, settings={"naming": "name"})[0].text_tokens


def test_what_is_not_known_is_said() -> None:
    assert "openai/gpt-9: cost unknown, give its price (--price IN,OUT); " in told(
        **NONE, participants=("openai/gpt-9",)
    )
    pictured = {"experiments": ("possessive",), "conditions": ("picture-empty",), "participants": ("openai/gpt-9",)}
    assert "give its price (--price IN,OUT) and its tokens a picture (--picture-tokens N)" in told(**pictured)
    assert "cost unknown, give its tokens a picture (--picture-tokens N)" in told(**pictured, price="1,2")
    assert "$0.0423" in told(**pictured, price="1,2", picture_tokens=200)


def test_who_runs_here_costs_nothing() -> None:
    assert "gguf:smollm2: costs nothing, it runs here; 2.1 minutes at 60 trials a minute" in told(
        **NONE, participants=("gguf:smollm2",)
    )
    lines = told(experiments=("possessive",), conditions=("picture-empty",), participants=("gguf:smollm2",))
    assert lines.endswith("it sees no pictures and cannot be asked these")
    assert "strategy:oracle: costs nothing, answers all trials at once" in told(
        **NONE, participants=("strategy:oracle",)
    )


def test_the_table_of_prices() -> None:
    gpt = table_price("openai/gpt-4o")
    assert gpt is not None
    assert (gpt.input, gpt.output, gpt.source[:10]) == (2.5, 10, "2026-05-27")
    assert table_price("openai/gpt-4o-2024-05-13") is None
    assert table_picture_tokens("openai/gpt-4o-mini") is None
    assert table_picture_tokens("groq/meta-llama/Llama-4-Scout-17B-16E-Instruct") == 1008
    scout = table_price("groq/meta-llama/Llama-4-Scout-17B-16E-Instruct")
    assert scout is not None
    assert (scout.input, scout.output) == (0.11, 0.34)


def test_csv_has_a_row_a_condition_and_participant() -> None:
    planned = plan(**NONE, participants=("openai/gpt-4o", "a,b"), rate=128)  # type: ignore[arg-type]
    rows = list(csv.DictReader(csv_lines(planned, counts(planned))))
    assert [(row["participant"], row["cost_usd"]) for row in rows] == [("openai/gpt-4o", "0.045295"), ("a,b", "")]
    assert {(row["trials"], row["text_tokens"], row["hours"]) for row in rows} == {("128", "15334", "0.0167")}
    bare = plan(**NONE)  # type: ignore[arg-type]
    (row,) = csv.DictReader(csv_lines(bare, counts(bare)))
    assert (row["participant"], row["output_tokens"], row["hours"]) == ("", "696", "0.0356")


@pytest.mark.parametrize(
    ("asked", "fault", "words"),
    [
        ({"experiments": ("possesive",)}, UsageError, "unknown experiment 'possesive'"),
        ({"experiments": ("vocabulary",), "conditions": ("spatial-both",)}, UsageError, "no condition 'spatial-both'"),
        ({"experiments": ("vocabulary",), "protocol": "described"}, UsageError, "no protocol 'described'"),
        ({"preset": "main", "experiments": ("checks",)}, UsageError, "--preset main says what is asked; leave out"),
        ({"preset": "quick", "conditions": ("main",)}, UsageError, "leave out '--condition main'"),
        ({**NONE, "settings": {"clauses": "kept"}}, UsageError, "the setting 'clauses' changes nothing here"),
        ({"limit": 0}, UsageError, "--limit 0 asks nothing"),
        ({"rate": 0.0}, UsageError, "--rate 0 comes to no end"),
        ({"rate": float("nan")}, UsageError, "--rate nan"),
        ({"picture_tokens": -1}, UsageError, "--picture-tokens -1 is no number of tokens"),
        ({"participants": (" ",)}, UsageError, "' ' names no participant"),
        ({"participants": ("gguf:smollm2",), "price": "1,2"}, UsageError, "--price 1,2 changes nothing"),
        ({"participants": ("strategy:orcle",)}, ParticipantError, "nearest: strategy:oracle"),
        ({"participants": ("gguf:none.gguf",)}, ParticipantError, "no file 'none.gguf'"),
        ({**NONE, "participants": ("strategy:quotation-mark",)}, UsageError, "says nothing about possessive"),
    ],
)
def test_bad_requests_are_refused(asked: dict[str, object], fault: type[DeixisError], words: str) -> None:
    with pytest.raises(fault) as caught:
        plan(**asked)  # type: ignore[arg-type]
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "a,b", "0,1", "1,-1", "nan,1", "1,inf"])
def test_unreadable_prices_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="cannot read --price"):
        read_price(text)


def test_letters_a_token_are_as_measured(smollm2: Path) -> None:
    assert LETTERS.keys() == EXPERIMENTS.keys()
    prompts = experiment("indexicals").design().prompts[::80]
    model = Llama(smollm2, threads=1)
    texts = [text for prompt in prompts for text in (prompt.system, prompt.text)]
    tokens = sum(len(model.tokenise(text)) for text in texts)
    model.close()
    assert sum(map(len, texts)) / tokens == pytest.approx(LETTERS["indexicals"], abs=0.005)


def test_a_table_that_cannot_be_built_is_refused_before_anything_is_written() -> None:
    done = CliRunner().invoke(app, ["plan", "possessive", "--condition", "picture-none", "--set", "art=emoji"])
    assert done.stdout == ""
    assert isinstance(done.exception, DeixisError)


def test_every_option_of_the_command() -> None:
    words = ["plan", "possessive", "-p", "some/model", "--condition", "picture-empty", "--protocol", "published"]
    words += ["--set", "order=fixed", "--limit", "5", "--price", "2,4", "--picture-tokens", "10", "--rate", "5"]
    done = CliRunner().invoke(app, [*words, "--seed", "2", "--csv"])
    assert done.exit_code == 0, done.output
    (row,) = csv.DictReader(done.stdout.splitlines())
    assert (row["condition"], row["protocol"], row["trials"], row["hours"]) == (
        "picture-empty",
        "published",
        "5",
        "0.0167",
    )
    assert int(row["input_tokens"]) == int(row["text_tokens"]) + 50
    assert float(row["cost_usd"]) == (int(row["input_tokens"]) * 2 + int(row["output_tokens"]) * 4) / 1e6


def test_a_fault_is_one_line_and_exit_code_2() -> None:
    words = [sys.executable, "-m", "deixis", "plan", "--preset", "paper", "checks"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "deixis: --preset paper says what is asked; leave out 'checks'\n"
