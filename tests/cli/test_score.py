"""``deixis score`` as a user meets it: readers, judges behind a server or a dead port, comparisons, sheets."""

import csv
import io
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from deixis.cli.app import main
from deixis.records import Trial
from deixis.scoring.reading import VERSIONS
from tests.participants.chat_server import ChatServer, Received, Reply
from tests.scoring.bench import NAME, VAGUE, Judge, judged, planned, run_of

pytest.importorskip("inspect_ai", reason="needs the package inspect-ai (pip install 'deixis[api]')")
from deixis.participants import api

MODEL = "openai-api/scripted/model-x"
Deixis = Callable[..., tuple[int, str, str]]


def half(trial: Trial) -> str:
    """Every second answer of those drawn is vague, the others are right."""
    return VAGUE if [drawn.id for drawn in planned(32)].index(trial.id) % 2 else trial.options[trial.answer].text


@pytest.fixture
def deixis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Deixis:
    """The command, run in this process: exit code, stdout, stderr."""
    monkeypatch.setattr(api, "_FIRST_WAIT", 0.001)
    monkeypatch.setenv("SCRIPTED_API_KEY", "sk-never-to-be-seen-4711")

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["deixis", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        came = capsys.readouterr()
        assert "Traceback" not in came.err
        return int(ended.value.code or 0), came.out, came.err

    return call


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return run_of(tmp_path / "run", half, count=32)


def says_right(received: Received, attempt: int) -> Reply:
    """Settles every answer on an option that the text itself does not name: the one that comes first by alphabet."""
    options = dict(re.findall(r"^([A-D])\) (.*)$", received.text, re.MULTILINE))
    options = {text: letter for letter, text in options.items()}
    return Reply(f"VERDICT: {options['I prefer mine']}")


def test_readers_by_name(run: Path, deixis: Deixis) -> None:
    assert f"all read by {VERSIONS['strict']}" in deixis("score", run)[1]
    assert "all read by published-1" in deixis("score", run, "--reader", "published")[1]
    code, out, err = deixis("score", run, "--csv", "--reader", "published")
    assert (code, out.splitlines()[0][:11]) == (0, "experiment,")
    assert "all read by published-1" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--reader", "x"), "unknown reader 'x'; there is strict, published"),
        (("--compare", "strict", "x"), "no reading 'x'; there is strict, published, judge:NAME"),
        (("--compare", "strict", "judge:nobody"), "no verdicts of a judge 'nobody'"),
        (("--judge", "strategy:oracle"), "writes no text, so it cannot judge"),
        (("--judge", "nobody"), "unknown participant 'nobody'"),
        (("--judge", "gguf:smollm2", "--limit", "0"), "--limit 0 judges nothing"),
        (("--judge", NAME, "--connections", "0"), "--connections 0"),
        (("--judge", NAME, "--max-cost", "1"), "give --price IN,OUT"),
        (("--judge-all",), "--judge-all says nothing without --judge"),
        (("--threads", "2"), "--threads says nothing without --judge"),
        (("--examples", "2"), "--examples says nothing without --compare"),
        (("--seed", "2"), "--seed says nothing without --validate"),
        (("--out", "x"), "--out says nothing without --validate"),
        (("--compare", "strict", "published", "--csv"), "--compare takes no --csv"),
        (("--validate", "2", "--validated", "x"), "--validate and --validated are two things to do"),
        (("--validate", "0"), "--validate 0 draws nothing"),
        (("--validated", "none.csv"), "no file 'none.csv'"),
        (("-p", "nobody"), "no participant 'nobody' in this run; there is openai-api/scripted/model-x"),
        (("--compare", "strict", "published", "-p", "nobody"), "no participant 'nobody'"),
    ],
)
def test_faults_are_one_line(run: Path, deixis: Deixis, words: tuple[str, ...], told: str) -> None:
    code, out, err = deixis("score", run, *words)
    assert (code, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1


def test_a_judge_behind_a_server_then_kept(run: Path, deixis: Deixis, monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer(says_right) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        code, out, err = deixis("score", run, "--judge", NAME, "--connections", "4")
        first = len(server.requests)
    assert (code, first) == (0, 16)
    assert f"all read by {VERSIONS['strict']}+judge-1:{NAME}" in out
    assert f"{NAME} on {MODEL}: of 16 answers 16 got a verdict (option 16, several 0, refused 0, none 0)" in out
    assert "32        32" in out
    assert "warning: the judge" not in err
    assert not any("sk-never" in request.text for request in server.requests)
    again = deixis("score", run, "--judge", NAME)  # at a port where nobody is: nobody needs to be
    assert again[:2] == (0, out)
    told = deixis("score", run, "--compare", "strict", f"judge:{NAME}", "--examples", "2")[1]
    assert f"{MODEL}: 16 of 32 read otherwise" in told
    assert told.count("possessive/") == 2


def test_a_judge_at_a_dead_port_scores_nothing_and_says_so(
    run: Path, deixis: Deixis, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("SCRIPTED_BASE_URL", f"http://127.0.0.1:{port}/v1")
    monkeypatch.setattr(api, "RETRIES", 1)
    code, out, err = deixis("score", run, "--judge", NAME)
    assert code == 3
    assert f"{NAME} on {MODEL}: of 16 answers 0 got a verdict" in out
    assert "32        16     0.500" in out
    assert "some answers got no verdict" in err.splitlines()[-1]
    code, out, _ = deixis("score", run, "--judge", NAME, "--judge-all")
    assert code == 3
    assert "     0         0         –" in out  # nothing is right or wrong that nobody read
    assert "errored 32" in out


def test_a_limit_judges_so_many(run: Path, deixis: Deixis, monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer(says_right) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        code, out, _ = deixis("score", run, "--judge", NAME, "--limit", "5")
        assert (code, len(server.requests)) == (0, 5)
        assert "5 got a verdict" in out
        assert "11 none (not asked yet 11)" in out
        code, _, err = deixis("score", run, "--judge", NAME, "--max-trials", "3", "--connections", "1")
        assert (code, len(server.requests)) == (3, 8)
        assert "the budget is spent" in err


def test_kin_are_warned_of(tmp_path: Path, deixis: Deixis, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(tmp_path / "run", half, "openai/gpt-4o", 32)
    with ChatServer(says_right) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        _, out, err = deixis("score", run, "--judge", "openai-api/scripted/gpt-5-mini", "--csv")
    assert "warning: the judge openai-api/scripted/gpt-5-mini is of the family of openai/gpt-4o (gpt)" in err
    assert out.startswith("experiment,")
    assert "judge-1:openai-api/scripted/gpt-5-mini" in err


def test_one_participant_alone(run: Path, deixis: Deixis) -> None:
    run_of(run, half, "openai-api/scripted/model-y", 32)
    out = deixis("score", run, "-p", MODEL)[1]
    assert MODEL in out
    assert "model-y" not in out


def test_a_sheet_is_drawn_filled_and_read_back(
    run: Path, deixis: Deixis, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "sheet.csv"
    code, out, err = deixis("score", run, "--validate", "20", "--out", path, "--seed", "3")
    assert (code, out) == (0, f"{path}\n")
    assert err == "20 answers to read (answered 10, unreadable 10, as the reader has them)\n"
    assert deixis("score", run, "--validate", "20", "--out", path)[0] == 2
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
    for row in rows:  # the person finds "I prefer mine" in what is vague, but for two
        place = next((n for n in range(1, 5) if row["text"] == row[f"option_{n}"]), None)
        mine = next(n for n in range(1, 5) if row[f"option_{n}"] == "I prefer mine")
        row["person"] = str(place or mine)
    for row in [row for row in rows if row["text"] == VAGUE][:2]:
        row["person"] = "none"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    told = deixis("score", run, "--validated", path)[1]
    assert "person and reader: the same in 12 of 20 (0.600), κ 0." in told
    assert "both answered: the same option in 10 of 10" in told
    assert f"{MODEL}: 0.500 [" in told
    assert "over 32, corrected " in told
    with ChatServer(says_right) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        code, told, _ = deixis("score", run, "--validated", path, "--judge", NAME)
        assert code == 0
        assert len(server.requests) == 16 + 10  # what the reader left, and what else is on the sheet
    assert "person and judge: the same in " in told
    assert "reader and judge: the same in " in told
    assert "corrected for the errors of the reader and judge" in told


def test_a_sheet_stands_in_the_run_by_default(run: Path, deixis: Deixis) -> None:
    assert deixis("score", run, "--validate", "4")[1] == f"{run / 'validation.csv'}\n"
    rows = list(csv.DictReader(io.StringIO((run / "validation.csv").read_text(encoding="utf-8"), newline="")))
    (run / "validation.csv").write_text("id,person\n" + "".join(f"{row['id']},7\n" for row in rows))
    code, _, err = deixis("score", run, "--validated", run / "validation.csv")
    assert (code, err.count("\n")) == (2, 1)
    assert "row 2 has person '7'; write the number of an option, 1 to 4" in err


def test_verdicts_of_several_judges_stand_side_by_side(run: Path, deixis: Deixis) -> None:
    judged(run, Judge(lambda _prompt: "VERDICT: A"))
    other = Judge(lambda _prompt: "VERDICT: NONE")
    other.id = "openai-api/scripted/judge-y"  # type: ignore[misc]
    judged(run, other)
    told = deixis("score", run, "--compare", f"judge:{NAME}", "judge:openai-api/scripted/judge-y")[1]
    assert f"{MODEL}: 16 of 32 read otherwise" in told
    assert (
        "there is openai-api/scripted/judge-x, openai-api/scripted/judge-y"
        in deixis("score", run, "--compare", "strict", "judge:z")[2]
    )
