"""Reference participants at the table: each is blind to something, or has one answer for everything.

They answer from the facts of the trial and the features of its options. Each does the rest right, so that its score
says what its blindness costs; what enumeration says it must score stands in ``docs/perspectives.md``.
"""

from collections.abc import Mapping

from deixis.participants.rules import Rule
from deixis.records import BETWEEN, Trial

_WORDS = {"possessive": ("mine", "yours"), "demonstrative": ("this one", "that one")}
"""What is said of a thing near the speaker, and of one that is not."""
_OTHER = {"boy": "girl", "girl": "boy"}


def _always_i(trial: Trial, _seed: int) -> int | None:
    """Says I whoever looks, and is right for the rest."""
    return _says(trial, pronoun="I")


def _always_you(trial: Trial, _seed: int) -> int | None:
    """Says You whoever looks, and is right for the rest."""
    return _says(trial, pronoun="You")


def _speaker_blind(trial: Trial, _seed: int) -> int | None:
    """Answers from the boy's side, whoever speaks."""
    return _says(trial, _pronoun(trial, "boy"), _word(trial, "boy"))


def _gazer_blind(trial: Trial, _seed: int) -> int | None:
    """Takes the speaker for the one who looks."""
    return _says(trial, pronoun="I")


def _owner_is_me(trial: Trial, _seed: int) -> int | None:
    """Says mine whoever owns it, and is right for the rest."""
    return _says(trial, word="mine")


def _always_this(trial: Trial, _seed: int) -> int | None:
    """Says this one wherever it is, and is right for the rest."""
    return _says(trial, word="this one")


def _always_that(trial: Trial, _seed: int) -> int | None:
    """Says that one wherever it is, and is right for the rest."""
    return _says(trial, word="that one")


def _distance_from_listener(trial: Trial, _seed: int) -> int | None:
    """Measures from the listener instead of the speaker: this one for what is near the listener."""
    return _says(trial, word=_word(trial, _OTHER[trial.stimulus["speaker"]]))


def _copy_the_noun(trial: Trial, _seed: int) -> int | None:
    """Takes the first option with the noun that the text names; says nothing where it names none."""
    if "object" not in trial.stimulus["told"].split(", "):
        return None
    nouns = (place for place, o in enumerate(trial.options) if o.features.get("noun") == trial.stimulus["object"])
    return next(nouns, None)


def _text_only(trial: Trial, _seed: int) -> int | tuple[int, ...] | None:
    """Reads the words and does not look: the best that the text allows, undecided between what it leaves open."""
    return _left(trial, "text_leaves")


def _picture_only(trial: Trial, _seed: int) -> int | tuple[int, ...] | None:
    """Looks and does not read: the best that the picture allows; says nothing where there is none."""
    return _left(trial, "picture_leaves")


READERS: Mapping[str, Rule] = {"text-only": _text_only, "picture-only": _picture_only}
"""Those who use one channel only."""
_PRONOUNS: Mapping[str, Rule] = {
    "always-I": _always_i,
    "always-You": _always_you,
    "speaker-blind": _speaker_blind,
    "gazer-blind": _gazer_blind,
}
BLIND: Mapping[str, Mapping[str, Rule]] = {
    "vocabulary": {**_PRONOUNS, "copy-the-noun": _copy_the_noun, **READERS},
    "possessive": {**_PRONOUNS, "owner-is-me": _owner_is_me, **READERS},
    "demonstrative": {
        **_PRONOUNS,
        "always-this": _always_this,
        "always-that": _always_that,
        "distance-from-listener": _distance_from_listener,
        **READERS,
    },
    "comprehension": READERS,
    "checks": READERS,
}
"""Experiment to the reference participants that fit it alone, by name."""


def _says(trial: Trial, pronoun: str = "", word: str = "") -> int | None:
    """Return the option with a pronoun and a word; what is not given is as in the right one. ``None``: not offered."""
    wanted = dict(trial.options[trial.answer].features)
    if pronoun:
        wanted["pronoun"] = pronoun
    if word and "word" in wanted:
        wanted["word"] = word
    return next((place for place, option in enumerate(trial.options) if option.features == wanted), None)


def _pronoun(trial: Trial, speaker: str) -> str:
    return "I" if trial.stimulus["gazer"] == speaker else "You"


def _word(trial: Trial, speaker: str) -> str:
    """Return what a speaker would say of the target; nothing where words do not depend on the speaker."""
    near, far = _WORDS.get(trial.experiment, ("", ""))
    return near if trial.stimulus["near"] == speaker else far


def _left(trial: Trial, name: str) -> int | tuple[int, ...] | None:
    if not trial.stimulus[name]:
        return None
    texts = set(trial.stimulus[name].split(BETWEEN))
    left = tuple(place for place, option in enumerate(trial.options) if option.text in texts)
    return left[0] if len(left) == 1 else left
