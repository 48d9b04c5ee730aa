"""Texts in one shape: quotes, dashes, full-width letters, accents, emphasis; with the way back to the original."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_PLAIN = str.maketrans(dict.fromkeys("*_`#|", " "))
"""Emphasis and table marks, which change nothing of what is said."""
_SHAPES = str.maketrans(
    dict.fromkeys("‘’‚‛ʼ′´", "'")
    | dict.fromkeys("“”„‟«»″「」『』《》〈〉‹›", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys("、，", ",")
    | {"。": "."}
)
_SCRIPT = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u3005-\u9fff\uac00-\ud7ff\uf900-\ufaff]")
"""Letters of scripts that put no space between words, or join particles to them."""
_UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\U000e0000-\U000e007f]"
)
"""Invisible letters (Cf)."""
_NEGATIONS = {
    "不是": " not ",
    "并非": " not ",
    "并不是": " not ",
    "ではな": " is not ",
    "じゃな": " is not ",
    "가 아니": " is not ",
    "이 아니": " is not ",
}
"""Negations of those scripts, put into the words that patterns know."""
_INVISIBLE = frozenset({"Cf", "Cc", "Zs", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in one shape."""

    text: str
    """What patterns are looked for in; letters of scripts without spaces are blank."""
    whole: str
    """The same with those letters."""
    places: Sequence[int] | None
    """Where each letter of ``text`` stood in the original, and its end; nothing where no letter moved."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return a span of ``text`` as one of the original."""
        return (start, end) if self.places is None else (self.places[start], self.places[end])


def blank(text: str) -> bool:
    """Whether there is nothing to see: spaces and invisible characters only."""
    return not text or all(letter.isspace() or unicodedata.category(letter) in _INVISIBLE for letter in text)


def fold(text: str) -> Folded:
    """Return ``text`` in one shape."""
    if text.isascii():
        plain = text.translate(_PLAIN)
        return Folded(plain, plain, None)
    shaped = text.translate(_SHAPES)
    if unicodedata.is_normalized("NFKC", shaped) and _UNSEEN.search(shaped) is None and _SCRIPT.search(shaped) is None:
        plain = shaped.translate(_PLAIN)
        return Folded(plain, plain, None)
    letters: list[str] = []
    places: list[int] = []
    for start, cluster in _clusters(text):
        for letter in unicodedata.normalize("NFKC", cluster.translate(_SHAPES)):
            letters.append(letter)
            places.append(start)
    places.append(len(text))
    whole = "".join(letters).translate(_PLAIN)
    if not _SCRIPT.search(whole):
        return Folded(whole, whole, places)
    spaced = whole
    for negation, words in _NEGATIONS.items():
        while (at := spaced.find(negation)) >= 0:
            spaced = spaced[:at] + words + spaced[at + len(negation) :]
            places[at : at + len(negation)] = [places[at]] * len(words)
    return Folded(_SCRIPT.sub(" ", spaced), whole, places)


def _clusters(text: str) -> list[tuple[int, str]]:
    """Letters with their combining marks, and where they stand; what is invisible is left out."""
    clusters: list[tuple[int, str]] = []
    for place, letter in enumerate(text):
        if clusters and unicodedata.combining(letter):
            start, cluster = clusters[-1]
            clusters[-1] = (start, cluster + letter)
        elif unicodedata.category(letter) != "Cf":
            clusters.append((place, letter))
    return clusters
