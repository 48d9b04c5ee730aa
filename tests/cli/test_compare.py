"""``deixis compare`` as a user meets it: two runs or two models, the gate's last line and exit code, every refusal."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from deixis.cli.app import main
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.records import AnswerMode, Response, Trial
from deixis.runs.run import ask
from deixis.store import RunFolder, table_hash, table_lines
from tests.runs.scripted import Quiet, Scripted
from tests.scoring.bench import VAGUE, design, planned

Deixis = Callable[..., tuple[int, str, str]]
Say = Callable[[Trial, int], str | Response | None]
"""What is said to a trial, the n-th of those drawn; None leaves it unanswered."""
OLD, NEW = "openai/model-1", "openai/model-2"
NAME = "possessive-picture-none"


def right(trial: Trial, _place: int) -> str:
    return trial.options[trial.answer].text


def wrong_in(*places: int) -> Say:
    """Right but in some places, where the next option is taken."""
    return lambda trial, n: trial.options[(trial.answer + (n in places)) % 4].text


def write(
    folder: Path, say: Say, participant: str = OLD, count: int = 16, asked: Design | None = None, **made: str | int
) -> Path:
    """Write a run, or go on with one; ``made`` are entries of the participant's signature."""
    asked = asked or design()
    part = RunFolder(folder).design(f"{asked.experiment}-{asked.condition}")
    part.keep(asked.signature, asked.notes, asked.trials, asked.prompts)
    answers = part.answers(participant)
    answers.sign({**asked.signature, "participant": participant, "answer": "generate", **made}, count)
    with answers.appending():
        for place, trial in enumerate(planned(count)):
            said = say(trial, place)
            if said is not None:
                answers.append(said if isinstance(said, Response) else Response(trial.id, text=said, finish="stop"))
    return folder


@pytest.fixture
def deixis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Deixis:
    """The command, run in this process: exit code, stdout, stderr."""

    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["deixis", "compare", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        came = capsys.readouterr()
        assert "Traceback" not in came.err
        return int(ended.value.code or 0), came.out, came.err

    return call


@pytest.fixture
def a(tmp_path: Path) -> Path:
    """A: wrong in one of 16."""
    return write(tmp_path / "a", wrong_in(0), weights="w1", deixis="0.1.0")


@pytest.fixture
def b(tmp_path: Path) -> Path:
    """B: right where A is wrong, wrong in four other places, of which one is vague."""
    say = wrong_in(3, 4, 5)
    return write(tmp_path / "b", lambda t, n: VAGUE if n == 6 else say(t, n), weights="w2", deixis="0.1.0")


def test_two_runs_of_one_model_each(a: Path, b: Path, deixis: Deixis) -> None:
    """15 and 12 of 16 are right; 1 better, 4 worse: p = 2 · (1 + 5) / 32."""
    code, out, err = deixis(a, b)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:3] == [f"A: {OLD} in {a}", f"B: {OLD} in {b}", "made otherwise: weights was 'w1' and is 'w2'"]
    (row,) = (line.split() for line in lines if line.startswith(NAME) and not line.endswith(":"))
    assert row[1:5] == ["16", "0.938", "0.750", "-0.188"]
    assert row[-4:] == ["1", "4", ".375", ".375"]
    assert "       1  Correct → unreadable" in lines
    assert any(line.startswith("  perspective I") for line in lines)


def test_csv_is_data_alone(a: Path, b: Path, deixis: Deixis) -> None:
    code, out, err = deixis(a, b, "--csv")
    assert code == 0
    assert err.splitlines() == [f"A: {OLD} in {a}", f"B: {OLD} in {b}", "made otherwise: weights was 'w1' and is 'w2'"]
    whole, *levels = csv.DictReader(out.splitlines())
    told = {
        "experiment": "possessive", "condition": "picture-none", "protocol": "corrected", "factor": "", "pairs": "16",
        "accuracy_a": "0.9375", "accuracy_b": "0.75", "difference": "-0.1875", "better": "1", "worse": "4",
        "ties": "0", "p_exact": "0.375", "p_holm": "0.375", "asked_b": "16", "unanswered_b": "0", "whole_b": "0.75",
    }  # fmt: skip
    assert {name: whole[name] for name in told} == told
    assert float(whole["low"]) < -0.1875 < float(whole["high"])
    boys = [row for row in levels if row["factor"] == "speaker"]
    assert [row["level"] for row in boys] == ["boy", "girl"]
    assert sum(int(row["worse"]) for row in boys) == 4
    assert {row["p_exact"] for row in levels} == {""}


@pytest.mark.parametrize(
    ("limits", "code", "line"),
    [
        (("--max-drop", "0.1875"), 0, "gate: passed: possessive-picture-none fell most, by 0.188 "),
        (("--max-drop", "0.18"), 1, "gate: failed: possessive-picture-none fell by 0.188, more than --max-drop 0.18 "),
        (("--fail-under", "0.75"), 0, "gate: passed: lowest is possessive-picture-none at 0.750; --fail-under 0.75"),
        (("--fail-under", "0.76"), 1, "gate: failed: possessive-picture-none is at 0.750, less than --fail-under 0.76"),
        (("--fail-under", "0.1", "--max-drop", "0"), 1, "gate: failed: possessive-picture-none fell by 0.188"),
    ],
)
def test_the_gate_is_the_last_line(
    a: Path, b: Path, deixis: Deixis, limits: tuple[str, ...], code: int, line: str
) -> None:
    ended, out, err = deixis(a, b, *limits)
    assert ended == code
    assert err.count("\n") == 1
    assert err.startswith(line)
    assert "gate: " not in out
    assert deixis(a, b, "--csv", *limits)[2].splitlines()[-1] + "\n" == err


def test_examples_show_both_answers(a: Path, b: Path, deixis: Deixis) -> None:
    assert "right is" not in deixis(a, b)[1]
    lines = deixis(a, b, "--examples", "2")[1].splitlines()
    (first, *_), starts = lines, [n for n, line in enumerate(lines) if "right is" in line]
    assert first.startswith("A: ")
    assert len(starts) == 2
    trial = planned(16)[6]
    place = next(n for n in starts if trial.id in lines[n])
    said = trial.options[trial.answer].text
    assert lines[place].strip() == f"{trial.id}: right is {said!r}"
    assert lines[place + 1].strip() == f"A (Correct): {said!r}"
    assert lines[place + 2].strip() == f"B (unreadable): {VAGUE!r}"


def test_two_participants_of_one_run(tmp_path: Path, deixis: Deixis) -> None:
    run = write(tmp_path / "run", right)
    write(run, wrong_in(1, 2), NEW)
    for words in ((run, "-p", OLD, "-p", NEW), (run, run, "-p", OLD, "-p", NEW)):
        code, out, _ = deixis(*words)
        assert code == 0
        assert out.startswith(f"A: {OLD} in {run}\nB: {NEW} in {run}\n")
        assert " -0.125 " in out
    assert " +0.125 " in deixis(run, "-p", NEW, "-p", OLD)[1]


def test_names_for_both_runs_and_for_each(a: Path, b: Path, deixis: Deixis) -> None:
    write(a, right, NEW)
    write(b, wrong_in(*range(8)), NEW)
    assert deixis(a, b)[0] == 2
    assert " -0.500 " in deixis(a, b, "-p", NEW)[1]
    assert " -0.188 " in deixis(a, b, "--participant", OLD)[1]
    assert " -0.438 " in deixis(a, b, "-p", OLD, "-p", NEW)[1]


def test_references_can_be_named(few: Design, tmp_path: Path, deixis: Deixis) -> None:
    from deixis.participants.strategies import Strategy

    part = RunFolder(tmp_path / "run").design("indexicals-classic")
    part.keep(few.signature, few.notes, few.trials, few.prompts)
    for name in ("oracle", "never-shifted"):
        ask(part, few, Strategy(name, few.trials, 0), AnswerMode.CHOOSE, None, Quiet())
    ask(part, few, Scripted(), AnswerMode.GENERATE, None, Quiet())
    out = deixis(tmp_path / "run", "-p", "strategy:oracle", "-p", "strategy:never-shifted")[1]
    assert "sentence_type quoted" in out
    assert "sentence_type non-quoted" not in out  # nothing changes there
    assert "      96  Correct → Unshift" in out.splitlines()
    assert (
        "chose '"
        in deixis(tmp_path / "run", "-p", "strategy:oracle", "-p", "strategy:never-shifted", "--examples", 1)[1]
    )
    out = deixis(tmp_path / "run", "-p", "strategy:oracle", "-p", "test:scripted")[1]
    assert "made otherwise: answer was 'choice' and is 'generate'" in out


def test_readers(tmp_path: Path, deixis: Deixis) -> None:
    """The published reader takes the first option that occurs anywhere; the strict one sees two of them."""
    a = write(tmp_path / "a", right)
    b = write(tmp_path / "b", lambda t, n: "; ".join([t.options[t.answer].text, t.options[t.answer - 1].text]))
    told = {reader: deixis(a, b, "--reader", reader)[1] for reader in ("strict", "published")}
    assert "Correct → unreadable" in told["strict"]
    assert told["strict"] != told["published"]


def test_missing_answers_stop_the_gate_and_are_named(a: Path, tmp_path: Path, deixis: Deixis) -> None:
    def say(trial: Trial, place: int) -> str | Response | None:
        if place in (1, 2):
            return Response(trial.id, error="the line is dead") if place == 1 else None
        return right(trial, place)

    b = write(tmp_path / "b", say)
    code, out, err = deixis(a, b, "--max-drop", "1", "--fail-under", "0")
    assert code == 3
    assert err == f"gate: not decided: 2 of 16 trials of B are unanswered in {NAME} ('deixis run' goes on)\n"
    assert f"{NAME}: 2 of 16 trials of B are unanswered (errored 1, missing 1)" in out
    assert f"{NAME}: 2 trials that only A has answered (of B errored 1, missing 1): " in out
    assert all(planned(16)[place].id in out for place in (1, 2))
    assert deixis(a, b)[0] == 0
    assert deixis(b, a, "--max-drop", "1")[0] == 0


def test_a_smaller_run_is_compared_on_what_it_was_asked(a: Path, tmp_path: Path, deixis: Deixis) -> None:
    b = write(tmp_path / "b", right, count=8)
    code, out, _ = deixis(a, b, "--max-drop", "0")
    assert code == 0
    assert f"{NAME}: 8 trials that only A has answered (of B not asked 8): " in out
    assert " and 3 more" in out
    assert "over all that each has answered A 0.938, B 1.000" in out


def test_designs_of_one_side_are_named(a: Path, b: Path, few: Design, deixis: Deixis) -> None:
    part = RunFolder(a).design("indexicals-classic")
    part.keep(few.signature, few.notes, few.trials, few.prompts)
    few_signature = {**few.signature, "participant": OLD, "answer": "generate"}
    part.answers(OLD).sign(few_signature, 4)
    assert "not compared, only A was asked: indexicals-classic" in deixis(a, b)[1]
    assert "not compared, only B was asked: indexicals-classic" in deixis(b, a)[1]
    code, _, err = deixis(a, b, "--max-drop", "1")
    assert (code, "B was not asked indexicals-classic" in err) == (3, True)
    for words in (("--experiment", "possessive"), ("--condition", "picture-none")):
        code, out, err = deixis(a, b, "--max-drop", "1", *words)
        assert (code, err.startswith("gate: passed: ")) == (0, True)
        assert "indexicals" not in out
    code, out, err = deixis(a, b, "--experiment", "indexicals")
    assert (code, out) == (2, "")
    assert f"no participant {OLD!r}" not in err


def changed(**entries: str | int) -> Design:
    """The possessives with another signature; another ``user`` text makes other data."""
    whole = design()
    pairs = list(zip(whole.trials, whole.prompts, strict=True))
    if "data" in entries:
        pairs[0] = (pairs[0][0], replace(pairs[0][1], user="Another question?"))
    made = replace(
        whole,
        pairs=lambda: iter(pairs),
        setup=replace(whole.setup, **{k: v for k, v in entries.items() if k == "seed"}),
    )  # type: ignore[arg-type]
    assert made.data == table_hash(table_lines(made.trials, made.prompts))
    return made


def test_other_data_are_refused(a: Path, tmp_path: Path, deixis: Deixis) -> None:
    other = changed(data="other")
    b = write(tmp_path / "b", right, asked=other)
    code, out, err = deixis(a, b)
    assert (code, out) == (2, "")
    assert err == (
        f"deixis: {NAME} was asked otherwise: data was {design().data!r} and is {other.data!r}; compare runs of the "
        "same trials, or choose designs with --experiment and --condition\n"
    )


def test_another_protocol_is_refused(a: Path, tmp_path: Path, deixis: Deixis) -> None:
    other = experiment("possessive").design(None, "picture-none", "published")
    b = write(tmp_path / "b", lambda *_: None, asked=other)
    code, out, err = deixis(a, b)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{NAME} was asked otherwise: protocol was 'corrected' and is 'published', " in err


def test_another_seed_is_told_and_fine_where_data_agree(a: Path, tmp_path: Path, deixis: Deixis) -> None:
    b = write(tmp_path / "b", right, asked=changed(seed=1), weights="w1", deixis="0.1.0")
    code, out, _ = deixis(a, b)
    assert code == 0
    assert "made otherwise: seed was 0 and is 1\n" in out


def test_nothing_answered_by_both_is_refused(a: Path, tmp_path: Path, deixis: Deixis) -> None:
    b = write(tmp_path / "b", lambda *_: None)
    code, out, err = deixis(a, b)
    assert (code, out) == (2, "")
    assert "no trial has been answered by both (0 of A and 16 of B are unanswered)" in err
    code, _, err = deixis(a, b, "--fail-under", "0")
    assert (code, "16 of 16 trials of B are unanswered" in err) == (3, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("A", "nowhere"), "no run in 'nowhere'"),
        (("A",), "both sides are the same run in "),
        (("A", "A", "-p", OLD), f"both sides are {OLD!r} in "),
        (("A", "B", "-p", "x"), "no participant 'x' in "),
        (("A", "B", "-p", "x", "-p", "y", "-p", "z"), "-p 'z' is one too many"),
        (("A", "B", "--reader", "x"), "unknown reader 'x'; there is strict, published"),
        (("A", "B", "--max-drop", "2"), "--max-drop 2 is no share; give a number from 0 to 1"),
        (("A", "B", "--fail-under", "-0.1"), "--fail-under -0.1 is no share"),
        (("A", "B", "--fail-under", "nan"), "--fail-under nan is no share"),
        (("A", "B", "--examples", "-1"), "--examples -1 is less than none"),
        (("A", "B", "--examples", "2", "--csv"), "--csv takes no --examples"),
        (("A", "B", "--experiment", "x"), "no experiment 'x' to compare in these runs"),
        (("A", "B", "--condition", "x"), "no condition 'x' to compare in these runs"),
    ],
)
def test_faults_are_one_line(a: Path, b: Path, deixis: Deixis, words: tuple[str, ...], told: str) -> None:
    code, out, err = deixis(*({"A": a, "B": b}.get(word, word) for word in words))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("deixis: ")
    assert told in err


def test_who_is_meant_must_be_said(a: Path, b: Path, tmp_path: Path, deixis: Deixis) -> None:
    write(a, right, NEW)
    assert f"{str(a)!r} has 2 models ({OLD}, {NEW}); name who is compared with -p" in deixis(a, b)[2]
    none = write(tmp_path / "none", right, "strategy:oracle")
    assert f"{str(none)!r} has no model; name who is compared with -p" in deixis(b, none)[2]
    person = write(tmp_path / "b", right, "people:pilot/001")
    assert deixis(person, b, "-p", OLD, "-p", "people:pilot/001")[0] == 0
    assert deixis(none, b, "-p", "strategy:oracle", "-p", OLD)[0] == 0


def test_a_closed_pipe_does_not_pass_the_gate(
    a: Path, b: Path, deixis: Deixis, monkeypatch: pytest.MonkeyPatch
) -> None:
    import typer

    from deixis.cli import compare

    def closed(_lines: object) -> None:
        raise typer.Exit

    monkeypatch.setattr(compare, "put", closed)
    code, _, err = deixis(a, b, "--max-drop", "0")
    assert (code, err.startswith("gate: failed: ")) == (1, True)
