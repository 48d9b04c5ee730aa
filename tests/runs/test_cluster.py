"""Many workers, one run: the same table, nothing lost and nothing twice, whatever dies."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from deixis.errors import ParticipantError, UsageError
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.records import AnswerMode
from deixis.runs.budget import Budget
from deixis.runs.run import Asked, ask
from deixis.store import DesignFolder, RunFolder
from tests.participants.chat_server import ChatServer
from tests.runs.scripted import Quiet
from tests.runs.scripted_workers import Recipe, Remote

pytest.importorskip("ray", reason="needs the package ray (pip install 'deixis[cluster]')")
from deixis.runs import cluster
from deixis.runs.cluster import Cluster, Place, Share, on, read_place

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(scope="module")
def two() -> Iterator[Cluster]:
    """A local Ray of two workers."""
    with on(Place(None, 2)) as found:
        assert found is not None
        yield found


def part_of(folder: Path, design: Design) -> DesignFolder:
    part = RunFolder(folder).design(f"{design.experiment}-{design.condition}")
    part.keep(design.signature, design.notes, design.trials, design.prompts)
    return part


def spread(two: Cluster, folder: Path, design: Design, recipe: Recipe, budget: Budget | None = None) -> Asked:
    with closing(two.participant("test:remote", recipe, design.draw, two.share(on_gpu=False))) as remote:
        return ask(part_of(folder, design), design, remote, AnswerMode.GENERATE, None, Quiet(), budget)


def kept(folder: Path, design: Design) -> dict[str, str | None]:
    """Text by trial; every trial that was answered has one line."""
    answers = part_of(folder, design).answers("test:remote")
    lines = answers.path.read_text().splitlines()
    read = answers.read()
    assert len(lines) == len(read)
    return {trial: answer.text if answer.error is None else f"error: {answer.error}" for trial, answer in read.items()}


@pytest.fixture(scope="module")
def alone(few: Design, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str | None]:
    """The same answers without a cluster."""
    folder = tmp_path_factory.mktemp("alone")
    ask(part_of(folder, few), few, Remote(), AnswerMode.GENERATE, None, Quiet())
    return kept(folder, few)


def test_the_table_is_the_same_as_without(two: Cluster, tmp_path: Path, few: Design, alone: dict[str, str]) -> None:
    turn = spread(two, tmp_path, few, Recipe())
    assert (turn.planned, turn.new, turn.errored) == (192, 192, 0)
    assert kept(tmp_path, few) == alone


def test_a_killed_worker_loses_nothing_and_doubles_nothing(
    two: Cluster, tmp_path: Path, few: Design, alone: dict[str, str]
) -> None:
    once = tmp_path / "died"
    turn = spread(two, tmp_path / "run", few, Recipe(dies_at=few.trials[100].id, once=once))
    assert once.exists()
    assert (turn.new, turn.errored) == (192, 0)
    assert kept(tmp_path / "run", few) == alone


def test_a_question_that_kills_every_worker_is_the_only_one_lost(
    two: Cluster, tmp_path: Path, few: Design, alone: dict[str, str]
) -> None:
    deadly = few.trials[100].id
    turn = spread(two, tmp_path, few, Recipe(dies_at=deadly))
    assert (turn.new, turn.errored) == (191, 1)
    found = kept(tmp_path, few)
    assert "the worker died over this question" in str(found.pop(deadly))
    assert found == {trial: text for trial, text in alone.items() if trial != deadly}


def test_a_question_that_breaks_the_engine_is_the_only_one_errored(
    two: Cluster, tmp_path: Path, few: Design, alone: dict[str, str]
) -> None:
    broken = few.trials[7].id
    spread(two, tmp_path, few, Recipe(breaks_at=broken))
    found = kept(tmp_path, few)
    assert found.pop(broken) == "error: ZeroDivisionError: the engine broke"
    assert found == {trial: text for trial, text in alone.items() if trial != broken}


def test_a_run_begun_on_workers_goes_on_without_them(
    two: Cluster, tmp_path: Path, few: Design, alone: dict[str, str]
) -> None:
    turn = spread(two, tmp_path, few, Recipe(), Budget(max_trials=50))
    assert (turn.new, turn.unasked) == (50, 142)
    ask(part_of(tmp_path, few), few, Remote(), AnswerMode.GENERATE, None, Quiet())
    assert kept(tmp_path, few) == alone


def test_pictures_travel_with_the_questions(two: Cluster, tmp_path: Path) -> None:
    shown = experiment("checks").design(None, "object")
    assert shown.draw is not None
    spread(two, tmp_path, shown, Recipe())
    answers = part_of(tmp_path, shown).answers("test:remote").read()
    for prompt in shown.prompts:
        assert prompt.picture is not None
        assert answers[prompt.trial_id].model == sha256(shown.draw(prompt.picture)).hexdigest()
    assert len(Counter(answer.model for answer in answers.values())) > 100


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("refused", "no file 'weights.gguf' here; put it there"),
        ("strange", "ZeroDivisionError: the driver of the GPU is too old"),
        ("crash", "could not be loaded, a worker died over it"),
        ("differs", "'test:remote' is not the same everywhere"),
    ],
)
def test_what_cannot_be_loaded_says_why(two: Cluster, few: Design, fault: str, words: str) -> None:
    with pytest.raises(ParticipantError) as caught:
        two.participant("test:remote", Recipe(fault=fault), None, two.share(on_gpu=False))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


class FakeRay:
    """A cluster of two machines with 8 GPUs and 64 cores in all."""

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 64.0, "GPU": 8.0}

    def nodes(self) -> list[dict[str, bool]]:
        return [{"Alive": True}, {"Alive": True}, {"Alive": False}]


@pytest.mark.parametrize(
    ("workers", "on_gpu", "share"),
    [
        (None, True, Share(8, 1, 8)),
        (2, True, Share(2, 4, None)),
        (None, False, Share(2, 0, None)),
        (16, False, Share(16, 0, 4)),
    ],
)
def test_a_cluster_is_shared_out(
    monkeypatch: pytest.MonkeyPatch, workers: int | None, on_gpu: bool, share: Share
) -> None:
    monkeypatch.setattr(cluster, "_connected", lambda _place: FakeRay())
    assert Cluster(Place(None, workers)).share(on_gpu=on_gpu) == share


@pytest.mark.parametrize(("on_gpu", "words"), [(True, "GPUs (8)"), (False, "CPU cores (64)")])
def test_more_workers_than_it_holds_are_refused(monkeypatch: pytest.MonkeyPatch, on_gpu: bool, words: str) -> None:
    monkeypatch.setattr(cluster, "_connected", lambda _place: FakeRay())
    with pytest.raises(UsageError) as caught:
        Cluster(Place(None, 500)).share(on_gpu=on_gpu)
    assert words in str(caught.value)


def test_the_command_over_an_api(tmp_path: Path) -> None:
    """References here, the model on the workers, nothing but the report on stdout; then all is there."""
    pytest.importorskip("inspect_ai", reason="needs the package inspect-ai (pip install 'deixis[api]')")
    name = "openai-api/scripted/model-x"
    command = [sys.executable, "-m", "deixis", "run", "possessive", "--condition", "picture-none", "--limit", "32"]
    command += ["-p", name, "--out", str(tmp_path), "--on", "ray", "--workers", "2"]
    with ChatServer() as server:
        env = {**os.environ, "SCRIPTED_BASE_URL": server.url, "SCRIPTED_API_KEY": "sk-none"}
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert len(server.requests) == 32
    assert f"{name}: 32 of 32 answered" in done.stderr
    assert "ray" not in done.stdout
    assert len(RunFolder(tmp_path).design("possessive-picture-none").answers(name).read()) == 32


def test_a_machine_that_is_lost_takes_only_its_workers(tmp_path: Path) -> None:
    """Two machines, one taken away in the middle: the other answers the rest."""
    command = [sys.executable, "-m", "tests.runs.lost_machine"]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["192", "192"]


@pytest.mark.parametrize(
    ("place", "workers", "words"),
    [
        ("slurm", None, "--on 'slurm' is no place to run on; give ray, or ray:ADDRESS"),
        ("ray:", None, "--on 'ray:' is no place to run on"),
        ("ray", 0, "--workers 0 cannot work"),
        (None, 2, "--workers 2 needs --on ray"),
    ],
)
def test_places_that_are_none(place: str | None, workers: int | None, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_place(place, workers)
    assert words in str(caught.value)


def test_places() -> None:
    assert read_place(None, None) is None
    assert read_place("ray", None) == Place(None, None)
    assert read_place("ray:10.0.0.1:6379", 8) == Place("10.0.0.1:6379", 8)
    assert read_place("ray:auto", None) == Place("auto", None)


@pytest.mark.parametrize(
    ("address", "words"),
    [("127.0.0.1:9", "nobody answers at '127.0.0.1:9'"), ("head", "'head' is no address of a Ray cluster")],
)
def test_a_cluster_that_is_not_there_is_found_at_once(address: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Cluster(Place(address, None))
