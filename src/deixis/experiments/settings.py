"""Named settings: everything that the published design leaves open, with a default for each protocol.

Source: the ambiguities of Dong et al. (2026); ``docs/perspectives.md`` lists them with the reason for each default.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from deixis.errors import UsageError


@dataclass(frozen=True, slots=True)
class Setting:
    """One open question of the design, and how the protocols answer it."""

    name: str
    """Its name on the command line, as in ``--set naming=name``."""
    values: tuple[str, ...]
    """What it can be; empty where anything may stand."""
    published: str
    """Default under the published protocol."""
    corrected: str
    """Default under the corrected protocol."""
    about: str
    """What it settles, in one line."""

    def default(self, protocol: str) -> str:
        """Return its value where nothing is said."""
        return self.published if protocol == "published" else self.corrected


ANSWERS = Setting(
    "answers",
    ("crossed", "four"),
    "crossed",
    "crossed",
    "vocabulary: I and You crossed with two nouns, or one pronoun with four nouns",
)
NAMING = Setting("naming", ("name", "word"), "name", "word", "[object] in a prompt: the object's name, or 'object'")
ARRANGEMENT = Setting(
    "arrangement", ("blocks", "alternating"), "blocks", "blocks", "how two identical pairs lie: AA|BB or AB|AB"
)
ORDER = Setting(
    "order",
    ("counterbalanced", "fixed"),
    "counterbalanced",
    "counterbalanced",
    "order of options: all orders equally often, or the same in every trial",
)
CLAUSES = Setting(
    "clauses",
    ("printed", "kept"),
    "printed",
    "kept",
    "the three wordings: as printed, without name, owner and nearness, or with all of them kept",
)
ROLE = Setting(
    "role", ("kept", "struck"), "kept", "kept", "perspective as printed: whether 'as the [speaker]' is struck out"
)
SQUARE = Setting(
    "square",
    ("named", "unnamed"),
    "named",
    "unnamed",
    "checks on people's pictures: whether the question speaks of a green square, which they have not",
)
PROXIMITY = Setting(
    "proximity", ("shown", "told"), "shown", "shown", "control question: nearness only in the picture, or told as well"
)
LISTS = ("1", "2", "3", "4")
"""The lists of the Latin square: in each, every display in another version."""
LIST = Setting(
    "list", (*LISTS, "all"), "1", "1", "people, corrected: which of the four lists of the Latin square, or all of them"
)
BOY = Setting("boy", ("left", "right"), "left", "left", "at which end the boy stands")
ART = Setting(
    "art", (), "twemoji", "twemoji", "pictures of objects: twemoji, openmoji, or a folder with a manifest.csv"
)

SETTINGS: Mapping[str, Setting] = {
    setting.name: setting
    for setting in (ANSWERS, NAMING, ARRANGEMENT, ORDER, CLAUSES, ROLE, SQUARE, PROXIMITY, LIST, BOY, ART)
}
"""Every setting by name."""

Settings = Mapping[str, str]
"""Name of a setting to its value."""


def read_settings(given: Iterable[str]) -> dict[str, str]:
    """Read ``NAME=VALUE`` pairs; raises :class:`UsageError` for a name or value there is not, or one given twice."""
    found: dict[str, str] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"cannot read the setting {pair!r}; write NAME=VALUE, such as naming=name")
        if name not in SETTINGS:
            raise UsageError(f"no setting {name!r}; there is {', '.join(SETTINGS)}")
        values = SETTINGS[name].values
        if (values and value not in values) or not value:
            raise UsageError(f"the setting {name!r} cannot be {value!r}; it is {' or '.join(values) or 'a name'}")
        if found.setdefault(name, value) != value:
            raise UsageError(f"the setting {name!r} is given as {found[name]!r} and as {value!r}; give one")
    return found


def settled(known: Iterable[Setting], protocol: str, given: Settings) -> dict[str, str]:
    """Return every known setting with its value: the one given, or the protocol's default."""
    return {setting.name: given.get(setting.name, setting.default(protocol)) for setting in known}
