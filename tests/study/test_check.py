"""``deixis study check``: everything at once, balance by counting, aliasing, time and pay; and its command."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from deixis.cli.study_check import check as check_command
from deixis.cli.study_new import new as new_command
from deixis.study.balance import Row, aliased, rows, uneven, unsquare
from deixis.study.check import check
from deixis.study.designs import DESIGNS
from deixis.study.duration import cost
from deixis.study.folder import open_study, write_study
from deixis.study.settings import Plan, read_plan
from tests.study.written import edit, new, ready

commands = typer.Typer()
commands.command("new")(new_command)
commands.command("check")(check_command)


def missing(folder: Path) -> list[str]:
    return [f"{finding.where}: {finding.text}" for finding in check(folder).findings if finding.missing]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return ready(tmp_path / "study")


@pytest.mark.parametrize("design", DESIGNS)
def test_a_study_with_everything_written_is_ready(tmp_path: Path, design: str) -> None:
    found = check(ready(tmp_path / "study", design))
    assert [finding for finding in found.findings if finding.missing] == []
    assert found.ready
    assert found.balance


@pytest.mark.parametrize("design", ["follow-up", "comprehension"])
def test_so_is_a_published_one(tmp_path: Path, design: str) -> None:
    assert missing(ready(tmp_path / "study", design, "published", boy="right")) == []


def test_everything_missing_is_said_at_once(tmp_path: Path) -> None:
    found = missing(new(tmp_path / "study"))
    assert found == [
        "study.toml: title is to be written ('FILL IN')",
        "study.toml: researcher is to be written ('FILL IN')",
        "study.toml: contact is to be written ('FILL IN')",
        "study.toml: plan is to be written ('FILL IN')",
        "consent.md: FILL IN is left in line 3, 9, 13, 17, 21, 25, 29, 33; write what belongs there",
    ]


@pytest.mark.parametrize(
    ("name", "old", "fresh", "text"),
    [
        (
            "study.toml",
            "amount = 0.90",
            "amount = 0.80",
            "0.80 GBP for 6 minutes is 8.00 an hour, under 9.00; pay 0.90",
        ),
        ("study.toml", "per_hour = 9.0", "per_hour = 12.0", "is 9.00 an hour, under 12.00; pay 1.20 or more"),
        ("study.toml", "use = false", "use = true", "codes has no 'attention'; copy it from the study's page"),
        (
            "study.toml",
            'complete = "", declined = ""',
            'complete = "C", declined = "C"',
            "codes complete and declined are the same",
        ),
        ("study.toml", "checks = 2", "checks = 1", "failed-checks looks for more than 1 of 1 checks"),
        ("study.toml", "seed = 0", "seed = 1", "it differs in lists, stimuli); type 'deixis study check"),
        ("study.toml", 'order = "counterbalanced"', 'order = "fixed"', "answer gives position away in demonstrative"),
        ("study.toml", "practice = 2", "practice = two", "is no TOML"),
        ("study.toml", "seed = 0", "sead = 0", "[study] sead is unknown; nearest: seed"),
        ("consent.md", "## How you can withdraw", "## Withdrawing", "does not have the heading 'How you can withdraw'"),
    ],
)
def test_each_thing_that_is_wrong(folder: Path, name: str, old: str, fresh: str, text: str) -> None:
    edit(folder, (old, fresh), name=name)
    assert text in "\n".join(missing(folder))


def test_a_missing_text_is_said_once_beside_the_rest(folder: Path) -> None:
    (folder / "debriefing.md").unlink()
    edit(folder, ("amount = 0.90", "amount = 0.10"))
    assert [line.split(":")[0] for line in missing(folder)] == ["debriefing.md", "study.toml"]


def test_words_of_advice_do_not_hold_anybody_up(folder: Path) -> None:
    edit(folder, ("people = 120", "people = 121"), ("description = false", "description = true"))
    write_study(folder, read_plan(folder))
    found = check(folder)
    assert found.ready
    notes = [finding.text for finding in found.findings]
    assert "121 people do not divide into 4 arms; 124 would" in notes
    assert any("another condition" in note for note in notes)


def test_uneven_is_more_than_one_apart_or_anything_where_it_divides() -> None:
    table = [
        Row("1", "b", "even", {"x": 8, "y": 8}),
        Row("1", "b", "odd", {"x": 8, "y": 7}),
        Row("1", "b", "wrong", {"x": 9, "y": 7}),
    ]
    assert uneven(table) == ["wrong is not balanced in b, arm 1: x 9, y 7"]


def test_balance_of_the_follow_up_is_counted(tmp_path: Path) -> None:
    study = open_study(ready(tmp_path / "study", "follow-up"))
    table = rows(study.plan, study.manifest)
    arms = {row.arm for row in table}
    assert len(arms) == 9
    counted = {(row.arm, row.block, row.factor): dict(row.counts) for row in table}
    for arm in arms - {"all"}:
        for block in ("vocabulary", "possessive", "demonstrative"):
            assert counted[arm, block, "speaker"] == {"boy": 8, "girl": 8}
            assert counted[arm, block, "position"] == dict.fromkeys("1234", 4)
    assert counted["all", "possessive", "position"] == dict.fromkeys("1234", 32)
    assert aliased(study.plan, study.manifest) == []
    assert unsquare(study.plan, study.manifest) == []


def test_time_and_pay() -> None:
    """16 trials, two for practice and two checks of 5.6 s each; 110 s of reading. 0.90 in six minutes is 9 an hour."""
    found = cost(Plan("x", "X", DESIGNS["production-vocabulary"], people=10, amount=0.9, minutes=6))
    assert found.minutes == pytest.approx((20 * 5.6 + 110) / 60)
    assert found.per_hour == pytest.approx(9)
    assert found.whole == pytest.approx(9)


def test_the_commands(tmp_path: Path) -> None:
    place = str(tmp_path / "pilot 2")
    told = CliRunner().invoke(
        commands, ["new", "production-vocabulary", "--out", place, "--people", "8", "--seed", "4"]
    )
    assert told.exit_code == 0
    assert "then type 'deixis study check" in told.output
    assert read_plan(Path(place)).id == "pilot-2"
    found = CliRunner().invoke(commands, ["check", place])
    assert found.exit_code == 1
    assert "missing  consent.md: FILL IN is left" in found.output
    assert "5 missing or wrong; the study cannot start yet" in found.output
    edit(Path(place), ('"FILL IN"', '"Something"'))
    edit(Path(place), ("FILL IN", "So"), name="consent.md")
    assert CliRunner().invoke(commands, ["check", place]).exit_code == 1
    done = CliRunner().invoke(commands, ["check", place, "--write", "--every-arm"])
    assert done.exit_code == 0, done.output
    assert "pay      0.90 GBP each, 9.00 an hour, 7.20 for 8 people before fees" in done.output
    assert "vocabulary    speaker        3                 boy 8, girl 8" in done.output
