"""Models on a GPU through vLLM's offline engine: ``vllm:ORG/MODEL``.

A run goes to the engine in large chunks, which it schedules by itself. A chunk that fails is halved until the failing
prompts are found, and only these become errors. Forced choice asks for the log-probabilities of prompt tokens: the
prompt by the model's own template with each option behind it, split as in :mod:`deixis.participants.forced`. Such
requests store their prefix but never read a stored one (cached positions have no log-probabilities); encoded pictures
are shared all the same.
"""

import io
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

from deixis.errors import ParticipantError
from deixis.participants import forced
from deixis.participants.forced import Tokens
from deixis.participants.hf_load import weights_hash
from deixis.participants.participant import Abilities
from deixis.records import AnswerMode, OptionScore, Prompt, Response

Draw = Callable[[str], bytes]
"""From the hash of a picture to its PNG file."""
CHUNK = 512
"""Prompts given to the engine at once."""
_NEEDS = "needs the package vllm and a GPU; pip install 'deixis[vllm]'"
_VISION = ("vision_config", "visual", "vit_config", "img_processor")
"""Where model configurations keep their vision part."""
_OWN = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")
"""What a model's own generation settings decide where no temperature is asked for."""
_DEFAULTS: Mapping[str, Any] = {"enable_prefix_caching": True, "seed": 0}
"""Engine settings, where the options do not say otherwise."""
_BROKEN_OFF = ("abort", "error")
"""Finish reasons that are the engine's fault, not an end of the answer."""

Messages = list[dict[str, Any]]
_Part = TypeVar("_Part")


@dataclass(slots=True)
class _Asked:
    """One prompt on its way through the engine."""

    prompt: Prompt
    messages: Messages
    pictures: list[Any]
    usage: dict[str, int] = field(default_factory=dict)
    reasoning: str | None = None
    question: forced.Question | None = None
    fault: str | None = None


class Vllm:
    """A model that a vLLM engine in this process runs on the GPU."""

    abilities = Abilities(pictures=True, logprobs=True, choose=True, constrained=True)

    def __init__(
        self,
        name: str,
        draw: Draw | None = None,
        *,
        pictures: bool | None = None,
        engine: Callable[..., Any] | None = None,
        options: Mapping[str, Any] | None = None,
        template: Mapping[str, Any] | None = None,
        chunk: int = CHUNK,
    ) -> None:
        """Load the model; raises :class:`ParticipantError` where the package, a GPU or the model is missing.

        ``draw`` makes the pictures. ``pictures`` says whether the model sees; by default its configuration does.
        ``engine`` is called as ``vllm.LLM`` is, ``options`` go to it (``dtype``, ``revision``,
        ``tensor_parallel_size``), and ``template`` to the chat template (``enable_thinking``).
        """
        self.id = f"vllm:{name}"
        self._draw = draw
        self._template = dict(template or {})
        self._chunk = chunk
        self._engine = _loaded(self.id, engine or _open, {"model": name, **_DEFAULTS, **(options or {})})
        config = self._engine.llm_engine.model_config
        sees = any(getattr(config.hf_config, part, None) is not None for part in _VISION)
        self.abilities = replace(Vllm.abilities, pictures=sees if pictures is None else pictures)
        self.identity: Mapping[str, str] = _identity(name, config, options or {}, self._template)
        self._text = _Text(self._engine.get_tokenizer(), self._template, parts=self.abilities.pictures)
        self._compared: set[bool] = set()

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        """Answer every prompt, those with the same picture and beginning next to each other."""
        ordered = sorted(prompts, key=_order)
        for first in range(0, len(ordered), self._chunk):
            yield from self._answers(ordered[first : first + self._chunk], mode)

    def close(self) -> None:
        """Let go of the engine and of its memory."""
        core = getattr(self._engine.llm_engine, "engine_core", None)
        if core is not None:
            core.shutdown()
        self._engine = None

    def _answers(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        start = time.perf_counter()
        date = datetime.now(UTC).isoformat(timespec="seconds")
        held: dict[str, Any] = {}
        asked = [self._begun(prompt, held) for prompt in prompts]
        self._first_turn([one for one in asked if one.prompt.then and one.fault is None])
        going = [one for one in asked if one.fault is None]
        found = self._choose(going) if mode is AnswerMode.CHOOSE else self._write(going, mode is AnswerMode.CONSTRAINED)
        seconds = round((time.perf_counter() - start) / len(prompts), 4)  # the engine answers all of them together
        for one in asked:
            trial, shown = one.prompt.trial_id, one.prompt.picture
            if one.fault is not None:
                yield Response(trial, seconds=seconds, date=date, picture=shown, model=self.id, error=one.fault)
                continue
            yield replace(
                found[trial], reasoning=one.reasoning, seconds=seconds, usage=one.usage, date=date, picture=shown
            )

    def _begun(self, prompt: Prompt, held: dict[str, Any]) -> _Asked:
        """Put a prompt into messages: in one message of the user, every picture right before its text."""
        asked = _Asked(prompt, [], [])
        try:
            shown = [*((e.picture, e.text) for e in prompt.examples), (prompt.picture, prompt.user)]
            parts: list[dict[str, Any]] = []
            for index, (picture, text) in enumerate(shown):
                if picture is not None:
                    image = self._image(picture, held)
                    asked.pictures.append(image)
                    parts.append({"type": "image_pil", "image_pil": image})
                # templates put parts together without a space, so what stands between texts is part of a text
                parts.append({"type": "text", "text": text if index == len(shown) - 1 else f"{text}\n\n"})
            content = parts if asked.pictures else "".join(part["text"] for part in parts)
            asked.messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
            asked.messages.append({"role": "user", "content": content})
        except Exception as error:  # noqa: BLE001  (whatever a picture raises is this answer's error)
            asked.fault = _told(error)
        return asked

    def _image(self, picture: str, held: dict[str, Any]) -> Any:
        if picture not in held:
            if self._draw is None:
                raise ParticipantError(f"there is nothing to draw the picture {picture!r} with")
            from PIL import Image  # noqa: PLC0415

            with Image.open(io.BytesIO(self._draw(picture))) as image:
                held[picture] = image.convert("RGB")
        return held[picture]

    def _first_turn(self, asked: Sequence[_Asked]) -> None:
        """Let the model answer the first of two turns, and put the second."""
        for one, output in self._outputs(self._chat, asked):
            one.reasoning = output.outputs[0].text
            one.messages += [
                {"role": "assistant", "content": one.reasoning},
                {"role": "user", "content": one.prompt.then},
            ]

    def _write(self, asked: Sequence[_Asked], constrained: bool) -> dict[str, Response]:
        found = {}
        for one, output in self._outputs(self._constrained if constrained else self._chat, asked):
            written = output.outputs[0]
            found[one.prompt.trial_id] = Response(
                one.prompt.trial_id, text=written.text, finish=written.finish_reason or "", model=self.id
            )
        return found

    def _outputs(
        self, ask: Callable[[Sequence[_Asked]], Sequence[Any]], asked: Sequence[_Asked]
    ) -> Iterator[tuple[_Asked, Any]]:
        """Yield the output of each prompt, its usage added; a failing prompt gets its fault instead."""
        for one, output in zip(asked, _bisected(ask, asked), strict=True):
            if isinstance(output, Exception):
                one.fault = _told(output)
            elif output.outputs[0].finish_reason in _BROKEN_OFF:
                one.fault = f"the engine broke the answer off: {output.outputs[0].finish_reason}"
            else:
                _count(one.usage, len(output.prompt_token_ids), len(output.outputs[0].token_ids), output)
                yield one, output

    def _chat(self, asked: Sequence[_Asked]) -> Sequence[Any]:
        return self._converse(asked, [self._sampling(one.prompt) for one in asked])

    def _constrained(self, asked: Sequence[_Asked]) -> Sequence[Any]:
        from vllm.sampling_params import StructuredOutputsParams  # noqa: PLC0415

        choices = [StructuredOutputsParams(choice=list(one.prompt.options)) for one in asked]
        params = [self._sampling(one.prompt, structured_outputs=c) for one, c in zip(asked, choices, strict=True)]
        return self._converse(asked, params)

    def _converse(self, asked: Sequence[_Asked], params: list[Any]) -> Sequence[Any]:
        outputs: Sequence[Any] = self._engine.chat(
            [one.messages for one in asked],
            sampling_params=params,
            use_tqdm=False,
            chat_template_kwargs=self._template or None,
        )
        return outputs

    def _sampling(self, prompt: Prompt, **more: Any) -> Any:
        from vllm import SamplingParams  # noqa: PLC0415

        if prompt.temperature is None:
            own = self._engine.get_default_sampling_params()
            more |= {name: getattr(own, name) for name in _OWN}
        else:
            more["temperature"] = prompt.temperature
        return SamplingParams(max_tokens=prompt.max_tokens, seed=prompt.seed, **more)

    def _choose(self, asked: Sequence[_Asked]) -> dict[str, Response]:
        for one in asked:
            try:
                rendered = self._text.rendered(one.messages)
                one.question = forced.question(cast("forced.NextTokens", self._text), rendered, one.prompt.options)
            except Exception as error:  # noqa: BLE001  (templates raise what they like)
                one.fault = _told(error)
        pairs = [(one, path) for one in asked if one.question is not None for path in one.question.paths]
        scored: dict[str, list[OptionScore]] = {}
        for (one, _), found in zip(pairs, self._scores(pairs), strict=True):
            if isinstance(found, Exception):
                one.fault = one.fault or _told(found)
                continue
            score, context = found
            self._compare(one, context)
            scores = scored.setdefault(one.prompt.trial_id, [])
            scores.append(score)
            if len(scores) == 1:
                _count(one.usage, len(context), 0)
        return {trial: Response(trial, scores=tuple(scores), model=self.id) for trial, scores in scored.items()}

    def _scores(self, pairs: Sequence[tuple[_Asked, Tokens]]) -> Iterator[Any]:
        """Yield score and context of each option or its exception, a chunk at a time: the outputs are large."""
        for first in range(0, len(pairs), self._chunk):
            yield from _bisected(self._score, pairs[first : first + self._chunk])

    def _score(self, pairs: Sequence[tuple[_Asked, Tokens]]) -> Sequence[Any]:
        """Ask for the log-probabilities of prompts with an option behind them."""
        from vllm import SamplingParams  # noqa: PLC0415

        requests = []
        for one, path in pairs:
            assert one.question is not None  # noqa: S101  (only such prompts are paired)
            request: dict[str, Any] = {"prompt_token_ids": [*one.question.context, *path]}
            if one.pictures:
                request["multi_modal_data"] = {"image": one.pictures}
            requests.append(request)
        # zero further tokens: of each place the log-probability of the token that stands there
        params = [SamplingParams(temperature=0.0, max_tokens=1, prompt_logprobs=0, detokenize=False) for _ in pairs]
        outputs = self._engine.generate(requests, sampling_params=params, use_tqdm=False)
        return [_scored(output, path) for output, (_, path) in zip(outputs, pairs, strict=True)]

    def _compare(self, one: _Asked, context: Tokens) -> None:
        """Make sure, once with and once without pictures, that options are scored after what a chat would show.

        Raises :class:`ParticipantError` where they are not.
        """
        shows = bool(one.pictures)
        if shows in self._compared:
            return
        self._compared.add(shows)
        (output,) = self._converse([one], [self._sampling(replace(one.prompt, max_tokens=1))])
        if tuple(output.prompt_token_ids[: len(context)]) != context:
            raise ParticipantError(
                f"{self.id!r} reads another prompt in a chat than its template gives; use --answer generate"
            )


class _Text:
    """The model's chat template and tokens."""

    def __init__(self, tokenizer: Any, template: Mapping[str, Any], *, parts: bool) -> None:
        self._tokenizer = tokenizer
        self._template = template
        self._parts = parts  # templates of models that see take lists of parts

    def rendered(self, messages: Messages, *, prompting: bool = True) -> str:
        """Return the whole text that the model reads, pictures as the template marks them."""
        text: str = self._tokenizer.apply_chat_template(
            [{**message, "content": self._content(message["content"])} for message in messages],
            tokenize=False,
            add_generation_prompt=prompting,
            **self._template,
        )
        return text

    def tokenise(self, text: str) -> Tokens:
        """Return the tokens of ``text``; the template has put the special ones."""
        return tuple(self._tokenizer.encode(text, add_special_tokens=False))

    def end_of_answer(self) -> int:
        """Return the token that the template puts after an answer, or the end of text."""
        said = "deixis"
        turns = [{"role": "user", "content": "?"}, {"role": "assistant", "content": said}]
        rest = self.tokenise(self.rendered(turns, prompting=False).rpartition(said)[2])
        special = {*self._tokenizer.all_special_ids, *self._tokenizer.get_added_vocab().values()}
        end = rest[0] if rest and rest[0] in special else self._tokenizer.eos_token_id
        if end is None:
            raise ValueError("the model has no token that ends an answer")
        return int(end)

    def _content(self, content: Any) -> Any:
        if isinstance(content, str):
            return [{"type": "text", "text": content}] if self._parts else content
        return [{"type": "image"} if part["type"] == "image_pil" else part for part in content]


def vllm_state() -> str:
    """Return whether the package and a GPU are there, and how to get the package."""
    try:
        return "installed" if import_module("vllm.platforms").current_platform.is_cuda_alike() else "needs a GPU"
    except ImportError:
        return "pip install 'deixis[vllm]'"


def _open(**settings: Any) -> Any:
    try:
        from vllm import LLM  # noqa: PLC0415  (heavy: many seconds to load)
        from vllm.platforms import current_platform  # noqa: PLC0415
    except ImportError:
        raise ParticipantError(f"{'vllm:' + settings['model']!r} {_NEEDS}") from None
    if not current_platform.is_cuda_alike():
        raise ParticipantError(f"{'vllm:' + settings['model']!r} {_NEEDS}")
    return LLM(**settings)


def _loaded(name: str, engine: Callable[..., Any], settings: Mapping[str, Any]) -> Any:
    try:
        return engine(**settings)
    except ParticipantError:
        raise
    except Exception as error:  # noqa: BLE001  (a missing model, a gate, too little memory)
        raise ParticipantError(f"{name!r} cannot be loaded: {_told(error)}") from None


def _identity(name: str, config: Any, options: Mapping[str, Any], template: Mapping[str, Any]) -> dict[str, str]:
    import vllm  # noqa: PLC0415

    found = {"engine": f"vllm {vllm.__version__}", "model": name, "dtype": str(config.dtype).removeprefix("torch.")}
    if commit := getattr(config.hf_config, "_commit_hash", None):
        found["revision"] = str(commit)
    if (folder := Path(name)).is_dir():
        found["weights"] = weights_hash(folder, _text_of(folder / "config.json"))
    for title, settings in (("options", options), ("template", template)):
        if settings:
            found[title] = ", ".join(f"{key}={value!r}" for key, value in sorted(settings.items()))
    return found


def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _order(prompt: Prompt) -> tuple[str, ...]:
    """Sort by picture, then examples, then text, so that the caches of pictures and of beginnings serve."""
    examples = "\0".join(f"{example.picture or ''}\0{example.text}" for example in prompt.examples)
    return (prompt.picture or "", examples, prompt.system, prompt.user, prompt.then, prompt.trial_id)


def _bisected(ask: Callable[[Sequence[_Part]], Sequence[Any]], batch: Sequence[_Part]) -> list[Any]:
    """Return an output for each part of a batch, or the exception where that part alone fails."""
    if not batch:
        return []
    try:
        return list(ask(batch))
    except Exception as error:
        if type(error).__name__ == "EngineDeadError":
            raise ParticipantError(f"the engine has died: {_told(error)}; run again to go on") from error
        if len(batch) == 1:
            return [error]
        middle = len(batch) // 2
        return [*_bisected(ask, batch[:middle]), *_bisected(ask, batch[middle:])]


def _scored(output: Any, path: Tokens) -> tuple[OptionScore, Tokens] | Exception:
    """Sum the log-probabilities of the option's tokens, the last ones of the prompt; what stands before is returned."""
    read, steps = tuple(output.prompt_token_ids), output.prompt_logprobs
    if read[-len(path) :] != path or steps is None or len(steps) != len(read):
        return ValueError("the engine gave no log-probabilities for the option's tokens")
    last = zip(steps[-len(path) :], path, strict=True)
    total = sum(step[token].logprob if token in step else math.nan for step, token in last)
    if not math.isfinite(total):
        return ArithmeticError(f"the engine gave {total!r} as a log-probability")
    return OptionScore(float(total), len(path)), read[: -len(path)]


def _count(usage: dict[str, int], read: int, written: int, output: Any = None) -> None:
    """Add the tokens of one turn to ``usage``, leaving out what is zero."""
    cached = getattr(output, "num_cached_tokens", None) or 0
    for name, count in (("input_tokens", read), ("output_tokens", written), ("cached_tokens", cached)):
        if count:
            usage[name] = usage.get(name, 0) + count


def _told(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:500]
