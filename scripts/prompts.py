"""Write docs/prompts.md from the data files: settings, prompts of both protocols side by side, and ceilings.

With --check, fail where the page does not say what the data say.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from deixis.experiments import experiment
from deixis.experiments.ceilings import ceilings
from deixis.experiments.conditions import CHECKS, NOUNS, WORDS
from deixis.experiments.prompts import Wording, wording
from deixis.experiments.settings import SETTINGS

PAGE = Path(__file__).parents[1] / "docs" / "prompts.md"
TASKS = {"vocabulary": NOUNS, "possessive": WORDS, "demonstrative": WORDS}
PROTOCOLS = ("published", "corrected")
HEAD = """\
# Settings, prompts and ceilings

Made from the data files by `scripts/prompts.py`; `scripts/check` fails where they differ. What the experiments are,
and why each setting has its default: [perspectives.md](perspectives.md).
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *_settings(), *_prompts(), *_comprehension(), *_checks(), *_ceilings()])


def _settings() -> Iterator[str]:
    yield "## Settings\n\n`--set NAME=VALUE`, on `run`, `trials`, `show`, `ceiling` and `plan`.\n"
    yield "| setting | values | published | corrected | what it settles |\n|---|---|---|---|---|"
    for setting in SETTINGS.values():
        values = " or ".join(f"`{value}`" for value in setting.values) or "a name or folder"
        defaults = f"`{setting.published}` | `{setting.corrected}`"
        yield f"| `{setting.name}` | {values} | {defaults} | {setting.about.replace('|', '&#124;')} |"
    yield ""


def _prompts() -> Iterator[str]:
    yield "## Prompts\n\nSlots stand in square brackets, as printed. *(the same)*: both protocols use it.\n"
    yield (
        "A text tells of the object only where `[object]` is filled with its name: `naming=name`, the default of the "
        "published\nprotocol; the corrected one says *the object*. `[options]` are listed in their order, each in "
        "quotation marks, with commas.\n"
    )
    for task, conditions in TASKS.items():
        yield f"### {task.capitalize()}\n"
        done = set()
        for condition in conditions.values():
            if condition.wording not in done:
                yield from _entry(task, condition.wording)
            done.add(condition.wording)
    yield "### Worked examples (`in-context`)\n"
    yield from _entry("possessive", "example", title=False)


def _entry(task: str, name: str, *, title: bool = True) -> Iterator[str]:
    found = {protocol: _text(task, name, protocol) for protocol in PROTOCOLS}
    if title:
        yield f"#### `{name}`\n"
    published, corrected = found["published"], found["corrected"]
    if published is not None and corrected is not None and published.text == corrected.text:
        source = f"Section {published.source} of the paper" if published.source else "Our own"
        yield f"{source} *(the same)*:\n\n> {published.text}\n"
    else:
        for protocol, text in found.items():
            if text is not None:
                source = f", section {text.source}" if text.source else ""
                yield f"{protocol.capitalize()}{source}:\n\n> {text.text}\n"
                if text.then:
                    yield f"then, once that is answered:\n\n> {text.then}\n"
    if corrected is not None and corrected.change:
        yield f"Why: {corrected.change}\n"
    told = {protocol: ", ".join(sorted(text.facts)) or "nothing" for protocol, text in found.items() if text}
    if len(set(told.values())) == 1:
        yield f"Tells: {next(iter(told.values()))}.\n"
    else:
        yield "; ".join(f"{protocol} tells: {facts}" for protocol, facts in told.items()) + ".\n"


def _text(task: str, name: str, protocol: str) -> Wording | None:
    if name in experiment(task).only and protocol == "published":
        return None
    return wording(task, name, protocol, {})


def _comprehension() -> Iterator[str]:
    yield "### Comprehension\n"
    yield from _entry("comprehension", "people")


def _checks() -> Iterator[str]:
    yield "### Checks\n\nThe paper does not print these questions; they are our own, the same under both protocols.\n"
    for name in (*CHECKS, "object-people-square", "gazer-people-square", "control-told"):
        yield f"* `{name}`: {wording('checks', name, 'corrected', {}).text}"
    yield ""


def _ceilings() -> Iterator[str]:
    yield "## Ceilings\n\nThe best accuracy that text alone, picture alone and both allow, with the default settings.\n"
    yield "| experiment | condition | published: text, picture, both | corrected: text, picture, both |"
    yield "|---|---|---|---|"
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for part, condition, protocol, ceiling in ceilings((), (), PROTOCOLS, {}):
        row = found.setdefault((part.name, condition), {})
        row.setdefault(protocol, ["–"] * 3)[("text", "picture", "both").index(ceiling.channel)] = (
            f"{ceiling.ceiling:.2f}"
        )
    for (name, condition), row in found.items():
        cells = " | ".join(", ".join(row[protocol]) if protocol in row else "" for protocol in PROTOCOLS)
        yield f"| {name} | `{condition}` | {cells} |"
    yield ""


def main() -> None:
    """Write the page, or compare it."""
    made = page()
    if "--check" in sys.argv[1:]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
            sys.exit("docs/prompts.md does not say what the data say; run python scripts/prompts.py")
        return
    PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
