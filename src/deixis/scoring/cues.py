"""What is looked for around an option: patterns that are only tried where one of their words is there at all."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

WINDOW = 120
"""How many letters before or after an option are looked at."""
_MARKS = frozenset("❌✗✘☒🚫✅✔☑✓👉👍👎🙅")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Said:
    """What an answer says, in one shape, and the words in it."""

    text: str
    """The folded text; what is no part of the answer is blank."""
    words: frozenset[str]
    """Its words and marks, lower-cased."""

    @classmethod
    def of(cls, text: str) -> "Said":
        """Find the words."""
        words = frozenset(_WORD.findall(text.lower()))
        return cls(text, words if text.isascii() else words | _MARKS.intersection(text))


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern, with words of which one is in every match: most answers have none, which is quick to see."""

    pattern: re.Pattern[str]
    signs: frozenset[str]

    def before(self, said: Said, start: int) -> bool:
        """Whether it stands right before a place."""
        if self.signs.isdisjoint(said.words):
            return False
        return self.pattern.search(said.text, max(0, start - WINDOW), start) is not None

    def after(self, said: Said, end: int) -> bool:
        """Whether it stands right after a place."""
        return not self.signs.isdisjoint(said.words) and self.pattern.match(said.text, end) is not None

    def within(self, said: Said, start: int, end: int) -> bool:
        """Whether it stands between two places."""
        return not self.signs.isdisjoint(said.words) and self.pattern.search(said.text, start, end) is not None

    def every(self, said: Said) -> Iterator[re.Match[str]]:
        """Every place where it stands."""
        return iter(()) if self.signs.isdisjoint(said.words) else self.pattern.finditer(said.text)


def cue(pattern: str, signs: str, flags: re.RegexFlag = re.IGNORECASE) -> Cue:
    """Compile a pattern; ``signs`` are words of which every match has one."""
    return Cue(re.compile(pattern, flags), frozenset(signs.split()))
