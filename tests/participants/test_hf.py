"""Models through transformers, tiny ones with random weights: what they are shown, what comes back, clear faults."""

import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deixis.errors import ParticipantError
from deixis.experiments import experiment
from deixis.participants import hf_batches, hf_load, hf_prefix
from deixis.participants.hf import Hf, hf_abilities, hf_id, hf_state
from deixis.participants.hf_load import HfSetting
from deixis.participants.hf_noise import Noise, Sampling
from deixis.participants.participant import check_abilities
from deixis.records import AnswerMode, Example, Prompt, Response
from deixis.scenes.png import key_of
from tests.participants.tiny import BEGIN, IMAGE, KINDS, SEEING, TEMPLATE, picture, tiny

torch = pytest.importorskip("torch", reason="needs the packages torch and transformers (pip install 'deixis[hf]')")
transformers = pytest.importorskip("transformers", reason="needs transformers (pip install 'deixis[hf]')")

SPACED = TEMPLATE.replace("assistant\n{% endif %}", "assistant is {% endif %}")
SETTING = HfSetting(batch=4, trust_remote_code=True)
MODES = (AnswerMode.GENERATE, AnswerMode.CHOOSE)
MARGIN = 1e-3
"""How close, in natural logarithms, two tokens must be for padding to exchange them."""
PICTURES = dict(picture(number, 48, 64 if number % 2 else 40) for number in range(6))
KEYS = list(PICTURES)
Load = Callable[..., Hf]


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Load]:
    """Load a tiny model, each once."""
    loaded: dict[Any, Hf] = {}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)

    def get(kind: str, setting: HfSetting = SETTING, **written: Any) -> Hf:
        key = (kind, setting, *written.items())
        if key not in loaded:
            folder = tiny(tmp_path_factory.mktemp(kind), kind, **written)
            loaded[key] = Hf(str(folder), PICTURES.__getitem__, setting)
        return loaded[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transformers.dynamic_module_utils, "HF_MODULES_CACHE", str(tmp_path_factory.mktemp("modules")))
        yield get
    for model in loaded.values():
        model.close()
    torch.set_num_threads(threads)


def prompts(kind: str, count: int = 6, **changes: Any) -> list[Prompt]:
    """Prompts of different lengths, each with a picture of its own where the model sees."""
    return [
        replace(
            Prompt(
                f"t{number}",
                "Be brief." if number % 2 else "",
                "Whose is the cup? " + "I prefer mine. " * number,
                ("You prefer mine.", "You prefer yours.", "it is the broom"),
                picture=KEYS[number] if kind in SEEING else None,
                max_tokens=6,
            ),
            **changes,
        )
        for number in range(count)
    ]


def asked(model: Hf, some: list[Prompt], mode: AnswerMode) -> dict[str, Response]:
    found = {response.trial_id: response for response in model.respond(some, mode)}
    assert {name: response.error for name, response in found.items()} == {prompt.trial_id: None for prompt in some}
    return found


class Recorder:
    """A processor that notes which texts and pictures it is given."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.given: list[tuple[str, list[str]]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def __call__(self, text: list[str], images: Any = None, **settings: Any) -> Any:
        for one, shown in zip(text, images or [[]] * len(text), strict=True):
            self.given.append((one, [key_of(np.asarray(image)) for image in shown]))
        return self.inner(text=text, images=images, **settings)


def recorded(model: Hf, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    recorder = Recorder(model._engine._processor)
    monkeypatch.setattr(model._engine, "_processor", recorder)
    return recorder


def plain(model: Hf, prompt: Prompt, options: tuple[str, ...]) -> list[Any]:
    """Log-probabilities at every place of prompt and option, each read whole, and the tokens; the plain way."""
    engine = model._engine
    one = model._asked(prompt)
    text = engine.render(one)
    found = []
    for option in options:
        inputs = engine._encode([text + option], [one.pictures])
        engine._forget()
        with torch.inference_mode():
            logits = engine._model(**inputs, use_cache=False).logits[0]
        found.append((inputs["input_ids"][0].tolist(), logits.log_softmax(-1)))
    return found


def whole(model: Hf, prompt: Prompt) -> tuple[list[tuple[int, float]], tuple[int, int]]:
    """Tokens and log-probability of each option, read whole; how long the prompt is alone, and as it is shared."""
    ((alone, _),) = plain(model, prompt, ("",))
    wholes = plain(model, prompt, prompt.options)
    shared = min(_common(alone, tokens) for tokens, _ in wholes)
    found = []
    for tokens, table in wholes:
        places = range(shared, len(tokens))
        found.append((len(places), sum(float(table[place - 1, tokens[place]]) for place in places)))
    return found, (len(alone), shared)


@pytest.mark.parametrize("template", [TEMPLATE, SPACED], ids=["line", "space"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_choice_is_the_same_as_every_option_read_whole(load: Load, kind: str, template: str) -> None:
    """Also where the prompt's last token merges with an option's first, and after a prompt with another picture."""
    model = load(kind, template=template)
    assert model._engine._shares
    some = [*prompts(kind, 3), replace(prompts(kind, 1)[0], trial_id="blind", picture=None)]
    for prompt in some:
        (response,) = model.respond([prompt], AnswerMode.CHOOSE)
        assert response.error is None
        found, (alone, shared) = whole(model, prompt)
        assert (shared < alone) == (template is SPACED)
        assert [score.tokens for score in response.scores] == [tokens for tokens, _ in found]
        assert [score.logprob for score in response.scores] == pytest.approx([sums for _, sums in found], abs=1e-4)


def test_an_option_that_begins_another_is_scored_with_the_end_of_the_turn(load: Load) -> None:
    model = load("llama")
    prompt = replace(prompts("llama")[1], options=("mine", "mine, too"))
    (response,) = model.respond([prompt], AnswerMode.CHOOSE)
    ended = plain(model, prompt, ("mine<|im_end|>", "mine, too<|im_end|>"))
    for (whole, table), score in zip(ended, response.scores, strict=True):
        places = range(len(whole) - score.tokens, len(whole))
        assert score.logprob == pytest.approx(sum(float(table[p - 1, whole[p]]) for p in places), abs=1e-4)


def test_many_options_are_scored_some_at_a_time(load: Load) -> None:
    prompt = replace(prompts("llava")[0], options=tuple(f"You prefer {word}." for word in "abcdefg"))
    one = asked(load("llava"), [prompt], AnswerMode.CHOOSE)["t0"]
    other = asked(load("llava", replace(SETTING, batch=1)), [prompt], AnswerMode.CHOOSE)["t0"]
    assert [s.logprob for s in one.scores] == pytest.approx([s.logprob for s in other.scores], abs=1e-4)


@pytest.mark.parametrize("kind", ["llava", "qwen2_vl"])
def test_a_model_whose_cache_cannot_be_shared_is_read_whole(
    load: Load, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(kind)
    shared = asked(model, prompts(kind, 2), AnswerMode.CHOOSE)
    monkeypatch.setattr(model._engine, "_continued", lambda _held, paths: [-99.0] * len(paths))
    model._engine._check()
    whole = asked(model, prompts(kind, 2), AnswerMode.CHOOSE)
    monkeypatch.undo()
    model._engine._check()
    for name, response in whole.items():
        assert [s.logprob for s in response.scores] == pytest.approx([s.logprob for s in shared[name].scores], abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_batches_change_no_answer_but_near_ties(load: Load, kind: str) -> None:
    model = load(kind)
    together = asked(model, prompts(kind), AnswerMode.GENERATE)
    close = []
    for prompt in reversed(prompts(kind)):
        alone = asked(model, [prompt], AnswerMode.GENERATE)[prompt.trial_id]
        if alone.text != together[prompt.trial_id].text:
            ((_, table),) = plain(model, prompt, (alone.text or "",))
            first, second = table.topk(2).values[-12:].T
            assert float((first - second).min()) < MARGIN, prompt.trial_id
            close.append(prompt.trial_id)
        assert alone.usage["input_tokens"] == together[prompt.trial_id].usage["input_tokens"]
    print(f"near ties of {kind}: {close}")
    assert len(close) < 2


@pytest.mark.parametrize("kind", KINDS)
def test_padding_changes_no_probability(load: Load, kind: str) -> None:
    engine = load(kind)._engine
    some = [load(kind)._asked(prompt) for prompt in prompts(kind)]

    def first(batch: list[Any]) -> Any:
        inputs = engine._encode([engine.render(one) for one in batch], [one.pictures for one in batch])
        engine._forget()
        wanted = {"max_new_tokens": 1, "output_logits": True, "return_dict_in_generate": True}
        return engine._model.generate(**inputs, **wanted).logits[0].log_softmax(-1)

    alone = torch.cat([first([one]) for one in some])
    assert float((first(some) - alone).abs().max()) < 1e-4
    assert float((alone[0] - alone[1]).abs().max()) > 1e-2


@pytest.mark.parametrize("kind", ["gemma3", "llama"])
def test_on_which_side_a_tokenizer_pads_does_not_matter(load: Load, kind: str) -> None:
    left, right = (asked(load(kind, side=side), prompts(kind, 4), AnswerMode.GENERATE) for side in ("left", "right"))
    assert {name: answer.text for name, answer in left.items()} == {name: answer.text for name, answer in right.items()}


@pytest.mark.parametrize("kind", SEEING)
def test_the_picture_given_to_the_processor_is_the_one_meant(
    load: Load, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(kind)
    recorder = recorded(model, monkeypatch)
    some = prompts(kind)
    found = asked(model, some, AnswerMode.GENERATE)
    assert {(prompt.user, prompt.picture) for prompt in some} == {
        (text.partition("user\n")[2].partition("<|vision_end|>")[2].partition("<|im_end|>")[0], shown[0])
        if kind != "gemma3"
        else (text.partition("<|vision_start|>")[2].partition("<|im_end|>")[0], shown[0])
        for text, shown in recorder.given
    }
    assert all(found[prompt.trial_id].picture == prompt.picture for prompt in some)


@pytest.mark.parametrize("kind", SEEING)
def test_another_picture_gives_other_probabilities(load: Load, kind: str) -> None:
    some = [replace(prompts(kind)[0], trial_id=key, picture=key) for key in KEYS[:2]]
    one, other = asked(load(kind), some, AnswerMode.CHOOSE).values()
    assert max(abs(a.logprob - b.logprob) for a, b in zip(one.scores, other.scores, strict=True)) > 1e-3


def test_pictures_of_a_design_arrive(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    design = experiment("checks").design(None, "object")
    model = load("llava")
    monkeypatch.setattr(model, "_draw", design.draw)
    recorder = recorded(model, monkeypatch)
    some = [replace(prompt, max_tokens=2) for prompt in design.prompts[:2]]
    asked(model, some, AnswerMode.GENERATE)
    assert sorted(shown for _, (shown,) in recorder.given) == sorted(str(prompt.picture) for prompt in some)


def test_examples_stand_before_the_question_each_behind_its_picture(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load("llava")
    recorder = recorded(model, monkeypatch)
    examples = (Example("One.", KEYS[1]), Example("Two."), Example("Three.", KEYS[2]))
    prompt = replace(prompts("llava")[3], examples=examples, user="Which?")
    asked(model, [prompt], AnswerMode.GENERATE)
    mark = f"<|vision_start|>{IMAGE}<|vision_end|>"
    ((text, shown),) = recorder.given
    assert text == (
        "<|im_start|>system\nBe brief.<|im_end|>\n"
        f"<|im_start|>user\n{mark}One.\n\nTwo.{mark}Three.{mark}Which?<|im_end|>\n<|im_start|>assistant\n"
    )
    assert shown == [KEYS[1], KEYS[2], KEYS[3]]
    mixed = [prompt, *prompts("llava", 3)]
    assert all(not answer.notes for answer in asked(model, mixed, AnswerMode.GENERATE).values())


def test_a_template_that_puts_pictures_first_is_noted(load: Load) -> None:
    parts = TEMPLATE.partition("{% for part in m['content'] %}")[2].partition("{% endfor %}")[0]
    first = "{% for part in m['content'] if part['type'] == 'image' %}<|image_pad|>{% endfor %}"
    rest = "{% for part in m['content'] if part['type'] == 'text' %}{{ part['text'] }} {% endfor %}"
    template = TEMPLATE.replace("{% for part in m['content'] %}" + parts + "{% endfor %}", first + rest)
    model = load("llava", template=template)
    prompt, single = prompts("llava", 2)
    some = [replace(prompt, examples=(Example("One.", KEYS[1]),)), single]
    found = asked(model, some, AnswerMode.CHOOSE)
    assert found["t0"].notes == ("the model's template puts all pictures before all text",)
    assert not found["t1"].notes


def test_a_choice_does_not_depend_on_what_was_asked_before(load: Load) -> None:
    some = [*prompts("qwen2_vl", 3), replace(prompts("qwen2_vl")[0], trial_id="blind", picture=None)]
    together = asked(load("qwen2_vl"), some, AnswerMode.CHOOSE)
    for prompt in reversed(some):
        alone = asked(load("qwen2_vl"), [prompt], AnswerMode.CHOOSE)[prompt.trial_id]
        assert alone.scores == together[prompt.trial_id].scores


WIDE = {"gemma3": {"window": 1024}}
BEGIN_ALIKE = "Two people stand on either side of a square, in which there is a cup. "


def neighbours(kind: str) -> list[Prompt]:
    """Of each of two pictures: prompts that begin alike, one of them twice with its options in another order."""
    options = prompts(kind)[0].options
    ends = [("Ida speaks.", options), ("Max speaks, and Ida hears it.", options), ("Ida asks.", options)]
    ends.append((ends[-1][0], options[::-1]))
    shown = [KEYS[0], KEYS[2]] if kind in SEEING else [None]
    return [
        Prompt(f"{place} {number}", "", BEGIN_ALIKE + end, some, picture=key)
        for place, key in enumerate(shown)
        for number, (end, some) in enumerate(ends)
    ]


def scored(model: Hf, some: list[Prompt]) -> tuple[dict[str, list[float]], list[int], list[int]]:
    """Score prompts one by one, in this order: what each option got, tokens evaluated, tokens there are."""
    engine = model._engine
    engine._forget()
    scores, evaluated, tokens = {}, [], []
    for prompt in some:
        before = engine.evaluated
        (response,) = asked(model, [prompt], AnswerMode.CHOOSE).values()
        scores[prompt.trial_id] = [score.logprob for score in response.scores]
        evaluated.append(engine.evaluated - before)
        tokens.append(response.usage["input_tokens"])
    return scores, evaluated, tokens


@pytest.mark.parametrize(
    ("kind", "shape", "shares"),
    [
        ("llava", {}, True),
        ("qwen2_vl", {}, True),
        ("llama", {}, True),
        ("gemma3", WIDE["gemma3"], True),
        ("gemma3", {}, False),
    ],
)
def test_neighbours_share_what_they_begin_with(load: Load, kind: str, shape: dict[str, int], shares: bool) -> None:
    """In either order each option gets what it gets read whole; a prompt asked again costs nothing."""
    model = load(kind, **shape)
    assert model._engine._keeps == shares
    some = neighbours(kind)
    there, evaluated, tokens = scored(model, some)
    back, *_ = scored(model, some[::-1])
    for prompt in some:
        found = pytest.approx([sums for _, sums in whole(model, prompt)[0]], abs=1e-4)
        assert there[prompt.trial_id] == found
        assert back[prompt.trial_id] == found
    print(f"{kind} {shape}: {sum(evaluated)} of {sum(tokens)} tokens evaluated")
    if shares:
        assert [count == length for count, length in zip(evaluated[:3], tokens, strict=False)] == [True, False, False]
        assert sum(evaluated) < sum(tokens) / 2
    else:
        assert evaluated == tokens
    _, evaluated, tokens = scored(model, [some[0]] * 3)
    assert evaluated == (tokens if not shares else [tokens[0], 0, 0])


def test_beyond_a_sliding_window_prompts_are_read_whole(load: Load) -> None:
    model = load("gemma3", window=300)
    assert model._engine._keeps
    short, other, *_ = neighbours("gemma3")
    long = [replace(short, trial_id=name, user=short.user + "I prefer mine. " * 60 + name) for name in "ab"]
    some = [short, other, *long, short]
    found, evaluated, tokens = scored(model, some)
    assert min(tokens[2:4]) > 300
    assert [count < length for count, length in zip(evaluated, tokens, strict=True)] == [
        False,
        True,
        True,
        False,
        False,
    ]
    for prompt in some:
        assert found[prompt.trial_id] == pytest.approx([sums for _, sums in whole(model, prompt)[0]], abs=1e-4)


@pytest.mark.parametrize("kind", SEEING)
def test_another_picture_is_never_shared(load: Load, kind: str) -> None:
    """Same text, pictures exchanged, of the same size and of another one."""
    model = load(kind, **WIDE.get(kind, {}))
    (prompt, *_) = neighbours(kind)
    some = [replace(prompt, trial_id=str(place), picture=KEYS[key]) for place, key in enumerate((0, 2, 1, 0))]
    some.append(replace(prompt, trial_id="blind", picture=None))
    found, evaluated, tokens = scored(model, some)
    assert evaluated == tokens
    for one in some:
        assert found[one.trial_id] == pytest.approx([sums for _, sums in whole(model, one)[0]], abs=1e-4)
    assert found["0"] == pytest.approx(found["3"], abs=1e-6)
    assert found["0"] != pytest.approx(found["1"], abs=1e-3)


@pytest.mark.parametrize("kind", ["llava", "qwen2_vl"])
def test_what_is_shared_holds_every_picture(load: Load, kind: str) -> None:
    """Prompts that differ before their last picture share nothing, those that differ behind it do."""
    model = load(kind)
    (prompt, other, *_) = neighbours(kind)

    def exampled(text: str, asked: Prompt) -> Prompt:
        return replace(asked, trial_id=text + asked.trial_id, examples=(Example(BEGIN_ALIKE + text, KEYS[4]),))

    for some, shares in (
        ([exampled("One.", prompt), exampled("Two.", prompt)], False),
        ([exampled("One.", prompt), exampled("One.", other)], True),
    ):
        found, evaluated, tokens = scored(model, some)
        assert (evaluated[1] < tokens[1] / 2) == shares
        assert (evaluated[1] == tokens[1]) != shares
        for one in some:
            assert found[one.trial_id] == pytest.approx([sums for _, sums in whole(model, one)[0]], abs=1e-4)


def test_nothing_is_kept_past_an_error_a_text_or_the_end(load: Load, tmp_path: Path) -> None:
    model = Hf(str(tiny(tmp_path, "llama")), setting=SETTING)
    engine = model._engine
    one, other, *_ = neighbours("llama")

    def fails(*_: Any, **__: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    for name in ("_forward", "_continued"):
        asked(model, [one], AnswerMode.CHOOSE)
        assert engine._kept is not None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engine, name, fails)
            (response,) = model.respond([other], AnswerMode.CHOOSE)
        assert "out of memory" in (response.error or "")
        assert engine._kept is None
    for ends in (lambda: asked(model, [other], AnswerMode.GENERATE), model.close):
        if engine._kept is None:
            asked(model, [one], AnswerMode.CHOOSE)
        ends()
        assert engine._kept is None


def test_a_cache_that_is_not_cut_right_is_not_kept(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = load("llama", seed=2)._engine
    for name in ("cut", "holds"):
        for answer in (True, False):
            with monkeypatch.context() as patch:
                patch.setattr(hf_prefix, name, lambda *_, answer=answer: answer)
                engine._check()
            assert engine._shares
            assert engine._keeps == (name == "holds" and answer)
    layer = transformers.cache_utils.LinearAttentionLayer()
    assert not hf_prefix.holds(transformers.DynamicCache(), 3)
    assert not hf_prefix.holds(transformers.cache_utils.Cache(layers=[layer]), 3)


def test_how_much_of_two_prompts_is_common() -> None:
    config = transformers.LlavaConfig(image_token_index=90)
    assert hf_prefix.marks(config, None, [1, 2, 3], [1, 2, 91, 91, 3]) == {90, 91}

    def given(tokens: list[int], pixel: int | None = None) -> dict[str, Any]:
        shown = {} if pixel is None else {"pixel_values": torch.full((1, 3, 2, 2), pixel)}
        return {"input_ids": torch.tensor([tokens]), "attention_mask": torch.ones(1, len(tokens)), **shown}

    def common(one: dict[str, Any], other: dict[str, Any]) -> int:
        read = hf_prefix.Read(tuple(one["input_ids"][0].tolist()), hf_prefix.shown(one), None, None)
        return hf_prefix.common(read, other, frozenset({90}))

    text, seen = list(range(20)), [1, 90, 90, 2, 3]
    assert common(given(text), given([*text[:16], 7, 7])) == 16
    assert common(given(text), given([*text[:15], 7, 7])) == 0
    assert common(given(text), given(text[:18])) == 17
    assert common(given(text), given(text)) == 20
    assert common(given(seen, 5), given([1, 90, 90, 3, 3], 5)) == 3
    assert common(given(seen, 5), given([1, 90, 90, 2, 90], 5)) == 0
    assert common(given([1, 2, 3], 5), given([1, 2, 4], 5)) == 0
    assert [common(given(seen, 5), given(seen, pixel)) for pixel in (5, 6, None)] == [5, 0, 0]


def test_a_model_that_looks_ahead_shares_with_no_neighbour(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it computes of the beginning depends on a token that the probes do not have in common."""
    engine = load("llama", seed=3)._engine
    forward = engine._forward
    one, other = (engine.tokenise(hf_batches._BEGIN + end) for end in hf_batches._ENDS)
    later = _common(list(one), list(other)) + 8

    def ahead(keep: int, **inputs: Any) -> Any:
        if engine._cache not in inputs:
            inputs["input_ids"] = inputs["input_ids"].clone()
            inputs["input_ids"][0, 0] = inputs["input_ids"][0, later]
        return forward(keep, **inputs)

    monkeypatch.setattr(engine, "_forward", ahead)
    engine._check()
    assert (engine._shares, engine._keeps) == (True, False)


def test_each_prompt_has_its_own_limit(load: Load) -> None:
    some = [replace(prompt, max_tokens=2 + 3 * (place % 2)) for place, prompt in enumerate(prompts("llama", 4))]
    found = asked(load("llama"), some, AnswerMode.GENERATE)
    assert [found[prompt.trial_id].usage["output_tokens"] for prompt in some] == [2, 5, 2, 5]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["qwen2_vl", "llama"])
def test_the_second_turn_follows_what_was_written_in_the_first(
    load: Load, kind: str, mode: AnswerMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(kind)
    rendered: list[str] = []
    render = model._engine.render
    monkeypatch.setattr(model._engine, "render", lambda one: rendered.append(render(one)) or rendered[-1])
    some = prompts(kind, 3, then="And now the answer.")
    once = asked(model, prompts(kind, 3), AnswerMode.GENERATE)
    rendered.clear()
    for name, response in asked(model, some, mode).items():
        assert response.reasoning == once[name].text
        turns = f"assistant\n{response.reasoning}<|im_end|>\n<|im_start|>user\nAnd now the answer.<|im_end|>"
        assert any(turns in text for text in rendered)
        assert response.usage["input_tokens"] > 2 * once[name].usage["input_tokens"]
        assert bool(response.scores) == (mode is AnswerMode.CHOOSE) == (response.text is None)


def test_it_says_why_it_ended_and_counts(load: Load) -> None:
    model = load("llama")
    (prompt,) = prompts("llama", 1)
    (cut,) = model.respond([replace(prompt, max_tokens=1)], AnswerMode.GENERATE)
    assert (cut.finish, cut.usage["output_tokens"]) == ("length", 1)
    assert cut.date.endswith("+00:00")
    engine = model._engine
    stopped = engine._reply([*engine.tokenise("mine"), engine.end_of_answer(), engine.end_of_answer()], 5)
    assert (stopped.text, stopped.finish) == ("mine", "stop")
    assert stopped.output_tokens == len(engine.tokenise("mine")) + 1


def test_it_stops_where_the_model_ends_its_turn(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = load("llama")._engine
    lengths = []
    generate = engine._model.generate

    def counted(**settings: Any) -> Any:
        found = generate(**settings)
        lengths.append(found.shape[1] - settings["input_ids"].shape[1])
        return found

    def ending(_module: Any, _given: Any, scores: Any) -> Any:
        scores[..., engine.end_of_answer()] = 1e4
        return scores

    monkeypatch.setattr(engine._model, "generate", counted)
    hook = engine._model.lm_head.register_forward_hook(ending)
    found = asked(load("llama"), prompts("llama", 2), AnswerMode.GENERATE)
    hook.remove()
    assert lengths == [1]
    assert {(answer.text, answer.finish, answer.usage["output_tokens"]) for answer in found.values()} == {
        ("", "stop", 1)
    }


def test_sampling_follows_the_seed_and_not_the_batch(load: Load) -> None:
    model = load("llama")
    some = prompts("llama", 4, temperature=1.5, max_tokens=12)
    texts = {name: answer.text for name, answer in asked(model, some, AnswerMode.GENERATE).items()}
    for prompt in some:
        assert asked(model, [prompt], AnswerMode.GENERATE)[prompt.trial_id].text == texts[prompt.trial_id]
        other = asked(model, [replace(prompt, seed=1)], AnswerMode.GENERATE)
        assert other[prompt.trial_id].text != texts[prompt.trial_id]
    twin = replace(some[0], trial_id="twin")
    assert asked(model, [twin], AnswerMode.GENERATE)["twin"].text != texts["t0"]


def test_noise_draws_by_probability() -> None:
    scores = torch.tensor([0.5, 0.3, 0.2]).log().repeat(1, 1)
    noise = Noise([Sampling(1.0, 7)])
    drawn = torch.stack([noise(None, scores)[0].argmax() for _ in range(4000)])
    assert (drawn.bincount() / 4000).tolist() == pytest.approx([0.5, 0.3, 0.2], abs=0.03)


def test_where_memory_runs_out_batches_are_halved_and_that_is_noted(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load("llava")
    generate = model._engine._model.generate
    sizes = []

    def small(**inputs: Any) -> Any:
        sizes.append(len(inputs["input_ids"]))
        if sizes[-1] > 2:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return generate(**inputs)

    monkeypatch.setattr(model._engine._model, "generate", small)
    monkeypatch.setattr(model, "_batch", 3)
    found = asked(model, prompts("llava"), AnswerMode.GENERATE)
    assert sizes == [3, 2, 1, 2, 1]
    assert sorted(len(response.notes) for response in found.values()) == [0, 0, 0, 1, 1, 1]


def test_where_memory_runs_out_fewer_options_are_scored_at_once(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load("llama")
    whole = asked(model, prompts("llama", 2), AnswerMode.CHOOSE)
    continued = model._engine._continued

    def small(held: Any, paths: Any) -> Any:
        if len(paths) > 1:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return continued(held, paths)

    monkeypatch.setattr(model._engine, "_continued", small)
    monkeypatch.setattr(model._engine, "rows", 4)
    found = asked(model, prompts("llama", 2), AnswerMode.CHOOSE)
    assert [found[name].notes for name in ("t0", "t1")].count(()) == 1
    for name, response in found.items():
        assert [s.logprob for s in response.scores] == pytest.approx([s.logprob for s in whole[name].scores], abs=1e-4)


def test_a_prompt_that_is_too_long_is_an_error_of_that_trial(load: Load) -> None:
    for mode in MODES:
        some = [*prompts("llama", 3), Prompt("long", "", "word " * 900, ("a", "b"), max_tokens=6)]
        found = {response.trial_id: response for response in load("llama").respond(some, mode)}
        assert "more than the 2048" in (found.pop("long").error or "")
        assert [response.error for response in found.values()] == [None] * 3


def test_a_system_message_that_the_template_refuses_is_said_by_the_user(load: Load) -> None:
    for refusal in ("{{ raise_exception('no system') }}", ""):
        guard = "{% for m in messages %}{% if m['role'] == 'system' %}" + refusal + "{% else %}"
        body = TEMPLATE.partition("{% for m in messages %}")[2].replace(
            "<|im_end|>\n{% endfor %}", "<|im_end|>\n{% endif %}{% endfor %}"
        )
        model = load("llama", template=guard + body)
        (found,) = model.respond([prompts("llama")[1]], AnswerMode.GENERATE)
        assert "system is not taken" in found.notes[0]
        text = model._engine.render(model._asked(prompts("llama")[1]))
        assert text.startswith("<|im_start|>user\nBe brief.\n\nWhose is the cup?")


@pytest.mark.parametrize("kind", ["llava", "llama"])
def test_a_beginning_in_the_template_is_not_doubled(load: Load, kind: str) -> None:
    """A tokenizer adds one of its own to the prompts of a model that sees, as transformers itself does it."""
    for template, count in ((BEGIN + TEMPLATE, 1), (TEMPLATE, int(kind in SEEING))):
        model = load(kind, template=template)
        one = model._asked(prompts(kind)[0])
        text = model._engine.render(one)
        begin = model._engine._tokenizer.bos_token_id
        for tokens in (model._engine.tokenise(text), model._engine._encode([text], [one.pictures])["input_ids"][0]):
            assert [place for place, token in enumerate(tokens) if token == begin] == [0] * count


def test_a_text_model_refuses_pictures_and_a_mode_it_is_not_able_to(load: Load) -> None:
    model = load("llama")
    with pytest.raises(ParticipantError, match="cannot be held to the options"):
        next(model.respond(prompts("llama", 1), AnswerMode.CONSTRAINED))
    shown = prompts("llava", 1)
    with pytest.raises(ParticipantError, match="sees no pictures"):
        check_abilities(model.id, model.abilities, AnswerMode.CHOOSE, shown)
    (response,) = model.respond(shown, AnswerMode.CHOOSE)
    assert "sees no pictures" in (response.error or "")


@pytest.mark.parametrize("kind", KINDS)
def test_what_it_can_do_is_known_without_weights(tmp_path: Path, kind: str) -> None:
    folder = tiny(tmp_path / "seen", kind)
    (folder / "model.safetensors").unlink()
    assert hf_abilities(str(folder)).pictures == (kind in SEEING)
    assert hf_id(str(folder)) == "hf:seen"
    assert hf_id("org/model") == "hf:org/model"


def test_identity_tells_weights_and_number_formats_apart(load: Load) -> None:
    one, other = load("llama"), load("llama", seed=1)
    assert one.identity["weights"] != other.identity["weights"]
    rough = load("llama", replace(SETTING, dtype="bfloat16", device="cpu"))
    assert (rough.identity["weights"], rough.identity["dtype"]) == (one.identity["weights"], "bfloat16")
    assert "transformers" in one.identity["engine"]
    exact = asked(one, prompts("llama", 1), AnswerMode.CHOOSE)["t0"].scores[0].logprob
    assert asked(rough, prompts("llama", 1), AnswerMode.CHOOSE)["t0"].scores[0].logprob == pytest.approx(exact, abs=1)


def test_a_folder_needs_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", closed)
    monkeypatch.setattr(socket, "getaddrinfo", closed)
    Hf(str(tiny(tmp_path, "llava"))).close()


def damaged(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    save_file(change(load_file(path)), path, metadata={"format": "pt"})


def test_broken_folders_are_one_clear_line(tmp_path: Path) -> None:
    def cut(folder: Path) -> None:
        path = folder / "model.safetensors"
        path.write_bytes(path.read_bytes()[:-100])

    def unknown(folder: Path) -> None:
        (folder / "config.json").write_text(json.dumps({"model_type": "nobody-knows"}))

    def own(folder: Path) -> None:
        (folder / "config.json").write_text(
            json.dumps({"model_type": "nobody-knows", "auto_map": {"AutoConfig": "own.Own"}})
        )

    cases: dict[str, tuple[Callable[[Path], object], str]] = {
        "cut": (cut, "cannot be loaded"),
        "gone": (lambda folder: (folder / "model.safetensors").unlink(), "cannot be loaded"),
        "lacking": (lambda f: damaged(f, lambda t: {n: v for n, v in t.items() if "q_proj" not in n}), "lacks 2 of"),
        "nan": (lambda f: damaged(f, lambda t: {n: v * float("nan") for n, v in t.items()}), "weights are damaged"),
        "config": (lambda folder: (folder / "config.json").unlink(), "no config.json"),
        "unknown": (unknown, "nobody-knows"),
        "own": (own, "only with trust_remote_code"),
        "tokenizer": (lambda folder: [path.unlink() for path in folder.glob("tokenizer*")], "cannot be loaded"),
        "template": (lambda folder: (folder / "chat_template.jinja").unlink(), "has no chat template"),
    }
    for name, (spoil, words) in cases.items():
        folder = tiny(tmp_path / name, "llama")
        spoil(folder)
        with pytest.raises(ParticipantError, match=words) as caught:
            Hf(str(folder))
        assert "\n" not in str(caught.value)


def test_names_that_lead_nowhere_are_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    for name, words in (("./nothing", "no folder"), ("a/b/c", "no folder"), ("no-such/model", "check the name")):
        with pytest.raises(ParticipantError, match=words) as caught:
            Hf(name)
        assert "\n" not in str(caught.value)


def test_settings_that_cannot_be_are_refused(tmp_path: Path) -> None:
    folder = str(tiny(tmp_path, "llama"))
    for setting, words in (
        (HfSetting(dtype="int3"), "unknown dtype 'int3'"),
        (HfSetting(device="tpu"), "no device 'tpu' here"),
    ):
        with pytest.raises(ParticipantError, match=words):
            Hf(folder, setting=setting)


def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny(tmp_path, "qwen2_vl")
    with pytest.raises(ParticipantError, match="code of its own, which runs only with trust_remote_code"):
        Hf(str(folder))
    (folder / "processor_config.json").unlink()  # so that the usual processor is taken, which knows films too
    if find_spec("torchvision") is None:
        with pytest.raises(ParticipantError, match="needs the package torchvision"):
            Hf(str(folder))
    assert hf_state() == "installed"
    monkeypatch.setattr(hf_load, "find_spec", lambda _name: None)
    assert hf_state() == "pip install 'deixis[hf]'"
    with pytest.raises(ParticipantError, match=r"torch and transformers; pip install 'deixis\[hf\]'"):
        Hf("org/model")


def test_a_picture_that_cannot_be_drawn_is_an_error_of_that_trial(load: Load) -> None:
    some = [*prompts("llava", 2), replace(prompts("llava")[2], picture="unknown")]
    found = {response.trial_id: response.error for response in load("llava").respond(some, AnswerMode.GENERATE)}
    assert found["t0"] is found["t1"] is None
    assert "KeyError" in (found["t2"] or "")


def _common(one: list[int], other: list[int]) -> int:
    return next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
