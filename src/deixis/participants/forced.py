"""Forced choice: how probable each option is as the answer, with every token evaluated once.

The options of a question form a tree of tokens below the prompt. The whole text, prompt and option, is tokenised
together; what all options share with the prompt is the context, what follows is scored. An option's score is the
sum over its tokens of ln P(token | everything before it): the probability that the answer *begins* with the
option. Where one option's tokens begin another's, the end of the answer is scored for all of them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from deixis.records import OptionScore

Tokens = tuple[int, ...]


class NextTokens(Protocol):
    """What forced choice needs of an engine."""

    def tokenise(self, text: str) -> Tokens:
        """Return the tokens of ``text``, special tokens included."""

    def end_of_answer(self) -> int:
        """Return the token that ends an answer."""

    def follow(self, context: Tokens, path: Tokens) -> list[Mapping[int, float]]:
        """Return log-probabilities of likely next tokens, after ``context`` and along ``path``.

        The first entry is about the token after ``context``, the next about the one after ``context + path[:1]``,
        and so on for as long as the engine goes along; at least one entry, at most ``len(path)``.
        """

    def logprob(self, context: Tokens, token: int) -> float:
        """Return the log-probability of one token after ``context``, however unlikely it is."""


@dataclass(frozen=True, slots=True)
class Question:
    """A tokenised question: what is shared, and each option's own tokens."""

    context: Tokens
    paths: tuple[Tokens, ...]


def question(engine: NextTokens, prompt: str, options: Sequence[str]) -> Question:
    """Tokenise prompt and options together and split them where the options begin to differ from the prompt.

    Raises :class:`ValueError` for an option without tokens of its own.
    """
    alone = engine.tokenise(prompt)
    whole = [engine.tokenise(prompt + option) for option in options]
    shared = min(_common(alone, tokens) for tokens in whole)
    paths = [tokens[shared:] for tokens in whole]
    if shared == 0 or not all(paths):
        raise ValueError("an option has no token of its own after the prompt")
    if len(set(paths)) < len(paths):
        raise ValueError("two options have the same tokens")
    if any(_begins(one, other) for one in paths for other in paths if one is not other):
        end = engine.end_of_answer()
        paths = [(*path, end) for path in paths]
    return Question(alone[:shared], tuple(paths))


def choose(engine: NextTokens, asked: Question) -> tuple[OptionScore, ...]:
    """Score every option; each node of the tree of tokens is evaluated once.

    Where options begin, one step is asked for; below that, a model mostly goes on as the option does.

    Raises :class:`ArithmeticError` where the engine gives a log-probability that is no number.
    """
    known: dict[Tokens, dict[int, float]] = {}
    scores = []
    for path in asked.paths:
        total = 0.0
        for depth, token in enumerate(path):
            node = path[:depth]
            if node not in known:
                steps = engine.follow(asked.context + node, path[depth:] if depth else path[:1])
                for ahead, step in enumerate(steps):
                    known.setdefault(path[: depth + ahead], {}).update(step)
            if token not in known[node]:
                known[node][token] = engine.logprob(asked.context + node, token)
            total += known[node][token]
        if not math.isfinite(total):
            raise ArithmeticError(f"the engine gave {total!r} as a log-probability")
        scores.append(OptionScore(total, len(path)))
    return tuple(scores)


def _common(one: Tokens, other: Tokens) -> int:
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return length


def _begins(one: Tokens, other: Tokens) -> bool:
    return other[: len(one)] == one
