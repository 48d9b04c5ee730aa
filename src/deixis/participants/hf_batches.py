"""The transformers engine: a model and its chat template, from a folder or the hub; text and log-probabilities.

Prompts come in batches, padded on the left; by that, and by how sums are ordered in larger batches, the numbers of a
prompt change in their last digits, and so may an answer where two tokens are all but equally likely. An option is
scored below its prompt, one prompt at a time: prompt and pictures are read once, what was computed of them is repeated
for every option, and only the options' own tokens are evaluated. Of the next prompt with the same pictures, only what
differs is read.
"""

import copy
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, cast

from deixis.errors import ParticipantError
from deixis.participants import forced, hf_prefix
from deixis.participants.forced import Tokens
from deixis.participants.hf_load import (
    HfSetting,
    Model,
    fingerprint,
    place,
    reader,
    template,
    told,
    weights,
)
from deixis.participants.hf_noise import Noise, Sampling
from deixis.records import OptionScore

_MARGIN = {"float32": 1e-3}
"""How far, a token, the shared computation may be from the plain one, in natural logarithms."""
_ROUGH_MARGIN = 0.1
_PROBE = ("mine, not yours", "yours: it is the first")
_BEGIN = "Two people stand on either side of a square, and in the square there are a cup and a broom. "
_ENDS = ("One says: I prefer mine. Whose is the cup?", "The other one asks whose the broom is. What is right?")
_MARK = "\x02"


@dataclass(frozen=True, slots=True)
class Asked:
    """A conversation, with its pictures in the order in which it mentions them."""

    messages: tuple[Mapping[str, Any], ...]
    """Role and content of each turn; a content is a list of ``{"type": "image"}`` and ``{"type": "text", …}``."""
    pictures: tuple[Any, ...] = ()
    """The pictures, RGB (PIL)."""

    def then(self, role: str, text: str) -> "Asked":
        """Return the conversation with one more turn, of text only."""
        return Asked((*self.messages, said(role, text)), self.pictures)


@dataclass(frozen=True, slots=True)
class Reply:
    """What was written."""

    text: str
    finish: str
    """``stop`` where the model ended the answer itself, ``length`` where the limit did."""
    input_tokens: int
    output_tokens: int
    """Tokens written, the one that ends the answer included."""


def said(role: str, text: str) -> dict[str, Any]:
    """Return one turn that is text only."""
    return {"role": role, "content": [{"type": "text", "text": text}]}


class Engine:
    """One model, loaded."""

    def __init__(self, model: Model, setting: HfSetting) -> None:
        """Load weights, tokenizer and template; raises :class:`ParticipantError` where one of them does not work."""
        self._name = model.name
        self._sees = model.sees
        self.rows = max(1, setting.batch)
        self.device, self.dtype = place(setting)
        self._processor = reader(model, setting)
        self._tokenizer = self._processor.tokenizer if model.sees else self._processor
        self._template = template(self._processor, self._tokenizer)
        if self._template is None:
            raise ParticipantError(f"{model.name!r} has no chat template; give an instruct model")
        self._tokenizer.padding_side = "left"
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        self._model = weights(model, setting, self.device, self.dtype)
        self.weights = fingerprint(model, setting)
        takes = inspect.signature(self._model.forward).parameters
        self._cache = "cache" if "cache" in takes else "past_key_values"  # renamed in transformers 5
        self._last_only = "logits_to_keep" in takes
        self._end, self._ends = self._settle_ends()
        self.system = self._takes_system()
        self.places = model.sees and self._places_pictures()
        self.evaluated = 0
        """How many tokens of prompts were evaluated for choices."""
        self._pieces: frozenset[int] = frozenset()
        self._kept: hf_prefix.Read | None = None
        self._shares = True
        self._keeps = True
        self._check()

    @staticmethod
    def engine() -> str:
        """Return names and versions of the engine."""
        return f"transformers {version('transformers')}, torch {version('torch')}"

    def close(self) -> None:
        """Let go of the model and of the memory of its device."""
        self._model = None
        self.release()

    def release(self) -> None:
        """Give memory that is held in store back to the device."""
        import torch  # noqa: PLC0415

        self._kept = None
        if self.device.startswith("cuda"):
            torch.cuda.empty_cache()

    def render(self, asked: Asked) -> str:
        """Return the text that the model reads, by its own template, up to where it answers."""
        return self._rendered(asked.messages, add_generation_prompt=True)

    def tokenise(self, text: str) -> Tokens:
        """Return the tokens of ``text``, each picture's mark as it is written; a beginning is never doubled."""
        return tuple(self._tokenizer(text, add_special_tokens=self._adds(text))["input_ids"])

    def end_of_answer(self) -> int:
        """Return the token that ends an answer."""
        return self._end

    def write(self, asked: Sequence[Asked], limit: int, sampling: Sequence[Sampling]) -> list[Reply]:
        """Answer conversations with equally many pictures, with at most ``limit`` tokens each.

        Raises :class:`ValueError` where a conversation and its answer are longer than the model can hold.
        """
        import torch  # noqa: PLC0415  (heavy: seconds to load)

        inputs = self._encode([self.render(one) for one in asked], [one.pictures for one in asked])
        start = inputs["input_ids"].shape[1]
        self._check_length(start + limit)
        self._forget()
        noise = Noise(sampling)
        with torch.inference_mode():
            found = self._model.generate(**inputs, max_new_tokens=limit, logits_processor=[noise] if noise else None)
        lengths = inputs["attention_mask"].sum(1).tolist()
        return [self._reply(row, length) for row, length in zip(found[:, start:].tolist(), lengths, strict=True)]

    def score(self, asked: Asked, options: Sequence[str]) -> tuple[tuple[OptionScore, ...], int]:
        """Return the log-probability of every option as the answer, and the tokens of what was asked.

        Raises :class:`ValueError` for options that cannot be told apart or a conversation that is too long,
        :class:`ArithmeticError` where a log-probability is no number.
        """
        inputs, paths = self._question(asked, options)
        sums = self._shared(inputs, paths) if self._shares else self._plain(inputs, paths)
        for found in sums:
            if not math.isfinite(found):
                self._kept = None
                raise ArithmeticError(f"the engine gave {found!r} as a log-probability")
        scores = tuple(OptionScore(found, len(path)) for found, path in zip(sums, paths, strict=True))
        return scores, int(inputs["input_ids"].shape[1])

    def _question(self, asked: Asked, options: Sequence[str]) -> tuple[dict[str, Any], tuple[Tokens, ...]]:
        """Encode what all options share, pictures included, and return each option's own tokens."""
        text = self.render(asked)
        # Only tokenising and the end of an answer are asked of the engine there.
        found = forced.question(cast("forced.NextTokens", self), text, options)
        inputs = self._encode([text], [asked.pictures])
        alone = self.tokenise(text)
        whole = tuple(inputs["input_ids"][0].tolist())
        extra = len(alone) - len(found.context)
        if whole[len(whole) - extra - 1 :] != alone[len(alone) - extra - 1 :]:
            raise ValueError("the processor ends the prompt otherwise than its tokenizer does")
        self._check_length(len(whole) + max(map(len, found.paths)))
        return _resized(inputs, len(whole) - extra), found.paths

    def _shared(self, inputs: Mapping[str, Any], paths: Sequence[Tokens]) -> list[float]:
        """Read the prompt once, then only the options' tokens, several options at a time."""
        import torch  # noqa: PLC0415

        with torch.inference_mode():
            read = self._read(inputs)
            sums = [float(read.first[path[0]]) for path in paths]
            longer = [place for place, path in enumerate(paths) if len(path) > 1]
            for begin in range(0, len(longer), self.rows):
                places = longer[begin : begin + self.rows]
                spent = begin + self.rows >= len(longer) and not self._keeps
                held = read.cache if spent else copy.deepcopy(read.cache)
                found = self._continued(held, [paths[place] for place in places])
                for place, more in zip(places, found, strict=True):
                    sums[place] += more
        # Only now: an error on the way has let go of it.
        if self._keeps and hf_prefix.holds(read.cache, len(read.tokens)):
            self._kept = read
        return sums

    def _read(self, inputs: Mapping[str, Any]) -> hf_prefix.Read:
        """Read a prompt, from where it differs from the one that is kept, which is used up."""
        tokens = inputs["input_ids"]
        kept, self._kept = self._kept, None
        length = hf_prefix.common(kept, inputs, self._pieces) if kept else 0
        if kept and length == tokens.shape[1]:
            return kept
        if kept and length and hf_prefix.cut(kept, length):
            fresh = {"input_ids": tokens[:, length:], self._cache: kept.cache}
        else:
            length, kept, fresh = 0, None, dict(inputs)
            self._forget()
        self.evaluated += tokens.shape[1] - length
        out = self._forward(1, **fresh, use_cache=True)
        first = out.logits[0, -1].float().log_softmax(-1)
        return hf_prefix.Read(tuple(tokens[0].tolist()), hf_prefix.shown(inputs), out[self._cache], first)

    def _continued(self, held: Any, paths: Sequence[Tokens]) -> list[float]:
        """Return the log-probability of each path beyond its first token; what comes after a path is never seen."""
        import torch  # noqa: PLC0415

        depth = max(map(len, paths)) - 1
        rows = [[*path[:-1], *[path[0]] * (depth + 1 - len(path))] for path in paths]
        held.batch_repeat_interleave(len(paths))
        tokens = torch.tensor(rows, device=self.device)
        out = self._forward(0, input_ids=tokens, use_cache=True, **{self._cache: held})
        found = out.logits.float().log_softmax(-1)
        return [
            sum(float(found[row, place, token]) for place, token in enumerate(path[1:]))
            for row, path in enumerate(paths)
        ]

    def _plain(self, inputs: Mapping[str, Any], paths: Sequence[Tokens]) -> list[float]:
        """Read prompt and option anew for every option."""
        import torch  # noqa: PLC0415

        sums = []
        for path in paths:
            whole = _resized(inputs, inputs["input_ids"].shape[1] + len(path))
            whole["input_ids"][0, -len(path) :] = torch.tensor(path, device=self.device)
            self._forget()
            self.evaluated += inputs["input_ids"].shape[1]
            with torch.inference_mode():
                logits = self._forward(len(path) + 1, **whole, use_cache=False).logits[0, -len(path) - 1 : -1]
            found = logits.float().log_softmax(-1)
            sums.append(sum(float(found[place, token]) for place, token in enumerate(path)))
        return sums

    def _forward(self, keep: int, **inputs: Any) -> Any:
        """Evaluate; ``keep`` is of how many last places the probabilities are wanted, 0 for all."""
        return self._model(**inputs, **({"logits_to_keep": keep} if self._last_only and keep else {}))

    def _forget(self) -> None:
        """Take away what is kept of the last prompt; by its pictures' positions one without any would be read."""
        self._kept = None
        for module in self._model.modules():
            if getattr(module, "rope_deltas", None) is not None:
                module.rope_deltas = None

    def _encode(self, texts: Sequence[str], pictures: Sequence[Sequence[Any]]) -> dict[str, Any]:
        settings: dict[str, Any] = {
            "padding": len(texts) > 1,
            "return_tensors": "pt",
            "add_special_tokens": self._adds(texts[0]),
        }
        if self._sees:
            shown = [list(some) for some in pictures] if any(pictures) else None
            found = self._processor(text=list(texts), images=shown, **settings)
        elif any(pictures):
            raise ValueError("a model that sees no pictures was shown one")
        else:
            found = self._tokenizer(list(texts), return_token_type_ids=False, **settings)
        number = self._model.dtype
        return {
            name: value.to(self.device, number if value.is_floating_point() else None) for name, value in found.items()
        }

    def _adds(self, text: str) -> bool:
        """Whether the tokenizer adds its beginning: not with a text model, nor where a template has written it."""
        begin = self._tokenizer.bos_token
        return self._sees and not (begin and text.startswith(begin))

    def _rendered(self, messages: Sequence[Mapping[str, Any]], **settings: Any) -> str:
        given = list(messages)
        if not self._sees:
            given = [{**turn, "content": "\n\n".join(part["text"] for part in turn["content"])} for turn in given]
        return str(self._processor.apply_chat_template(given, tokenize=False, chat_template=self._template, **settings))

    def _reply(self, tokens: list[int], input_tokens: int) -> Reply:
        end = next((place for place, token in enumerate(tokens) if token in self._ends), None)
        text = self._tokenizer.decode(tokens[:end], skip_special_tokens=True, clean_up_tokenization_spaces=False)
        written = len(tokens) if end is None else end + 1
        return Reply(text, "length" if end is None else "stop", input_tokens, written)

    def _check_length(self, tokens: int) -> None:
        longest = getattr(self._model.config.get_text_config(), "max_position_embeddings", None)
        if longest and tokens > longest:
            raise ValueError(f"prompt and answer take {tokens} tokens, more than the {longest} that the model holds")

    def _settle_ends(self) -> tuple[int, frozenset[int]]:
        """Return the token that ends an answer, and all that stop one; the model samples in no other way of its own."""
        from transformers import GenerationConfig  # noqa: PLC0415

        own = self._model.generation_config
        theirs = own.eos_token_id if isinstance(own.eos_token_id, list) else [own.eos_token_id]
        ends = [end for end in (*theirs, self._tokenizer.eos_token_id) if end is not None]
        try:
            turns = [said("user", "x"), said("assistant", _MARK), said("user", "x")]
            after = self._rendered(turns).partition(_MARK)[2]
            (end, *_) = self._tokenizer(after.lstrip(), add_special_tokens=False)["input_ids"]
        except Exception:  # noqa: BLE001  (a template may refuse these turns in any way)
            end = None
        if end is not None and end in {*self._tokenizer.all_special_ids, *ends}:
            ends.insert(0, end)
        if not ends:
            raise ParticipantError(f"{self._name!r} has no token that ends an answer; give an instruct model")
        pad = self._tokenizer.pad_token_id
        self._model.generation_config = GenerationConfig(
            eos_token_id=sorted(set(ends)), pad_token_id=ends[0] if pad is None else pad, bos_token_id=own.bos_token_id
        )
        return ends[0], frozenset(ends)

    def _takes_system(self) -> bool:
        """Whether the template says what the system message says."""
        try:
            return _MARK in self._rendered([said("system", _MARK), said("user", "x")])
        except Exception:  # noqa: BLE001  (a template refuses a role in its own way)
            return False

    def _places_pictures(self) -> bool:
        """Whether the template leaves each picture where it stands; some put all of them before all text."""
        text = {"type": "text", "text": _MARK}
        try:
            between = self._rendered([{"role": "user", "content": [{"type": "image"}, text] * 2}]).split(_MARK)[1:-1]
        except Exception:  # noqa: BLE001  (a template made for one picture may refuse two)
            return False
        return bool("".join(between).strip())

    def _check(self) -> None:
        """Probe once, so that damaged weights, and a cache that cannot be shared, show before the run."""
        from PIL import Image  # noqa: PLC0415

        pictures = (Image.linear_gradient("L").convert("RGB"),) if self._sees else ()
        parts = [{"type": "image"} for _ in pictures]
        probes = [
            Asked(({"role": "user", "content": [*parts, {"type": "text", "text": _BEGIN + end}]},), pictures)
            for end in _ENDS
        ]
        try:
            asked = [self._question(probe, _PROBE) for probe in probes]
            plain = [self._plain(*one) for one in asked]
        except Exception as error:  # noqa: BLE001  (a model's own code raises what it likes)
            raise ParticipantError(f"{self._name!r} loads but does not answer: {told(error)}") from None
        if not all(math.isfinite(found) for some in plain for found in some):
            raise ParticipantError(f"{self._name!r} gives no probabilities: its weights are damaged; fetch them again")
        margin = _MARGIN.get(self.dtype, _ROUGH_MARGIN) * max(len(path) for _, paths in asked for path in paths)

        def agrees(probe: int) -> bool:
            found = self._shared(*asked[probe])
            return max(abs(one - other) for one, other in zip(found, plain[probe], strict=True)) < margin

        def spares(probe: int) -> bool:
            before = self.evaluated
            return agrees(probe) and self.evaluated - before < asked[probe][0]["input_ids"].shape[1]

        alone, whole = self.tokenise(self.render(probes[0])), asked[0][0]["input_ids"][0].tolist()
        self._pieces = hf_prefix.marks(self._model.config, self._processor, alone, whole) if pictures else frozenset()
        self._keeps = True
        self._shares = _holds(lambda: agrees(0))
        self._keeps = self._shares and _holds(lambda: spares(1) and spares(0))
        self._forget()
        self.evaluated = 0


def _holds(question: Callable[[], bool]) -> bool:
    """Whether it is so; a model's own code raises what it likes where it is not."""
    try:
        return question()
    except Exception:  # noqa: BLE001
        return False


def _resized(inputs: Mapping[str, Any], length: int) -> dict[str, Any]:
    """Cut or lengthen what runs along the tokens of one prompt; what is added is text that is attended to."""
    import torch  # noqa: PLC0415

    tokens = inputs["input_ids"]
    found = dict(inputs)
    for name, value in inputs.items():
        if value.shape == tokens.shape:
            added = torch.full((1, max(0, length - tokens.shape[1])), int(name == "attention_mask"))
            found[name] = torch.cat([value[:, :length], added.to(value)], 1)
    return found
