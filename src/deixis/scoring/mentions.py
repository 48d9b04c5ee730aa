"""Finding options in a text: whole words, whatever the shape of quotes, dashes, letters and accents."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from deixis.records import Outcome, Reading

_SHAPES = str.maketrans(dict.fromkeys("‘’‚‛ʼ′`", "'") | dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‐‑‒–—―−", "-"))


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where an option is named."""

    option: int
    """Index of the option."""
    start: int
    """Start in the folded text."""
    end: int
    """End in the folded text."""
    rule: str = ""
    """The rule that settled on it."""

    def by(self, rule: str) -> "Mention":
        """Return the mention, settled by ``rule``."""
        return replace(self, rule=rule)

    def at(self, places: Sequence[int] | None) -> Reading:
        """Return it as a reading; ``places`` maps the folded text back to the original."""
        start, end = self.start, self.end
        if places is not None:
            start, end = places[start], places[end]
        return Reading(Outcome.ANSWERED, self.option, self.rule, (start, end))


def fold(text: str) -> tuple[str, Sequence[int] | None]:
    """Return ``text`` in one shape (quotes, dashes, full-width, accents composed) and where each letter stood.

    The places are ``None`` where the text is plain ASCII and nothing moved; else they hold one entry more than
    the folded text has letters.
    """
    if text.isascii():
        return text, None
    letters: list[str] = []
    places: list[int] = []
    for start, cluster in _clusters(text):
        for letter in unicodedata.normalize("NFKC", cluster.translate(_SHAPES)):
            letters.append(letter)
            places.append(start)
    places.append(len(text))
    return "".join(letters), places


def _clusters(text: str) -> list[tuple[int, str]]:
    clusters: list[tuple[int, str]] = []
    for place, letter in enumerate(text):
        if clusters and unicodedata.combining(letter):
            start, cluster = clusters[-1]
            clusters[-1] = (start, cluster + letter)
        elif unicodedata.category(letter) != "Cf":
            clusters.append((place, letter))
    return clusters


@lru_cache(maxsize=4096)
def _pattern(options: tuple[str, ...], *, any_case: bool) -> re.Pattern[str]:
    longest_first = sorted(range(len(options)), key=lambda index: -len(options[index]))
    groups = "|".join(f"(?P<o{index}>{_words(options[index], any_case=any_case)})" for index in longest_first)
    return re.compile(rf"(?<![\w-])(?:{groups})(?!\w|-\w|'[sS]\b(?!\s*$))")


def _words(option: str, *, any_case: bool) -> str:
    """Pattern of one option; spaces may be any space, a single letter keeps its case and is no ``I'm``."""
    spaced = r"\s+".join(re.escape(word) for word in fold(option)[0].split())
    if len(option) == 1:
        return rf"{spaced}(?!'\w)"
    return f"(?i:{spaced})" if any_case or option[0].islower() else spaced


def mentions(folded: str, options: Sequence[str]) -> list[Mention]:
    """Return every mention of an option in ``folded``, in order.

    Names are first looked for with their capitals, so that *will* is not Will. Where no option stands in full,
    options of three words and more are found by their last word, if each has its own (``past``, ``future``).
    """
    found = _found(folded, tuple(options), any_case=False) or _found(folded, tuple(options), any_case=True)
    if found:
        return found
    last_words = [option.split()[-1] for option in options if len(option.split()) >= 3]
    if len({word.lower() for word in last_words}) == len(options):
        return _found(folded, tuple(last_words), any_case=True)
    return []


def _found(folded: str, options: tuple[str, ...], *, any_case: bool) -> list[Mention]:
    return [
        Mention(int((match.lastgroup or "o0")[1:]), match.start(), match.end())
        for match in _pattern(options, any_case=any_case).finditer(folded)
    ]
