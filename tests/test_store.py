"""The run folder: nothing lost, nothing twice, nothing mixed."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import SignatureError, StoreError
from deixis.experiments.experiment import Design
from deixis.records import OptionScore, Prompt, Response, Trial
from deixis.store import AnswerFile, DesignFolder, RunFolder, response_from, response_to, table_hash, table_lines

SIGNATURE = {"participant": "x:y", "protocol": "corrected", "seed": 0}


def answers(tmp_path: Path) -> AnswerFile:
    return RunFolder(tmp_path).design("indexicals-main").answers("x:y")


def signed(trials: Sequence[Trial], prompts: Sequence[Prompt]) -> dict[str, str]:
    return {"data": table_hash(table_lines(trials, prompts))}


def filled(tmp_path: Path, count: int = 3) -> AnswerFile:
    file = answers(tmp_path)
    with file.appending():
        for number in range(count):
            file.append(Response(f"t{number}", text=f"answer {number}"))
    return file


@given(
    st.builds(
        Response,
        trial_id=st.text(min_size=1),
        text=st.none() | st.text(st.characters(codec="utf-8") | st.just("\ud800")),
        choice=st.none() | st.integers(0, 3),
        scores=st.lists(st.builds(OptionScore, st.floats(-50, 0), st.integers(1, 9))).map(tuple),
        ratings=st.lists(st.integers(1, 7)).map(tuple),
        finish=st.text(max_size=5),
        usage=st.dictionaries(st.text(max_size=5), st.integers(0, 10**6)),
        error=st.none() | st.text(),
    )
)
def test_a_response_comes_back_the_same(response: Response) -> None:
    assert response_from(response_to(response)) == response


def test_answers_are_read_by_id(tmp_path: Path) -> None:
    assert answers(tmp_path).read() == {}
    assert {trial: r.text for trial, r in filled(tmp_path).read().items()} == {
        "t0": "answer 0",
        "t1": "answer 1",
        "t2": "answer 2",
    }


@pytest.mark.parametrize("lost", [1, 5, 20])
def test_a_line_cut_in_the_middle_is_taken_off_and_only_that(tmp_path: Path, lost: int) -> None:
    file = filled(tmp_path)
    file.path.write_bytes(file.path.read_bytes()[:-lost])
    assert set(file.read()) == {"t0", "t1"}
    with file.appending():
        file.append(Response("t2", text="again"))
    assert [r.text for r in file.read().values()] == ["answer 0", "answer 1", "again"]


def test_a_damaged_line_is_said_with_its_number(tmp_path: Path) -> None:
    file = filled(tmp_path)
    lines = file.path.read_bytes().split(b"\n")
    lines[1] = lines[1][:10]
    file.path.write_bytes(b"\n".join(lines))
    with pytest.raises(StoreError, match="line 2 is damaged"):
        file.read()


def test_errors_are_outlived_and_first_answers_count(tmp_path: Path) -> None:
    file = answers(tmp_path)
    with file.appending():
        for response in (
            Response("a", error="down"),
            Response("a", text="yes"),
            Response("a", error="down again"),
            Response("a", text="no"),
            Response("b", error="down"),
        ):
            file.append(response)
    assert file.read()["a"].text == "yes"
    assert file.read()["b"].error == "down"


def test_a_changed_signature_is_refused_saying_what_differs(tmp_path: Path) -> None:
    file = answers(tmp_path)
    file.sign(SIGNATURE, 10)
    file.sign(SIGNATURE, 4)
    assert file.planned() == 10
    with pytest.raises(SignatureError, match="protocol was 'corrected' and is now 'published'; name another folder"):
        file.sign({**SIGNATURE, "protocol": "published"}, 10)
    with pytest.raises(SignatureError, match="weights was None and is now 'abc'"):
        file.sign({**SIGNATURE, "weights": "abc"}, 10)


def test_trials_planned_by_name_are_remembered_and_may_become_more(tmp_path: Path) -> None:
    file = answers(tmp_path)
    file.sign(SIGNATURE, 2, ("b", "a"))
    assert (file.planned(), file.trials()) == (2, ("b", "a"))
    file.sign(SIGNATURE, 2, ("a", "c"))
    assert (file.planned(), file.trials()) == (3, ("b", "a", "c"))
    file.sign(SIGNATURE, 1)
    assert (file.planned(), file.trials()) == (3, ("b", "a", "c"))


def test_a_plan_without_names_has_none(tmp_path: Path) -> None:
    file = answers(tmp_path)
    file.sign(SIGNATURE, 2)
    assert file.trials() == ()
    assert "trials" not in file.path.with_suffix(".json").read_text()


def test_names_of_participants_never_meet(tmp_path: Path) -> None:
    design = RunFolder(tmp_path).design("d")
    names = ["people:pilot/017", "people:pilot-017", "gguf:a b", "gguf:a-b", "gguf:a/b", "strategy:oracle"]
    files = {design.answers(name).path for name in names}
    assert len(files) == len(names)
    assert all(file.parent == tmp_path / "d" / "answers" for file in files)


def test_a_trial_table_comes_back_the_same_whatever_its_text(tmp_path: Path, bank: Design) -> None:
    design = RunFolder(tmp_path).design("d")
    odd = replace(bank.prompts[0], user="two\u2028lines\x85 and\x0c more")
    design.keep(signed(bank.trials[:1], [odd]), [], bank.trials[:1], [odd])
    assert design.table() == ([bank.trials[0]], [odd])


def test_a_trial_table_that_was_changed_is_refused(tmp_path: Path, bank: Design) -> None:
    design = RunFolder(tmp_path).design("d")
    design.keep(bank.signature, [], bank.trials, bank.prompts)
    path = design.path / "trials.jsonl"
    path.write_text(path.read_text().replace('"answer": 0', '"answer": 1', 1))
    with pytest.raises(StoreError, match="is not the table that was asked"):
        design.table()


def test_answers_without_a_signature_are_said(tmp_path: Path) -> None:
    filled(tmp_path)
    with pytest.raises(StoreError, match="has no signature beside it"):
        RunFolder(tmp_path).design("indexicals-main").participants()


@pytest.mark.parametrize("name", ["design.json", "trials.jsonl"])
def test_a_damaged_folder_is_said(tmp_path: Path, bank: Design, name: str) -> None:
    design = RunFolder(tmp_path).design("d")
    design.keep(signed(bank.trials[:1], bank.prompts[:1]), [], bank.trials[:1], bank.prompts[:1])
    (design.path / name).write_text("{}")
    with pytest.raises(StoreError, match="the run folder is damaged there|is not the table"):
        design.signature() if name == "design.json" else design.table()


def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; from deixis.store import RunFolder\n"
        "with RunFolder(pathlib.Path(sys.argv[1])).locked(): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(StoreError, match="another run is at work"), RunFolder(tmp_path).locked():
            pass
        holder.kill()
    with RunFolder(tmp_path).locked():
        pass


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot write into"), RunFolder(tmp_path / "file").locked():
        pass


def test_a_folder_without_a_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no run in"):
        RunFolder.existing(tmp_path)


def test_a_full_disk_keeps_what_was_answered(tmp_path: Path) -> None:
    """A limit on file size stands in for a full disk: the last line is cut, the rest is kept, the run goes on."""
    script = (
        "import resource, sys, pathlib\n"
        "from deixis.errors import Unfinished\n"
        "from deixis.records import Response\n"
        "from deixis.store import RunFolder\n"
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "file = RunFolder(pathlib.Path(sys.argv[1])).design('d').answers('x:y')\n"
        "try:\n"
        "    with file.appending():\n"
        "        for n in range(100): file.append(Response(f't{n}', text='x' * 50))\n"
        "except Unfinished as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True)
    assert "cannot write" in done.stdout
    assert "what was answered is kept" in done.stdout
    file = RunFolder(tmp_path).design("d").answers("x:y")
    kept = set(file.read())
    assert kept == {f"t{n}" for n in range(len(kept))}
    assert 5 < len(kept) < 100
    with file.appending():
        file.append(Response("after", text="room again"))
    assert set(file.read()) == kept | {"after"}


def test_verdicts_are_kept_apart_from_answers(tmp_path: Path) -> None:
    part = DesignFolder(tmp_path)
    kept = part.verdicts("gguf:m", "openai/gpt-4o")
    assert not kept.is_signed
    kept.sign({"participant": "gguf:m", "judge": "openai/gpt-4o", "instructions": "judge-1", "weights": "x"}, 3)
    with kept.appending():
        kept.append(Response("t@0f", text="VERDICT: A"))
    assert part.verdicts("gguf:m", "openai/gpt-4o").is_signed
    assert list(part.verdicts("gguf:m", "openai/gpt-4o").read()) == ["t@0f"]
    assert part.verdicts("gguf:m", "openai/gpt-4.1").read() == {}
    assert part.judges() == ["openai/gpt-4o"]
    assert part.participants() == []
    kept.check({"judge": "openai/gpt-4o", "instructions": "judge-1"})
    with pytest.raises(SignatureError, match="instructions was 'judge-1' and is now 'judge-2'; move that file"):
        kept.check({"judge": "openai/gpt-4o", "instructions": "judge-2"})
