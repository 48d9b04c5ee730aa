"""What is put before a judge: which answers, in which order of options, under which instructions.

A judge is a participant. It is not asked whether an answer is right but on which option it settles, so it needs no
right answer and gets none; scoring compares, as it does for what the reader reads.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from deixis.records import Outcome, Prompt, Response, Score, Trial
from deixis.scoring.fence import fenced, neutral, text_hash
from deixis.scoring.verdicts import WORDS, letters, read_verdict
from deixis.seeds import derived, generator


@dataclass(frozen=True, slots=True)
class Instructions:
    """What a judge is told."""

    version: str
    """Stands in every signature and beside every number that a judge made."""
    head: str
    """The same for every answer."""
    body: str
    """What differs: slots for the options, the answer and the words that may be replied."""
    max_tokens: int
    """Longest reply, in tokens; a model that thinks before it replies needs more than the line itself."""
    temperature: float
    """Sampling temperature."""
    hash: str
    """Hash of all of it."""


@cache
def instructions() -> Instructions:
    """Return the instructions, from ``instructions/judge.toml``."""
    text = files("deixis.scoring").joinpath("instructions", "judge.toml").read_text(encoding="utf-8")
    return Instructions(**tomllib.loads(text), hash=sha256(text.encode()).hexdigest()[:16])


def goes_to_judge(response: Response | None, read: Score, *, every: bool) -> bool:
    """Whether a judge reads this answer: a text that the reader could not decide, or ``every`` text that is not blank.

    Choices are never judged: they need no reading.
    """
    if response is None or response.error is not None or response.scores or response.text is None:
        return False
    return read.rule != "no text" and (every or read.outcome is Outcome.UNREADABLE)


def verdict_key(trial: Trial, text: str) -> str:
    """Return the name under which the verdict on an answer is kept; another text has another one."""
    return f"{trial.id}@{text_hash(text)}"


def shown_order(trial: Trial, seed: int) -> tuple[int, ...]:
    """Return the options, by their index in the trial, in the order that the judge sees."""
    order = list(range(len(trial.options)))
    generator(seed, f"judge/order/{trial.id}").shuffle(order)
    return tuple(order)


def question(trial: Trial, text: str, seed: int) -> Prompt:
    """Return what the judge gets about one answer. Nothing in it depends on which option is right."""
    told = instructions()
    options = [trial.options[place].text for place in shown_order(trial, seed)]
    marked = letters(len(options))
    lines = [f"{letter}) {' '.join(neutral(option).split())}" for letter, option in zip(marked, options, strict=True)]
    key = verdict_key(trial, text)
    slots = {
        "options": "\n".join(lines),
        "answer": fenced(text, trial.id, seed),
        "words": ", ".join([*marked, *WORDS[:-1]]) + f" or {WORDS[-1]}",
    }
    return Prompt(
        key,
        system="",
        user=told.head + told.body.format_map(slots),
        options=tuple(options),
        shared=(len(told.head),),
        temperature=told.temperature,
        max_tokens=told.max_tokens,
        seed=derived(seed, f"judge/{key}") & 0x7FFFFFFF,
    )


def questions(
    rows: Sequence[tuple[Trial, Score, Response | None]], seed: int, *, every: bool, limit: int | None
) -> list[Prompt]:
    """Return what a judge gets of one participant's answers: all that go to it, or ``limit`` of them, drawn by seed.

    A larger limit holds what a smaller one does.
    """
    found = list(_questions(rows, seed, every=every))
    if limit is None or limit >= len(found):
        return found
    drawn = sorted(found, key=lambda prompt: derived(seed, f"judge/limit/{prompt.trial_id}"))[:limit]
    kept = {prompt.trial_id for prompt in drawn}
    return [prompt for prompt in found if prompt.trial_id in kept]


def _questions(rows: Sequence[tuple[Trial, Score, Response | None]], seed: int, *, every: bool) -> Iterator[Prompt]:
    for trial, read, response in rows:
        if goes_to_judge(response, read, every=every):
            assert response is not None  # noqa: S101
            yield question(trial, response.text or "", seed)


def fault(asked: Prompt, reply: Response) -> str:
    """Return why a judge's reply holds no verdict; nothing where it holds one."""
    return reply.error or read_verdict(reply.text, len(asked.options), reply.finish).fault
