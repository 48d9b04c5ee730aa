"""``deixis study check``: everything that is missing or wrong before people are asked, all at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from deixis.errors import DeixisError
from deixis.study.balance import aliased, lines, rows, uneven, unsquare
from deixis.study.duration import cost
from deixis.study.folder import MANIFEST, differences
from deixis.study.making import manifest_of
from deixis.study.manifest import Manifest
from deixis.study.settings import CODES, FILE, PLACEHOLDER, Plan, read
from deixis.study.starting import template
from deixis.study.texts import CONSENT, names

_LONGER = 1.25
"""How much longer than told a study may take before that is worth a word."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is missing, or worth a look."""

    where: str
    """The file, or the part of the study."""
    text: str
    """What is wrong, and the way out."""
    missing: bool = True
    """Whether the study cannot start before it is mended; otherwise it is a word of advice."""

    def __str__(self) -> str:
        """Return it as a line."""
        return f"{'missing' if self.missing else 'note':<8} {self.where}: {self.text}"


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found."""

    findings: tuple[Finding, ...]
    """All of them."""
    balance: tuple[str, ...] = ()
    """The balance table, as lines."""
    facts: tuple[str, ...] = ()
    """Arms, time and pay, as lines."""

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return not any(finding.missing for finding in self.findings)


def check(folder: Path, *, every_arm: bool = False) -> Checked:
    """Return everything that is missing or wrong with a study, its balance (``every_arm`` by itself), time and pay."""
    plan, faults = read(folder)
    found = [Finding(FILE, fault) for fault in faults]
    if plan is None:
        return Checked(tuple(found))
    found += [*_placeholders(plan), *_texts(plan, folder), *_people(plan), *_money(plan)]
    try:
        made, pictures = manifest_of(plan, folder)
    except DeixisError as error:  # a missing text has been said already
        unsaid = [] if any(not (folder / name).is_file() for name in names(plan)) else [Finding("design", str(error))]
        return Checked((*found, *unsaid), facts=tuple(_facts(plan)))
    if not faults:
        remedy = f"type 'deixis study check {folder} --write'"
        found += [Finding(MANIFEST, f"{line}; {remedy}") for line in differences(folder, made, pictures)]
    table = rows(plan, made)
    wrong = [*uneven(table), *aliased(plan, made), *unsquare(plan, made)]
    found += [Finding("balance", line) for line in wrong]
    found += _arms(plan, made)
    return Checked(tuple(found), tuple(lines(table, made.arms, every_arm=every_arm)), (*_facts(plan), *_made(made)))


def _placeholders(plan: Plan) -> Iterator[Finding]:
    entries = {
        "id": plan.id,
        "title": plan.title,
        "researcher": plan.researcher,
        "contact": plan.contact,
        "plan": " ".join(plan.analysis) or PLACEHOLDER,
    }
    for key, value in entries.items():
        if PLACEHOLDER in value or not value.strip():
            yield Finding(FILE, f"{key} is to be written ({value!r})")


def _texts(plan: Plan, folder: Path) -> Iterator[Finding]:
    for name in names(plan):
        try:
            text = (folder / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            yield Finding(name, "cannot be read; write it, in Markdown and UTF-8")
            continue
        left = [number for number, line in enumerate(text.splitlines(), 1) if PLACEHOLDER in line]
        if left:
            yield Finding(name, f"{PLACEHOLDER} is left in line {', '.join(map(str, left))}; write what belongs there")
        if not text.strip():
            yield Finding(name, "is empty; say what participants have to know")
        if name == CONSENT and plan.language == "en":
            gone = [heading for heading in _headings() if heading not in text]
            if gone:
                yield Finding(name, f"does not have the heading{'s' * (len(gone) > 1)} {', '.join(map(repr, gone))}")


def _headings() -> list[str]:
    """Return the seven headings that recruitment sites and ethics committees ask for."""
    return [line.removeprefix("## ") for line in template("consent.md").splitlines() if line.startswith("## ")]


def _people(plan: Plan) -> Iterator[Finding]:
    if plan.prolific:
        for name in CODES:
            if not plan.codes.get(name):
                yield Finding(FILE, f"[prolific] codes has no {name!r}; copy it from the study's page on Prolific")
    same = [code for code in set(plan.codes.values()) if list(plan.codes.values()).count(code) > 1]
    for code in same:
        both = [name for name, one in plan.codes.items() if one == code]
        yield Finding(FILE, f"[prolific] codes {' and '.join(both)} are the same; nobody could tell them apart")
    if plan.prolific and plan.checks == 1 and plan.minutes >= 5:
        yield Finding(FILE, "one attention check is no ground to reject in a study of 5 minutes; take 2", missing=False)
    if not plan.rules:
        yield Finding(FILE, "[exclusions] declares no rule, so everybody's answers are analysed", missing=False)
    if plan.description:
        yield Finding(FILE, "the text alternative tells the scene: another condition than the paper's", missing=False)
    least = max(rule.more_than for rule in plan.rules) if plan.rules else 0
    if any(rule.rule == "failed-checks" for rule in plan.rules) and least >= plan.checks:
        yield Finding(FILE, f"failed-checks looks for more than {least} of {plan.checks} checks, which nobody can fail")


def _money(plan: Plan) -> Iterator[Finding]:
    found = cost(plan)
    if round(found.per_hour, 2) < plan.per_hour:
        least = plan.per_hour * plan.minutes / 60
        yield Finding(
            FILE,
            f"[pay] {plan.amount:.2f} {plan.currency} for {plan.minutes:g} minutes is {found.per_hour:.2f} an hour, "
            f"under {plan.per_hour:.2f}; pay {least:.2f} or more",
        )
    if found.minutes > _LONGER * plan.minutes:
        yield Finding(
            FILE, f"{plan.minutes:g} minutes are told, about {found.minutes:.0f} are to be expected", missing=False
        )


def _arms(plan: Plan, made: Manifest) -> Iterator[Finding]:
    many = len(made.arms)
    if plan.people % many:
        up = -(-plan.people // many) * many
        yield Finding(FILE, f"{plan.people} people do not divide into {many} arms; {up} would", missing=False)


def _facts(plan: Plan) -> Iterator[str]:
    found = cost(plan)
    trials = " + ".join(str(block.trials) for block in plan.design.blocks)
    yield f"design   {plan.design.name}, {plan.protocol}: {plan.design.about}"
    yield f"a person {trials} trials, {plan.practice} for practice a block, {plan.checks} attention checks"
    yield (
        f"time     {plan.minutes:g} minutes are told, about {found.minutes:.1f} expected, {plan.max_minutes:g} at most"
    )
    yield (
        f"pay      {plan.amount:.2f} {plan.currency} each, {found.per_hour:.2f} an hour, "
        f"{found.whole:.2f} for {plan.people} people before fees"
    )


def _made(made: Manifest) -> Iterator[str]:
    lists, orders = len(made.lists), len(made.orders)
    yield f"arms     {len(made.arms)}: {lists} list{'s' * (lists > 1)}, {orders} order{'s' * (orders > 1)} of blocks"
    yield f"design_sha256 {made.design_sha256}"
