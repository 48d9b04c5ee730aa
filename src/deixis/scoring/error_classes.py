"""What kind of error an answer is, from the features of the options alone, for people and models alike.

Source of the classes of scenes: Dong et al. (2026), Figures 4B and 18. Those of passages, of the checks and of what
is no choice are our own.
"""

import re
from enum import StrEnum
from typing import Self

from deixis.records import COUNTED, Outcome, Score, Trial


class ErrorClass(StrEnum):
    """What an answer got wrong; the order is that of tables and figures."""

    meaning: str
    """What it means, in one line."""

    def __new__(cls, label: str, meaning: str) -> Self:
        """Make a class with its name in tables and its meaning."""
        member = str.__new__(cls, label)
        member._value_ = label
        member.meaning = meaning
        return member

    CORRECT = "Correct", "the right option"
    PPE = "PPE", "personal-pronoun error: I for You or You for I, the rest right"
    ONE = "ONE", "object-noun error: another object named, the rest right"
    POPE = "PoPE", "possessive-pronoun error: mine for yours or yours for mine, the rest right"
    DPE = "DPE", "demonstrative-pronoun error: this one for that one or that one for this one, the rest right"
    DOUBLE = "Double", "the personal pronoun and the other word (possessive, demonstrative, noun) are both wrong"
    SHIFT = "Shift", "shift error: the shifted reading where the indexical does not shift"
    UNSHIFT = "Unshift", "unshift error: the non-shifted reading where the indexical shifts"
    OTHER_NAME = "Other name", "a name that is not offered, but stands in the passage"
    OTHER_CHILD = "Other child", "the boy for the girl or the girl for the boy (checks)"
    OTHER_OBJECT = "Other object", "an object rated highest that the sentence does not mean (comprehension)"
    VERDICT = "Verdict", "yes for no or no for yes (checks)"
    WRONG = "Wrong", "a wrong option, of which its features do not say what is wrong"
    TIE = "Tie", "no option stood out: tied log-probabilities or ratings, or a strategy that abstains"
    NFI = "NFI", "not following instructions: an outcome without a choice (unreadable, refused, empty, truncated)"


def error_class(trial: Trial, score: Score, said: str = "") -> ErrorClass | None:
    """Return the class of an answer; ``None`` for *errored* and *missing*, which count as not asked.

    ``said`` is the text behind the score, where there is one. Only a name that is not offered is looked for in it, and
    only where the reader found no option: of a score without its text nobody can know whom it named.
    """
    if score.outcome not in COUNTED:
        return None
    if score.outcome is Outcome.ANSWERED and score.choice is not None:
        return option_class(trial, score.choice)
    if score.tied or score.outcome is Outcome.ANSWERED:
        return ErrorClass.TIE
    if score.outcome is Outcome.UNREADABLE and _names_another(trial, said):
        return ErrorClass.OTHER_NAME
    return ErrorClass.NFI


def option_class(trial: Trial, choice: int) -> ErrorClass:
    """Return the class of choosing an option."""
    if trial.is_right(choice):
        return ErrorClass.CORRECT
    right, taken = trial.options[trial.answer].features, trial.options[choice].features
    wrong = {name for name in (*right, *taken) if right.get(name) != taken.get(name)}
    if wrong in ({"pronoun", "word"}, {"pronoun", "noun"}):
        return ErrorClass.DOUBLE
    if len(wrong) != 1:
        return ErrorClass.WRONG
    (name,) = wrong
    return _ONE_WRONG.get(name) or _RIGHT_VALUE.get((name, right.get(name, "")), ErrorClass.WRONG)


_ONE_WRONG = {
    "pronoun": ErrorClass.PPE,
    "noun": ErrorClass.ONE,
    "child": ErrorClass.OTHER_CHILD,
    "role": ErrorClass.OTHER_OBJECT,
    "verdict": ErrorClass.VERDICT,
}
"""The feature that alone is wrong to its class."""
_RIGHT_VALUE = {
    ("word", "mine"): ErrorClass.POPE,
    ("word", "yours"): ErrorClass.POPE,
    ("word", "this one"): ErrorClass.DPE,
    ("word", "that one"): ErrorClass.DPE,
    ("reading", "non-shifted"): ErrorClass.SHIFT,
    ("reading", "shifted"): ErrorClass.UNSHIFT,
}
"""Where the class hangs on what would have been right: the feature that alone is wrong with its right value."""

_WORD = re.compile(r"[^\W\d_][\w-]*")
_WITHIN = re.compile(r"(?<=[\w,;] )[^\W\d_][\w-]*")
"""A word that does not begin a sentence; with a capital it is a name."""
_SHORT = 8
"""An answer of at most so many words is about the one it names."""


def _names_another(trial: Trial, said: str) -> bool:
    """Whether the options are names of the passage, and a short text holds exactly one other of them and no option.

    In a longer text a name may be anything but the answer.
    """
    passage = trial.stimulus.get("passage", "")
    offered = [option.text for option in trial.options]
    if (
        len(said.split()) > _SHORT
        or not all(_holds(passage, name) for name in offered)
        or any(_holds(said.casefold(), n.casefold()) for n in offered)
    ):
        return False
    known = {word for word in _WITHIN.findall(passage) if len(word) > 1 and word[0].isupper()}
    return len(_names(said, known - {word for name in offered for word in name.split()})) == 1


def _holds(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _names(text: str, known: set[str]) -> set[str]:
    """Return the names in a text; known words with one space between them are one name."""
    found: list[str] = []
    end = -1
    for match in _WORD.finditer(text):
        if match[0] in known:
            if found and text[end : match.start()] == " ":
                found[-1] += f" {match[0]}"
            else:
                found.append(match[0])
            end = match.end()
    return set(found)
