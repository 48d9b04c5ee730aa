"""``study.toml``: what is read from it, and that every fault is said, all of them at once."""

import math
from pathlib import Path

import pytest

from deixis.errors import UsageError
from deixis.study.designs import DESIGNS
from deixis.study.exclusions import Rule
from deixis.study.settings import most_minutes, read, read_plan
from tests.study.written import edit, new


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return new(tmp_path / "study")


@pytest.mark.parametrize("design", DESIGNS)
def test_what_new_writes_can_be_read(tmp_path: Path, design: str) -> None:
    plan, faults = read(new(tmp_path / "study", design))
    assert faults == []
    assert plan is not None
    assert plan.design is DESIGNS[design]
    assert (plan.id, plan.people, plan.minutes) == ("pilot-1", DESIGNS[design].people, DESIGNS[design].minutes)
    assert plan.amount == pytest.approx(9 * plan.minutes / 60)
    assert plan.rules[-4:] == (
        Rule("failed-checks", more_than=1),
        Rule("fast", median_below_ms=800 if plan.design.blocks[0].kind == "scene-choice" else 3000),
        Rule("straight-lining"),
        Rule("incomplete"),
    )
    assert {rule.block for rule in plan.rules if rule.rule == "below-chance"} == (
        {"vocabulary", "possessive", "demonstrative"} if design == "follow-up" else {""}
    )


def test_everything_has_a_say(folder: Path) -> None:
    edit(
        folder,
        ("seed = 0", "seed = 7"),
        ("people = 120", "people = 12"),
        ('boy = "left"', 'boy = "right"'),
        ('art = "twemoji"', 'art = "openmoji"'),
        ("practice = 2", "practice = 1"),
        ("checks = 2", "checks = 3"),
        ("minutes = 6.0", "minutes = 5"),
        ("max_minutes = 13", "max_minutes = 30"),
        ("resume_within_minutes = 13", "resume_within_minutes = 60"),
        ("idle_minutes = 10", "idle_minutes = 4"),
        ("amount = 0.90", "amount = 2"),
        ('"GBP"', '"EUR"'),
        ("per_hour = 9.0", "per_hour = 12"),
        ("use = false", "use = true"),
        ('complete = ""', 'complete = "C1"'),
        ('["desktop", "tablet", "phone"]', '["desktop"]'),
        ("description = false", "description = true"),
        ('plan = "FILL IN"', 'plan = ["one", "two"]'),
    )
    plan = read_plan(folder)
    assert (plan.seed, plan.people, plan.practice, plan.checks) == (7, 12, 1, 3)
    assert plan.settings == {"order": "counterbalanced", "boy": "right", "art": "openmoji"}
    assert (plan.minutes, plan.max_minutes, plan.resume_within_minutes, plan.idle_minutes) == (5, 30, 60, 4)
    assert (plan.amount, plan.currency, plan.per_hour) == (2, "EUR", 12)
    assert (plan.prolific, plan.codes, plan.devices, plan.description) == (True, {"complete": "C1"}, ("desktop",), True)
    assert plan.analysis == ("one", "two")


@pytest.mark.parametrize(
    ("old", "fresh", "fault"),
    [
        ("practice = 2", "practise = 2", "[design] practise is unknown; nearest: practice; there is settings"),
        ("practice = 2", "practice = 2.5", "[design] practice is 2.5; write a whole number from 0 to 4"),
        ("practice = 2", "practice = true", "[design] practice is True; write a whole number from 0 to 4"),
        ("seed = 0", 'seed = "0"', "[study] seed is '0'; write a whole number from 0"),
        ('id = "pilot-1"', 'id = "Pilot 1"', "[study] id is 'Pilot 1'; write up to 48 of a-z, 0-9 and hyphens"),
        ('"production-demonstrative"', '"production"', "[study] design is 'production'; nearest: production-"),
        ('"corrected"', '"described"', "[study] protocol is 'described'; there is corrected, published"),
        ('boy = "left"', 'boy = "middle"', "[design.settings] boy is 'middle'; there is left, right"),
        ('boy = "left"', 'list = "2"', "[design.settings] list is unknown; there is order, boy, art"),
        ("minutes = 6.0", "minutes = inf", "[time] minutes is inf; write a number from 0.5 to 600"),
        ("amount = 0.90", "amount = -1", "[pay] amount is -1; write a number of 0 or more"),
        ("amount = 0.90", "amount = nan", "[pay] amount is nan; write a number of 0 or more"),
        ("use = false", 'use = "no"', "[prolific] use is 'no'; write true or false"),
        ("complete =", "completed =", "[prolific.codes] completed is unknown; nearest: complete; there is complete,"),
        ('"tablet"', '"tabled"', "[devices] allowed has 'tabled'; nearest: tablet; there is desktop, tablet, phone"),
        ("[pay]", "[payment]", "[study.toml] payment is unknown; nearest: pay; there is study, design"),
        ('"fast"', '"slow"', "[exclusions.rules 3] rule is 'slow'; there is below-chance"),
        (
            "more_than = 1",
            "more = 1",
            "[exclusions.rules 2] more is unknown; nearest: more_than; there is rule, more_than",
        ),
        ("alpha = 0.05", "alpha = 5", "[exclusions.rules 1] alpha is 5; write a number from 0 to 1"),
        ("seed = 0", "seed =", "is no TOML: "),
    ],
)
def test_faults_name_the_value_and_the_way_out(folder: Path, old: str, fresh: str, fault: str) -> None:
    edit(folder, (old, fresh))
    _, faults = read(folder)
    assert any(found.startswith(fault) for found in faults), faults
    with pytest.raises(UsageError):
        read_plan(folder)


def test_all_faults_are_said_at_once(folder: Path) -> None:
    edit(folder, ("seed = 0", "seed = -1"), ("practice = 2", "practice = 99"), ("use = false", "use = 1"))
    _, faults = read(folder)
    assert len(faults) == 3
    with pytest.raises(UsageError, match=r"study.toml: \[study\] seed is -1; .* \(2 more; 'deixis study check"):
        read_plan(folder)


def test_codes_are_no_part_of_the_record(folder: Path) -> None:
    before = read_plan(folder).record
    edit(folder, ('complete = ""', 'complete = "SECRET"'))
    assert read_plan(folder).codes == {"complete": "SECRET"}
    assert read_plan(folder).record == before
    assert "SECRET" not in str(before)


def test_the_maximum_time_of_prolific() -> None:
    """2 + m + 2·√m minutes, rounded up: 12.9 of 6 and 20.9 of 12."""
    assert [most_minutes(6), most_minutes(12)] == [13, 21]
    assert most_minutes(4) == 2 + 4 + 2 * math.isqrt(4)


def test_a_folder_without_settings(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read study.toml; 'deixis study new DESIGN"):
        read_plan(tmp_path)
