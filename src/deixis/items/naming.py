"""Names in a text: finding them as whole words, replacing all of them at once."""

import re
from collections.abc import Mapping
from functools import lru_cache


@lru_cache(maxsize=4096)
def whole_word(name: str) -> re.Pattern[str]:
    """Return a pattern for ``name`` where no letter, digit or underscore touches it."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def mentions(text: str, name: str) -> list[int]:
    """Return where ``name`` stands in ``text`` as a whole word, ends of the matches in order."""
    return [match.end() for match in whole_word(name).finditer(text)]


def rename(text: str, names: Mapping[str, str]) -> str:
    """Replace every name of ``names`` at once, so that no replacement is replaced again."""
    if not names:
        return text
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(r"(?<!\w)(" + "|".join(map(re.escape, longest_first)) + r")(?!\w)")
    return pattern.sub(lambda match: names[match[1]], text)


def same_answer(one: str, other: str) -> bool:
    """Whether two options are the same answer, whatever their case, spaces and punctuation."""
    return re.sub(r"[\W_]+", " ", one).strip().casefold() == re.sub(r"[\W_]+", " ", other).strip().casefold()


_FEMALE = {"he": "she", "him": "her", "his": "her", "himself": "herself"}
_MALE_PRONOUN = re.compile(r"\b(he|him|his|himself)\b(?P<end>\s*(?:[.,;:!?\"”)]|$))?", re.IGNORECASE)


def female_pronouns(text: str) -> str:
    """Turn male pronouns into female ones, keeping their capital."""

    def agree(match: re.Match[str]) -> str:
        male = match[1]
        word = "hers" if male.lower() == "his" and match["end"] is not None else _FEMALE[male.lower()]
        shape = str.upper if male.isupper() and len(male) > 1 else str.capitalize if male[0].isupper() else str
        return shape(word) + (match["end"] or "")

    return _MALE_PRONOUN.sub(agree, text)
