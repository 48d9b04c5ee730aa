"""``deixis report --bundle`` and ``--rebuild`` as a user meets them: last lines, exit codes, every refusal."""

from collections.abc import Callable
from pathlib import Path

import pytest

from deixis.cli.app import main
from tests.report.runs import asked

Deixis = Callable[..., tuple[int, str, str]]


@pytest.fixture
def deixis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Deixis:
    """The command, run in this process: exit code, stdout, stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["deixis", "report", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        came = capsys.readouterr()
        assert "Traceback" not in came.err
        return int(ended.value.code or 0), came.out, came.err

    return call


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return asked(tmp_path / "run", "vocabulary", people=1)


def test_made_rebuilt_and_changed(run: Path, tmp_path: Path, deixis: Deixis) -> None:
    kit = tmp_path / "kit"
    code, out, err = deixis(run, "--bundle", kit)
    assert (code, out.splitlines()[-1], err) == (0, str(kit), "")
    assert not (run / "report.html").exists()
    kit = kit.rename(tmp_path / "moved")
    code, out, err = deixis("--rebuild", kit)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].endswith("files of numbers are the same to the last byte")
    (kit / "runs/run/vocabulary-people/answers/more.jsonl").write_text("{}\n")
    code, out, err = deixis("--rebuild", kit)
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "runs/run/vocabulary-people/answers/more.jsonl is added",
        "not rebuilt: 1 file is not as MANIFEST.sha256 says",
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "no RUN to report"),
        (("RUN", "--bundle", "KIT", "--out", "OUT"), "holds its report; leave out --out"),
        (("RUN", "--bundle", "RUN/kit"), "lies within the run"),
        (("RUN", "--bundle", "RUN"), "is there already"),
        (("RUN", "--bundle", "KIT", "--reading", "judge:nobody"), "no verdicts of a judge 'nobody'"),
        (("RUN", "--rebuild", "KIT"), "takes everything from the kit"),
        (("--rebuild", "KIT", "--reading", "strict"), "takes everything from the kit"),
        (("--rebuild", "KIT"), "no replication kit in"),
        (("--rebuild", "RUN"), "no replication kit in"),
    ],
)
def test_refused_in_one_line(words: tuple[str, ...], told: str, run: Path, tmp_path: Path, deixis: Deixis) -> None:
    places = {"RUN": str(run), "KIT": str(tmp_path / "kit"), "OUT": str(tmp_path / "out")}
    given = [str(run / "kit") if word == "RUN/kit" else places.get(word, word) for word in words]
    code, out, err = deixis(*given)
    assert (code, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1
    assert "/.kit-" not in err
    assert list(tmp_path.iterdir()) == [run]
