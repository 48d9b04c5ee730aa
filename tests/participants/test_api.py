"""Models behind APIs: what arrives, what comes back, and what a provider's faults become."""

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deixis.errors import ParticipantError, UsageError
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.participants.registry import Setting, is_api
from deixis.records import AnswerMode, Prompt, Response
from deixis.runs.budget import Budget
from deixis.runs.costs import read_price
from deixis.runs.session import designs, request, run
from deixis.scenes.png import key_of
from deixis.scoring.results import read_results
from deixis.store import RunFolder
from tests.participants import chat_server
from tests.participants.chat_server import ChatServer, Received, Reply, first_option
from tests.runs.scripted import Quiet

pytest.importorskip("inspect_ai", reason="needs the package inspect-ai (pip install 'deixis[api]')")
from deixis.participants import api
from deixis.participants.api import Api, Client

KEY = "sk-never-to-be-seen-4711"
NAME = "openai-api/scripted/model-x"
Behave = Callable[[Received, int], Reply]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries that do not wait."""
    monkeypatch.setattr(api, "_FIRST_WAIT", 0.001)
    monkeypatch.setenv("SCRIPTED_API_KEY", KEY)


@pytest.fixture(scope="module")
def design() -> Design:
    """Possessives, 128 trials without a picture."""
    return experiment("possessive").design(None, "picture-none")


@pytest.fixture(scope="module")
def shown() -> Design:
    """Which object is in the square, 128 trials with a picture."""
    return experiment("checks").design(None, "object")


def answers(
    server: ChatServer,
    prompts: list[Prompt],
    design: Design,
    monkeypatch: pytest.MonkeyPatch,
    client: Client | None = None,
) -> list[Response]:
    monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
    participant = Api(NAME, design.draw, client or Client(8))
    try:
        return list(participant.respond(prompts, AnswerMode.GENERATE))
    finally:
        participant.close()


@pytest.mark.usefixtures("quick")
def test_the_picture_that_arrives_is_the_one_meant(shown: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    prompts = list(shown.prompts[:12])
    with ChatServer() as server:
        found = answers(server, prompts, shown, monkeypatch)
        assert [answer.error for answer in found] == [None] * 12
        meant = {prompt.user + str(prompt.picture) for prompt in prompts}
        arrived = set()
        for received in server.requests:
            (png,) = received.pictures
            with Image.open(io.BytesIO(png)) as image:
                arrived.add(received.text + key_of(np.asarray(image.convert("RGB"))))
    assert arrived == meant
    assert {answer.trial_id: answer.picture for answer in found} == {p.trial_id: p.picture for p in prompts}


@pytest.mark.usefixtures("quick")
def test_what_is_kept_of_an_answer(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer(lambda received, attempt: Reply("I prefer mine", model="model-x-2026", usage=(90, 5))) as server:
        (found,) = answers(server, [design.prompts[0]], design, monkeypatch)
        body = server.requests[0].body
    assert (found.text, found.finish, found.model) == ("I prefer mine", "stop", "model-x-2026")
    assert found.usage == {"input_tokens": 90, "output_tokens": 5}
    assert (found.retries, found.notes, found.error, found.picture) == (0, (), None, None)
    assert found.date.endswith("+00:00")
    assert (body["temperature"], body["max_tokens"], body["model"]) == (0.0, 64, "model-x")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("reply", "retries"),
    [
        (chat_server.rate_limited(0.01), 2),
        (chat_server.rate_limited(None), 2),
        (chat_server.server_error(500), 2),
        (chat_server.server_error(502), 2),
        (chat_server.dropped(), 2),
        (chat_server.dropped(200), 2),
        (chat_server.malformed(), 2),
        (chat_server.empty(), 2),
    ],
)
def test_faults_that_pass_are_asked_again(
    design: Design, monkeypatch: pytest.MonkeyPatch, reply: Reply, retries: int
) -> None:
    with ChatServer(lambda received, attempt: reply if attempt < 2 else first_option(received, attempt)) as server:
        (found,) = answers(server, [design.prompts[0]], design, monkeypatch)
        assert len(server.requests) == retries + 1
    assert (found.text, found.retries, found.error) == (design.prompts[0].options[0], retries, None)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("reply", "text", "finish"),
    [
        (chat_server.empty(), "", "stop"),
        (chat_server.null_length(), "", "length"),
        (chat_server.refused("I cannot help."), "I cannot help.", "stop"),
        (chat_server.filtered(), "", "content_filter"),
    ],
)
def test_answers_that_are_none_keep_their_kind(
    design: Design, monkeypatch: pytest.MonkeyPatch, reply: Reply, text: str, finish: str
) -> None:
    with ChatServer(lambda received, attempt: reply) as server:
        (found,) = answers(server, [design.prompts[0]], design, monkeypatch)
    assert (found.text, found.error) == (text, None)
    assert found.finish == finish


@pytest.mark.usefixtures("quick")
def test_what_does_not_pass_is_an_error_and_no_answer(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer(lambda received, attempt: chat_server.not_found("model-x")) as server:
        (found,) = answers(server, [design.prompts[0]], design, monkeypatch)
        assert len(server.requests) == 1
    assert found.text is None
    assert "404" in str(found.error)
    assert "model-x" in str(found.error)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("name", "instead"), [("temperature", ""), ("seed", ""), ("max_tokens", "max_completion_tokens")]
)
def test_what_a_provider_does_not_take_is_left_out_and_noted(
    design: Design, monkeypatch: pytest.MonkeyPatch, name: str, instead: str
) -> None:
    def behave(received: Received, attempt: int) -> Reply:
        return chat_server.unsupported(name) if name in received.body else first_option(received, attempt)

    with ChatServer(behave) as server:
        found = answers(server, list(design.prompts[:6]), design, monkeypatch, Client(1))
        bodies = [received.body for received in server.requests]
    assert len(bodies) == 7  # learnt once
    assert all(name not in body for body in bodies[1:])
    assert not instead or bodies[-1][instead] == 64
    assert [answer.error for answer in found] == [None] * 6
    assert all(note.startswith(f"{name} is not taken") for answer in found for note in answer.notes)
    assert all(answer.notes for answer in found)


@pytest.mark.usefixtures("quick")
def test_two_turns_and_examples_are_sent_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    reasoning = experiment("possessive").design(None, "instruction-reasoning")
    trial = "possessive/g03-broom-ring/aabb/t2/boy-speaks/girl-gazes"
    assert reasoning.find is not None
    (_, prompt) = reasoning.find(trial) or (None, None)
    assert prompt is not None
    said = {1: "The girl looks.", 3: "You prefer yours"}
    with ChatServer(lambda received, attempt: Reply(said[len(received.body["messages"])])) as server:
        (found,) = answers(server, [prompt], reasoning, monkeypatch)
        last = server.requests[-1].body["messages"]
    assert (found.reasoning, found.text) == ("The girl looks.", "You prefer yours")
    assert [message["role"] for message in last] == ["user", "assistant", "user"]

    few_shot = experiment("possessive").design(None, "in-context")
    assert few_shot.find is not None
    (_, prompt) = few_shot.find(trial) or (None, None)
    assert prompt is not None
    with ChatServer() as server:
        answers(server, [prompt], few_shot, monkeypatch)
        (received,) = server.requests
    kinds = [part["type"] for part in received.body["messages"][0]["content"]]
    assert kinds == ["image_url", "text"] * 5
    assert len(received.pictures) == 5


@pytest.mark.usefixtures("quick")
def test_log_probabilities_are_kept_where_they_are_asked_for(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer(lambda received, attempt: Reply("I prefer mine")) as server:
        (found,) = answers(server, [design.prompts[0]], design, monkeypatch, Client(1, logprobs=True))
        (without,) = answers(server, [design.prompts[0]], design, monkeypatch)
    assert "".join(token for token, _ in found.logprobs).split() == ["I", "prefer", "mine"]
    assert [logprob for _, logprob in found.logprobs] == [-0.1] * 3
    assert without.logprobs == ()


@pytest.mark.usefixtures("quick")
def test_faults_in_a_third_of_the_calls_lose_and_double_nothing(
    design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ChatServer(chat_server.faulty(0.3, seed=1)) as server:
        found = answers(server, list(design.prompts), design, monkeypatch, Client(16))
    assert sorted(answer.trial_id for answer in found) == sorted(prompt.trial_id for prompt in design.prompts)
    assert [answer.error for answer in found] == [None] * len(found)
    assert sum(answer.retries for answer in found) > len(found) / 5


def asked(out: Path, **changes: object) -> None:
    settings: dict[str, object] = {
        "experiments": ("possessive",),
        "participants": (NAME,),
        "conditions": ("picture-none",),
        "protocol": "corrected",
        "mode": AnswerMode.GENERATE,
        "items": None,
        "limit": 24,
        "out": out,
        "seed": 0,
        "settings": {},
        "setting": Setting(),
    }
    made = request(**{**settings, **changes})  # type: ignore[arg-type]
    run(made, designs(made), Quiet())


@pytest.mark.usefixtures("quick")
def test_an_outage_is_errored_never_wrong_and_the_key_is_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "RETRIES", 1)
    with ChatServer(lambda received, attempt: Reply(f"bad key {KEY}", status=500)) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        asked(tmp_path)
        assert server.requests[0].headers["authorization"].endswith(KEY)
    (found,) = read_results(tmp_path)
    (model,) = found.models
    assert {row.score.outcome.value for row in model.rows} == {"errored"}
    assert all(KEY not in path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.usefixtures("quick")
def test_a_budget_ends_a_run_cleanly_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ChatServer() as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        asked(tmp_path, budget=Budget(max_trials=10), setting=Setting(client=Client(2)))
        assert len(server.requests) == 10
        asked(tmp_path, budget=Budget(max_cost=0.01, price=read_price("10,10")))  # 105 tokens: about $0.001 each
        kept = RunFolder(tmp_path).design("possessive-picture-none").answers(NAME).read()
        costs = [answer.cost for answer in kept.values() if answer.cost is not None]
        assert len(kept) == 24
        assert costs == [pytest.approx(0.00105)] * 14
        asked(tmp_path)
        assert len(server.requests) == 24


def test_a_budget_in_dollars_needs_a_price(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not known, so --max-cost cannot hold"):
        asked(tmp_path, budget=Budget(max_cost=1))
    with pytest.raises(UsageError, match="--max-trials 0 asks nothing"):
        asked(tmp_path, budget=Budget(max_trials=0))
    with pytest.raises(UsageError, match="--connections 0"):
        asked(tmp_path, setting=Setting(client=Client(0)))


@pytest.mark.usefixtures("quick")
def test_who_does_not_see_is_stopped_before_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer(lambda received, attempt: Reply("I see a table.")) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        with pytest.raises(ParticipantError, match="seems not to see: it named 0 of 3 objects"):
            asked(tmp_path, conditions=("main",), limit=4)
        assert len(server.requests) == 3
        asked(tmp_path, conditions=("main",), limit=4, canary=False)
        assert len(server.requests) == 7


def test_names_keys_and_providers_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [is_api(name) for name in ("openai/gpt-4o", NAME, "gguf:a/b", "strategy:oracle", "/x", "x/")] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    monkeypatch.delenv("SCRIPTED_API_KEY", raising=False)
    with pytest.raises(ParticipantError, match="SCRIPTED_API_KEY"):
        Api(NAME)
    with pytest.raises(ParticipantError, match="cannot be asked"):
        Api("nosuch/model")


def test_a_missing_key_or_package_is_found_before_anybody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCRIPTED_API_KEY", raising=False)
    with pytest.raises(ParticipantError, match="SCRIPTED_API_KEY"):
        asked(tmp_path / "run")
    monkeypatch.setattr("deixis.participants.registry.vllm_state", lambda: "needs a GPU")
    with pytest.raises(ParticipantError, match="'vllm:no/model' cannot be asked here: needs a GPU"):
        asked(tmp_path / "run", participants=("vllm:no/model",))
    assert not (tmp_path / "run").exists()


@pytest.mark.usefixtures("quick")
def test_killed_in_the_middle_only_what_was_under_way_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ChatServer(latency=lambda number: 0.05) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        words = [sys.executable, "-m", "deixis", "run", "possessive", "--condition", "picture-none", "-p", NAME]
        words += ["--out", str(tmp_path), "--connections", "4"]
        process = subprocess.Popen(words, env=dict(os.environ), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while len(server.requests) < 40 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.kill()
        process.wait()
        before = len(server.requests)
        asked(tmp_path, limit=None)
        assert 128 <= len(server.requests) <= 128 + 4 + 1
        assert before >= 40
    lines = (tmp_path / "possessive-picture-none" / "answers").glob("*.jsonl")
    path = next(path for path in lines if "model-x" in path.name)
    assert len({json.loads(line)["trial_id"] for line in path.read_text(encoding="utf-8").splitlines()}) == 128


@pytest.fixture(autouse=True)
def _no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRIPTED_BASE_URL", raising=False)
