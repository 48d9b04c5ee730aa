"""A tidy table by hand: every cell with as many right answers as asked for."""

from collections.abc import Sequence

import pandas as pd

WORD_ERROR = {"vocabulary": "ONE", "possessive": "PoPE", "demonstrative": "DPE"}


def cell(
    participant: str,
    experiment: str,
    condition: str,
    right: float,
    n: int,
    *,
    protocol: str = "corrected",
    items: Sequence[str] = ("g01", "g02"),
    errors: Sequence[str] = (),
    ceilings: tuple[float, float, float] = (1.0, 0.25, 1.0),
    options: int = 4,
) -> pd.DataFrame:
    """Return ``n`` trials of which the first ``right`` are right; wrong ones take ``errors`` in turn."""
    wrong = list(errors) or [WORD_ERROR.get(experiment, "Wrong")]
    good = [at < right for at in range(n)]
    missed = iter(range(n))
    return pd.DataFrame(
        {
            "participant": participant,
            "experiment": experiment,
            "condition": condition,
            "protocol": protocol,
            "trial_id": [f"{experiment}/{at}" for at in range(n)],
            "item": [items[at % len(items)] for at in range(n)],
            "correct": [float(one) for one in good],
            "error": ["Correct" if one else wrong[next(missed) % len(wrong)] for one in good],
            "options": options,
            "text_ceiling": ceilings[0],
            "picture_ceiling": ceilings[1],
            "both_ceiling": ceilings[2],
        }
    )


def table(*parts: pd.DataFrame) -> pd.DataFrame:
    """Return cells as one table, texts as categories."""
    whole = pd.concat(parts, ignore_index=True)
    texts = ["participant", "experiment", "condition", "protocol", "trial_id", "item", "error"]
    return whole.astype(dict.fromkeys(texts, "category"))


def small() -> pd.DataFrame:
    """Return two models, three people and a strategy on everything that the figures need."""
    parts = []
    for name, better in (("openai/gpt-4o", 20), ("demo/small", 0)):
        parts.append(cell(name, "vocabulary", "main", 70 + better, 100, ceilings=(0.5, 0.5, 1)))
        for task, items in (
            ("possessive", ("g01-axe-drum", "g02-bell-rose")),
            ("demonstrative", ("g01-axe", "g01-drum", "g02-bell", "g02-rose")),
        ):
            parts.append(cell(name, task, "main", 40 + better, 100, items=items, errors=("PPE", WORD_ERROR[task])))
            parts.append(cell(name, task, "perspective", 20 + better, 100, items=items, ceilings=(0.5, 0.25, 0.5)))
            parts.append(cell(name, task, "instruction", 75 + better, 100, items=items))
            parts.append(cell(name, task, "in-context", 41 + better, 100, items=items))
    for person, right in (("1", 16), ("2", 12), ("3", 14)):
        for task in ("vocabulary", "possessive", "demonstrative"):
            less = 4 * (task == "demonstrative")
            parts.append(cell(f"people:pilot/{person}", task, "people", right - less, 16, ceilings=(0.25, 1, 1)))
    for task in ("vocabulary", "possessive", "demonstrative"):
        parts.append(cell("strategy:oracle", task, "main", 8, 8))
        parts.append(cell("strategy:always-I", task, "main", 4, 8))
    return table(*parts)


def ratings() -> pd.DataFrame:
    """Return the ratings of two persons."""
    rows = []
    for person, high, low in (("a", 7, 1), ("b", 5, 2)):
        for word in ("yours", "mine"):
            rows += [("possessive", word, person, high, "target pair"), ("possessive", word, person, low, "other pair")]
        for place, rating in enumerate((high, 4, 3, low)):
            rows.append(("demonstrative", "this one", person, rating, place))
    return pd.DataFrame(rows, columns=["task", "word", "person", "rating", "role"])
