"""``study.toml``: everything that a researcher decides, read into one frozen :class:`Plan`.

Reading goes on after a fault, so that all of them can be said at once (``deixis study check``). Placeholders
(``FILL IN``) are no faults of reading; ``check`` refuses them. What is decided: ``docs/study.md``.
"""

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from deixis.errors import UsageError
from deixis.experiments import experiment
from deixis.experiments.settings import SETTINGS, Settings
from deixis.study.designs import DESIGNS, StudyDesign
from deixis.study.exclusions import FIELDS, Rule
from deixis.study.fields import Fields

FILE = "study.toml"
"""Its name within the folder of a study."""
PLACEHOLDER = "FILL IN"
"""Where this stands, the researcher has something to write."""
DEVICES = ("desktop", "tablet", "phone")
CODES = ("complete", "declined", "attention", "screened_out")
"""The completion codes of Prolific that a study can have."""
_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?")
_TABLES = ("study", "design", "time", "pay", "prolific", "devices", "accessibility", "exclusions", "analysis")


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is decided about a study."""

    id: str
    """Its id, in letters, digits and hyphens; people are called ``people:ID/CODE``."""
    title: str
    """What participants read above it."""
    design: StudyDesign
    """Which design it is."""
    protocol: str = "corrected"
    """The protocol of its trials."""
    seed: int = 0
    """Seed of objects and orders."""
    people: int = 0
    """How many people are to answer all of it."""
    language: str = "en"
    """Language of the texts, as a tag."""
    researcher: str = ""
    """Who asks."""
    contact: str = ""
    """Where participants can write to."""
    settings: Settings = field(default_factory=dict)
    """Settings of the design that differ from the protocol's, ``art`` among them."""
    practice: int = 2
    """Practice trials before each block."""
    checks: int = 2
    """Attention checks in all, spread evenly over the blocks."""
    minutes: float = 6.0
    """How long it is said to take."""
    resume_within_minutes: float = 13.0
    """How long after the consent somebody may come back."""
    idle_minutes: float = 10.0
    """After so long without an answer a place is given to somebody else."""
    max_minutes: float = 13.0
    """The longest that a place is held, the maximum time on Prolific."""
    amount: float = 0.0
    """What is paid to each person."""
    currency: str = "GBP"
    """In which currency."""
    per_hour: float = 9.0
    """The least that an hour is to be paid; ``check`` refuses less."""
    prolific: bool = False
    """Whether people come from Prolific."""
    codes: Mapping[str, str] = field(default_factory=dict)
    """Completion codes, by :data:`CODES`; no part of any hash, and never on a page before its time."""
    devices: tuple[str, ...] = DEVICES
    """On which devices it can be taken."""
    description: bool = False
    """Whether the text alternative tells the scene, which is another condition."""
    rules: tuple[Rule, ...] = ()
    """Whose answers are left out of the analysis."""
    analysis: tuple[str, ...] = ()
    """What is planned to be tested."""

    @property
    def record(self) -> dict[str, Any]:
        """The plan as JSON, without the codes: what is hashed, and kept at launch."""
        plain = asdict(self)
        plain.pop("codes")
        return {**plain, "design": self.design.name, "settings": dict(sorted(self.settings.items()))}

    def checks_of(self, block: str) -> int:
        """Return how many attention checks a block has: all of them in equal parts, the later blocks the more."""
        place, many = [one.id for one in self.design.blocks].index(block), len(self.design.blocks)
        return self.checks * (place + 1) // many - self.checks * place // many


def most_minutes(minutes: float) -> int:
    """Return the maximum time of a study that takes so many minutes, as Prolific sets it: 2 + m + 2·√m, rounded up."""
    return math.ceil(2 + minutes + 2 * math.sqrt(minutes))


def read_plan(folder: Path) -> Plan:
    """Return the plan of a study; raises :class:`UsageError` with the first fault of its ``study.toml``."""
    plan, faults = read(folder)
    if plan is None or faults:
        more = f" ({len(faults) - 1} more; 'deixis study check {folder}' lists all)" if len(faults) > 1 else ""
        raise UsageError(f"{folder / FILE}: {faults[0]}{more}")
    return plan


def read(folder: Path) -> tuple[Plan | None, list[str]]:
    """Return the plan of a study, if its design is known, and every fault of its ``study.toml``."""
    try:
        text = (folder / FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None, [f"cannot read {FILE}; 'deixis study new DESIGN --out {folder}' makes a study"]
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, [f"is no TOML: {error}"]
    return _plan(tables)


def _plan(tables: Mapping[str, Any]) -> tuple[Plan | None, list[str]]:
    faults: list[str] = []
    top = Fields(FILE, dict(tables), faults)
    parts = {name: Fields(name, top.table(name), faults) for name in _TABLES}
    top.end()
    study, time, pay, prolific = (parts[name] for name in ("study", "time", "pay", "prolific"))
    name = study.text("design", "", tuple(DESIGNS))
    if name not in DESIGNS:
        return None, faults
    design = DESIGNS[name]
    protocol = study.text("protocol", "corrected", protocols(design))
    minutes = time.number("minutes", design.minutes, 0.5, 600)
    longest = time.number("max_minutes", most_minutes(minutes), minutes, 24 * 60)
    plan = Plan(
        id=_id(study),
        title=study.text("title", PLACEHOLDER),
        design=design,
        protocol=protocol,
        seed=study.whole("seed", 0),
        people=study.whole("people", design.people, 1, 100_000),
        language=study.text("language", "en"),
        researcher=study.text("researcher", PLACEHOLDER),
        contact=study.text("contact", PLACEHOLDER),
        settings=_settings(parts["design"], design, protocol),
        practice=parts["design"].whole("practice", 2, 0, 4),
        checks=parts["design"].whole("checks", 2, 0, 4),
        minutes=minutes,
        resume_within_minutes=time.number("resume_within_minutes", longest, 1, 60 * 24 * 30),
        idle_minutes=time.number("idle_minutes", 10, 1, 24 * 60),
        max_minutes=longest,
        amount=pay.number("amount", 0),
        currency=pay.text("currency", "GBP"),
        per_hour=pay.number("per_hour", 9),
        prolific=prolific.flag("use", default=False),
        codes=_codes(prolific),
        devices=parts["devices"].texts("allowed", DEVICES, DEVICES),
        description=parts["accessibility"].flag("description", default=False),
        rules=_rules(parts["exclusions"], design),
        analysis=_analysis(parts["analysis"]),
    )
    if not plan.devices:
        parts["devices"].fault(f"allowed names no device; there is {', '.join(DEVICES)}")
    for part in parts.values():
        part.end()
    return plan, faults


def protocols(design: StudyDesign) -> tuple[str, ...]:
    """Return the protocols that every experiment of a design has, the usual one first."""
    readers = [experiment(block.experiment).readers for block in design.blocks]
    return tuple(name for name in ("corrected", "published", "described") if all(name in known for known in readers))


def known_settings(design: StudyDesign, protocol: str) -> tuple[str, ...]:
    """Return the names of the settings that have a say in a design; the list is a person's, and none of them."""
    found = {s.name for b in design.blocks for s in experiment(b.experiment).knows("people", protocol)}
    return tuple(name for name in SETTINGS if name in found - {"list"})


def _id(study: Fields) -> str:
    name = study.text("id", PLACEHOLDER)
    if name != PLACEHOLDER and not _ID.fullmatch(name):
        study.fault(f"id is {name!r}; write up to 48 of a-z, 0-9 and hyphens, such as 'pilot-1'")
    return name


def _settings(part: Fields, design: StudyDesign, protocol: str) -> dict[str, str]:
    known = known_settings(design, protocol)
    own = Fields("design.settings", dict(part.table("settings")), part.faults)
    found = {name: own.text(name, "", SETTINGS[name].values) for name in known if name in own}
    if "art" in known and "art" in part:
        found["art"] = part.text("art", "twemoji")
    own.know(*known)
    own.end()
    return {name: value for name, value in found.items() if value}


def _codes(part: Fields) -> dict[str, str]:
    own = Fields("prolific.codes", dict(part.table("codes")), part.faults)
    found = {name: own.text(name) for name in CODES}
    own.end()
    return {name: code for name, code in found.items() if code}


def _rules(part: Fields, design: StudyDesign) -> tuple[Rule, ...]:
    found = []
    for number, table in enumerate(part.tables("rules"), 1):
        own = Fields(f"exclusions.rules {number}", table, part.faults)
        name = own.text("rule", "", tuple(FIELDS))
        if name not in FIELDS:
            continue
        given: dict[str, Any] = {}
        for key in FIELDS[name]:
            if key == "block":
                given[key] = own.text(key, "", ("", *(block.id for block in design.blocks)))
            elif key == "more_than":
                given[key] = own.whole(key, 1)
            else:
                given[key] = own.number(key, getattr(Rule(name), key), 0, 1 if key in {"alpha", "share"} else 10**7)
        own.end()
        found.append(Rule(name, **given))
    return tuple(found)


def _analysis(part: Fields) -> tuple[str, ...]:
    if isinstance(part.raw("plan"), list):
        return part.texts("plan", ())
    text = part.text("plan", PLACEHOLDER).strip()
    return (text,) if text else ()
