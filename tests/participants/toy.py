"""A toy engine with a known distribution: one token a character, probabilities from a table."""

import math
from collections.abc import Callable, Mapping

from deixis.participants.forced import Tokens

END = 3
Distribution = Callable[[Tokens], Mapping[int, float]]


class Toy:
    """Tokens are code points; ``after`` gives the next token's probabilities, and every call is counted."""

    def __init__(self, after: Distribution, *, likely: int = 5, merges: tuple[str, ...] = ()) -> None:
        self._after = after
        self._likely = likely
        self._merges = merges
        self.followed: list[Tokens] = []
        self.asked: list[tuple[Tokens, int]] = []

    def tokenise(self, text: str) -> Tokens:
        tokens: list[int] = []
        while text:
            merged = next((m for m in self._merges if text.startswith(m)), text[0])
            tokens.append(ord(merged) if len(merged) == 1 else 10_000 + self._merges.index(merged))
            text = text[len(merged) :]
        return tuple(tokens)

    def end_of_answer(self) -> int:
        return END

    def follow(self, context: Tokens, path: Tokens) -> list[Mapping[int, float]]:
        self.followed.append(context)
        steps = []
        for token in path:
            table = self._after(context)
            best = sorted(table, key=lambda t: -table[t])[: self._likely]
            steps.append({t: math.log(table[t]) for t in best})
            if best[0] != token:
                break
            context = (*context, token)
        return steps

    def logprob(self, context: Tokens, token: int) -> float:
        self.asked.append((context, token))
        probability = self._after(context).get(token, 0.0)
        return math.log(probability) if probability else -math.inf


def uniform(size: int) -> Distribution:
    """Every token of a vocabulary equally likely."""
    table = dict.fromkeys([*range(size), *range(10_000, 10_010)], 1 / size)
    return lambda _context: table
