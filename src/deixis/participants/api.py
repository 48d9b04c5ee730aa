"""Models behind APIs, through Inspect's model client: any name it knows, such as ``openai/gpt-4o``.

Inspect knows the providers: how each takes pictures, which errors pass, what a finish reason is called. Retries are
counted here, so that each answer says how many it took, and so is what a provider would not take: that is left out of
all later questions, and noted. A key never leaves the client: its value is taken out of every error text.
"""

import asyncio
import base64
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from queue import SimpleQueue
from threading import Thread
from typing import Any

from deixis.errors import ParticipantError
from deixis.participants.participant import Abilities
from deixis.records import AnswerMode, Prompt, Response

Draw = Callable[[str], bytes]
"""From the hash of a picture to its PNG file."""
_BATCHED = 5000
"""Questions handed over at once where a provider answers in batches."""
RETRIES = 8
"""How often one question is asked again after a fault that may pass."""
_EMPTY_RETRIES = 2
"""How often an empty answer is asked for again; the last one is kept as empty."""
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 60.0
"""Seconds before the first retry, doubled each time, and at most."""
_FINISH = {"max_tokens": "length", "model_length": "length"}
"""Inspect's words for why an answer ended, where ours differ."""
_OPTIONAL = ("temperature", "seed", "max_tokens", "system")
"""What a provider may not take, in the order in which it is looked for in its complaint."""


@dataclass(frozen=True, slots=True)
class Client:
    """How a model behind an API is asked."""

    connections: int = 16
    """Questions asked at once."""
    batch: bool = False
    """Whether the provider's batch mode is used: cheaper, answers within hours."""
    logprobs: bool = False
    """Whether the log-probability of every token is asked for."""

    @property
    def at_once(self) -> int:
        """Questions under way at once."""
        return _BATCHED if self.batch else self.connections


class Api:
    """One model, asked many questions at once."""

    abilities = Abilities(pictures=True)

    def __init__(self, name: str, draw: Draw | None = None, client: Client | None = None) -> None:
        """Open the client; raises :class:`ParticipantError` where the package, a key or the provider is missing."""
        self.id = name
        self._draw = draw
        self._client = client or Client()
        self._dropped: dict[str, str] = {}
        self._model = _open(name, self._client)
        self.identity: Mapping[str, str] = {"client": f"inspect-ai {version('inspect-ai')}"}
        self._loop = asyncio.new_event_loop()  # one for all questions: connections belong to a loop
        self._thread = Thread(target=self._loop.run_forever, name=f"asking {name}", daemon=True)
        self._thread.start()

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:  # noqa: ARG002
        """Yield responses as they come, in any order; closing the iterator stops what is under way."""
        line: SimpleQueue[Response | BaseException | None] = SimpleQueue()
        asked = asyncio.run_coroutine_threadsafe(self._all(prompts, line), self._loop)
        try:
            while (came := line.get()) is not None:
                if isinstance(came, BaseException):
                    raise came
                yield came
        finally:
            asked.cancel()

    def close(self) -> None:
        """Let go of the client and its connections."""
        asyncio.run_coroutine_threadsafe(self._model.api.aclose(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _all(self, prompts: Sequence[Prompt], line: "SimpleQueue[Response | BaseException | None]") -> None:
        waiting = iter(prompts)

        async def work() -> None:
            for prompt in waiting:
                line.put(await self._answer(prompt))

        workers: list[asyncio.Task[None]] = []
        try:
            from inspect_ai.model._model import use_model_event_sink  # noqa: PLC0415

            with use_model_event_sink(_Forgetting()):  # each worker takes it along
                workers += [asyncio.create_task(work()) for _ in range(min(self._client.at_once, len(prompts)))]
            await asyncio.gather(*workers)
        except Exception as error:  # noqa: BLE001  (it is raised where the answers are read)
            line.put(error)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            line.put(None)

    async def _answer(self, prompt: Prompt) -> Response:
        start = time.perf_counter()
        shown = prompt.picture
        base = Response(
            prompt.trial_id, date=datetime.now(UTC).isoformat(timespec="seconds"), picture=shown, model=self.id
        )
        try:
            messages = self._messages(prompt)
            output, retries = await self._ask(messages, prompt)
            reasoning = None
            if prompt.then:
                reasoning = output.completion
                messages += [_said("assistant", reasoning), _said("user", prompt.then)]
                usage = _usage(output)
                output, again = await self._ask(messages, prompt)
                retries += again
            else:
                usage = {}
        except Exception as error:  # noqa: BLE001  (whatever a provider's client raises is this answer's error)
            return replace(base, error=_told(error), seconds=_since(start), notes=tuple(self._dropped.values()))
        return replace(
            base,
            text=output.completion or "",
            reasoning=reasoning,
            finish=_FINISH.get(output.stop_reason, output.stop_reason),
            seconds=_since(start),
            usage=_added(usage, _usage(output)),
            model=output.model or self.id,
            retries=retries,
            logprobs=_logprobs(output),
            notes=tuple(self._dropped.values()),
        )

    def _messages(self, prompt: Prompt) -> list[Any]:
        from inspect_ai.model import ChatMessageUser, ContentImage, ContentText  # noqa: PLC0415

        parts: list[Any] = []
        for picture, text in (*((e.picture, e.text) for e in prompt.examples), (prompt.picture, prompt.user)):
            if picture is not None:
                if self._draw is None:
                    raise ParticipantError(f"there is nothing to draw the picture {picture!r} with")
                data = base64.b64encode(self._draw(picture)).decode()
                parts.append(ContentImage(image=f"data:image/png;base64,{data}"))
            parts.append(ContentText(text=text))
        content = parts if len(parts) > 1 else prompt.user
        user = ChatMessageUser(content=content)
        return [_said("system", prompt.system), user] if prompt.system else [user]

    async def _ask(self, messages: list[Any], prompt: Prompt) -> tuple[Any, int]:
        """Return the output and how many retries it took; raises what would not pass."""
        retries = empty = 0
        while True:
            known = set(self._dropped)
            try:
                output = await self._model.generate(_accepted(messages, known), config=self._config(prompt, known))
            except Exception as error:
                if self._learn(error, known):
                    continue
                if retries >= RETRIES or not _may_pass(self._model, error):
                    raise
                await asyncio.sleep(_wait(error, retries))
                retries += 1
                continue
            if output.error is not None and self._learn(RuntimeError(output.error), known):
                continue
            if not output.completion and output.stop_reason == "stop" and empty < _EMPTY_RETRIES:
                empty += 1
                retries += 1
                continue
            return output, retries

    def _config(self, prompt: Prompt, dropped: set[str]) -> Any:
        from inspect_ai.model import GenerateConfig  # noqa: PLC0415

        settings: dict[str, Any] = {
            "temperature": prompt.temperature,
            "seed": prompt.seed,
            "max_tokens": prompt.max_tokens,
        }
        kept = {name: value for name, value in settings.items() if name not in dropped and value is not None}
        if "max_tokens" in dropped:
            kept["extra_body"] = {"max_completion_tokens": prompt.max_tokens}
        return GenerateConfig(**_config(self._client), **kept)

    def _learn(self, error: Exception, known: set[str]) -> bool:
        """Note what the provider would not take; whether the question should be asked again without it."""
        text = str(_root(error))
        if not re.search(
            r"unsupported|not support|does not accept|not allowed|unrecognized|invalid", text, re.IGNORECASE
        ):
            return False
        found = next((name for name in _OPTIONAL if name in text and name not in known), None)
        if found is None:
            return False
        self._dropped.setdefault(found, f"{found} is not taken: {_told(error)[:160]}")
        return True


class _Forgetting:
    """Takes what Inspect would keep of every call, pictures and all, for a log that nobody writes here."""

    def on_pending(self, event: Any) -> None:
        """Let go of a call that begins."""

    def on_complete(self, event: Any) -> None:
        """Let go of a call that has ended."""


def api_state() -> str:
    """Return whether the package is there, and how to get it."""
    return "installed" if find_spec("inspect_ai") else "pip install 'deixis[api]'"


def _config(client: Client) -> dict[str, Any]:
    """Return what every question is asked with."""
    found: dict[str, Any] = {"max_retries": 0, "max_connections": client.at_once}
    return found | ({"batch": True} if client.batch else {}) | ({"logprobs": True} if client.logprobs else {})


def _open(name: str, client: Client) -> Any:
    try:
        from inspect_ai.model import GenerateConfig, get_model  # noqa: PLC0415  (heavy: seconds to load)
    except ModuleNotFoundError:
        raise ParticipantError(f"{name!r} needs the package inspect-ai; pip install 'deixis[api]'") from None
    try:
        model = get_model(name, config=GenerateConfig(**_config(client)), memoize=False)
    except Exception as error:  # noqa: BLE001  (each provider's client raises its own)
        told = re.sub(r"\[/?[a-z ]+\]", "", " ".join(str(error).split())).removeprefix("ERROR: ")
        raise ParticipantError(f"{name!r} cannot be asked: {told[:300]}") from None
    own: Any = getattr(model.api, "client", None)
    if hasattr(own, "max_retries"):
        own.max_retries = 0  # some clients ask again by themselves, where nobody counts it
    return model


def _said(role: str, text: str) -> Any:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser  # noqa: PLC0415

    kinds = {"assistant": ChatMessageAssistant, "system": ChatMessageSystem, "user": ChatMessageUser}
    return kinds[role](content=text)


def _accepted(messages: list[Any], dropped: set[str]) -> list[Any]:
    """Return the messages as the provider takes them: a system message it does not take becomes the user's."""
    if "system" not in dropped or messages[0].role != "system":
        return messages
    return [_said("user", messages[0].text), *messages[1:]]


def _may_pass(model: Any, error: BaseException) -> bool:
    """Whether a fault may pass: what Inspect would retry, and broken bodies and lines."""
    for cause in _causes(error):
        decided = model.should_retry(cause)
        if getattr(decided, "retry", decided) or isinstance(cause, OSError | json.JSONDecodeError | EOFError):
            return True
    return False


def _wait(error: Exception, retries: int) -> float:
    """Return the seconds to wait: what the provider asks for, or twice as long each time."""
    for cause in _causes(error):
        headers: Mapping[str, str] = getattr(getattr(cause, "response", None), "headers", {}) or {}
        with suppress(ValueError):
            return min(float(headers.get("retry-after", "")), _LONGEST_WAIT)
    return float(min(_FIRST_WAIT * 2**retries, _LONGEST_WAIT))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what caused it, the first cause last."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__


def _root(error: BaseException) -> BaseException:
    """Return what the provider's own client raised; around it stands the whole request."""
    return list(_causes(error))[-1]


def _told(error: BaseException) -> str:
    """Return an error as one line without any key."""
    cause = _root(error)
    text = " ".join(f"{type(cause).__name__}: {cause}".split())
    for name, value in os.environ.items():
        if value and len(value) > 5 and re.search(r"KEY|TOKEN|SECRET", name):
            text = text.replace(value, "***")
    return text[:500]


def _logprobs(output: Any) -> tuple[tuple[str, float], ...]:
    found = output.choices[0].logprobs if output.choices else None
    return tuple((entry.token, entry.logprob) for entry in found.content) if found else ()


def _usage(output: Any) -> dict[str, int]:
    found = output.usage
    if found is None:
        return {}
    counts = {"input_tokens": found.input_tokens, "output_tokens": found.output_tokens}
    counts |= {"reasoning_tokens": found.reasoning_tokens or 0, "cached_tokens": found.input_tokens_cache_read or 0}
    return {name: count for name, count in counts.items() if count}


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}


def _since(start: float) -> float:
    return round(time.perf_counter() - start, 4)
