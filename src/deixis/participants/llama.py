"""The llama.cpp engine, in this process: tokens, next-token log-probabilities and text from a GGUF file.

Quantised weights make a token's numbers depend a little on which other tokens were evaluated in the same batch. So
that an answer never depends on what was asked before it, a prompt is always evaluated in the same pieces, which end
where the prompt says that its text is shared with others; what an earlier prompt left is reused in whole pieces.
"""

import json
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from deixis.errors import ParticipantError
from deixis.participants.forced import Tokens
from deixis.records import Prompt

CONTEXT = 4096
"""Longest prompt and answer together, in tokens."""
_LIKELY = 64
"""How many of the likeliest next tokens one request brings."""
_ALL = 1 << 20
"""More next tokens than any vocabulary has."""
_FORCE = 1e4
"""Added to a token's logit to make it the one sampled; reported log-probabilities are taken before that."""
_ALIKE = 1e-6
_HEADER = 1 << 26
"""Where a file's metadata ends at the latest, in bytes."""


class Llama:
    """One GGUF model, loaded. Prompts that begin alike share their work when asked one after another."""

    def __init__(self, path: Path, threads: int | None = None) -> None:
        """Load ``path``; raises :class:`ParticipantError` for a file that is no working model."""
        self._path = path
        self._server = _load(path, threads)
        self._line = HTTPConnection(urlsplit(self._server.listening_address).netloc)
        self._end: int | None = None
        self._held: Tokens = ()
        self._held_breaks: tuple[int, ...] = ()
        self._reuse = True
        try:
            self._check()
        except ParticipantError:
            self.close()
            raise

    @staticmethod
    def engine() -> str:
        """Return name and version of the engine."""
        return f"xllamacpp {version('xllamacpp')}"

    def render(self, prompt: Prompt, reasoning: str | None = None) -> str:
        """Return the whole text that the model reads, by its own chat template, up to where it answers.

        ``reasoning`` is what it answered in the first of two turns; with it, the second turn is asked.
        """
        first = "\n\n".join([*(example.text for example in prompt.examples), prompt.user])
        messages = [{"role": "user", "content": first}]
        if prompt.system:
            messages.insert(0, {"role": "system", "content": prompt.system})
        if reasoning is not None:
            messages += [{"role": "assistant", "content": reasoning}, {"role": "user", "content": prompt.then}]
        return str(self._post("/apply-template", {"messages": messages})["prompt"])

    def tokenise(self, text: str) -> Tokens:
        """Return the tokens of ``text``; a beginning-of-text token is never doubled."""
        request = {"content": text, "add_special": True, "parse_special": True}
        tokens = tuple(self._post("/tokenize", request)["tokens"])
        return tokens[1:] if tokens[1:2] == tokens[:1] and self._starts_doubled(text, tokens) else tokens

    def prepare(self, rendered: str, prompt: Prompt, context: Tokens) -> None:
        """Evaluate all but the last piece of a prompt, reusing whole pieces that an earlier prompt left.

        ``context`` are the first tokens of ``rendered``; the request that follows evaluates the last piece.
        """
        breaks = self._breaks(rendered, prompt, context)
        kept = 0
        for mine, theirs in zip(breaks, self._held_breaks, strict=False):
            if mine != theirs or context[:mine] != self._held[:mine]:
                break
            kept = mine
        self._held_breaks = breaks
        self._reuse = kept > 0
        if kept and self._held[kept : kept + 1] == context[kept : kept + 1]:
            self._evaluate((*context[:kept], context[kept] ^ 1))  # cuts what is held at the end of the piece
        for end in breaks:
            if end > kept:
                self._evaluate(context[:end])

    def _breaks(self, rendered: str, prompt: Prompt, context: Tokens) -> tuple[int, ...]:
        """Return, in tokens of ``context``, where pieces end: at the last token that is wholly shared."""
        start = rendered.find(prompt.user)
        if start < 0 or not prompt.shared:
            return ()
        request = {"content": rendered, "add_special": False, "parse_special": True, "with_pieces": True}
        entries = self._post("/tokenize", request)["tokens"]
        pieces = [entry["piece"] for entry in entries]
        written = [len(piece.encode() if isinstance(piece, str) else piece) for piece in pieces]
        if sum(written) != len(rendered.encode()):
            return ()
        ends = list(accumulate(written))
        added = context[:1] != (entries[0]["id"],)  # a beginning-of-text token that the text does not show
        shared = (len(rendered[: start + length].encode()) for length in prompt.shared)
        places = {bisect_right(ends, size) + added for size in shared}
        return tuple(sorted(place for place in places if 0 < place < len(context)))

    def _evaluate(self, tokens: Tokens) -> None:
        self._complete(tokens, n_predict=0)

    def close(self) -> None:
        """Let go of the engine."""
        self._line.close()
        del self._server

    def forget(self) -> None:
        """Let the next request evaluate its whole prompt anew."""
        self._reuse = False
        self._held_breaks = ()

    def end_of_answer(self) -> int:
        """Return the token by which the chat template ends an answer."""
        if self._end is None:
            turns = [("user", "x"), ("assistant", "\x02"), ("user", "x")]
            messages = [{"role": role, "content": content} for role, content in turns]
            rendered = str(self._post("/apply-template", {"messages": messages})["prompt"])
            after = rendered.partition("\x02")[2]
            self._end = self.tokenise("x" + after)[len(self.tokenise("x"))]
        return self._end

    def follow(self, context: Tokens, path: Tokens) -> list[Mapping[int, float]]:
        """Let the model write freely and keep the steps for which it goes along ``path``."""
        steps = self._complete(context, n_predict=len(path), n_probs=_LIKELY, temperature=0.0)["steps"]
        kept: list[Mapping[int, float]] = []
        for token, step in zip(path, steps, strict=False):
            kept.append({entry["id"]: entry["logprob"] for entry in [step, *step["top_logprobs"]]})
            if step["id"] != token:
                break
        if not kept:
            kept.append({path[0]: self.logprob(context, path[0])})
        return kept

    def logprob(self, context: Tokens, token: int) -> float:
        """Return the log-probability of ``token``, by sampling it on purpose."""
        steps = self._force(context, token, 1)
        if steps and steps[0]["id"] == token:
            return float(steps[0]["logprob"])
        # A token that begins a letter of several bytes is held back by the engine; it stands in the list of all.
        newline = self.tokenise("\n")[-1]
        for step in self._force(context, newline, _ALL):
            for entry in step["top_logprobs"]:
                if entry["id"] == token:
                    return float(entry["logprob"])
        raise ArithmeticError(f"the engine would not give the log-probability of token {token}")

    def _force(self, context: Tokens, token: int, n_probs: int) -> list[dict[str, Any]]:
        settings = {"n_predict": 1, "n_probs": n_probs, "temperature": 0.0, "logit_bias": [[token, _FORCE]]}
        steps: list[dict[str, Any]] = self._complete(context, **settings)["steps"]
        return steps

    def write(self, prompt: Prompt, reasoning: str | None = None) -> dict[str, Any]:
        """Return text, finish reason and usage of a free answer; ``reasoning`` as in :meth:`render`."""
        rendered = self.render(prompt, reasoning)
        tokens = self.tokenise(rendered)
        self.prepare(rendered, prompt, tokens)
        settings: dict[str, Any] = {"n_predict": prompt.max_tokens, "seed": prompt.seed}
        if prompt.temperature is not None:
            settings["temperature"] = prompt.temperature
        return self._complete(tokens, **settings)

    def _complete(self, tokens: Sequence[int], **settings: Any) -> dict[str, Any]:
        request = {"prompt": list(tokens), "cache_prompt": self._reuse, **settings}
        self._reuse = True
        reply = self._server.handle_completions(request)
        if "error" in reply:
            raise RuntimeError(str(reply["error"].get("message", reply["error"])))
        self._held = tuple(tokens)
        choice = reply["choices"][0]
        return {
            "text": choice["text"],
            "finish": choice["finish_reason"],
            "usage": reply["usage"],
            "steps": (choice.get("logprobs") or {}).get("content", []),
        }

    def _post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        try:
            status, content = self._exchange(path, body)
        except (HTTPException, ConnectionError):  # the engine closes a line that was idle; a new one will do
            self._line.close()
            status, content = self._exchange(path, body)
        if status != HTTPStatus.OK:
            raise RuntimeError(content.decode(errors="replace")[:300])
        found: dict[str, Any] = json.loads(content)
        return found

    def _exchange(self, path: str, body: Mapping[str, Any]) -> tuple[int, bytes]:
        self._line.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        reply = self._line.getresponse()
        return reply.status, reply.read()

    def _starts_doubled(self, text: str, tokens: Tokens) -> bool:
        """Whether the tokenizer put a beginning-of-text token before one that the template had written."""
        plain = self._post("/tokenize", {"content": text, "add_special": False, "parse_special": True})
        return len(plain["tokens"]) < len(tokens)

    def _check(self) -> None:
        """Probe once: a damaged file or a build without probabilities shows before the run, not in it."""
        try:
            step = self._complete(self.tokenise("The"), n_predict=1, n_probs=4, temperature=0.0)["steps"][0]
        except (RuntimeError, IndexError, KeyError) as error:
            raise ParticipantError(
                f"{str(self._path)!r} loads but does not answer ({error}); try another model"
            ) from None
        likely = [entry["logprob"] for entry in step["top_logprobs"]]
        if not all(map(math.isfinite, likely)) or max(likely) - min(likely) < _ALIKE:
            raise ParticipantError(
                f"{str(self._path)!r} gives every token the same probability, so its weights are damaged; "
                "download it again"
            )


def _load(path: Path, threads: int | None) -> Any:
    import xllamacpp  # noqa: PLC0415  (heavy: 30 MB of compiled code)

    if not path.is_file():
        raise ParticipantError(f"no file {str(path)!r}; give the path of a GGUF model")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise ParticipantError(f"{str(path)!r} is not a GGUF file; give a model in that format")
        if b"tokenizer.chat_template" not in file.read(_HEADER):
            raise ParticipantError(
                f"{str(path)!r} carries no chat template: it is truncated, or no instruct model; "
                "download it again or give another"
            )
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.verbosity = -1
    params.warmup = False
    params.ctx_shift = False
    params.cache_ram_mib = 0  # the engine would bring back older prompts, whose pieces are not known here
    if threads is not None:
        params.cpuparams.n_threads = threads
        params.cpuparams_batch.n_threads = threads
    try:
        return xllamacpp.Server(params)
    except RuntimeError:
        size = path.stat().st_size
        raise ParticipantError(
            f"{str(path)!r} ({size:,} bytes) cannot be loaded: it is truncated, damaged or of an unknown "
            "architecture; download it again"
        ) from None
