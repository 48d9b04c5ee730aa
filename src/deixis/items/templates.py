"""Base templates: items with placeholders where names, places and gender go.

``{narrator}`` stands for a name; ``{she/he}`` for a word that agrees with the gender of the people named;
``[Blue Parrot]`` for the words that wear quotation marks where ``marks`` is *distractor*.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from deixis.items.cells import INDEXICALS, PRIMES
from deixis.items.reporting import FORMS, form, is_past

_GENDER = re.compile(r"\{([^{}/]+)/([^{}/]+)\}")
_ROLE = re.compile(r"\{([a-z]+)\}")
_SPAN = re.compile(r"\[([^\[\]]+)\]")

ROLES = {
    "I": ("narrator", "reporter"),
    "you": ("narrator", "addressee", "reporter", "listener", "subject"),
    "here": ("narrator", "reporter", "subject", "here", "there"),
    "tomorrow": ("narrator", "reporter", "subject"),
}
"""Indexical to its roles; ``here`` and ``there`` are places, all others people."""


@dataclass(frozen=True, slots=True)
class Template:
    """One item before names are drawn."""

    indexical: str
    """``I``, ``you``, ``here`` or ``tomorrow``."""
    number: int
    """Its number within the indexical."""
    event: str
    """The verb of the event asked about, as a lemma."""
    verb: str
    """The reporting verb, as a lemma."""
    opening: str
    """Who is who; the beginning of both contexts."""
    primes: Mapping[str, str]
    """Reading to the words that make it tempting."""
    report: str
    """The reporting clause; where it holds a *that*, so does the reported clause."""
    clause: str
    """The clause as it stands in direct speech, without its full stop."""
    question: str
    """The question put after the passage."""

    @property
    def past(self) -> bool:
        """Whether the reporting verb is in the past, so that a reported clause shifts its tense."""
        if self.verb not in FORMS:
            raise ValueError(f"{self.indexical}/{self.number:03d}: no reporting verb {self.verb!r}")
        verb = form(self.report, self.verb)
        if verb is None:
            raise ValueError(f"{self.indexical}/{self.number:03d}: no single form of {self.verb!r} in {self.report!r}")
        return is_past(verb)

    @property
    def that(self) -> bool:
        """Whether the reporting clause holds a *that* which is no complementiser."""
        return re.search(r"\bthat\b", self.report) is not None


def load_templates() -> list[Template]:
    """Return every template of the bank, by indexical and number."""
    folder = files("deixis.items").joinpath("bank")
    return [
        template
        for indexical in INDEXICALS
        for template in parse(indexical, folder.joinpath(f"{indexical}.toml").read_text(encoding="utf-8"))
    ]


def parse(indexical: str, text: str) -> list[Template]:
    """Return the templates of one TOML text; raises what :mod:`tomllib` raises, or :class:`KeyError`."""
    return [
        Template(
            indexical,
            entry["number"],
            entry["event"],
            entry["verb"],
            entry["opening"],
            {prime: entry["prime"][prime] for prime in PRIMES},
            entry["report"],
            entry["clause"],
            entry["question"],
        )
        for entry in tomllib.loads(text)["item"]
    ]


def agreeing(text: str, gender: str) -> str:
    """Choose the female or the male word of every ``{she/he}``."""
    return _GENDER.sub(lambda match: match[1 if gender == "female" else 2], text)


def named(text: str, roles: Mapping[str, str]) -> str:
    """Fill every role in at once; raises :class:`KeyError` for a role that has no name."""
    return _ROLE.sub(lambda match: roles[match[1]], text)


def marked(text: str, *, marks: bool) -> str:
    """Put the bracketed words between quotation marks, or leave them plain."""
    return _SPAN.sub(r'"\1"' if marks else r"\1", text)
