"""Verbs that report speech or thought, and which form of which one a text has."""

import re

_PAST = {
    "say": "said",
    "think": "thought",
    "tell": "told",
    "write": "wrote",
    "swear": "swore",
}
_REGULAR = (
    "mention shout whisper announce insist claim remark promise reply answer believe explain add note declare report "
    "reveal confide exclaim argue admit hope guess predict joke complain warn repeat state inform assure"
).split()
_PARTICIPLE = {"write": "written"}


def _third(lemma: str) -> str:
    return lemma[:-1] + "ies" if lemma == "reply" else lemma + ("es" if lemma.endswith("s") else "s")


def _past(lemma: str) -> str:
    if lemma in ("reply", "admit"):
        return {"reply": "replied", "admit": "admitted"}[lemma]
    return lemma.removesuffix("e") + "ed"


FORMS = {lemma: (_third(lemma), _PAST.get(lemma) or _past(lemma)) for lemma in [*_PAST, *_REGULAR]}
"""Lemma to its present and past form, third person singular."""

_LEMMA = {
    spelt: lemma
    for lemma, (third, past) in FORMS.items()
    for spelt in (lemma, third, past, _PARTICIPLE.get(lemma, past))
}
ANY = "|".join(_LEMMA)
"""A pattern for every form of every verb."""


def form(report: str, lemma: str) -> str | None:
    """Return the one form of ``lemma`` that stands in ``report``, or ``None`` where there is none or are several."""
    found = [word for word in re.findall(r"[a-z]+", report) if word in FORMS[lemma]]
    return found[0] if len(found) == 1 else None


def lemmas(text: str) -> list[str]:
    """Return the reporting verbs of ``text`` as lemmas, in order."""
    return [_LEMMA[word] for word in re.findall(r"[a-z]+", text) if word in _LEMMA]


def is_past(verb: str) -> bool:
    """Whether a form of :data:`FORMS` is in the past tense."""
    return any(verb == past for _, past in FORMS.values())
