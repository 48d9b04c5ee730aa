"""The command line as a user meets it: output, exit codes, one clear line for every fault."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import item_rows, write_csv

DEIXIS = [sys.executable, "-m", "deixis"]


def deixis(*words: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DEIXIS, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **environment},
        timeout=240,
    )


def refused(*words: object, code: int = 2, cwd: Path | None = None) -> str:
    """Run a command that must fail with one line, and return the line."""
    done = deixis(*words, cwd=cwd)
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if not line.startswith("items ")]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("deixis: ")
    return lines[0]


def asking(items: Path, folder: Path) -> list[object]:
    return ["run", "indexicals", "-p", "strategy:oracle", "--items", items, "--condition", "classic", "--out", folder]


@pytest.fixture(scope="module")
def reference_run(tmp_path_factory: pytest.TempPathFactory, few_items: Path) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "run"
    done = deixis(*asking(few_items, folder))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    assert lines[5] == str(folder / "report.html")
    return folder


def test_bare_and_version() -> None:
    assert "type 'deixis run'" in deixis().stdout
    assert deixis("--version").stdout.strip().count(".") == 2


def test_help_is_there_for_every_command() -> None:
    for command in (
        (),
        ("run",),
        ("score",),
        ("report",),
        ("trials",),
        ("show",),
        ("participants",),
        ("items", "import"),
        ("items", "lint"),
        ("items", "write"),
        ("items", "review"),
        ("scenes", "render"),
        ("scenes", "gallery"),
    ):
        done = deixis(*command, "--help")
        assert done.returncode == 0
        assert "Usage: " in done.stdout


def test_score_prints_csv_or_tables(reference_run: Path) -> None:
    rows = list(csv.DictReader(deixis("score", reference_run, "--csv").stdout.splitlines()))
    assert len(rows) == 11 * 16
    assert {row["accuracy"] for row in rows if row["participant"] == "strategy:oracle"} == {"1"}
    assert "95 % interval" in deixis("score", reference_run).stdout


def test_the_same_command_again_asks_nothing(reference_run: Path, few_items: Path) -> None:
    before = {path: path.read_bytes() for path in reference_run.rglob("*.jsonl")}
    assert deixis(*asking(few_items, reference_run)).returncode == 0
    assert {path: path.read_bytes() for path in reference_run.rglob("*.jsonl")} == before


def test_a_run_named_twice_is_reported_once_and_elsewhere(reference_run: Path, tmp_path: Path) -> None:
    done = deixis("report", reference_run, reference_run, "--out", tmp_path / "both")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == str(tmp_path / "both" / "report.html")
    assert (tmp_path / "both" / "report.html").read_text(encoding="utf-8").count('<section id="indexicals-') == 1


def test_trials_show_and_participants(tmp_path: Path) -> None:
    assert deixis("trials", "indexicals", "--csv").stdout.startswith(
        "trial_id,experiment,condition,protocol,indexical,"
    )
    assert deixis("trials", "indexicals", "--out", tmp_path / "t.parquet").returncode == 0
    assert "option_1 1600, option_2 1600" in deixis("trials", "indexicals").stdout
    assert "Past" in deixis("show", "tomorrow/001/quoted/shifted", "--protocol", "published").stdout
    assert "strategy:oracle" in deixis("participants").stdout


def test_items_are_imported_and_what_was_done_is_said(tmp_path: Path) -> None:
    rows = item_rows(1) + item_rows(2, shifted_option="Olga")
    path = write_csv(tmp_path / "items.csv", rows)
    done = deixis("items", "import", path, "--out", tmp_path / "items.jsonl")
    assert done.returncode == 0
    assert "1 items, 4 questions" in done.stderr
    assert "left out: an option never occurs in the passage: 1 in 1 items (I/002)" in done.stderr
    run = deixis("run", "-p", "strategy:chance", "--items", tmp_path / "items.jsonl", "--out", tmp_path / "run")
    assert run.returncode == 0
    verbose = deixis("items", "import", path, "--verbose", "--keep-damage")
    assert "2 items, 8 questions" in verbose.stderr
    assert "kept: I/002: an option never occurs" in verbose.stderr


def test_lint_names_rows_and_exits_1_on_errors(tmp_path: Path) -> None:
    sound = write_csv(tmp_path / "sound.csv", item_rows(1))
    done = deixis("items", "lint", sound)
    assert (done.returncode, done.stdout) == (0, "")
    assert "1 items, 4 questions: 0 errors, 0 cosmetic" in done.stderr
    spoilt = item_rows(1)
    spoilt[2]["shifted_option"] = "Olga"
    done = deixis("items", "lint", write_csv(tmp_path / "spoilt.csv", spoilt), "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert {entry["row"] for entry in found} == {"1-2"}
    assert "option-absent" in {entry["code"] for entry in found}
    assert set(found[0]) == {"row", "code", "severity", "message"}
    cosmetic = [{**row, "question": row["question"].replace(" who", "  who")} for row in item_rows(1)]
    done = deixis("items", "lint", write_csv(tmp_path / "cosmetic.csv", cosmetic))
    assert done.returncode == 0
    assert done.stdout.count("stray-spaces") == 4
    assert json.loads(deixis("items", "lint", sound, "--json").stdout) == []
    assert "near-duplicate" in deixis("items", "lint", "--checks").stdout


def test_a_fresh_set_is_written_linted_and_run(tmp_path: Path) -> None:
    done = deixis("items", "write", "--fresh", "7", "--out", tmp_path / "fresh.csv")
    assert done.stderr == "400 items, 3200 questions, seed 7\n"
    assert deixis("items", "lint", tmp_path / "fresh.csv").returncode == 0
    assert "3200 trials" in deixis("trials", "indexicals", "--items", tmp_path / "fresh.csv").stdout
    assert deixis("items", "write", "--fresh", "7").stdout.count("\n") == 400


def test_a_review_is_drawn_and_read_back(tmp_path: Path, few_items: Path) -> None:
    done = deixis("items", "review", few_items, "--out", tmp_path / "r", "--seed", "3", "--share", "0.5")
    assert done.stderr == "96 questions of 24 items to read\n"
    assert done.stdout.splitlines() == [str(tmp_path / "r" / name) for name in ("sheet.csv", "review.html", "key.json")]
    (tmp_path / "r" / "ida.csv").write_bytes((tmp_path / "r" / "sheet.csv").read_bytes())
    told = deixis("items", "review", "--read", tmp_path / "r" / "ida.csv").stdout
    assert "leaning is left open in 96 of 96 rows" in told


def test_a_writer_that_fails_leaves_its_replies(tmp_path: Path, smollm2: Path) -> None:
    asked = ("items", "write", "--indexical", "I", "-n", "1", "--budget", "1", "-p", "gguf:smollm2")
    words = (*asked, "--threads", "1", "--out", tmp_path)
    done = deixis(*words)
    assert done.returncode == 3
    assert "0 of 1 items after 1 requests" in done.stderr.splitlines()[-1]
    kept = (tmp_path / "replies.jsonl").read_bytes()
    assert kept.count(b"\n") == 1
    assert deixis(*words).returncode == 3
    assert (tmp_path / "replies.jsonl").read_bytes() == kept


def test_scenes_are_rendered_and_shown(tmp_path: Path) -> None:
    done = deixis("scenes", "render", "possessive", "--limit", "8", "--squares", "all", "--out", tmp_path / "p.zip")
    assert done.stdout == f"{tmp_path / 'p.zip'}\n"
    assert done.stderr.startswith("8 trials, ")
    name = "possessive/g03-broom-ring/aabb/t2/boy-speaks/girl-gazes"
    done = deixis("show", name, "--condition", "people", cwd=tmp_path)
    assert "right  option_4: You prefer yours" in done.stdout
    assert (tmp_path / f"{name.replace('/', '_')}.png").read_bytes().startswith(b"\x89PNG")
    assert deixis("scenes", "gallery", cwd=tmp_path).stdout == "gallery.html\n"


def test_faults_are_one_line(tmp_path: Path, reference_run: Path, few_items: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(1000) + b"tokenizer.chat_template")
    bad = write_csv(tmp_path / "bad.csv", item_rows(1, indexical="now"))
    for words, told in [
        (("run", "indexical"), "unknown experiment 'indexical'"),
        (("run", "-p", "strategy:orcle"), "nearest: strategy:oracle"),
        (("run", "-p", "gguf:none.gguf"), "no file 'none.gguf'"),
        (("run", "--items", "none.csv"), "no file 'none.csv'"),
        (("run", "--items", bad), "has indexical 'now'"),
        (("run", "--limit", "0"), "--limit 0"),
        (("run", "--condition", "spatial", "-p", "strategy:oracle"), "no condition 'spatial'"),
        (("run", "indexicals", "-p", f"gguf:{broken}", "--out", tmp_path / "r"), "cannot be loaded"),
        ((*asking(few_items, reference_run), "--protocol", "published"), "protocol was 'corrected'"),
        (("score", tmp_path), "no run in"),
        (("report", tmp_path), "no run in"),
        (("show", "here/1"), "nearest: here/"),
        (("trials", "possesive"), "unknown experiment"),
        (("items", "import", tmp_path), "cannot read"),
        (("items", "lint", "none.csv"), "no file 'none.csv'"),
        (("scenes", "render", "possesive", "--out", "x"), "no task 'possesive'"),
        (("scenes", "render", "possessive", "--out", "x", "--art", "emoji"), "no pictures 'emoji'"),
        (("scenes", "render", "possessive", "--out", "x", "--for", "dogs"), "no version 'dogs'"),
        (("scenes", "gallery", "--out", bad / "x"), "cannot write"),
        (("show", "possessive/g99/aabb/t2/boy-speaks/girl-gazes"), "nearest: possessive/g"),
        (("show", "here/007/quoted/shifted", "--set", "art=openmoji"), "'art' changes nothing"),
        (("show", "here/007/quoted/shifted", "--picture", "x.png"), "has no picture here"),
        (("scenes", "render", "possessive", "--out", "x", "--for", "people", "--squares", "all"), "leave it out"),
        (("items", "write"), "give one of the two"),
        (("items", "write", "--fresh", "1", "--indexical", "here"), "give one of the two"),
        (("items", "write", "--fresh", "-1"), "seed -1 gives no fresh set; give one from 0 to 32219"),
        (("items", "write", "--fresh", "1", "-p", "gguf:smollm2"), "leave out -p 'gguf:smollm2'"),
        (("items", "write", "--fresh", "1", "-n", "3"), "leave out -n 3"),
        (("items", "write", "--fresh", "1", "--out", bad), "is there already"),
        (("items", "lint", bad, "--checks"), "leave out what stands beside it"),
        (("items", "review", "--read", "x.csv", "--seed", "0"), "leave out --seed 0"),
        (("items", "write", "--indexical", "here"), "name a model with -p"),
        (("items", "write", "--indexical", "now", "-p", "gguf:smollm2"), "no indexical 'now'"),
        (("items", "review", "--share", "2"), "--share 2 is no share"),
        (("items", "review", "--read", "none.csv"), "none.csv"),
        (("items", "review", bad, "--read", "none.csv"), "leave out the items"),
    ]:
        assert told in refused(*words, cwd=tmp_path), words


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told = refused("run", "-p", "strategy:oracle", "--out", tmp_path / "file" / "run")
    assert "cannot write" in told


def test_unknown_options_and_values_exit_2() -> None:
    for words in (("run", "--protocol", "mine"), ("run", "--what"), ("scores",), ("score",)):
        done = deixis(*words)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert "Error" in done.stderr


def test_ctrl_c_says_how_to_go_on_and_the_same_command_does(tmp_path: Path, smollm2: Path) -> None:
    words = [
        "run",
        "indexicals",
        "--answer",
        "choose",
        "--limit",
        "12",
        "--threads",
        "1",
        "--out",
        str(tmp_path / "run"),
    ]
    process = subprocess.Popen([*DEIXIS, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    answers = tmp_path / "run" / "indexicals-main" / "answers" / "gguf-smollm2.jsonl"
    deadline = time.monotonic() + 60
    while not (answers.exists() and answers.read_text().count("\n") >= 2) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, talk = process.communicate(timeout=60)
    assert process.returncode == 3, talk
    assert "run the same command to go on" in talk.splitlines()[-1]
    assert "Traceback" not in talk
    kept = answers.read_text()
    assert deixis(*words).returncode == 0
    assert answers.read_text().startswith(kept)
    assert answers.read_text().count("\n") == 12


def test_a_closed_pipe_is_no_fault() -> None:
    first = subprocess.Popen([*DEIXIS, "trials", "indexicals", "--csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert first.stdout is not None
    assert first.stderr is not None
    first.stdout.readline()
    first.stdout.close()
    assert first.stderr.read() == b""
    first.stderr.close()
    assert first.wait() == 0


def test_a_full_disk_behind_stdout_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        words = [*DEIXIS, "trials", "indexicals", "--csv"]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("deixis: cannot write to standard output")


def test_ctrl_c_while_reporting_is_one_line(reference_run: Path) -> None:
    process = subprocess.Popen([*DEIXIS, "report", str(reference_run)], stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    talk = process.stderr.read()
    process.stderr.close()
    if process.wait() != 0:  # it may have been quicker
        assert (process.returncode, talk) == (
            3,
            "deixis: stopped; every answer that came is kept: the same command goes on\n",
        )


def test_ctrl_c_within_evaluated_text_exits_alike(tmp_path: Path) -> None:
    """Libraries build classes from text; an interrupt there must not end ``python -m deixis`` by the signal."""
    (tmp_path / "interrupted.py").write_text(
        "import sys, deixis.participants.listing as listing\n"
        "listing.listing = lambda: exec('raise KeyboardInterrupt')\n"
        "sys.argv = ['deixis', 'participants']\n"
        "from deixis.cli.app import main\n"
        "main()\n"
    )
    words = [sys.executable, "-m", "interrupted"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        3,
        "deixis: stopped; every answer that came is kept: the same command goes on\n",
    )


def test_the_lines_are_about_who_was_named(tmp_path: Path, few_items: Path) -> None:
    done = deixis("run", "-p", "strategy:first-option", "--items", few_items, "--out", tmp_path / "run")
    assert "strategy:first-option is right on 0.50" in done.stdout
    assert "answers most like strategy:oracle" not in done.stdout


def test_commands_are_documented() -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, root / "scripts" / "commands.py", "--check"], check=False, text=True)
    assert done.returncode == 0
