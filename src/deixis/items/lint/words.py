"""Words for comparing texts: sentences, content words, stems."""

import re
from collections.abc import Iterable

_SENTENCE = re.compile(r"(?<=[.!?])[\"”]?\s+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FUNCTION = frozenset(
    "a an the this that these those and or but nor so yet if when while as than then because since until after before "
    "during of in on at by to from with without for about into onto over under between through against up down out off "
    "i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours "
    "they them their theirs who whom whose what which where why how there here today tomorrow yesterday now already "
    "be am is are was were been being do does did done doing have has had having will would shall should can could may "
    "might must go goes going gone went want wants wanted say says said not no very too also just only own future past "
    "according last sentence one ones some any all more most much many other another each every both such same".split()
)
_STEM = 5
_SHORTEST = 3


def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]


def words(text: str) -> list[str]:
    """Return the words of a text, lower case, without punctuation."""
    return [word.lower() for word in _WORD.findall(text)]


def content(text: str, names: Iterable[str] = ()) -> list[str]:
    """Return the words that carry content: neither function words nor names."""
    dropped = {part for name in names for part in words(name)}
    plain = [re.sub(r"['’]s?$", "", word) for word in words(text)]
    return [word for word in plain if word not in _FUNCTION and word not in dropped and "'" not in word]


def stems(found: Iterable[str]) -> set[str]:
    """Return what inflected forms have in common: their first letters, without the commonest endings."""
    return {_stem(word) for word in found}


def _stem(word: str) -> str:
    for endings in (("ing", "ied", "ies", "ed", "es", "s"), ("er", "e", "y")):
        ending = next((e for e in endings if word.endswith(e) and len(word) - len(e) >= _SHORTEST), "")
        word = word.removesuffix(ending)
    if len(word) > _SHORTEST and word[-1] == word[-2]:
        word = word[:-1]
    return word[:_STEM]
