"""Hold both readers against the labelled corpus and write what comes out into docs/reading.md.

Between the two marks of the page: precision and recall by outcome, and answers that the published reader reads
otherwise. With --check, fail where the page does not say what the readers do.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.scoring.corpus import Labelled, corpus, phrasings

from deixis.scoring.reading import VERSIONS

PAGE = Path(__file__).parents[1] / "docs" / "reading.md"
START, END = "<!-- made by scripts/readings.py -->\n", "<!-- end -->"
OUTCOMES = ("answered", "unreadable", "refused", "empty", "truncated")
EXAMPLES = 24


def lines() -> Iterator[str]:
    """Return what stands between the marks."""
    total = len(corpus())
    yield f"{total} answers. Right: the outcome, and for *answered* the option too.\n"
    yield f"| reader | right | {' | '.join(f'{name}: precision | recall' for name in OUTCOMES)} |"
    yield f"|---|---:|{'---:|---:|' * len(OUTCOMES)}"
    for reader in ("strict", "published"):
        read = [(one, one.read(reader)) for one in corpus()]
        right = [one for one, found in read if (found.outcome.value, found.choice) == (one.outcome, one.choice)]
        given = Counter(found.outcome.value for _, found in read)
        due, met = (Counter(one.outcome for one in several) for several in (corpus(), right))
        cells = [f"{_share(met[name], given[name])} | {_share(met[name], due[name])}" for name in OUTCOMES]
        yield f"| `{VERSIONS[reader]}` | {len(right)} ({len(right) / total:.3f}) | {' | '.join(cells)} |"
    missed = [one for one in phrasings() if one.read != one.reading]
    wrong = sum(isinstance(one.read, int) for one in missed)
    yield (
        f"\nOf {len(phrasings()):,} short phrasings made to break the reader, {len(missed)} are still read otherwise "
        f"than meant, {wrong} of these as an option, the others as no answer."
    )
    moved = [one for one in corpus() if _differs(one)]
    gained = sum(one.outcome != "answered" and one.read("published").choice is not None for one in moved)
    lost = sum(one.outcome == "answered" and one.read("published").choice is None for one in moved)
    other = sum(one.outcome == "answered" and one.read("published").choice not in (None, one.choice) for one in moved)
    yield (
        f"\nThe two readers differ on {len(moved)} of them: on {gained} the published one takes an answer that was not "
        f"given, on {other} another than the one given, on {lost} it finds none. One of each kind:\n"
    )
    yield "| answer | options | careful reading | published reading |\n|---|---|---|---|"
    seen: set[str] = set()
    for one in moved:
        if (
            len(seen) == EXAMPLES
            or one.kind in seen
            or len(one.text) > 110
            or "\n" in one.text
            or one.finish == "length"
        ):
            continue
        seen.add(one.kind)
        cells = (_cell(one.text), _cell(" / ".join(one.options)), _told(one, "strict"), _told(one, "published"))
        yield f"| {' | '.join(cells)} |"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "–"


def _differs(one: Labelled) -> bool:
    strict, published = one.read("strict"), one.read("published")
    return (strict.outcome, strict.choice) != (published.outcome, published.choice)


def _told(one: Labelled, reader: str) -> str:
    read = one.read(reader)
    return read.outcome.value if read.choice is None else _cell(one.options[read.choice])


def _cell(text: str) -> str:
    shown = "".join(letter if letter.isprintable() else "·" for letter in text)
    return "`" + shown.replace("|", "¦").replace("`", "'") + "`"


def main() -> None:
    """Write the page, or check it."""
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(START)
    _, _, tail = rest.partition(END)
    made = head + START + "\n" + "\n".join(lines()) + "\n\n" + END + tail
    if "--check" not in sys.argv:
        PAGE.write_text(made, encoding="utf-8")
        sys.stdout.write("\n".join(lines()) + "\n")
    elif page != made:
        sys.exit("docs/reading.md does not say what the readers do; run scripts/readings.py")


if __name__ == "__main__":
    main()
