"""The folder of a study: what is written, that it is read back, and that what was changed is found."""

import csv
import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from deixis.errors import UsageError
from deixis.study.designs import DESIGNS
from deixis.study.folder import new_study, open_study, write_study
from deixis.study.settings import Plan, read_plan
from deixis.study.starting import id_from
from deixis.study.texts import html
from tests.study.written import edit, new


def made(
    folder: Path,
    design: str = "comprehension",
    protocol: str = "corrected",
    settings: Mapping[str, str] | None = None,
    seed: int = 0,
    people: int | None = None,
) -> Plan:
    return new_study(folder, design, name="x", seed=seed, people=people, protocol=protocol, settings=settings or {})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return new(tmp_path / "study")


@pytest.mark.parametrize("design", DESIGNS)
def test_new_writes_all_files(tmp_path: Path, design: str) -> None:
    found = new(tmp_path / "a" / "study", design)
    names = {path.relative_to(found).as_posix() for path in found.rglob("*") if path.suffix != ".svg"} - {"pictures"}
    texts = {f"instructions/{block.id}.md" for block in DESIGNS[design].blocks}
    made = {"study.toml", "consent.md", "debriefing.md", "instructions", "manifest.json", "lists.csv"}
    assert names == made | texts
    assert not any("{" in (found / name).read_text() for name in (*texts, "consent.md", "debriefing.md"))


def test_the_consent_has_seven_headings_each_with_something_to_write(folder: Path) -> None:
    parts = (folder / "consent.md").read_text().split("\n## ")
    assert len(parts) == 8
    assert all("FILL IN" in part for part in parts)


def test_new_leaves_a_folder_with_something_in_it_alone(folder: Path) -> None:
    with pytest.raises(UsageError, match="there is something in .* already; give another folder"):
        made(folder)


@pytest.mark.parametrize(
    ("design", "protocol", "settings", "message"),
    [
        ("production", "corrected", {}, "no study 'production'; nearest: production-"),
        ("comprehension", "described", {}, "comprehension has no protocol 'described'; there is corrected, published"),
        ("indexicals", "corrected", {"boy": "left"}, "the setting 'boy' changes nothing of indexicals, corrected"),
        ("production-vocabulary", "corrected", {"list": "2"}, "the setting 'list' changes nothing of"),
    ],
)
def test_new_refuses_what_is_not_there(
    tmp_path: Path, design: str, protocol: str, settings: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        made(tmp_path / "study", design, protocol, settings)
    assert not (tmp_path / "study").exists()


def test_settings_seed_and_people_reach_the_study(tmp_path: Path) -> None:
    plan = made(tmp_path / "s", "comprehension", "published", {"boy": "right"}, seed=3, people=9)
    assert (plan.seed, plan.people, plan.protocol, plan.settings["boy"]) == (3, 9, "published", "right")


def test_a_study_is_opened_with_its_pictures(folder: Path) -> None:
    study = open_study(folder)
    name = next(one.picture for one in study.manifest.stimuli.values() if one.picture)
    assert study.picture(name).startswith(b"<svg")
    for strange in ("../study.toml", "study.toml", "0" * 64 + ".svg"):
        with pytest.raises(KeyError):
            study.picture(strange)


@pytest.mark.parametrize(
    ("name", "old", "fresh", "differs"),
    [
        ("study.toml", "seed = 0", "seed = 1", "stimuli"),
        ("study.toml", "per_hour = 9.0", "per_hour = 8", "the settings"),
        ("debriefing.md", "Thank you", "Thanks", "debriefing"),
        ("instructions/demonstrative.md", "table", "desk", "blocks"),
        ("manifest.json", '"points": 7', '"points": 5', "scale"),
    ],
)
def test_what_was_changed_is_found_and_can_be_written(
    folder: Path, name: str, old: str, fresh: str, differs: str
) -> None:
    edit(folder, (old, fresh), name=name)
    with pytest.raises(UsageError, match=rf"it differs in .*{differs}.*\); type 'deixis study check .* --write'"):
        open_study(folder)
    write_study(folder, read_plan(folder))
    open_study(folder)


def test_pictures_are_checked_and_old_ones_go(folder: Path) -> None:
    first = min((folder / "pictures").iterdir())
    first.write_bytes(b"<svg/>")
    (folder / "pictures" / "old.svg").write_bytes(b"<svg/>")
    with pytest.raises(UsageError, match="1 pictures are missing or changed"):
        open_study(folder)
    write_study(folder, read_plan(folder))
    assert not (folder / "pictures" / "old.svg").exists()
    assert len(list((folder / "pictures").iterdir())) == 68
    open_study(folder)


def test_a_missing_or_broken_manifest_is_said(folder: Path) -> None:
    (folder / "manifest.json").write_text("[]")
    with pytest.raises(UsageError, match=r"manifest.json cannot be read; type"):
        open_study(folder)
    (folder / "manifest.json").unlink()
    with pytest.raises(UsageError, match=r"there is no manifest.json; type"):
        open_study(folder)


def test_lists_are_written_for_the_researcher(folder: Path) -> None:
    rows = list(csv.DictReader((folder / "lists.csv").read_text().splitlines()))
    assert len(rows) == 4 * 32 + 2 + 2
    assert [row["part"] for row in rows[-4:]] == ["practice"] * 2 + ["check"] * 2
    for row in rows[:128]:
        assert row["options"].split(" | ")[int(row["position"]) - 1] == row["right"]
        assert row["trial_id"].startswith("demonstrative/g")
        assert row["speaker"] in {"boy", "girl"}
    manifest = json.loads((folder / "manifest.json").read_text())
    for name in "1234":
        own = {row["key"] for row in rows if row["list"] == name}
        assert own == set(manifest["lists"][name]["demonstrative"])


def test_texts_are_markdown_without_html() -> None:
    found = html("# Hi\n\n**so** <script>alert(1)</script> [x](javascript:alert(1)) ![p](http://e.org/p.png)\n")
    assert found.startswith("<h1>Hi</h1>")
    assert "<strong>so</strong>" in found
    assert re.findall(r"<(?:script|img|a)[^>]*", found) == ['<a href="http://e.org/p.png"']


def test_an_id_is_made_of_a_folder_s_name(tmp_path: Path) -> None:
    assert id_from(tmp_path / "My Study 2") == "my-study-2"
    assert id_from(tmp_path / "???") == "FILL IN"
