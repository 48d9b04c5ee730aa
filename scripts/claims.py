"""Write docs/claims.md: what the claims ledger is, and what it says of the papers' printed numbers.

With --check, fail where the page does not say what the ledger says.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from deixis.analysis.claims.dataset import FACTS
from deixis.analysis.claims.judging import MARGIN
from deixis.analysis.claims.ledger import ledger
from deixis.analysis.claims.naming import PATTERNS
from deixis.analysis.claims.objects import NEGLIGIBLE
from deixis.analysis.claims.seeing import NEAR_PERFECT, RECOGNISED

PAGE = Path(__file__).parents[1] / "docs" / "claims.md"
HEAD = f"""\
# Claims

Made by `scripts/claims.py`; `scripts/check` fails where it differs from what is computed.

Each empirical claim of the two papers has a name, words and a test: `I1` to `I19` from *Un-considering Contextual
Information* (Oğuz, Bakman and Yaldiz 2025), `P1` to `P20` from *Using Perspectival Words Is Harder Than Vocabulary
Words* (Dong et al. 2026). Every verdict is computed, never typed in: on the numbers that the papers print, and on the
runs at hand.

```python
from pathlib import Path
from deixis.analysis.claims.ledger import ledger
from deixis.analysis.tidy import tidy
from deixis.scoring.results import read_results

ledger()  # on the printed numbers
ledger(tidy(read_results(Path("RUN"))))  # and on each protocol of a run
```

A claim and a protocol have one row with an empty `participant`, about all of them, and then one a participant where the
claim is about each. Protocols are never pooled, and reference participants are left out.

## How a verdict is reached

| verdict | on printed numbers | on runs |
|---|---|---|
| `holds` | all that is claimed is so | each 95 % interval lies where the claim says |
| `fails` | some of it is not so | at least one interval lies wholly elsewhere |
| `open` | | no part fails, and at least one interval does not decide |
| `untested` | the numbers are not printed | what is lacking is named |

* **In brackets** with a question mark stands what is claimed of a number, unless it is just that a difference is above
  0.
* **Printed numbers** are taken as they stand. *Above 96 %* means more than .96, and *is 92 %* that the number gives .92
  when rounded to a hundredth.
* **Intervals** of runs are by items, or by persons where the claim is about people (Student's t, as in
  [statistics.md](statistics.md)). Where every item has one trial a share has Wilson's; where items do not differ at all
  a difference has that of Newcombe, and of Tango if both sides agree in every item.
* **More, or less**, without a number stays open as long as the interval holds 0, however narrow it is.
* **No difference** is never taken from a p above .05. It takes two one-sided tests at 5 % that put the difference
  within ± {MARGIN:g}; so does a number *about* another. *Loses nothing* and *no better* mean at most {MARGIN:g}, at the
  end of the interval.
* **Words without a number** are given one: *recognise* is above {RECOGNISED:g}, *near perfect* above {NEAR_PERFECT:g};
  groups of objects do not matter where Cramér's V is below {NEGLIGIBLE:g}; *five of seven* is that share of the models
  at hand, rounded up.
* **Named models** are recognised by their version alone: {", ".join(PATTERNS)}.
  A smaller, later or quantised one is none of them, nor is an alias that moves on. Where a claim says *all* or *the
  others*, it is held against every model at hand. The *three strongest* are the paper's by name, or else, among four or
  more models, the best three on possessives and demonstratives.
* **Claims about people** need people (`people:` participants). Only how near models come to them (P9) falls back on the
  accuracies that the paper prints, and says so.
* **I15** is about the items: `deixis report RUN --items FILE` decides it on a file. `ledger(items=...)` takes what is
  known of them: {", ".join(f"`{name}`" for name in FACTS)}. Its row has the protocol `items`.
"""


def page() -> str:
    """Return the whole page."""
    found = ledger()
    counts = ", ".join(
        f"{number} {verdict}" for verdict, number in found["verdict"].value_counts().sort_index().items()
    )
    head = f"{HEAD}\n## The papers' own numbers\n\n{len(found)} claims: {counts}.\n"
    return "\n".join([head, *_table(found, "indexicals"), *_table(found, "perspectival words")])


def _table(found: pd.DataFrame, paper: str) -> Iterator[str]:
    yield f"### {paper.capitalize()}\n"
    yield "| | claim | where | verdict | numbers |\n|---|---|---|---|---|"
    for row in found[found["paper"] == paper].to_dict("records"):
        remark = f" *Remark: {row['remark']}.*" if row["remark"] else ""
        cells = (row["id"], row["statement"], row["where"], f"**{row['verdict']}**", f"{row['evidence']}.{remark}")
        yield "| " + " | ".join(cells) + " |"
    yield ""


def main() -> None:
    """Write the page, or compare it."""
    made = page()
    if "--check" in sys.argv[1:]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
            sys.exit("docs/claims.md does not say what the ledger says; run python scripts/claims.py")
        return
    PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
