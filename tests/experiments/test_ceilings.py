"""Information ceilings: the protocol's table, and the same numbers counted from texts and pictures themselves."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from itertools import islice

import pytest

from deixis.errors import UsageError
from deixis.experiments.ceilings import ceilings, csv_lines, text_lines
from deixis.experiments.experiment import Ceiling
from deixis.experiments.prompts import fill
from deixis.experiments.staging import Stage
from deixis.scenes.scene import Scene
from tests.experiments.test_perspectives import EVERY, PROTOCOLS, staged

WORDINGS = ("context-first", "condensed", "simple")
PUBLISHED = {
    "vocabulary": {
        "main": "1.00 .50 1.00",
        **dict.fromkeys(WORDINGS, ".50 .50 1.00"),
        "people": ".25 1.00 1.00",
    },
    "possessive": {
        "main": "1.00 .25 1.00",
        **dict.fromkeys(WORDINGS, ".50 .25 1.00"),
        "spatial-linguistic": ".50 .25 1.00",
        "spatial-visual": "1.00 .25 1.00",
        "spatial-both": ".50 .25 1.00",
        "perspective": "1.00 .25 1.00",
        "in-context": "1.00 .25 1.00",
        "instruction": "1.00 .25 1.00",
        "picture-none": "1.00 - 1.00",
        "picture-empty": "1.00 .25 1.00",
        "picture-unrelated": "1.00 .25 1.00",
        "people": ".25 1.00 1.00",
    },
    "checks": {
        "object": ".25 1.00 1.00",
        "gazer": "1.00 .50 1.00",
        "speaker": "1.00 .50 1.00",
        "object-people": ".25 1.00 1.00",
        "gazer-people": ".50 1.00 1.00",
        "speaker-people": ".50 1.00 1.00",
        "control": ".50 .50 1.00",
    },
    "comprehension": {"people": ".50 1.00 1.00"},
    "indexicals": dict.fromkeys(("main", "classic", "people"), "1.00 - 1.00"),
}
PUBLISHED["demonstrative"] = {**PUBLISHED["possessive"], "spatial-both": ".50 .25 .50"}
_WORDS = {
    **PUBLISHED["demonstrative"],
    **dict.fromkeys(WORDINGS, "1.00 .25 1.00"),
    "perspective": ".50 .25 .50",
    "instruction-reasoning": "1.00 .25 1.00",
}
CORRECTED = {
    "vocabulary": {**PUBLISHED["vocabulary"], "main": ".50 .50 1.00"},
    "possessive": _WORDS,
    "demonstrative": _WORDS,
    "comprehension": PUBLISHED["comprehension"],
    "checks": PUBLISHED["checks"],
    "indexicals": PUBLISHED["indexicals"],
}
TABLES = {"published": PUBLISHED, "corrected": CORRECTED}
"""Text alone, picture alone, both, by protocol, experiment and condition."""


def ceiling(name: str, condition: str, protocol: str, **settings: str) -> list[float | None]:
    """Text, picture and both of one condition."""
    found = {row[3].channel: row[3].ceiling for row in ceilings([name], [condition], [protocol], settings)}
    return [found.get(channel) for channel in ("text", "picture", "both")]


def numbers(printed: str) -> list[float | None]:
    return [None if number == "-" else float(number) for number in printed.split()]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_table_of_the_protocol(protocol: str) -> None:
    found: dict[str, dict[str, dict[str, float]]] = {}
    for experiment, condition, _, row in ceilings((), (), (protocol,), {}):
        found.setdefault(experiment.name, {}).setdefault(condition, {})[row.channel] = row.ceiling
    assert {name: set(conditions) for name, conditions in found.items()} == {
        name: set(conditions) for name, conditions in TABLES[protocol].items()
    }
    for name, conditions in TABLES[protocol].items():
        for condition, printed in conditions.items():
            channels = [found[name][condition].get(channel) for channel in ("text", "picture", "both")]
            assert channels == numbers(printed), (name, condition)


@pytest.mark.parametrize(
    ("name", "condition", "protocol", "settings", "printed"),
    [
        ("vocabulary", "main", "corrected", {"naming": "name"}, "1.00 .50 1.00"),
        ("vocabulary", "main", "published", {"naming": "word"}, ".50 .50 1.00"),
        ("vocabulary", "main", "corrected", {"answers": "four"}, ".25 1.00 1.00"),
        ("vocabulary", "main", "published", {"answers": "four"}, "1.00 1.00 1.00"),
        ("vocabulary", "simple", "published", {"answers": "four"}, ".25 1.00 1.00"),
        ("vocabulary", "simple", "corrected", {"naming": "name"}, "1.00 .50 1.00"),
        ("possessive", "spatial-both", "corrected", {"naming": "name"}, ".50 .25 1.00"),
        ("possessive", "spatial-both", "corrected", {"naming": "name", "arrangement": "alternating"}, ".50 .25 .50"),
        ("possessive", "spatial-both", "published", {"arrangement": "alternating"}, ".50 .25 .50"),
        ("possessive", "spatial-both", "published", {"naming": "word"}, ".50 .25 .50"),
        ("demonstrative", "spatial-both", "corrected", {"naming": "name"}, ".50 .25 .50"),
        ("possessive", "condensed", "corrected", {"clauses": "printed"}, ".50 .25 1.00"),
        ("possessive", "condensed", "corrected", {"clauses": "kept"}, "1.00 .25 1.00"),
        ("demonstrative", "simple", "corrected", {"clauses": "printed"}, ".50 .25 1.00"),
        ("possessive", "perspective", "published", {"role": "struck"}, "1.00 .25 1.00"),
        ("possessive", "main", "corrected", {"boy": "right"}, "1.00 .25 1.00"),
        ("demonstrative", "perspective", "corrected", {"boy": "right"}, ".50 .25 .50"),
        ("checks", "control", "corrected", {"proximity": "told"}, "1.00 .50 1.00"),
    ],
)
def test_settings_change_the_ceiling(
    name: str, condition: str, protocol: str, settings: dict[str, str], printed: str
) -> None:
    assert ceiling(name, condition, protocol, **settings) == numbers(printed)


Seen = Callable[[Scene], Hashable]


def counted(found: Stage, seen: Seen) -> float:
    """The best accuracy where scenes that are seen alike, with the same options in any order, get the same answer.

    Counted over the scenes of one group of objects: the groups are alike.
    """
    answers: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for scene in islice(found.ground.scenes(found.task.scenes), 192):
        choices = found.task.choices(scene, found.ground)
        answers[choices.offered, seen(scene)][choices.answer] += 1
    return sum(max(several.values()) for several in answers.values()) / 192


@pytest.mark.parametrize(("name", "protocol", "condition"), EVERY)
def test_counting_texts_and_pictures_gives_the_same(name: str, protocol: str, condition: str) -> None:
    """Without the list of facts: by the filled text and the picture themselves."""
    found = staged(name, condition, protocol)

    def text(scene: Scene) -> Hashable:
        return fill(found.wording.text + found.wording.then, scene)

    def both(scene: Scene) -> Hashable:
        return text(scene), found.picture(scene)

    channels = {"text": counted(found, text), "picture": counted(found, found.picture), "both": counted(found, both)}
    if found.condition.picture == "absent":
        del channels["picture"]
    assert {row.channel: row.ceiling for row in found.ceilings()} == channels


def test_every_ceiling_names_its_facts() -> None:
    rows = {row.channel: row for row in staged("possessive", "spatial-both", "published").ceilings()}
    assert rows["text"] == Ceiling("text", 0.5, ("gazer", "object", "speaker"))
    assert rows["picture"] == Ceiling("picture", 0.25, ("objects", "sides"))
    assert rows["both"] == Ceiling("both", 1.0, ("gazer", "object", "objects", "sides", "speaker"))


def test_one_row_a_channel() -> None:
    rows = csv_lines(ceilings(["possessive"], ["spatial-both", "picture-none"], ["published"], {}))
    assert list(rows) == [
        "experiment,condition,protocol,channel,ceiling",
        "possessive,spatial-both,published,text,0.5",
        "possessive,spatial-both,published,picture,0.25",
        "possessive,spatial-both,published,both,1",
        "possessive,picture-none,published,text,1",
        "possessive,picture-none,published,both,1",
    ]


def test_the_table_for_reading_says_what_each_channel_gives() -> None:
    lines = list(text_lines(ceilings(["demonstrative"], ["perspective", "picture-none"], ["corrected"], {})))
    assert lines[0] == "demonstrative, corrected"
    assert lines[2].split() == "perspective 0.50 0.25 0.50 gazer, near; objects, sides, target".split()
    assert lines[3].split() == "picture-none 1.00 – 1.00 gazer, near, speaker; no picture".split()


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="no condition 'spatial'"):
        list(ceilings(["possessive"], ["spatial"], ["published"], {}))
    with pytest.raises(UsageError, match="'list' changes nothing here"):
        list(ceilings(["possessive"], ["main"], ["corrected"], {"list": "2"}))
    with pytest.raises(UsageError, match="possessive has no protocol 'described'"):
        list(ceilings(["possessive"], (), ["described"], {}))
