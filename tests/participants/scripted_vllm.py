"""A scripted vLLM: the calls that the participant makes, on a toy model whose probabilities are known by hand.

Tokens are code points, but for three special ones; a picture's mark becomes several tokens, as in the real engine. One
bad request fails the whole call, requests for prompt log-probabilities read no stored prefix, and unknown settings are
refused, all as in the real engine.
"""

import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.participants.toy import Distribution, uniform

SPECIAL = {"<|im_start|>": 1, "<|im_end|>": 2, "<|image|>": 4}
PATCHES = 5
"""Tokens that one picture takes."""
Behave = Callable[[str, "SamplingParams"], tuple[str, str]]


@dataclass
class StructuredOutputsParams:
    """What the text must be."""

    choice: list[str] | None = None


@dataclass
class SamplingParams:
    """The settings that the participant uses, with the engine's defaults."""

    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    max_tokens: int | None = 16
    seed: int | None = None
    prompt_logprobs: int | None = None
    detokenize: bool = True
    structured_outputs: StructuredOutputsParams | None = None


@dataclass(frozen=True)
class Logprob:
    """One token's log-probability."""

    logprob: float
    rank: int | None = None
    decoded_token: str | None = None


@dataclass
class Call:
    """One call of the engine."""

    method: str
    texts: list[str]
    params: list[SamplingParams]
    pictures: list[list[Any]]


class Tokenizer:
    """One token a character; ``merges`` are strings that are one token, ``endless`` leaves answers open."""

    eos_token_id = 3
    all_special_ids = (1, 4)

    def __init__(self, merges: tuple[str, ...] = (), *, endless: bool = False) -> None:
        self._merges = merges
        self._endless = endless
        self._pieces = re.compile("|".join([*map(re.escape, (*SPECIAL, *merges)), "."]), re.DOTALL)

    def get_added_vocab(self) -> dict[str, int]:
        return SPECIAL

    def encode(self, text: str, *, add_special_tokens: bool = True) -> list[int]:
        assert not add_special_tokens, "the template has put the special tokens"
        return [self._token(piece) for piece in self._pieces.findall(text)]

    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tokenize: bool = True,
        add_generation_prompt: bool = False,
        opening: str = "",
    ) -> str:
        assert not tokenize
        said = [f"<|im_start|>{m['role']}\n{_shown(m['content'])}{self._ends(m)}" for m in messages]
        return "".join([*said, f"<|im_start|>assistant\n{opening}" * add_generation_prompt])

    def _ends(self, message: Mapping[str, Any]) -> str:
        return "" if self._endless and message["role"] == "assistant" else "<|im_end|>\n"

    def _token(self, piece: str) -> int:
        if piece in self._merges:
            return 10_000 + self._merges.index(piece)
        return SPECIAL.get(piece) or ord(piece)


def agree(text: str, params: SamplingParams) -> tuple[str, str]:
    """Answer with the first choice, where there are any, and *mine* elsewhere."""
    return (params.structured_outputs.choice or [""])[0] if params.structured_outputs else "mine", "stop"


@dataclass
class Engine:
    """What ``vllm.LLM`` offers of which the participant makes use."""

    model: str
    enable_prefix_caching: bool = False
    seed: int | None = None
    dtype: str = "torch.bfloat16"
    answer: Behave = agree
    after: Distribution = field(default_factory=lambda: uniform(256))
    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    chatting: Tokenizer | None = None
    vision: bool = True
    longest: int = 4000
    dies_of: str = "\0"
    withheld: int = 0

    def __post_init__(self) -> None:
        config = SimpleNamespace(vision_config={} if self.vision else None, _commit_hash="0a1b2c")
        core = SimpleNamespace(shutdown=self._shut)
        self.llm_engine = SimpleNamespace(
            model_config=SimpleNamespace(dtype=self.dtype, hf_config=config), engine_core=core
        )
        self.calls: list[Call] = []
        self.open = True
        self._stored: set[tuple[int, ...]] = set()

    def get_tokenizer(self) -> Tokenizer:
        return self.tokenizer

    def get_default_sampling_params(self) -> SamplingParams:
        return SamplingParams(temperature=0.6, top_p=0.95, top_k=20)

    def chat(
        self,
        messages: Sequence[Sequence[Mapping[str, Any]]],
        sampling_params: Sequence[SamplingParams],
        *,
        use_tqdm: bool = True,
        chat_template_kwargs: Mapping[str, Any] | None = None,
    ) -> list[Any]:
        tokenizer = self.chatting or self.tokenizer
        texts = [
            tokenizer.apply_chat_template(
                one, tokenize=False, add_generation_prompt=True, **(chat_template_kwargs or {})
            )
            for one in messages
        ]
        parts = [[p for m in one if not isinstance(m["content"], str) for p in m["content"]] for one in messages]
        pictures = [[part["image_pil"] for part in one if part["type"] == "image_pil"] for one in parts]
        tokens = [tokenizer.encode(text, add_special_tokens=False) for text in texts]
        return self._run("chat", texts, tokens, pictures, sampling_params)

    def generate(
        self, prompts: Sequence[Mapping[str, Any]], sampling_params: Sequence[SamplingParams], *, use_tqdm: bool = True
    ) -> list[Any]:
        tokens = [list(prompt["prompt_token_ids"]) for prompt in prompts]
        pictures = [list(prompt.get("multi_modal_data", {}).get("image", ())) for prompt in prompts]
        texts = ["".join(map(self._spelled, one)) for one in tokens]
        return self._run("generate", texts, tokens, pictures, sampling_params)

    def _run(
        self,
        method: str,
        texts: list[str],
        tokens: list[list[int]],
        pictures: list[list[Any]],
        params: Sequence[SamplingParams],
    ) -> list[Any]:
        assert self.open
        assert len(texts) == len(params) == len({id(one) for one in params})
        self.calls.append(Call(method, texts, list(params), pictures))
        whole = [_expanded(*pair) for pair in zip(tokens, pictures, strict=True)]
        for text, read in zip(texts, whole, strict=True):
            if self.dies_of in text:
                raise EngineDeadError("EngineCore encountered an issue")
            if len(read) > self.longest:
                raise ValueError(f"the prompt of {len(read)} tokens is longer than the model's {self.longest}")
        return [self._output(*each) for each in zip(texts, whole, params, strict=True)]

    def _output(self, text: str, read: list[int], params: SamplingParams) -> Any:
        written, finish = self.answer(text, params)
        cut = written[: params.max_tokens]
        beginnings = [tuple(read[:length]) for length in range(16, len(read), 16)]
        cached = 0 if params.prompt_logprobs is not None else sum(one in self._stored for one in beginnings) * 16
        self._stored.update(beginnings)
        return SimpleNamespace(
            prompt_token_ids=read,
            prompt_logprobs=None if params.prompt_logprobs is None else self._logprobs(read, params.prompt_logprobs),
            num_cached_tokens=cached,
            outputs=[
                SimpleNamespace(
                    text=cut,
                    token_ids=[ord(letter) for letter in cut],
                    finish_reason=finish if len(cut) == len(written) else "length",
                )
            ],
        )

    def _logprobs(self, read: list[int], more: int) -> list[dict[int, Logprob] | None]:
        """Give the token that stands at each place and ``more`` likely ones, but not the first ``withheld`` places."""
        steps: list[dict[int, Logprob] | None] = [None]
        for place in range(1, len(read)):
            table = self.after(tuple(read[:place]))
            likely = sorted(table, key=lambda token: -table[token])[:more]
            steps.append({token: Logprob(_log(table.get(token, 0.0))) for token in (read[place], *likely)})
        return steps[self.withheld :]

    def _spelled(self, token: int) -> str:
        return {number: name for name, number in SPECIAL.items()}.get(token) or chr(token)

    def _shut(self) -> None:
        self.open = False


class EngineDeadError(Exception):
    """The engine's process has ended."""


def install(monkeypatch: pytest.MonkeyPatch, *, gpu: bool = True) -> None:
    """Put a package of this name where the participant imports it from."""
    package, sampling, platforms = (ModuleType(name) for name in ("vllm", "vllm.sampling_params", "vllm.platforms"))
    vars(package).update(LLM=Engine, SamplingParams=SamplingParams, __version__="0.33.0")
    vars(sampling).update(StructuredOutputsParams=StructuredOutputsParams)
    vars(platforms).update(current_platform=SimpleNamespace(is_cuda_alike=lambda: gpu))
    for module in (package, sampling, platforms):
        monkeypatch.setitem(sys.modules, module.__name__, module)


def _shown(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part["text"] if part["type"] == "text" else "<|image|>" for part in content)


def _expanded(tokens: Sequence[int], pictures: Sequence[Any]) -> list[int]:
    """Put several tokens for every picture's mark, as many marks as there are pictures."""
    if list(tokens).count(SPECIAL["<|image|>"]) != len(pictures):
        raise ValueError(f"{len(pictures)} pictures do not fit the marks in the prompt")
    return [copy for token in tokens for copy in [token] * (PATCHES if token == SPECIAL["<|image|>"] else 1)]


def _log(probability: float) -> float:
    return math.log(probability) if probability else -math.inf
