"""A replication kit gives the same numbers anywhere, and shows whatever was changed in it."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deixis.errors import StoreError, UsageError
from deixis.report import gather as gathering
from deixis.report.kit.layout import changes
from deixis.report.kit.making import _names, bundle
from deixis.report.kit.rebuilding import rebuild
from deixis.report.kit.versions import differing, requirements, versions
from tests.report.runs import Says, asked
from tests.scoring.bench import NAME, VAGUE, Judge, judged, run_of


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a model and people, with what an export of a study leaves beside them, and an older report."""
    folder = asked(tmp_path_factory.mktemp("data") / "run", "possessive", Says(), people=2)
    for name in ("pilot-flow.json", "pilot-left-out.csv", "numbers.csv"):
        (folder / name).write_text("{}\n")
    return folder


@pytest.fixture(scope="module")
def kit(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit of a run of models and people, and of a second run whose folder has the same name."""
    other = asked(tmp_path_factory.mktemp("more") / "run", "vocabulary", Says("demo/noun", "I prefer the hammer."))
    folder = tmp_path_factory.mktemp("kits") / "kit"
    bundle([run, other, run], folder)
    return folder


@pytest.fixture
def copy(kit: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kit, tmp_path / "elsewhere" / "moved"))


def test_it_holds_everything_and_no_path_of_this_machine(kit: Path, run: Path) -> None:
    assert sorted(path.name for path in kit.iterdir()) == [
        "MANIFEST.sha256", "README.md", "kit.json", "report", "requirements.txt", "runs", "signatures.json",
    ]  # fmt: skip
    assert json.loads((kit / "kit.json").read_text())["runs"] == ["run", "run-2"]
    signatures = json.loads((kit / "signatures.json").read_text())
    assert signatures["run"]["possessive-people"]["participants"]["demo/mine"]["weights"] == "none"
    assert (kit / "runs/run/possessive-people/trials.jsonl").read_bytes() == (
        run / "possessive-people" / "trials.jsonl"
    ).read_bytes()
    assert sorted(path.name for path in (kit / "runs/run").iterdir()) == ["pilot-flow.json", "possessive-people"]
    texts = [path for path in kit.rglob("*") if path.suffix in {".json", ".csv", ".md", ".tex", ".html", ".txt"}]
    assert len(texts) > 50
    assert [path for path in texts if str(run.parent) in path.read_text(encoding="utf-8")] == []


def test_the_manifest_is_what_sha256sum_reads(kit: Path) -> None:
    for line in (kit / "MANIFEST.sha256").read_text(encoding="utf-8").splitlines():
        digest, name = line.split("  ", 1)
        assert hashlib.sha256((kit / name).read_bytes()).hexdigest() == digest


def test_moved_and_rebuilt_by_another_process_every_number_is_the_same(copy: Path) -> None:
    command = [sys.executable, "-m", "deixis", "report", "--rebuild", str(copy)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONHASHSEED": "7"}
    )
    assert done.returncode == 0, done.stderr
    numbers = sum(1 for path in (copy / "report").rglob("*") if path.suffix in {".csv", ".md", ".tex"})
    assert done.stdout.splitlines()[-1] == f"rebuilt: all {numbers} files of numbers are the same to the last byte"


def test_on_several_cores_and_into_a_folder_in_use_the_numbers_are_the_same(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "_MUCH", 0)
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.csv").write_text("a,b\n")
    found = rebuild(copy, out, workers=2)
    assert (found.same, found.drawn, found.versions) == (True, (), ())
    assert (out / "numbers.csv").read_bytes() == (copy / "report" / "numbers.csv").read_bytes()
    assert (out / "mine.csv").read_text() == "a,b\n"


def test_verdicts_are_in_it_and_read_as_they_were(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", lambda _trial: VAGUE, count=32)
    judged(run, Judge(lambda _prompt: "VERDICT: A"))
    bundle([run], tmp_path / "kit", reading=f"judge:{NAME}")
    (kept,) = (tmp_path / "kit/runs/run").glob("*/verdicts/*.jsonl")
    assert kept.read_bytes() == (run / kept.relative_to(tmp_path / "kit/runs/run")).read_bytes()
    shutil.rmtree(run)
    assert rebuild(tmp_path / "kit").same
    kept.unlink()
    assert rebuild(tmp_path / "kit").changed == (f"{kept.relative_to(tmp_path / 'kit').as_posix()} is missing",)


def _tamper(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join([lines[0].replace("mine", "yours"), *lines[1:]]), encoding="utf-8")


def test_what_was_changed_lost_or_added_is_named_and_nothing_rebuilt(copy: Path) -> None:
    answers = copy / "runs/run/possessive-people/answers"
    _tamper(answers / "demo-mine-{}.jsonl".format(next(answers.glob("demo-mine-*.jsonl")).stem[-8:]))
    (answers / "strategy-chance.jsonl").unlink()
    (answers / "late.jsonl").write_text("{}\n")
    found = rebuild(copy)
    assert not found.same
    assert [line.rpartition("/")[2] for line in found.changed][1:] == [
        "late.jsonl is added",
        "strategy-chance.jsonl is missing",
    ]
    assert found.changed[0].endswith(".jsonl is changed")
    assert list(found.lines())[-1] == "not rebuilt: 3 files are not as MANIFEST.sha256 says"


def test_a_number_that_does_not_follow_from_the_data_is_found(copy: Path) -> None:
    """Even where whoever changed it also mended the manifest."""
    numbers = copy / "report" / "numbers.csv"
    old = hashlib.sha256(numbers.read_bytes()).hexdigest()
    numbers.write_text(numbers.read_text() + "vocabulary,people,corrected,demo/better,boy,I,0,1,1,1,1,1\n")
    manifest = copy / "MANIFEST.sha256"
    manifest.write_text(manifest.read_text().replace(old, hashlib.sha256(numbers.read_bytes()).hexdigest()))
    found = rebuild(copy)
    assert found.differ == ("numbers.csv",)
    assert not found.same


def test_what_lies_beside_the_kit_does_not_matter(copy: Path) -> None:
    for name in (".git/HEAD", "venv/lib/module.py", ".DS_Store"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).touch()
    assert changes(copy) == []
    (copy / "report" / "tables" / "table10.csv").touch()
    assert changes(copy) == ["report/tables/table10.csv is added"]


@pytest.mark.parametrize("name", ["requirements.txt", "kit.json", "report/numbers.csv", "README.md"])
def test_a_file_of_the_kit_that_is_lost_is_named(copy: Path, name: str) -> None:
    (copy / name).unlink()
    assert changes(copy) == [f"{name} is missing"]


@pytest.mark.parametrize("name", ["requirements.txt", "kit.json"])
def test_what_the_manifest_forgot_is_a_line_and_no_traceback(copy: Path, name: str) -> None:
    (copy / name).unlink()
    manifest = copy / "MANIFEST.sha256"
    lines = manifest.read_text().splitlines(keepends=True)
    manifest.write_text("".join(line for line in lines if not line.endswith(f" {name}\n")))
    with pytest.raises(StoreError, match=f"cannot read .*{name}.*restore"):
        rebuild(copy)


def test_places_that_are_taken_or_within_a_run_are_refused(run: Path, kit: Path, tmp_path: Path) -> None:
    for folder, told in [(kit, "is there already"), (run / "kit", "lies within the run")]:
        with pytest.raises(UsageError, match=told):
            bundle([run], folder)
    with pytest.raises(StoreError, match="no run in"):
        bundle([tmp_path], tmp_path / "kit")
    with pytest.raises(StoreError, match="no replication kit in"):
        rebuild(tmp_path)
    with pytest.raises(UsageError, match="lies within the kit"):
        rebuild(kit, kit / "again")
    assert list(tmp_path.iterdir()) == []


def test_a_kit_that_cannot_be_made_leaves_nothing(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no reading 'loosely'"):
        bundle([run], tmp_path / "kit", reading="loosely")
    assert list(tmp_path.iterdir()) == []


def test_faults_are_told_of_the_run_and_not_of_its_copy(run: Path, tmp_path: Path) -> None:
    again = Path(shutil.copytree(run, tmp_path / "RUN"))
    with pytest.raises(UsageError) as told:
        bundle([run, again], tmp_path / "kit")
    assert f"in {str(run)!r} and in {str(again)!r}" in str(told.value)
    answers = next((again / "possessive-people" / "answers").glob("demo-mine-*.jsonl"))
    answers.write_text("{{}\n")
    with pytest.raises(StoreError) as damaged:
        bundle([again], tmp_path / "kit")
    assert str(damaged.value).startswith(f"{str(answers)!r} line 1 is damaged")
    assert list(tmp_path.iterdir()) == [again]


def test_names_of_runs_differ_on_every_file_system() -> None:
    runs = [Path("a/run"), Path("b/Run"), Path("run-2"), Path("c/run")]
    assert [*_names(runs)] == ["run", "Run-2", "run-2-2", "run-3"]


def test_versions_are_those_installed_and_differences_are_told() -> None:
    found = versions()
    assert next(iter(found)) == "deixis"
    assert {"numpy", "pandas", "jinja2", "scipy"} <= set(found)
    assert "pytest" not in found
    assert differing(requirements()) == []
    assert differing(requirements().replace(f"scipy=={found['scipy']}", "scipy==1.0")) == [
        f"scipy 1.0 (here {found['scipy']})"
    ]
