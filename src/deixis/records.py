"""The vocabulary: the frozen records that stages hand to one another.

``Item → Trial → Prompt → Response → Score``. A Prompt never holds the right answer, so no model can see it;
Trial and Response are joined by ``trial_id``, never by position. ``docs/glossary.md`` uses the same words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """What became of one question; the seven are never merged."""

    ANSWERED = "answered"
    """One option was chosen (or, in forced choice, several tied)."""
    UNREADABLE = "unreadable"
    """There is text, but it settles on no option."""
    REFUSED = "refused"
    """The participant declined to answer."""
    EMPTY = "empty"
    """Nothing but white space came back."""
    TRUNCATED = "truncated"
    """The length limit cut the answer before it settled."""
    ERRORED = "errored"
    """The participant failed; the question counts as not asked."""
    MISSING = "missing"
    """The question was planned and has no response yet."""


COUNTED = (Outcome.ANSWERED, Outcome.UNREADABLE, Outcome.REFUSED, Outcome.EMPTY, Outcome.TRUNCATED)
"""The outcomes in the denominator of headline accuracy."""


class AnswerMode(StrEnum):
    """How a participant is asked to answer."""

    GENERATE = "generate"
    """Free text, read afterwards."""
    CHOOSE = "choose"
    """Forced choice by log-probability over the options."""
    CONSTRAINED = "constrained"
    """Text that can be nothing but one of the options; no forced choice, since each token is chosen alone."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One passage of an item: the item under one sentence type and one context prime."""

    sentence_type: str
    """``non-quoted`` or ``quoted``."""
    context_prime: str
    """``non-shifted`` or ``shifted``: the reading that the context makes tempting."""
    passage: str
    """The whole text shown, context and last sentence."""
    sentence: str
    """The last sentence, which holds the indexical; a suffix of ``passage``."""
    marks: str = "plain"
    """``plain`` or ``distractor``: whether quotation marks stand where direct speech does, or just elsewhere."""


@dataclass(frozen=True, slots=True)
class Item:
    """What is said, with every role named."""

    id: str
    """Indexical and number, such as ``here/017``."""
    indexical: str
    """``I``, ``you``, ``here`` or ``tomorrow``."""
    number: int
    """Its number within the set; decides the order of options by its parity."""
    gender: str
    """``female`` or ``male``: the gender of every named person."""
    roles: Mapping[str, str]
    """Role to name: narrator, addressee, reporter, listener, subject; here, there."""
    question: str
    """The question put after the passage."""
    options: Mapping[str, str]
    """Reading (``non-shifted``, ``shifted``) to the answer that expresses it."""
    cells: tuple[Cell, ...]
    """Its passages, at most one for each sentence type, prime and marks."""


BETWEEN = " | "
"""Stands between several values in one entry of :attr:`Trial.stimulus`."""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer offered, with what it means."""

    text: str
    """The words shown."""
    features: Mapping[str, str]
    """What the option stands for, such as ``reading: shifted``."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One question to one participant, with its right answer. Models never see it."""

    id: str
    """Factor levels joined by slashes, such as ``here/017/quoted/shifted``."""
    experiment: str
    """Name of the experiment."""
    condition: str
    """Condition within the experiment, such as ``main``."""
    protocol: str
    """``published``, ``described`` or ``corrected``."""
    factors: Mapping[str, str]
    """Factor to level, in the experiment's order, the item among them."""
    options: tuple[Option, ...]
    """The options in the order shown."""
    answer: int
    """Index of the right option in ``options``."""
    stimulus: Mapping[str, str]
    """The texts or facts shown, by part (``passage``, ``sentence``, ``question``)."""

    def is_right(self, choice: int) -> bool:
        """Whether an option is the right one, or means the same."""
        right = self.options[self.answer].features
        return choice == self.answer or (bool(right) and self.options[choice].features == right)

    @property
    def meant(self) -> tuple[int, ...]:
        """Indices of the options that are right: ``answer``, and those that mean the same, all features being equal."""
        right = self.options[self.answer].features
        same = (place for place, option in enumerate(self.options) if right and option.features == right)
        return tuple(same) or (self.answer,)


@dataclass(frozen=True, slots=True)
class Example:
    """One worked example, shown before the question."""

    text: str
    """What is said of it, the right sentence included."""
    picture: str | None = None
    """Hash of the pixels shown with it, if any."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a participant gets. It knows nothing of the right answer."""

    trial_id: str
    """The trial it belongs to."""
    system: str
    """The system message."""
    user: str
    """The user message."""
    options: tuple[str, ...]
    """The options as shown."""
    picture: str | None = None
    """Hash of the pixels shown, if any."""
    examples: tuple[Example, ...] = ()
    """Worked examples, shown before ``user`` in this order."""
    then: str = ""
    """What is asked in a second turn, once ``user`` has been answered at length; only its answer is read."""
    shared: tuple[int, ...] = ()
    """Lengths of the beginnings of ``user`` that other prompts share, so that an engine can read them once."""
    temperature: float | None = None
    """Sampling temperature; ``None`` leaves the participant's own default."""
    max_tokens: int = 64
    """Longest answer, in tokens."""
    seed: int = 0
    """Seed of the sampling, where the participant can take one."""

    @property
    def text(self) -> str:
        """Everything that is said, in its order: examples, the question, the second turn."""
        return "\n\n".join([*(example.text for example in self.examples), self.user, *([self.then] * bool(self.then))])


@dataclass(frozen=True, slots=True)
class OptionScore:
    """What forced choice found for one option."""

    logprob: float
    """Natural logarithm of the probability that the answer begins with (or is) the option."""
    tokens: int
    """How many tokens that sum runs over."""

    @property
    def mean(self) -> float:
        """Log-probability per token."""
        return self.logprob / self.tokens


@dataclass(frozen=True, slots=True)
class Response:
    """What came back, raw and unedited."""

    trial_id: str
    """The trial answered."""
    text: str | None = None
    """The text as it came."""
    reasoning: str | None = None
    """What was written in the first of two turns."""
    choice: int | None = None
    """The option chosen, where the participant chooses instead of writing."""
    scores: tuple[OptionScore, ...] = ()
    """Forced choice: one entry an option, in the order shown."""
    ratings: tuple[int, ...] = ()
    """Where options are rated instead: how likely each is meant, in the order shown, 1 (not at all) to 7 (very)."""
    finish: str = ""
    """Why the text ended: ``stop``, ``length``, ``refusal``, or the provider's word."""
    seconds: float = 0.0
    """Wall-clock time spent on it."""
    usage: Mapping[str, int] = field(default_factory=dict)
    """Tokens, as the engine counts them."""
    model: str = ""
    """The model as the provider named it."""
    date: str = ""
    """When it was asked, in UTC (ISO 8601)."""
    retries: int = 0
    """How often it had to be asked again."""
    picture: str | None = None
    """Hash of the pixels that were sent, where any were."""
    cost: float | None = None
    """US dollars, where the price is known."""
    logprobs: tuple[tuple[str, float], ...] = ()
    """The tokens of the text with their natural log-probabilities, where they were asked for and given."""
    notes: tuple[str, ...] = ()
    """What was otherwise than asked for, such as a setting that the provider does not take."""
    error: str | None = None
    """What went wrong, if it did; then nothing else is set."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a text was read."""

    outcome: Outcome
    """What became of it."""
    choice: int | None = None
    """Index of the option read, if any."""
    rule: str = ""
    """Which rule settled it."""
    span: tuple[int, int] | None = None
    """Where in the text the answer stands (start, end)."""


@dataclass(frozen=True, slots=True)
class Score:
    """The reading of a response against its trial."""

    trial_id: str
    """The trial scored."""
    outcome: Outcome
    """What became of the question."""
    choice: int | None
    """Index of the option chosen, if one was."""
    credit: float
    """1 for the right option, 0 otherwise; a k-way tie that holds the right option earns 1/k."""
    rule: str
    """Which rule read it."""
    reader: str
    """Name and version of the reader."""
    tied: bool = False
    """Whether several options shared the best score."""
