"""``deixis analyse`` as a user meets it: tables in words and as CSV, and one line for every fault."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from deixis.cli.app import main
from tests.scoring.bench import run_of

Deixis = Callable[..., tuple[int, str, str]]


@pytest.fixture
def deixis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Deixis:
    """The command, run in this process: exit code, stdout, stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["deixis", "analyse", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        came = capsys.readouterr()
        assert "Traceback" not in came.err
        return int(ended.value.code or 0), came.out, came.err

    return call


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two participants on 32 trials: one always right, the other wrong on about one in four."""
    path = tmp_path_factory.mktemp("analyse") / "run"
    run_of(path, lambda trial: trial.options[trial.answer].text, "openai-api/scripted/right", 32)
    return run_of(
        path,
        lambda trial: trial.options[trial.answer if sum(map(ord, trial.id)) % 4 else trial.answer - 1].text,
        "openai-api/scripted/often",
        32,
    )


def test_tables_are_printed_and_written(run: Path, deixis: Deixis, tmp_path: Path) -> None:
    code, out, err = deixis(run, "--out", tmp_path / "new" / "tables")
    assert (code, err) == (0, "")
    for words in (
        "Accuracy, with Wilson",
        "McNemar's exact test",
        "openai-api/scripted/often",
        "no mixed: no task on scenes",
    ):
        assert words in out
    written = {path.name for path in (tmp_path / "new" / "tables").iterdir()}
    assert {"accuracy.csv", "pairs.csv"} <= written
    assert set(out.splitlines()[-len(written) :]) == {str(tmp_path / "new" / "tables" / name) for name in written}
    text = (tmp_path / "new" / "tables" / "accuracy.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert {row["participant"]: row["n"] for row in rows} == {
        "openai-api/scripted/right": "32",
        "openai-api/scripted/often": "32",
    }
    assert {row["participant"]: row["estimate"] for row in rows}["openai-api/scripted/right"] == "1.0"


def test_notes_stand_below_the_table_once(run: Path, deixis: Deixis) -> None:
    lines = deixis(run)[1].splitlines()
    notes = [line for line in lines if line.startswith("  note: the outcome does not vary")]
    assert len(notes) == 1
    assert notes[0].endswith("(1 row)")
    assert all("note" not in line.split() for line in lines if not line.startswith("  note: "))
    assert max(len(line) for line in lines if line.startswith("  ") and not line.startswith("  note")) < 200


def test_one_participant(run: Path, deixis: Deixis) -> None:
    out = deixis(run, "-p", "openai-api/scripted/right")[1]
    assert "scripted/often" not in out
    assert "no pairs: participant has a single level" in out


def test_published_numbers(deixis: Deixis) -> None:
    code, out, err = deixis("--published")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.split()[-1] for line in lines[2:5]] == ["True", "True", "False"]
    assert any("no count out of 3840 prints as 83.00%" in line for line in lines)
    assert sum("InternVL2.5-8B-MPO" in line for line in lines) == 3
    assert any(line.endswith("counts that are not printed (7 rows)") for line in lines)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name one run or more, or else --published alone"),
        (("RUN", "--published"), "name one run or more, or else --published alone"),
        (("nowhere",), "no run in 'nowhere'"),
        (("RUN", "-p", "x"), "no participant 'x' in "),
        (("RUN", "--reader", "x"), "unknown reader 'x'; there is strict, published"),
    ],
)
def test_faults_are_one_line(run: Path, deixis: Deixis, words: tuple[str, ...], told: str) -> None:
    code, out, err = deixis(*(run if word == "RUN" else word for word in words))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith("deixis: ")
    assert told in err


def test_a_folder_that_cannot_be_written_is_said(run: Path, deixis: Deixis, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, _, err = deixis(run, "--out", tmp_path / "file")
    assert code == 2
    assert err == f"deixis: cannot write into {str(tmp_path / 'file')!r}: File exists; name another folder\n"
