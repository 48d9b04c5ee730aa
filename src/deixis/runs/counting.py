"""How many questions, pictures and tokens a trial table is. Tokens are estimates."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from deixis.experiments.experiment import Pair

LETTERS: Mapping[str, float] = {
    "indexicals": 4.30,
    "vocabulary": 4.35,
    "possessive": 4.22,
    "demonstrative": 4.17,
    "comprehension": 3.97,
    "checks": 3.87,
}
"""Letters a token, by experiment.

Measured with the tokenizer of SmolLM2-135M-Instruct on up to 40 prompts, evenly spaced, of every condition of the
corrected protocol but ``people``, except that comprehension has no other. Single conditions lie between 0.23 below and
0.40 above their experiment's figure.
"""
MESSAGE = 7
"""Tokens that a chat template adds to a message: measured with the same model, 14 for a system and a user message."""
MARGIN = 2
"""Tokens of an answer beyond the option: a full stop, and the end."""
AT_LENGTH = ("instruction",)
"""Conditions whose one answer may begin with an explanation, since nothing in them forbids it."""


@dataclass(frozen=True, slots=True)
class Count:
    """What one condition of one experiment, or all of them together, asks of a model."""

    experiment: str
    """Name of the experiment."""
    condition: str
    """Its condition."""
    trials: int
    """Questions."""
    pictures: frozenset[str]
    """Hashes of the distinct pictures."""
    sent: int
    """How often a picture is sent: with every question, example and turn."""
    text_tokens: int
    """Input tokens of the texts; those of pictures depend on the model."""
    output_tokens: int
    """Tokens that are written."""
    long_tokens: int
    """Of these, the tokens assumed for explanations and first turns."""

    def input_tokens(self, picture_tokens: int) -> int:
        """Return the input tokens with those of the pictures."""
        return self.text_tokens + self.sent * picture_tokens


def count(name: str, condition: str, pairs: Iterable[Pair]) -> Count:
    """Count what one condition of an experiment asks."""
    trials = sent = messages = letters = long = carried = 0
    answers = 0.0
    pictures: set[str] = set()
    for _, prompt in pairs:
        shown = [picture for picture in (prompt.picture, *(e.picture for e in prompt.examples)) if picture is not None]
        pictures.update(shown)
        turns = 2 if prompt.then else 1
        opening = len(prompt.system) + len(prompt.user) + sum(len(example.text) for example in prompt.examples)
        explained = prompt.max_tokens // 2 if prompt.then or condition in AT_LENGTH else 0
        trials += 1
        sent += turns * len(shown)
        letters += turns * opening + len(prompt.then)
        messages += turns * (1 + bool(prompt.system)) + (2 if prompt.then else 0)
        long += explained
        carried += explained if prompt.then else 0  # the first turn's answer is read again in the second
        answers += sum(map(len, prompt.options)) / len(prompt.options)
    text = round(letters / LETTERS[name] + MESSAGE * messages + carried)
    written = round(answers / LETTERS[name] + MARGIN * trials + long)
    return Count(name, condition, trials, frozenset(pictures), sent, text, written, long)


def total(found: Sequence[Count]) -> Count:
    """Return the sum of several counts; a picture that several of them show counts once."""
    return Count(
        "total",
        "",
        sum(one.trials for one in found),
        frozenset().union(*(one.pictures for one in found)),
        sum(one.sent for one in found),
        sum(one.text_tokens for one in found),
        sum(one.output_tokens for one in found),
        sum(one.long_tokens for one in found),
    )
