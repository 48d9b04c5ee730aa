"""What a report is made from: which runs belong together, who counts once, and that several processes find the same."""

from pathlib import Path

import pandas as pd
import pytest

from deixis.errors import UsageError
from deixis.report import gather as gathering
from deixis.report.gather import at_work, gather, whole
from deixis.report.sections import groups
from deixis.scoring.results import PROTOCOL
from tests.report.runs import Says, asked, planned


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Possessives for people, 32 trials, with one model that says *I prefer mine*."""
    return asked(tmp_path_factory.mktemp("run"), "possessive", Says())


def test_two_versions_of_a_design_are_refused_with_what_differs(run: Path, tmp_path: Path) -> None:
    asked(tmp_path, "possessive", Says("demo/other"), settings={"list": "all"})
    with pytest.raises(UsageError) as told:
        gather([run, tmp_path], PROTOCOL)
    line = str(told.value)
    assert "ask possessive-people in two versions (" in line
    assert "list '1' and 'all'" in line
    assert line.endswith("report them one by one, or compare them with 'deixis compare'")
    assert "\n" not in line


def test_other_draws_of_a_seed_are_another_version(run: Path, tmp_path: Path) -> None:
    asked(tmp_path, "possessive", seed=1)
    with pytest.raises(UsageError, match=r"two versions \(data '[0-9a-f]+' and '[0-9a-f]+'\)"):
        gather([run, tmp_path], PROTOCOL)


def test_a_participant_in_two_runs_is_refused(run: Path, tmp_path: Path) -> None:
    asked(tmp_path, "possessive", Says())
    with pytest.raises(UsageError, match=r"demo/mine answered possessive-people in '.+' and in '.+'; report the runs"):
        gather([run, tmp_path], PROTOCOL)


def test_a_run_named_twice_counts_once(run: Path) -> None:
    assert len(gather([run, run], PROTOCOL)) == 1


def test_reference_participants_of_two_runs_count_once(run: Path, tmp_path: Path) -> None:
    asked(tmp_path, "possessive", Says("demo/other", "You prefer yours."))
    designs = gather([run, tmp_path], PROTOCOL)
    table = whole(designs)
    counts = table["participant"].value_counts().to_dict()
    assert set(counts.values()) == {32}
    assert {"demo/mine", "demo/other", "strategy:oracle"} < set(counts)
    assert sum(len(design.table) for design in designs) - len(table) == 32 * (len(counts) - 2)


def test_protocols_of_a_design_stand_beside_one_another(run: Path, tmp_path: Path) -> None:
    asked(tmp_path, "possessive", Says(), protocol="published")
    designs = gather([run, tmp_path], PROTOCOL)
    assert [(design.name, design.leading) for design in designs] == [("possessive-people", True)] * 2
    table = whole(designs)
    for who in ("demo/mine", "strategy:oracle"):
        counts = table[table["participant"] == who].groupby("protocol", observed=True).size()
        assert counts.to_dict() == {"corrected": 32, "published": 32}, who


def test_the_first_design_of_an_experiment_leads(run: Path, tmp_path: Path) -> None:
    asked(tmp_path, "vocabulary", Says("demo/noun", "I prefer the hammer."))
    asked(tmp_path, "possessive", Says("demo/noun"), condition="picture-none")
    found = gather([tmp_path, run], PROTOCOL)
    assert [(design.name, design.leading) for design in found] == [
        ("vocabulary-people", True),
        ("possessive-picture-none", True),
        ("possessive-people", False),
    ]
    assert [bool(design.fingerprints) for design in found] == [True, True, False]


def test_several_processes_find_the_same(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked(tmp_path, "vocabulary", Says("demo/noun", "I prefer the hammer."), people=2)
    runs = [run, tmp_path]
    with at_work(runs, 2) as pool:
        assert pool is None, "so little is read in this process"
    alone = gather(runs, PROTOCOL)
    monkeypatch.setattr(gathering, "_MUCH", 0)
    with at_work(runs, 1) as pool:
        assert pool is None
    with at_work(runs, 2) as pool:
        assert pool is not None
        shared = gather(runs, PROTOCOL, pool=pool)
    assert len(shared) == len(alone) == 2
    for one, other in zip(alone, shared, strict=True):
        pd.testing.assert_frame_equal(one.table, other.table)
        for name in ("run", "name", "signature", "notes", "signatures", "telling", "forced", "fingerprints"):
            assert getattr(one, name) == getattr(other, name), name
        assert one.section == other.section
        assert one.entries == other.entries


def test_people_of_a_study_are_one_group(tmp_path: Path) -> None:
    asked(tmp_path, "vocabulary", Says("demo/noun", "I prefer the hammer."), people=3)
    (design,) = gather([tmp_path], PROTOCOL)
    found = groups(design.table)
    assert {name: len(part) for name, part in found.items() if not name.startswith("strategy:")} == {
        "people:simulated (3 people)": 48,
        "demo/noun": 16,
    }
    (row,) = (row for row in design.section["overall"] if row["kind"] == "people")
    assert (row["participant"], row["n"], row["answer"]) == ("people:simulated (3 people)", 48, "choice")
    assert not any(
        "people:simulated/" in str(row) for name in ("overall", "errors", "cells") for row in design.section[name]
    )


def test_what_nobody_has_answered_is_gathered(tmp_path: Path) -> None:
    (design,) = gather([planned(tmp_path)], PROTOCOL)
    assert design.table.empty
    assert design.telling == ("nobody has been asked yet",)
    assert whole([design]).empty
