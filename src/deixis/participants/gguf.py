"""Models in GGUF files: ``gguf:smollm2`` (embedded) and ``gguf:PATH``."""

import time
from collections.abc import Iterator, Mapping, Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Any

from deixis.participants import forced
from deixis.participants.llama import Llama
from deixis.participants.participant import Abilities
from deixis.records import AnswerMode, Prompt, Response


class Gguf:
    """A model that runs in this process."""

    abilities = Abilities(logprobs=True, choose=True)

    def __init__(self, name: str, path: Path, threads: int | None = None) -> None:
        self.id = f"gguf:{name}"
        self._llama = Llama(path, threads)
        with path.open("rb") as file:
            weights = file_digest(file, "sha256").hexdigest()[:16]
        self.identity: Mapping[str, str] = {"weights": weights, "engine": Llama.engine()}

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        """Answer every prompt, those that begin alike next to each other, so that shared text is read once."""
        answer = self._choose if mode is AnswerMode.CHOOSE else self._generate
        for prompt in sorted(prompts, key=lambda prompt: (prompt.system, prompt.user)):
            start = time.perf_counter()
            try:
                yield answer(prompt, start)
            except (RuntimeError, ValueError, ArithmeticError, LookupError, OSError) as error:
                told = f"{type(error).__name__}: {error}"
                yield Response(prompt.trial_id, error=told, model=self.id)

    def close(self) -> None:
        """Let go of the model."""
        self._llama.close()

    def _choose(self, prompt: Prompt, start: float) -> Response:
        first = self._reason(prompt)
        rendered = self._llama.render(prompt, first["text"])
        asked = forced.question(self._llama, rendered, prompt.options)
        self._llama.prepare(rendered, prompt, asked.context)
        scores = forced.choose(self._llama, asked)
        return Response(
            prompt.trial_id,
            reasoning=first["text"],
            scores=scores,
            seconds=round(time.perf_counter() - start, 4),
            usage=_usage(first, {"prompt_tokens": len(asked.context)}),
            model=self.id,
        )

    def _generate(self, prompt: Prompt, start: float) -> Response:
        first = self._reason(prompt)
        reply = self._llama.write(prompt, first["text"])
        return Response(
            prompt.trial_id,
            text=reply["text"],
            reasoning=first["text"],
            finish=reply["finish"],
            seconds=round(time.perf_counter() - start, 4),
            usage=_usage(first, reply["usage"]),
            model=self.id,
        )

    def _reason(self, prompt: Prompt) -> dict[str, Any]:
        """Ask the first of two turns; where there is one turn only, there is no text."""
        return self._llama.write(prompt) if prompt.then else {"text": None, "usage": {}}


def _usage(first: Mapping[str, Any], usage: Mapping[str, int]) -> dict[str, int]:
    """Return the tokens of all turns together; output is left out where nothing was written."""
    names = {"input_tokens": "prompt_tokens", "output_tokens": "completion_tokens"}
    sums = {name: first["usage"].get(theirs, 0) + usage.get(theirs, 0) for name, theirs in names.items()}
    return {name: count for name, count in sums.items() if count}
