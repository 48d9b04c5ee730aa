"""Models through vLLM, on a scripted engine: what it is asked, what is kept, sums that are right by hand."""

import importlib.util
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from deixis.errors import ParticipantError
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.participants import vllm
from deixis.participants.vllm import Vllm, vllm_state
from deixis.records import AnswerMode, Example, Prompt, Response
from deixis.scenes.png import key_of
from tests.participants import scripted_vllm
from tests.participants.scripted_vllm import PATCHES, Engine, Tokenizer

NAME = "org/model-x"
PLAIN = Prompt("plain", "Be brief.", "Whose cup is it?", ("mine", "yours"), temperature=0.0)
LN = math.log(256)


THIRD = AnswerMode.CONSTRAINED
Make = Callable[..., tuple[Vllm, Engine]]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Make:
    """A participant with its scripted engine; what the participant does not take goes to the engine."""
    scripted_vllm.install(monkeypatch)

    def made(**settings: Any) -> tuple[Vllm, Engine]:
        own = {
            name: settings.pop(name)
            for name in ("draw", "pictures", "template", "chunk", "options")
            if name in settings
        }
        engines: list[Engine] = []

        def engine(**asked: Any) -> Engine:
            engines.append(Engine(**{**asked, **settings}))
            return engines[0]

        return Vllm(NAME, own.pop("draw", None), engine=engine, **own), engines[0]

    return made


@pytest.fixture(scope="module")
def shown() -> Design:
    """Which object is in the square, with a picture."""
    return experiment("checks").design(None, "object")


def answered(participant: Vllm, prompts: list[Prompt], mode: AnswerMode = AnswerMode.GENERATE) -> dict[str, Response]:
    return {response.trial_id: response for response in participant.respond(prompts, mode)}


def test_who_it_is_and_what_it_can_do(make: Make) -> None:
    participant, engine = make(options={"dtype": "torch.float16"}, template={"opening": "<think>"})
    assert participant.id == "vllm:org/model-x"
    assert participant.identity == {
        "engine": "vllm 0.33.0",
        "model": NAME,
        "dtype": "float16",
        "revision": "0a1b2c",
        "options": "dtype='torch.float16'",
        "template": "opening='<think>'",
    }
    assert (engine.enable_prefix_caching, engine.seed, engine.model) == (True, 0, NAME)
    assert participant.abilities.choose
    assert participant.abilities.logprobs
    participant.close()
    assert not engine.open


@pytest.mark.parametrize(("vision", "said", "sees"), [(True, None, True), (False, None, False), (False, True, True)])
def test_it_sees_where_its_configuration_does_or_it_is_said(
    make: Make, vision: bool, said: bool | None, sees: bool
) -> None:
    participant, _ = make(vision=vision, pictures=said)
    assert participant.abilities.pictures is sees


def test_messages_settings_and_what_is_kept(make: Make) -> None:
    participant, engine = make()
    prompt = replace(PLAIN, examples=(Example("One."), Example("Two.")), seed=7, max_tokens=40)
    found = answered(participant, [prompt])["plain"]
    (call,) = engine.calls
    assert call.texts[0] == (
        "<|im_start|>system\nBe brief.<|im_end|>\n"
        "<|im_start|>user\nOne.\n\nTwo.\n\nWhose cup is it?<|im_end|>\n<|im_start|>assistant\n"
    )
    assert (call.params[0].temperature, call.params[0].max_tokens, call.params[0].seed) == (0.0, 40, 7)
    assert (found.text, found.finish, found.model, found.error) == ("mine", "stop", "vllm:org/model-x", None)
    read = Tokenizer().encode(call.texts[0], add_special_tokens=False)
    assert found.usage == {"input_tokens": len(read), "output_tokens": 4}
    assert found.date.endswith("+00:00")
    assert found.seconds > 0


def test_without_a_temperature_the_models_own_settings_hold(make: Make) -> None:
    participant, engine = make()
    answered(participant, [replace(PLAIN, temperature=None)])
    params = engine.calls[0].params[0]
    assert (params.temperature, params.top_p, params.top_k) == (0.6, 0.95, 20)


def test_pictures_stand_before_their_texts_and_are_those_meant(make: Make, shown: Design) -> None:
    participant, engine = make(draw=shown.draw)
    first, second = shown.prompts[0], next(p for p in shown.prompts if p.picture != shown.prompts[0].picture)
    prompt = replace(second, examples=(Example("An example.", first.picture), Example("Another.")))
    found = answered(participant, [prompt])[prompt.trial_id]
    (call,) = engine.calls
    text = f"user\n<|image|>An example.\n\nAnother.\n\n<|image|>{prompt.user}<|im_end|>"
    assert text in call.texts[0]
    assert [key_of(np.asarray(image)) for image in call.pictures[0]] == [first.picture, second.picture]
    assert found.picture == second.picture


def test_each_picture_is_drawn_once_in_a_chunk_and_prompts_lie_in_the_order_of_the_caches(
    make: Make, shown: Design
) -> None:
    drawn: list[str] = []

    def draw(picture: str) -> bytes:
        drawn.append(picture)
        assert shown.draw is not None
        return shown.draw(picture)

    participant, engine = make(draw=draw)
    pictures = list(dict.fromkeys(prompt.picture for prompt in shown.prompts))[:3]
    prompts = [
        replace(PLAIN, trial_id=f"{place}{user}{text}", picture=picture, user=user, examples=(Example(text),))
        for user in "ab"
        for text in ("y", "x")
        for place, picture in enumerate(pictures)
    ]
    answered(participant, prompts)
    assert sorted(drawn) == sorted(map(str, pictures))
    (call,) = engine.calls
    order = [(key_of(np.asarray(p[0])), t) for p, t in zip(call.pictures, call.texts, strict=True)]
    assert order == sorted(order)
    assert len(order) == 12


def test_chunks_are_as_large_as_is_said(make: Make) -> None:
    participant, engine = make(chunk=4)
    answered(participant, [replace(PLAIN, trial_id=str(number)) for number in range(10)])
    assert [len(call.texts) for call in engine.calls] == [4, 4, 2]


@pytest.mark.parametrize(("finish", "kept"), [("stop", "stop"), ("length", "length"), ("repetition", "repetition")])
def test_finish_reasons(make: Make, finish: str, kept: str) -> None:
    participant, _ = make(answer=lambda text, params: ("mine", finish))
    assert answered(participant, [PLAIN])["plain"].finish == kept


def test_the_length_limit_cuts(make: Make) -> None:
    participant, _ = make()
    found = answered(participant, [replace(PLAIN, max_tokens=2)])["plain"]
    assert (found.text, found.finish, found.usage["output_tokens"]) == ("mi", "length", 2)


def test_what_the_engine_breaks_off_is_an_error(make: Make) -> None:
    participant, _ = make(answer=lambda text, params: ("mi", "abort"))
    found = answered(participant, [PLAIN])["plain"]
    assert found.text is None
    assert "abort" in str(found.error)


@pytest.mark.parametrize("mode", [AnswerMode.GENERATE, AnswerMode.CHOOSE, THIRD])
def test_only_the_prompts_that_fail_are_errors(make: Make, mode: AnswerMode) -> None:
    participant, engine = make(longest=300)
    prompts = [replace(PLAIN, trial_id=str(number), user=f"{number}?") for number in range(9)]
    prompts[4] = replace(prompts[4], user="word " * 100)
    found = answered(participant, prompts, mode)
    assert len(found) == 9
    assert [trial for trial, response in found.items() if response.error] == ["4"]
    assert "longer than the model's 300" in str(found["4"].error)
    assert len(engine.calls) > 3


def test_a_picture_that_cannot_be_drawn_is_an_error_of_its_prompt(make: Make) -> None:
    participant, _ = make()
    found = answered(participant, [PLAIN, replace(PLAIN, trial_id="seen", picture="f00")])
    assert "nothing to draw the picture 'f00' with" in str(found["seen"].error)
    assert found["plain"].text == "mine"


def test_a_dead_engine_ends_the_run(make: Make) -> None:
    participant, _ = make(dies_of="cup")
    with pytest.raises(ParticipantError, match="the engine has died"):
        answered(participant, [PLAIN, replace(PLAIN, trial_id="2")])


@pytest.mark.parametrize("mode", [AnswerMode.GENERATE, AnswerMode.CHOOSE])
def test_two_turns(make: Make, mode: AnswerMode) -> None:
    def answer(text: str, params: Any) -> tuple[str, str]:
        return ("yours" if "So?" in text else "Let me think."), "stop"

    participant, engine = make(answer=answer)
    found = answered(participant, [replace(PLAIN, then="So?"), replace(PLAIN, trial_id="one")], mode)
    assert found["plain"].reasoning == "Let me think."
    assert found["one"].reasoning is None
    assert found["plain"].usage["output_tokens"] == 13 + 5 * (mode is AnswerMode.GENERATE)
    second = "Let me think.<|im_end|>\n<|im_start|>user\nSo?<|im_end|>\n<|im_start|>assistant\n"
    assert sum(second in text for call in engine.calls[1:] for text in call.texts) >= 1
    if mode is AnswerMode.GENERATE:
        assert (found["plain"].text, found["one"].text) == ("yours", "Let me think.")
    else:
        assert len(found["plain"].scores) == len(found["one"].scores) == 2


def test_uniform_over_v_tokens_gives_minus_n_ln_v(make: Make) -> None:
    participant, engine = make()
    found = answered(participant, [PLAIN], AnswerMode.CHOOSE)["plain"]
    assert [score.tokens for score in found.scores] == [4, 5]
    assert [score.logprob for score in found.scores] == pytest.approx([-4 * LN, -5 * LN])
    assert (found.text, found.choice, found.error) == (None, None, None)
    asked = engine.calls[0]
    assert [(p.prompt_logprobs, p.max_tokens, p.temperature) for p in asked.params] == [(0, 1, 0.0)] * 2
    assert asked.texts[1].endswith("<|im_start|>assistant\nyours")
    context = Tokenizer().encode(asked.texts[0].removesuffix("mine"), add_special_tokens=False)
    assert found.usage == {"input_tokens": len(context)}


def test_the_sum_runs_over_the_options_tokens_only(make: Make) -> None:
    def after(context: tuple[int, ...]) -> dict[int, float]:
        spelled = "".join(map(chr, context)).rpartition("assistant\n")[2]
        return {"": {ord("m"): 0.75, ord("y"): 0.25}, "m": {ord("e"): 0.5, ord("y"): 0.5}}.get(spelled, {ord("u"): 1.0})

    participant, _ = make(after=after)
    found = answered(participant, [replace(PLAIN, options=("me", "yu"))], AnswerMode.CHOOSE)["plain"]
    assert [score.logprob for score in found.scores] == pytest.approx([math.log(0.75 * 0.5), math.log(0.25)])


def test_an_option_that_begins_another_is_scored_with_the_end_of_its_turn(make: Make) -> None:
    participant, engine = make()
    found = answered(participant, [replace(PLAIN, options=("Ann", "Anna"))], AnswerMode.CHOOSE)["plain"]
    assert [score.tokens for score in found.scores] == [4, 5]
    assert engine.calls[0].texts[0].endswith("Ann<|im_end|>")
    endless, engine = make(tokenizer=Tokenizer(endless=True))
    answered(endless, [replace(PLAIN, options=("Ann", "Anna"))], AnswerMode.CHOOSE)
    assert engine.calls[0].texts[0].endswith("Ann" + chr(Tokenizer.eos_token_id))


def test_boundaries_are_those_of_the_whole_text(make: Make) -> None:
    participant, _ = make(
        tokenizer=Tokenizer(merges=("\nm",)), after=lambda _: dict.fromkeys([*range(256), 10_000], 1 / 256)
    )
    found = answered(participant, [replace(PLAIN, options=("mine", "yours"))], AnswerMode.CHOOSE)["plain"]
    assert [score.tokens for score in found.scores] == [4, 6]


def test_options_are_scored_after_the_picture(make: Make, shown: Design) -> None:
    participant, engine = make(draw=shown.draw)
    prompt = shown.prompts[0]
    found = answered(participant, [prompt], AnswerMode.CHOOSE)[prompt.trial_id]
    assert [score.logprob for score in found.scores] == pytest.approx([-len(text) * LN for text in prompt.options])
    asked = engine.calls[0]
    assert all(f"<|image|>{prompt.user}" in text for text in asked.texts)
    assert {key_of(np.asarray(image)) for (image,) in asked.pictures} == {prompt.picture}
    context = Tokenizer().encode(asked.texts[0].removesuffix(prompt.options[0]), add_special_tokens=False)
    assert found.usage["input_tokens"] == len(context) + PATCHES - 1
    assert found.picture == prompt.picture


def test_pictures_of_examples_come_first_where_options_are_scored(make: Make, shown: Design) -> None:
    participant, engine = make(draw=shown.draw)
    first, second = shown.prompts[0], next(p for p in shown.prompts if p.picture != shown.prompts[0].picture)
    prompt = replace(second, examples=(Example("An example.", first.picture),))
    assert answered(participant, [prompt], AnswerMode.CHOOSE)[prompt.trial_id].error is None
    seen = [[key_of(np.asarray(image)) for image in pictures] for pictures in engine.calls[0].pictures]
    assert seen == [[first.picture, second.picture]] * 4


def test_options_go_to_the_engine_in_chunks_too(make: Make) -> None:
    participant, engine = make(chunk=3)
    found = answered(participant, [replace(PLAIN, trial_id=str(number)) for number in range(3)], AnswerMode.CHOOSE)
    assert [len(call.texts) for call in engine.calls if call.method == "generate"] == [3, 3]
    assert all(len(response.scores) == 2 for response in found.values())


def test_a_probability_of_nothing_is_an_error_and_never_a_choice(make: Make) -> None:
    participant, _ = make(after=lambda _context: {1: 1.0})
    found = answered(participant, [PLAIN], AnswerMode.CHOOSE)["plain"]
    assert "-inf" in str(found.error)
    assert not found.scores


def test_log_probabilities_withheld_and_options_without_tokens_are_errors(make: Make) -> None:
    participant, _ = make(withheld=16)
    assert "no log-probabilities" in str(answered(participant, [PLAIN], AnswerMode.CHOOSE)["plain"].error)
    participant, _ = make()
    found = answered(participant, [replace(PLAIN, options=("", "b")), replace(PLAIN, trial_id="2")], AnswerMode.CHOOSE)
    assert "no token of its own" in str(found["plain"].error)
    assert found["2"].scores


def test_options_are_never_scored_after_another_prompt_than_a_chat_shows(make: Make) -> None:
    class Other(Tokenizer):
        def apply_chat_template(self, messages: Any, **settings: Any) -> str:
            return "<|im_start|>" + super().apply_chat_template(messages, **settings)

    participant, _ = make(chatting=Other())
    with pytest.raises(ParticipantError, match="reads another prompt in a chat"):
        answered(participant, [PLAIN], AnswerMode.CHOOSE)


@pytest.mark.parametrize("mode", [AnswerMode.GENERATE, AnswerMode.CHOOSE])
def test_settings_of_the_template_reach_it(make: Make, mode: AnswerMode) -> None:
    participant, engine = make(template={"opening": "<think></think>"})
    assert answered(participant, [PLAIN], mode)["plain"].error is None
    assert all("assistant\n<think></think>" in text for call in engine.calls for text in call.texts)


def test_beginnings_are_read_from_the_cache_unless_their_log_probabilities_are_asked_for(make: Make) -> None:
    participant, _ = make()
    prompts = [replace(PLAIN, trial_id=str(number), user=f"{'word ' * 20}{number}") for number in range(3)]
    written = answered(participant, prompts)
    assert [written[trial].usage.get("cached_tokens", 0) > 100 for trial in "012"] == [False, True, True]
    assert not any("cached_tokens" in r.usage for r in answered(participant, prompts, AnswerMode.CHOOSE).values())


def test_constrained_answers_are_texts_and_no_choices(make: Make) -> None:
    participant, engine = make(answer=lambda text, params: (params.structured_outputs.choice[1], "stop"))
    found = answered(participant, [PLAIN], THIRD)["plain"]
    assert (found.text, found.choice, found.scores, found.finish) == ("yours", None, (), "stop")
    (call,) = engine.calls
    assert call.params[0].structured_outputs is not None
    assert call.params[0].structured_outputs.choice == ["mine", "yours"]


def test_the_first_of_two_turns_is_never_constrained(make: Make) -> None:
    participant, engine = make()
    found = answered(participant, [replace(PLAIN, then="So?", options=("yours", "mine"))], THIRD)["plain"]
    assert (found.reasoning, found.text) == ("mine", "yours")
    assert [call.params[0].structured_outputs is None for call in engine.calls] == [True, False]


def test_without_the_package_or_a_gpu_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    words = r"'vllm:org/model-x' needs the package vllm and a GPU; pip install 'deixis\[vllm\]'"
    for missing in ("vllm", "vllm.platforms"):
        monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ParticipantError, match=words):
        Vllm(NAME)
    assert vllm_state() == "pip install 'deixis[vllm]'"
    scripted_vllm.install(monkeypatch, gpu=False)
    with pytest.raises(ParticipantError, match=words):
        Vllm(NAME)
    assert vllm_state() == "needs a GPU"
    scripted_vllm.install(monkeypatch)
    assert vllm_state() == "installed"
    assert Vllm(NAME).abilities.pictures


def test_a_model_that_cannot_be_loaded_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def engine(**settings: Any) -> Any:
        raise OSError("org/model-x is not a\nvalid model identifier")

    with pytest.raises(
        ParticipantError, match="'vllm:org/model-x' cannot be loaded: OSError: org/model-x is not a valid"
    ):
        Vllm(NAME, engine=engine)


@pytest.fixture(scope="module")
def real() -> Iterator[Vllm]:
    """A small model on the real engine."""
    if importlib.util.find_spec("vllm") is None:
        pytest.skip("needs the package vllm (pip install 'deixis[vllm]')")
    if vllm_state() != "installed":
        pytest.skip("needs a GPU for vLLM")
    options = {"max_model_len": 2048, "gpu_memory_utilization": 0.5, "enforce_eager": True}
    participant = Vllm("HuggingFaceTB/SmolLM2-135M-Instruct", options=options)
    yield participant
    participant.close()


def test_the_real_engine_writes_chooses_and_is_constrained(real: Vllm) -> None:
    prompts = [replace(PLAIN, trial_id=str(number), user=f"{number}? Mine or yours?") for number in range(3)]
    assert all(response.text for response in answered(real, prompts).values())
    chosen = answered(real, prompts, AnswerMode.CHOOSE)
    assert all(sum(math.exp(score.logprob) for score in response.scores) <= 1 for response in chosen.values())
    assert {response.text for response in answered(real, prompts, THIRD).values()} <= {"mine", "yours"}


def test_the_real_engine_refuses_only_what_is_too_long(real: Vllm) -> None:
    found = answered(real, [PLAIN, replace(PLAIN, trial_id="long", user="word " * 6000)])
    assert found["plain"].error is None
    assert found["long"].error is not None


def test_other_weights_in_the_same_folder_are_another_participant(make: Make, tmp_path: Path) -> None:
    make()
    config = SimpleNamespace(dtype="torch.float16", hf_config=None)
    found = []
    for weights in (b"one", b"two"):
        (tmp_path / "model.safetensors").write_bytes(weights)
        found.append(vllm._identity(str(tmp_path), config, {}, {})["weights"])
    assert found[0] != found[1]
