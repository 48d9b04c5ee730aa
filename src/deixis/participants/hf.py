"""Models through transformers: ``hf:ORG/MODEL`` from the hub, ``hf:FOLDER`` from a disk, with pictures or without."""

import io
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from deixis.errors import ParticipantError
from deixis.participants import hf_load
from deixis.participants.api import Draw
from deixis.participants.hf_batches import Asked, Engine, Reply, said
from deixis.participants.hf_load import HfSetting
from deixis.participants.hf_noise import Sampling
from deixis.participants.participant import Abilities, check_abilities
from deixis.records import AnswerMode, Prompt, Response
from deixis.seeds import derived

DEFAULT = HfSetting()
_KEPT = 64
"""How many pictures are kept decoded."""
_STRIDE = 200
"""Prompts whose lengths differ by less than this many characters count as equally long."""


def hf_id(name: str) -> str:
    """Return the id of the model ``name``: of a folder only its last part, of ``ORG/MODEL`` all."""
    return f"hf:{Path(name).resolve().name if Path(name).is_dir() else name}"


def hf_state() -> str:
    """Return whether the packages are there, and how to get them."""
    return "installed" if hf_load.installed() else "pip install 'deixis[hf]'"


def hf_abilities(name: str, setting: HfSetting = DEFAULT) -> Abilities:
    """Return what the model ``name`` can do, from its configuration alone.

    Raises :class:`ParticipantError` where packages, folder or configuration are missing.
    """
    return _abilities(hf_load.look(name, setting).sees)


class Hf:
    """A model that runs in this process, through transformers."""

    def __init__(self, name: str, draw: Draw | None = None, setting: HfSetting = DEFAULT) -> None:
        """Load ``name``, a folder or ``ORG/MODEL``; raises :class:`ParticipantError` for what does not work.

        ``draw`` makes the pictures of the prompts.
        """
        model = hf_load.look(name, setting)
        self.id = hf_id(name)
        self.abilities = _abilities(model.sees)
        self._engine = Engine(model, setting)
        self._batch = max(1, setting.batch)
        self._draw = draw
        self._picture = lru_cache(_KEPT)(self._drawn)
        self.identity: Mapping[str, str] = {
            "weights": self._engine.weights,
            "engine": Engine.engine(),
            "device": self._engine.device,
            "dtype": self._engine.dtype,
        }

    def respond(self, prompts: Sequence[Prompt], mode: AnswerMode) -> Iterator[Response]:
        """Yield one response a prompt, prompts that are alike next to each other.

        Where a batch fails, its halves are asked, so that an error is of one prompt only; where memory ran out, later
        batches are smaller too. Raises :class:`ParticipantError` for a mode that the model is not able to.
        """
        check_abilities(self.id, self.abilities, mode, ())
        for _, group in groupby(sorted(prompts, key=lambda prompt: _order(prompt, mode)), key=_alike):
            waiting = list(group)
            while waiting:
                size = 1 if mode is AnswerMode.CHOOSE and not waiting[0].then else self._batch
                yield from self._answer(waiting[:size], mode, ())
                waiting = waiting[size:]

    def close(self) -> None:
        """Let go of the model."""
        self._engine.close()
        self._picture.cache_clear()

    def _answer(self, prompts: Sequence[Prompt], mode: AnswerMode, notes: tuple[str, ...]) -> Iterator[Response]:
        start = time.perf_counter()
        date = datetime.now(UTC).isoformat(timespec="seconds")
        bases = [Response(p.trial_id, date=date, picture=p.picture, model=self.id, notes=notes) for p in prompts]
        try:
            found = self._ask(prompts, bases, mode)
        except Exception as error:  # noqa: BLE001  (whatever a model's own code raises is this answer's error)
            full, fault = hf_load.out_of_memory(error), hf_load.told(error)
        else:
            share = round((time.perf_counter() - start) / len(prompts), 4)
            yield from (replace(response, seconds=share) for response in found)
            return
        # Beyond the handler, where the error no longer holds what filled the memory.
        if full:
            self._engine.release()
        options = min(self._engine.rows, len(prompts[0].options))
        if full and len(prompts) == 1 and mode is AnswerMode.CHOOSE and options > 1:
            self._engine.rows = options // 2
            note = f"out of memory with {options} options at once; asked {options // 2} at once"
            yield from self._answer(prompts, mode, (note,))
            return
        if len(prompts) == 1:
            yield replace(bases[0], error=fault, seconds=round(time.perf_counter() - start, 4))
            return
        half = (len(prompts) + 1) // 2
        if full:
            self._batch = min(self._batch, half)
            notes = (f"out of memory with {len(prompts)} prompts at once; asked {half} at once",)
        for part in (prompts[:half], prompts[half:]):
            yield from self._answer(part, mode, notes)

    def _ask(self, prompts: Sequence[Prompt], bases: Sequence[Response], mode: AnswerMode) -> list[Response]:
        asked = [self._asked(prompt) for prompt in prompts]
        firsts: list[Reply | None] = [None] * len(prompts)
        if prompts[0].then:
            firsts = [*self._write(prompts, asked, "first")]
            asked = [
                one.then("assistant", first.text).then("user", prompt.then)
                for one, first, prompt in zip(asked, firsts, prompts, strict=True)
                if first is not None
            ]
        bases = [
            replace(base, reasoning=first.text if first else None, notes=(*base.notes, *self._notes(prompt)))
            for base, first, prompt in zip(bases, firsts, prompts, strict=True)
        ]
        if mode is AnswerMode.CHOOSE:
            found = []
            for base, first, one, prompt in zip(bases, firsts, asked, prompts, strict=True):
                scores, tokens = self._engine.score(one, prompt.options)
                found.append(replace(base, scores=scores, usage=_usage(first, tokens, 0)))
            return found
        return [
            replace(base, text=r.text, finish=r.finish, usage=_usage(first, r.input_tokens, r.output_tokens))
            for base, first, r in zip(bases, firsts, self._write(prompts, asked, "last"), strict=True)
        ]

    def _write(self, prompts: Sequence[Prompt], asked: Sequence[Asked], turn: str) -> list[Reply]:
        sampling = [Sampling(p.temperature, derived(p.seed, f"{p.trial_id} {turn}")) for p in prompts]
        return self._engine.write(asked, prompts[0].max_tokens, sampling)

    def _asked(self, prompt: Prompt) -> Asked:
        """Return the conversation of a prompt: each picture stands before the text that it belongs to."""
        shown = [*((example.picture, example.text) for example in prompt.examples), (prompt.picture, prompt.user)]
        if prompt.system and not self._engine.system:
            shown.insert(0, (None, prompt.system))
        parts: list[dict[str, Any]] = []
        for picture, text in shown:
            if picture is None and parts:
                parts[-1] = {"type": "text", "text": f"{parts[-1]['text']}\n\n{text}"}
                continue
            parts += [{"type": "image"}] * (picture is not None) + [{"type": "text", "text": text}]
        user = {"role": "user", "content": parts}
        system = [said("system", prompt.system)] if prompt.system and self._engine.system else []
        pictures = tuple(self._picture(picture) for picture, _ in shown if picture is not None)
        return Asked((*system, user), pictures)

    def _drawn(self, picture: str) -> Any:
        from PIL import Image  # noqa: PLC0415

        if not self.abilities.pictures:
            raise ParticipantError(f"{self.id!r} sees no pictures")
        if self._draw is None:
            raise ParticipantError(f"there is nothing to draw the picture {picture!r} with")
        with Image.open(io.BytesIO(self._draw(picture))) as image:
            return image.convert("RGB")

    def _notes(self, prompt: Prompt) -> tuple[str, ...]:
        notes = []
        if prompt.system and not self._engine.system:
            notes.append("system is not taken: it stands before the user's text")
        if any(example.picture is not None for example in prompt.examples) and not self._engine.places:
            notes.append("the model's template puts all pictures before all text")
        return tuple(notes)


def _abilities(sees: bool) -> Abilities:
    return Abilities(pictures=sees, logprobs=True, choose=True)


def _alike(prompt: Prompt) -> tuple[int, int, bool]:
    """Return what all prompts of a batch must have in common: number of pictures, limit, number of turns."""
    shown = [prompt.picture, *(example.picture for example in prompt.examples)]
    return len([picture for picture in shown if picture is not None]), prompt.max_tokens, bool(prompt.then)


def _order(prompt: Prompt, mode: AnswerMode) -> tuple[Any, ...]:
    """Return by what prompts are sorted: in batches by length, or padding is computed for nothing; then by pictures.

    And by text, in the order in which it is read: neighbours share what they begin with.
    """
    length = len(prompt.text) // _STRIDE if mode is AnswerMode.GENERATE else 0
    pictures = [picture or "" for picture in (*(example.picture for example in prompt.examples), prompt.picture)]
    examples = [example.text for example in prompt.examples]
    return (*_alike(prompt), length, pictures, prompt.system, examples, prompt.user, prompt.trial_id)


def _usage(first: Reply | None, input_tokens: int, output_tokens: int) -> dict[str, int]:
    """Return the tokens of all turns together; output is left out where nothing was written."""
    if first is not None:
        input_tokens, output_tokens = input_tokens + first.input_tokens, output_tokens + first.output_tokens
    counts = {"input_tokens": input_tokens, "output_tokens": output_tokens}
    return {name: count for name, count in counts.items() if count}
