"""The embedded model: the same numbers whatever the order, exact probabilities, clear faults."""

import math
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deixis.errors import ParticipantError
from deixis.experiments.experiment import Design
from deixis.participants import forced
from deixis.participants.gguf import Gguf
from deixis.records import AnswerMode, Prompt


@pytest.fixture(scope="module")
def model(smollm2: Path) -> Iterator[Gguf]:
    participant = Gguf("smollm2", smollm2, threads=1)  # several only wait for each other where tests run side by side
    yield participant
    participant.close()


def prompts(few: Design) -> list[Prompt]:
    return [prompt for prompt in few.prompts if prompt.trial_id.startswith(("I/001", "here/002", "tomorrow/003"))]


@pytest.mark.parametrize("mode", [AnswerMode.GENERATE, AnswerMode.CHOOSE])
def test_an_answer_does_not_depend_on_what_was_asked_before(model: Gguf, few: Design, mode: AnswerMode) -> None:
    asked = prompts(few)
    together = {r.trial_id: (r.scores, r.text) for r in model.respond(asked, mode)}
    assert set(together) == {prompt.trial_id for prompt in asked}
    for prompt in reversed(asked):
        (alone,) = model.respond([prompt], mode)
        assert (alone.scores, alone.text) == together[prompt.trial_id]


def test_text_shared_with_others_is_read_once(model: Gguf, few: Design) -> None:
    evaluated = []
    complete = model._llama._complete
    model._llama._complete = lambda tokens, **settings: evaluated.append(tokens) or complete(tokens, **settings)
    list(model.respond(prompts(few)[:4], AnswerMode.CHOOSE))
    del model._llama._complete
    pieces = [tokens for tokens in evaluated if evaluated.count(tokens) == 1]
    opening = min((tokens for tokens in pieces if len(tokens) > 40), key=len)
    assert sum(tokens[: len(opening)] == opening for tokens in evaluated) >= 4
    assert evaluated.count(opening) == 1


def test_scores_are_the_sums_of_single_forced_tokens(model: Gguf, few: Design) -> None:
    """The tree of tokens against the plain way: one request a token, each token sampled on purpose."""
    prompt = prompts(few)[0]
    llama = model._llama
    asked = forced.question(llama, llama.render(prompt), prompt.options)
    (response,) = model.respond([prompt], AnswerMode.CHOOSE)
    for path, score in zip(asked.paths, response.scores, strict=True):
        plain = sum(llama.logprob(asked.context + path[:depth], token) for depth, token in enumerate(path))
        assert score.logprob == pytest.approx(plain, abs=0.5)  # another batching of quantised weights
        assert score.tokens == len(path)
    assert sum(math.exp(score.logprob) for score in response.scores) <= 1


@pytest.mark.parametrize("options", [("太郎", "花子"), ("Νίκος", "Мария"), ("Zoë", "😀")])
def test_options_in_any_script_are_scored(model: Gguf, few: Design, options: tuple[str, str]) -> None:
    """Tokens that hold only a part of a letter are withheld by the engine and found all the same."""
    (response,) = model.respond([replace(prompts(few)[0], options=options)], AnswerMode.CHOOSE)
    assert response.error is None
    assert all(-200 < score.logprob < 0 for score in response.scores)


def test_the_prompt_is_the_models_own_template_once(model: Gguf, few: Design) -> None:
    llama = model._llama
    rendered = llama.render(prompts(few)[0])
    assert rendered.startswith("<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\n")
    assert rendered.endswith("<|im_end|>\n<|im_start|>assistant\n")
    tokens = llama.tokenise(rendered)
    assert tokens[0] == 1
    assert tokens[1] != 1
    assert llama.end_of_answer() == 2


def test_an_idle_line_to_the_engine_is_opened_again(model: Gguf) -> None:
    llama = model._llama
    before = llama.tokenise("Ida")
    assert llama._line.sock is not None
    llama._line.sock.shutdown(socket.SHUT_RDWR)
    assert llama.tokenise("Ida") == before


def test_it_writes_and_the_limit_cuts(model: Gguf, few: Design) -> None:
    prompt = prompts(few)[0]
    (response,) = model.respond([prompt], AnswerMode.GENERATE)
    assert response.text
    assert response.finish in ("stop", "length")
    (cut,) = model.respond([replace(prompt, max_tokens=1)], AnswerMode.GENERATE)
    assert cut.finish == "length"
    assert cut.usage["output_tokens"] == 1


def test_sampling_follows_the_seed(model: Gguf, few: Design) -> None:
    prompt = replace(prompts(few)[0], temperature=1.5, max_tokens=24)
    texts = {
        seed: [next(model.respond([replace(prompt, seed=seed)], AnswerMode.GENERATE)).text for _ in range(2)]
        for seed in (1, 2)
    }
    assert texts[1][0] == texts[1][1]
    assert texts[1][0] != texts[2][0]


def test_a_prompt_that_is_too_long_is_an_error_of_that_trial(model: Gguf, few: Design) -> None:
    good = prompts(few)[0]
    long = replace(good, trial_id="long", user="word " * 6000)
    for mode in (AnswerMode.GENERATE, AnswerMode.CHOOSE):
        found = {response.trial_id: response for response in model.respond([long, good], mode)}
        assert "context size" in (found["long"].error or "")
        assert found[good.trial_id].error is None


def test_broken_files_are_one_clear_line(smollm2: Path, tmp_path: Path) -> None:
    whole = smollm2.read_bytes()
    cases = {
        "cut.gguf": (whole[:10_000_000], "truncated, damaged"),
        "zeros.gguf": (
            whole[: len(whole) // 2] + bytes(len(whole) - len(whole) // 2),
            "weights are damaged|does not answer",
        ),
        "text.gguf": (b"not a model", "is not a GGUF file"),
        "base.gguf": (
            whole.replace(b"tokenizer.chat_template", b"tokenizer.chat_nothing_"),
            "carries no chat template",
        ),
    }
    for name, (content, words) in cases.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ParticipantError, match=words):
            Gguf(name, tmp_path / name)
    with pytest.raises(ParticipantError, match="no file"):
        Gguf("none", tmp_path / "none.gguf")
