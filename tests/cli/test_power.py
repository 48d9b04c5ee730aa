"""``deixis plan --power`` as a user meets it."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from deixis.cli.app import app
from deixis.errors import UsageError


def plan(*words: str) -> list[str]:
    done = CliRunner().invoke(app, ["plan", *words])
    if done.exception is not None:
        raise done.exception
    return done.output.splitlines()


FAST = ("--power", "--simulations", "40", "--people", "8", "--items", "6")


def test_a_table_and_csv() -> None:
    assert plan(*FAST, "--difference", "0.1")[0].startswith("to tell 90.0% from 80.0%")
    head, row = plan(*FAST, "--odds", "2", "--csv")
    assert head.startswith("people,items,repeats,trials,")
    assert row.startswith("8,6,1,96,0.8,")


def test_every_option_has_a_say(tmp_path: Path) -> None:
    usual = plan(*FAST, "--difference", "0.1", "--csv")
    for words in (
        *(["--base", "0.6"], ["--sd-people", "3"], ["--sd-items", "3"], ["--sd-people-effect", "3"]),
        *(["--sd-items-effect", "3"], ["--pairing", "lists"], ["--against", "people"], ["--alpha", "0.4"]),
        *(["--repeats", "3"], ["--seed", "1"]),
    ):
        assert plan(*FAST, "--difference", "0.1", "--csv", *words) != usual, words
    file = tmp_path / "pilot.csv"
    rows = [f"p{p},i{i},{c},{int(p * i % 5 > 0)}" for p in range(6) for i in range(6) for c in "ab"]
    file.write_text("\n".join(["participant,item,condition,correct", *rows]), encoding="utf-8")
    assert plan(*FAST, "--difference", "0.1", "--csv", "--pilot", str(file)) != usual


@pytest.mark.parametrize(
    "words", [["possessive"], ["--limit", "4"], ["-p", "strategy:oracle"], ["--set", "order=fixed"]]
)
def test_what_plans_a_run_has_no_place(words: list[str]) -> None:
    with pytest.raises(UsageError, match=f"leave out {words[0]}|leave out --participant"):
        plan(*FAST, "--difference", "0.1", *words)


@pytest.mark.parametrize("words", [["--people", "4"], ["--sd-items", "0"], ["--against", "both"]])
def test_its_options_need_it(words: list[str]) -> None:
    with pytest.raises(UsageError, match=f"{words[0]} belongs to --power"):
        plan(*words)
